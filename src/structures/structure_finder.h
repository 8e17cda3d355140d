/// Finds what a Mechanism is: its rank, its independent equations and coordinates, and what its motion determines.
#pragma once

#include <memory>

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
  void close_exactly();
  void settle_home();
  void mark_determined();
  void find_motion_without_inertia();

  Eigen::MatrixXd scaled_jacobian(const Eigen::VectorXd& q);
  /// From the largest of each singular value over all samples, of the first the part.
  int rank_by_gap(const Eigen::VectorXd& largest);

  Mechanism::Contents& c_;
  Data<double> data_;
  std::unique_ptr<LoopSystem<double>> system_;  ///< null without loops: it has a mass matrix
  Eigen::VectorXd guess_, home_;
  std::vector<Eigen::VectorXd> samples_;  ///< closed configurations at and about home
  int rank_ = 0;
};

}  // namespace verne
