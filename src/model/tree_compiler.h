/// Flattens a model into the arrays that the kernels walk.
#pragma once

#include <vector>

#include "model/contents.h"
#include "verne/spatial/inertia.h"

namespace verne {

/// Fills everything in a model's contents from its specification, which must be valid, with unit axes and the links
/// depth first.
class TreeCompiler {
 public:
  explicit TreeCompiler(Model::Contents& contents) : contents_(contents) {}
  void compile();

 private:
  /// Where a link is: its frame in the frame of its body (or of the world).
  struct Place {
    int body = -1;
    Transform<double> X_BL = Transform<double>::identity();
  };

  void list_links();
  void number_coordinates();
  void place_links();
  void merge(int link, const Place& parent);
  void attach(int link, const Place& parent);
  void settle(int link, int body, const Transform<double>& X_BJ);
  void add_site(int body, int link, const Transform<double>& X);
  void add_body(JointKind kind, int parent, const Transform<double>& X, int attached_link, const Joint& joint);
  void add_velocities(const Joint& joint, const TreeBody& body, int before);
  void add_positions(const Joint& joint, int count);
  void sum_inertias();
  void give_mass_to_moments();
  void place_frames();
  void group_sites();
  void find_subtrees();
  void finish();

  Model::Contents& contents_;
  std::vector<int> end_of_links_;  // one past the last link of each link's subtree
  int joint_positions_ = 0;        // of the joint at hand: those that its bodies have taken already
  int joint_velocities_ = 0;
};

}  // namespace verne
