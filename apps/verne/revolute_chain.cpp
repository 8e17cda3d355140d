#include "revolute_chain.h"

#include <string>

namespace verne::cli {

ModelSpec revolute_chain(int joints) {
  constexpr double kMass = 1, kLength = 0.2, kRadius = 0.03;
  // A solid cylinder about its middle.
  constexpr double kAlong = kMass * kRadius * kRadius / 2;
  constexpr double kAcross = kMass * (3 * kRadius * kRadius + kLength * kLength) / 12;
  ModelSpec spec;
  spec.name = "chain" + std::to_string(joints);
  spec.links.resize(static_cast<std::size_t>(joints) + 1);
  spec.links[0].name = "base";
  spec.links[0].joint.name = "base_joint";
  for (std::size_t i = 1; i < spec.links.size(); ++i) {
    LinkSpec& link = spec.links[i];
    link.name = "link" + std::to_string(i);
    link.parent = spec.links[i - 1].name;
    link.joint.name = "joint" + std::to_string(i);
    link.joint.type = JointType::revolute;
    link.joint.axis = {i % 3 == 1 ? 1.0 : 0.0, i % 3 == 2 ? 1.0 : 0.0, i % 3 == 0 ? 1.0 : 0.0};
    link.X_PJ.p = {0, 0, i == 1 ? 0 : kLength};
    link.has_inertial = true;
    link.mass = kMass;
    link.com = {0, 0, kLength / 2};
    link.inertia = {kAcross, 0, 0, kAcross, 0, kAlong};
  }
  return spec;
}

}  // namespace verne::cli
