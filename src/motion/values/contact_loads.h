/// What contacts do to the model, at many states, where their forces are variables: docs/theory/gait.md, (19) to (22).
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "motion/curve/dof_pairs.h"
#include "motion/curve/lane_columns.h"
#include "motion/terms/channels.h"
#include "motion/values/carried_point.h"
#include "verne/dynamics/batch.h"

namespace verne {

class ContactLoads {
 public:
  using Wrench = Eigen::Matrix<double, 6, 1>;  ///< force, moment about the world's origin; world axes

  /// `dofs`: freedoms by which gradients are given, in their order.
  ContactLoads(const ChannelLayout& channels, const std::vector<int>& dofs, int count);

  /// Poses must be there. `components`: of what contacts bear, one column a state.
  void evaluate(const Model& model, Batch& batch, const Eigen::Ref<const Eigen::MatrixXd>& components);
  /// (19) What all contacts together bear, and what they take off the torque of a freedom.
  Wrench wrench(int node) const;
  double torque(int node, int dof) const;

  /// (20) Takes the derivatives by q of torque() off `out`, and of the rows of wrench() off `rows`. What they write for
  /// components of contacts replaces what was there.
  void take_torque_gradient(int node, int dof, double* out) const;
  void take_wrench_gradient(int node, const std::array<double*, 6>& rows) const;

  /// (21), (22) Takes the second derivatives of Σ torques · torque() + wrench · wrench() off the arrays of
  /// NodeCurvature.
  void take_curvature(int node, const double* torques, const Wrench& wrench, const DofPairs& pairs,
                      double* curvature) const;

 private:
  struct Site {
    int site = 0;
    std::vector<int> dofs;
    std::vector<int> place_of_dof;  // in dofs; -1 for others
    std::vector<LanePick> pose_rows, jacobian_rows;
    Eigen::MatrixXd pose, axes;  // one column a state
  };
  struct Contact {
    int site = 0;   // in sites_
    int borne = 0;  // freedoms of the site that carry the support, too: the first ones
    Vec3<double> local{0, 0, 0};
    std::vector<Vec3<double>> point, force;    // of each state
    std::vector<std::vector<Carrying>> moved;  // of each state, by freedoms of the site
  };
  /// Among the freedoms of the site that bear the contact; -1 for others.
  int place_of(int dof, const Contact& contact) const {
    const int k = sites_[contact.site].place_of_dof[dof];
    return k < contact.borne ? k : -1;
  }
  int site_of(const ChannelLayout& channels, int site, int count);

  ContactCurve curve_;
  int joints_;
  std::vector<Site> sites_;
  std::vector<Contact> contacts_;
  std::vector<int> place_;  // of each freedom, in gradients
};

}  // namespace verne
