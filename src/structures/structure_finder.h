/// Finds what a Mechanism is: its rank, its independent equations and coordinates, and what its motion determines.
#pragma once

#include <random>

#include "structures/mechanism_contents.h"

namespace verne {

class StructureFinder {
 public:
  explicit StructureFinder(Mechanism::Contents& contents);
  /// Throws InputError when a loop cannot be closed or the wished coordinates do not serve.
  void find();

 private:
  void close_at_home();
  void take_whole_tree();
  void measure();
  void gather_samples();
  void choose_equations();
  void choose_coordinates();
  void settle_home();
  void mark_determined();

  Eigen::MatrixXd scaled_jacobian(const Eigen::VectorXd& q);
  std::vector<int> wished_joints() const;
  /// Which joints become dependent before others, and how far their columns shall be from those of the others.
  struct Preference {
    bool passive_first;
    double margin;
  };
  bool make_dependent(const Eigen::MatrixXd& rest, int missing, const Preference& preference, std::vector<int>& left,
                      int& tries) const;
  std::vector<int> found_joints(const Eigen::MatrixXd& J, const Preference& preference) const;
  /// The rank of what is left when these joints are given, and whether they are as many as can move.
  bool serves(const std::vector<int>& joints, const Eigen::MatrixXd& J) const;
  std::vector<int> velocities_of(const std::vector<int>& joints) const;

  Mechanism::Contents& c_;
  Data<double> data_;
  LoopSystem<double> system_;
  Eigen::VectorXd guess_, home_;
  std::vector<Eigen::VectorXd> samples_;  ///< closed configurations at and about home
  int rank_ = 0;
};

}  // namespace verne
