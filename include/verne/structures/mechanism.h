/// A tree whose loops are closed (ModelSpec::loops): what can move, and which coordinates tell the rest. Without loops
/// it is the tree itself, all of whose coordinates are independent.
///
/// The equations are in docs/theory/loops.md. Redundant equations are the usual case: a revolute joint that closes a
/// planar four-bar brings five, of which two are independent. Which ones are kept is decided once, at generic closed
/// configurations, so that no state chooses anew.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "verne/base/export.h"
#include "verne/base/values.h"
#include "verne/model/model.h"

namespace verne {

/// Immutable; may be shared by threads. Copies are cheap (shared contents).
class VERNE_API Mechanism {
 public:
  /// Throws InputError when a loop cannot be closed, from home or other starts (which, and by how much), or when the
  /// joints of `independent:` are not as many as can move, or cannot tell the rest.
  explicit Mechanism(const Model& model);

  /// The tree, and the loops that close it.
  const Model& model() const;
  /// Entries of the independent velocities, and of the independent positions. Of a quaternion with one or two
  /// independent velocities all four entries count: they lead, and closing the loops turns them where it must.
  int mobility() const;
  /// Number of independent positions.
  int nq() const;
  /// Indices in the v and q of the tree, in ascending order.
  std::span<const int> independent() const;
  /// Indices of the independent positions in the q of the tree, in ascending order.
  std::span<const int> independent_positions() const;
  /// Indices of the dependent velocities in the v of the tree, in ascending order.
  std::span<const int> dependent() const;
  /// Velocities of the tree that have an actuator: the entries of tau.
  std::span<const int> actuated() const;

  /// Equations of all loops, how many of them are independent, and which: `closing: d_x`.
  int equations() const;
  /// How many equations are independent at generic closed configurations.
  int rank() const;
  /// Which equations are kept as independent.
  std::span<const int> independent_equations() const;
  /// A name for people: `closing: d_x`.
  std::string equation_name(int equation) const;

  /// A closed configuration of the tree, near the home of the model.
  const Values& home() const;
  /// Of its independent joints, in the order of independent_positions().
  Values independent_home() const;
  /// The length by which moments are divided where forces and moments are weighed against each other.
  double length() const;

  /// Whether the motion and the torques tell component k (force x y z, moment x y z) of the wrench of a loop, or of a
  /// joint of the tree. Where they do not, parts of the mechanism hold against each other, and the wrenches of the
  /// loops with the smallest sum of f² + (m / length)² are given.
  bool loop_determined(int loop, int k) const;
  /// The same for the wrench of a joint of the tree.
  bool joint_determined(int joint, int k) const;
  /// Whether all components of all wrenches are determined.
  bool all_determined() const;
  /// Whether every motion has inertia; else forward dynamics throws InputError.
  bool has_inertia() const;

  /// What was decided in closing the loops at home that the file does not say: that another start was needed.
  std::span<const Diagnostic> notes() const;
  /// What is computed although it is odd: loops that a rounded file does not quite close, motions without inertia.
  std::span<const Diagnostic> warnings() const;

  struct Contents;
  /// For the library.
  const Contents& contents() const { return *contents_; }

 private:
  // Shared as a Model's contents are.
  std::shared_ptr<const Contents> contents_;
};

}  // namespace verne
