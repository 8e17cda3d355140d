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

}  // namespace verne
