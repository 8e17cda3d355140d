/// Many states of a system at once: on SIMD lanes, and on threads when asked.
///
///   SystemBatch batch(system, 1000);
///   batch.q().set(k, q); ...      // q, v, a of the system; of a tree they are those of batch.tree
///   assemble(batch);              // with loops: the tree's states, each from home or a guess
///   inverse_dynamics(batch);      // → batch.tau()
///
/// On lanes are assembly, torques and accelerations (leg by leg, or in an order of elimination that is chosen once, and
/// with contacts on a tree), derivatives of these but of torques with contacts held, and all of trees. A state for
/// which that order is bad is computed as single states are. Errors name the state.
#pragma once

#include "verne/dynamics/batch_derivatives.h"
#include "verne/structures/system.h"

namespace verne {

/// Many states of one system, with room for what is computed from them.
class VERNE_API SystemBatch {
 public:
  /// Room for `count` states; what is not set is home at rest.
  SystemBatch(const System& system, int count, const BatchOptions& options = {});
  SystemBatch(SystemBatch&&) noexcept;
  SystemBatch& operator=(SystemBatch&&) noexcept;
  ~SystemBatch();

  /// What it has states of.
  const System& system() const;
  /// Number of states.
  int count() const { return tree().count(); }
  /// Coordinates of the system: System::nq() rows.
  LaneArray& q();
  /// Velocities of the system: System::nv() rows.
  LaneArray& v();
  /// Accelerations of the system: System::nv() rows.
  LaneArray& a();
  /// System::torques() rows.
  LaneArray& tau();
  /// States of the tree, with loads and what is computed of the tree; with loops they come from assemble().
  Batch& tree();
  /// The same to read.
  const Batch& tree() const;
  /// Where the tree's configurations are looked for by assemble(): Model::nq() rows; empty until used, which is home.
  LaneArray guess;
  /// Of Σ weight tau², where torques are not unique: System::torques() positive rows; empty until used, which is 1
  /// each.
  LaneArray weights;
  /// Coordinates of the tree in place of q, v, a, for the next assemble(): which leaves them alone where loops are
  /// closed, and open, by no more than 1e-9 (of velocities and accelerations above 1: of their size).
  void set_tree(int state, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a);

  LaneArray bias, gravity;                             ///< nv rows each
  LaneArray mass_matrix, inverse_mass_matrix;          ///< nv² rows each
  LaneArray loop_wrenches, joint_wrenches;             ///< 6 rows a loop, then a contact; 6 rows a joint
  BatchDerivatives d_tau, d_acceleration;              ///< by the system's coordinates
  BatchDerivatives d_loop_wrenches, d_joint_wrenches;  ///< 6 rows for each direction, wrench after wrench
  BatchDerivatives d_tree;                             ///< with loops: of all accelerations of the tree, nv rows
  LaneArray d_tau_loads, d_acceleration_loads;         ///< by nine numbers of each load: force, moment, point

  /// In messages the first state has this number.
  void count_from(std::size_t number);
  /// Of each state, whether the last assemble() went straight there from its guess.
  std::span<const char> connected() const;
  /// States that the last call computed one by one.
  int singles() const;

  struct Parts;
  /// The memory, for the library.
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// q, v, a → states of the tree. Throws the InputError of the first state that cannot be closed.
VERNE_API void assemble(SystemBatch& batch);
/// tree.q, v, a, loads → tau(), and when wanted the wrenches
VERNE_API void inverse_dynamics(SystemBatch& batch, bool wrenches = false);
/// tree.q, v, tau(), loads → tree.a and a(), and when wanted the wrenches; where accelerations are given these are read
/// and their torques found
VERNE_API void forward_dynamics(SystemBatch& batch, bool wrenches = false);
/// tree.q, v → bias
VERNE_API void bias_torques(SystemBatch& batch);
/// tree.q → gravity
VERNE_API void gravity_torques(SystemBatch& batch);
/// tree.q → mass_matrix
VERNE_API void mass_matrix(SystemBatch& batch);
/// tree.q → inverse_mass_matrix
VERNE_API void inverse_mass_matrix(SystemBatch& batch);
/// tree.q, v, a, loads → d_tau, and when wanted those of wrenches, those by loads, and with loops d_tree
VERNE_API void inverse_dynamics_derivatives(SystemBatch& batch, bool wrenches = false, bool by_loads = false,
                                            bool tree = false);
/// tree.q, v, tau(), loads → d_acceleration, and when wanted those of wrenches, those by loads, and with loops d_tree
VERNE_API void forward_dynamics_derivatives(SystemBatch& batch, bool wrenches = false, bool by_loads = false,
                                            bool tree = false);

}  // namespace verne
