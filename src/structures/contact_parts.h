/// The scratch memory of contacts, and the system that they make with the tree (docs/theory/loops.md, section 6).
#pragma once

#include "structures/closed_derivatives.h"
#include "structures/contacts.h"
#include "structures/kernels/closing_plan.h"
#include "structures/mechanism_parts.h"

namespace verne {

struct ContactData::Parts {
  explicit Parts(const Mechanism& mechanism);

  /// Mass matrix and bias torques of the tree, the rows of the contacts along its velocities and their drift.
  void gather(std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v);
  /// x := a and `lambda` with M a = x + Jᵀ λ, J a + drift = 0, for as many freedoms as x has; `parent` is the way from
  /// each of them to the root, and `dense` says that every equation is about all of them. M and J are lost.
  void solve(const int* parent, bool dense, Eigen::MatrixXd& M, Eigen::MatrixXd& J, Eigen::VectorXd& x);
  /// The same for the whole tree under tau and loads, by articulated bodies; there are neither loops nor coupled
  /// joints.
  void solve_articulated(std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                         LoadsIn<double> given);
  /// Accelerations and their derivatives along all velocities of the tree, and unless null those of the wrenches of the
  /// contacts, under the same conditions; without allocation from the second call on. False where the general method
  /// has to compute them: contacts that repeat others, or blocks with different strides.
  bool differentiate_articulated(std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v,
                                 VectorIn<double> tau, LoadsIn<double> given, VectorOut<double> a, MatrixOut<double> dq,
                                 MatrixOut<double> dv, MatrixOut<double> dtau, ReactionDerivatives* of_contacts,
                                 ReactionDerivatives* of_joints);
  /// The wrenches of the contacts for `lambda`, into the columns behind those of the loops.
  void write_wrenches(Matrix6X<double>& wrenches) const;
  void add_loads(const Matrix6X<double>& wrenches, Loads<double>& to) const;
  /// What the loops and joints bear beside the contacts, whose wrenches are in `wrenches` already.
  void complete_wrenches(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, VectorIn<double> tau,
                         LoadsIn<double> given, Matrix6X<double>& wrenches, WrenchesOut<double> joint_wrenches);

  /// A contact that is held.
  struct Held {
    int link, slot, first, rows;
    int last;  ///< the velocity nearest to its link; −1: the link is fixed
    const ContactSpec* spec;
    const ClosingEnd* on_body;
    Mat3<double> R;  ///< its axes in the world
  };

  MechanismData<double> closed;
  MechanismData<double>::Parts& p;
  const Mechanism::Contents& c;
  const Model& model;
  bool tree;  ///< there are no loops
  const ClosingTable& kernels;
  std::vector<int> tree_way, dense_way;   ///< parents of velocities; of freedoms that are all coupled
  std::vector<int> contact_link, last_v;  ///< of the model's contacts
  std::vector<ClosingEnd> on_body;
  std::vector<int> sites;
  std::vector<Held> held;
  std::vector<HeldPlan> ways;
  int equations = 0;

  Eigen::MatrixXd mass, J, reduced_mass, reduced_J;  ///< rows are equations, moments in units of the mechanism's length
  Eigen::MatrixXd answers;
  std::vector<double> axes, derivative_memory;
  Eigen::VectorXd bias, drift, lambda, x, torques, reduced_x;
  Matrix6X<double> jacobians, drifts, wrenches;
  Eigen::Matrix<double, 12, Eigen::Dynamic> poses;
  Eigen::MatrixXd response, factor;
  Loads<double> loads;

 private:
  void hold(std::span<const int> contacts);
  void put_rows(Held& at, VectorIn<double> v);
  void solve_multipliers();
};

/// As many as components of its motion that a contact of a type holds.
int equations_of(ContactType type);

/// X of the least norm with A X = right, for an A that may lose rank where right does not reach.
Eigen::MatrixXd solve_least(const Eigen::MatrixXd& A, const Eigen::MatrixXd& right);

}  // namespace verne
