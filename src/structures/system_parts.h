/// What a System and a SystemData hold.
#pragma once

#include <optional>

#include "structures/contact_parts.h"
#include "structures/parallel_parts.h"
#include "verne/dynamics/derivatives.h"
#include "verne/structures/system.h"

namespace verne {

struct System::Contents {
  explicit Contents(const Model& of) : model(of), mechanism(of) {}

  Model model;
  Mechanism mechanism;
  std::vector<int> contacts;
  std::optional<GivenAccelerations> given;
  std::shared_ptr<const ParallelRobot> legs;  ///< where it is a platform on legs

  bool closed() const { return !model.loops().empty(); }
  /// Whether it is more than a tree: all else is for the recursions of trees.
  bool joined() const { return closed() || !contacts.empty(); }
  int motors() const { return static_cast<int>(mechanism.actuated().size()); }
};

/// Of torques or accelerations, and of wrenches.
struct DerivativeMemory {
  Eigen::MatrixXd dq, dv, dx;
  DerivativeViews views() const;
};

struct SystemData::Parts {
  explicit Parts(const System& system);

  Data<double> tree;
  std::optional<ContactData> held;    ///< of what is more than a tree
  std::optional<ParallelRobot> legs;  ///< of a platform on legs
  MechanismData<double>& closed() { return held->parts().closed; }

  Eigen::VectorXd q, v, a, tau, tree_tau, bias, gravity;
  Eigen::MatrixXd mass, stresses, by_loads, jacobian;
  Matrix6X<double> loops, joints;
  DerivativeMemory derivatives, d_loops, d_joints, d_tree;
  std::optional<WrenchDerivatives<double>> tree_wrenches;
};

/// Torques of a system as those of all velocities of the tree, and back.
Eigen::VectorXd all_torques(const System::Contents& c, VectorIn<double> tau);
void keep_motors(const System::Contents& c, const Eigen::VectorXd& all, Eigen::VectorXd& tau);
/// Weights of the actuators, which are all that counts of those of a system's torques.
std::optional<Values> actuator_weights(const System::Contents& c, const Values* weights);

inline VectorView view_of(const Eigen::VectorXd& x) {
  return {x.data(), x.size()};
}
template <class Columns>
MatrixView matrix_view_of(const Columns& x) {
  return {x.data(), x.rows(), x.cols()};
}
inline MatrixView no_matrix() {
  return {nullptr, 0, 0};
}

}  // namespace verne
