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
  static GivenAccelerations of_all(const Model& model);

  /// Whether the acceleration of entry k of v is given.
  bool operator[](int velocity) const { return flags_[static_cast<std::size_t>(velocity)] != 0; }
  /// One char for each entry of v.
  std::span<const char> flags() const { return flags_; }
  /// The joints that nothing resists once these accelerations are given: with any of them hybrid dynamics has no answer
  /// and throws an InputError that names them.
  std::span<const int> joints_without_inertia() const { return without_inertia_; }

 private:
  std::vector<char> flags_;
  std::vector<int> without_inertia_;
};

}  // namespace verne
