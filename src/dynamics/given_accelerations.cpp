#include "verne/dynamics/given_accelerations.h"

#include <algorithm>

#include "dynamics/check.h"
#include "model/carried_inertia.h"

namespace verne {

GivenAccelerations::GivenAccelerations(const Model& model, std::span<const int> joints)
    : flags_(static_cast<std::size_t>(model.nv()), char{0}) {
  for (const int index : joints) {
    check_index("GivenAccelerations", "joint", index, static_cast<int>(model.joints().size()));
    const Joint& joint = model.joints()[static_cast<std::size_t>(index)];
    const int count = velocity_count(joint.spec.type);
    if (count == 0) throw InputError("joint '" + joint.spec.name + "' is fixed: it has no acceleration to give");
    for (int k = 0; k < count; ++k) flags_[static_cast<std::size_t>(joint.v + k)] = 1;
  }
  find_without_inertia(model);
}

void GivenAccelerations::find_without_inertia(const Model& model) {
  if (model.joints_without_inertia().empty()) return;
  without_inertia_ = verne::joints_without_inertia(model.tree(), model.joints(), [&](int k) { return (*this)[k]; });
}

GivenAccelerations GivenAccelerations::of_all(const Model& model) {
  std::vector<int> moving;
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    if (model.joints()[i].spec.type != JointType::fixed) moving.push_back(static_cast<int>(i));
  }
  return GivenAccelerations(model, moving);
}

GivenAccelerations GivenAccelerations::of_velocities(const Model& model, std::span<const int> velocities) {
  GivenAccelerations given(model);
  for (const int k : velocities) {
    check_index("GivenAccelerations", "velocity", k, model.nv());
    given.flags_[static_cast<std::size_t>(k)] = 1;
  }
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    const Joint& joint = model.joints()[i];
    if (joint.nq == joint.nv) continue;
    const auto first = given.flags_.begin() + joint.v;
    const auto count = std::count(first, first + joint.nv, char{1});
    if (count > 0 && count < joint.nv) given.parted_joint_ = static_cast<int>(i);
  }
  given.find_without_inertia(model);
  return given;
}

}  // namespace verne
