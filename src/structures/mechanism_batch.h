/// Many states of a mechanism with closed loops, or of a tree with contacts, at once: on SIMD lanes, and on threads
/// when asked (docs/theory/loops.md, section 8).
///
///   MechanismBatch batch(mechanism, 1000);
///   batch.tree.q.set(k, q); ...        // closed states of the tree, by assemble() and closed_motion()
///   inverse_dynamics(batch);           // tree.q, tree.v, tree.a and its loads → tau
///   batch.tau.get(k)
///
/// The order of elimination is chosen once. A state in which it would lose accuracy is computed as single states are,
/// and with the same errors, which name the state. On lanes are torques and accelerations with their wrenches, unless
/// equations repeat others, accelerations with contacts held on a tree, and derivatives of accelerations
/// (mechanism_batch_derivatives.h); the rest is computed one state after the other, split evenly among the threads.
#pragma once

#include <memory>
#include <span>

#include "verne/dynamics/batch.h"
#include "verne/structures/mechanism.h"

namespace verne {

/// Many states of one mechanism, with room for what is computed from them.
class VERNE_API MechanismBatch {
 public:
  /// Room for `count` states.
  MechanismBatch(const Mechanism& mechanism, int count, const BatchOptions& options = {});
  MechanismBatch(MechanismBatch&&) noexcept;
  MechanismBatch& operator=(MechanismBatch&&) noexcept;
  ~MechanismBatch();

  Batch tree;               ///< q, v, a and loads of the tree; tau where contacts are held
  LaneArray tau;            ///< a row for each actuated velocity
  LaneArray weights;        ///< of Σ weight tau², a positive row for each entry of tau; empty: 1 each
  LaneArray loop_wrenches;  ///< 6 rows a loop, then a contact that is held; those of joints: tree.joint_wrenches

  /// States that the last call computed one by one.
  int singles() const;

  struct Parts;
  /// The memory, for the library.
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// tau of the actuators; with more of them than mobility the least ones. `wrenches`: those of loops and joints, too.
VERNE_API void inverse_dynamics(MechanismBatch& batch, bool wrenches = false);
/// tree.a under tau
VERNE_API void forward_dynamics(MechanismBatch& batch, bool wrenches = false);
/// tree.tau, the least that gives the motion with contacts held (indices of Model::contacts())
VERNE_API void inverse_dynamics(MechanismBatch& batch, std::span<const int> contacts, bool wrenches = false);
/// tree.a under tree.tau with contacts held
VERNE_API void forward_dynamics(MechanismBatch& batch, std::span<const int> contacts, bool wrenches = false);

}  // namespace verne
