/// What hybrid dynamics is given of each joint.
#pragma once

#include <span>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// The joints whose accelerations are given in place of their torques. A joint is given as a whole; one that follows
/// another (mimic) goes with it. A fixed joint has no acceleration to give: InputError.
class VERNE_API GivenAccelerations {
 public:
  /// Of none, or of these joints (Model::joint).
  explicit GivenAccelerations(const Model& model, std::span<const int> joints = {});
  /// Of all joints: hybrid dynamics is then inverse dynamics.
  static GivenAccelerations of_all(const Model& model);
  /// Of single entries of v. A joint with a quaternion that has some of its entries given, and others not, is for
  /// mechanisms with loops alone (structures/system.h): trees throw InputError.
  static GivenAccelerations of_velocities(const Model& model, std::span<const int> velocities);

  /// Whether the acceleration of entry k of v is given.
  bool operator[](int velocity) const { return flags_[static_cast<std::size_t>(velocity)] != 0; }
  /// One char for each entry of v.
  std::span<const char> flags() const { return flags_; }
  /// The joints that nothing resists once these accelerations are given: with any of them hybrid dynamics has no answer
  /// and throws an InputError that names them.
  std::span<const int> joints_without_inertia() const { return without_inertia_; }
  /// Such a joint that is given in part, or -1.
  int parted_joint() const { return parted_joint_; }

 private:
  void find_without_inertia(const Model& model);

  std::vector<char> flags_;
  std::vector<int> without_inertia_;
  int parted_joint_ = -1;
};

}  // namespace verne
