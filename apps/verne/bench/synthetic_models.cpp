#include "synthetic_models.h"

#include <string>
#include <utility>

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

ModelSpec four_bar_chain(int four_bars) {
  constexpr double kBase = 0.3, kCrank = 0.2, kCoupler = 0.35, kRocker = 0.25, kRadius = 0.012;
  const auto bar = [](std::string name, std::string parent, double at, double length, bool driven) {
    LinkSpec link;
    link.joint.name = name + "_joint";
    link.name = std::move(name), link.parent = std::move(parent);
    link.joint.type = JointType::revolute;
    link.joint.actuated = driven;
    link.X_PJ.p = {at, 0, 0};
    link.has_inertial = true;
    link.mass = length;  // 1 kg/m
    link.com = {length / 2, 0, 0};
    const double along = link.mass * kRadius * kRadius / 2, across = link.mass * length * length / 12 + along / 2;
    link.inertia = {along, 0, 0, across, 0, across};
    return link;
  };
  ModelSpec spec;
  spec.name = "four_bars" + std::to_string(four_bars);
  spec.gravity = {0, -9.81, 0};
  spec.links.resize(1);
  spec.links[0].name = "base";
  spec.links[0].joint.name = "base_joint";
  std::string ground = "base";
  for (int i = 1; i <= four_bars; ++i) {
    const std::string number = std::to_string(i);
    const std::string crank = "crank" + number, coupler = "coupler" + number, rocker = "rocker" + number;
    spec.links.push_back(bar(crank, ground, 0, kCrank, true));
    spec.links.push_back(bar(coupler, crank, kCrank, kCoupler, false));
    spec.links.push_back(bar(rocker, ground, kBase, kRocker, false));
    LoopSpec loop;
    loop.name = "closing" + number, loop.type = LoopType::revolute;
    loop.a.link = coupler, loop.b.link = rocker;
    loop.a.X_LF.p = {kCoupler, 0, 0}, loop.b.X_LF.p = {kRocker, 0, 0};
    spec.loops.push_back(loop);
    for (const auto& [joint, angle] : {std::pair(crank, 1.6), std::pair(coupler, -1.4), std::pair(rocker, 1.2)}) {
      spec.home.push_back({joint + "_joint", {angle}, 0});
    }
    spec.independent.push_back(crank + "_joint");
    ground = coupler;
  }
  return spec;
}

}  // namespace verne::cli
