#include "model/position_names.h"

#include <array>

namespace verne {

std::string charted_name(const Model& model, const Joint& joint, int k) {
  static constexpr std::array kPose{".x", ".y", ".z", ".rx", ".ry", ".rz"};
  switch (joint.spec.type) {
    case JointType::spherical:
      return joint.spec.name + kPose.at(std::size_t(k) + 3);
    case JointType::free:
      return joint.spec.name + kPose.at(std::size_t(k));
    default:
      return model.dof_names()[std::size_t(joint.v + k)];
  }
}

std::vector<std::string> position_names(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints()) {
    if (joint.nq == joint.nv) {
      for (int k = 0; k < joint.nv; ++k) names.push_back(model.dof_names()[static_cast<std::size_t>(joint.v + k)]);
      continue;
    }
    const std::vector<const char*> suffixes = {".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"};
    for (std::size_t k = suffixes.size() - static_cast<std::size_t>(joint.nq); k < suffixes.size(); ++k) {
      names.push_back(joint.spec.name + suffixes[k]);
    }
  }
  return names;
}

}  // namespace verne
