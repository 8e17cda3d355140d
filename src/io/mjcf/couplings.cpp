#include "io/mjcf/couplings.h"

#include <cmath>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr double kSamePosition = 1e-9;

}  // namespace

MjcfCouplings::Chain MjcfCouplings::chain_of(std::size_t joint) const {
  Chain chain{joint, 0, 1};
  for (auto next = leaders_.find(joint); next != leaders_.end(); next = leaders_.find(chain.root)) {
    const MimicSpec& mimic = *spec_.links[chain.root].joint.mimic;
    chain = {next->second, chain.offset + chain.ratio * mimic.offset, chain.ratio * mimic.ratio};
  }
  return chain;
}

bool MjcfCouplings::couple(std::size_t joint, std::size_t other, double offset, double ratio) {
  if (ratio == 0) return hold(joint, offset);
  const Chain one = chain_of(joint), two = chain_of(other);
  // one.offset + one.ratio r₁ = offset + ratio (two.offset + two.ratio r₂)
  const double shift = (offset + ratio * two.offset - one.offset) / one.ratio, slope = ratio * two.ratio / one.ratio;
  if (one.root == two.root) {
    if (std::abs(1 - slope) > kSamePosition) return hold(one.root, shift / (1 - slope));
    return std::abs(shift) <= kSamePosition;
  }
  if (held_.count(one.root)) return hold(two.root, (held_[one.root] - shift) / slope);
  if (held_.count(two.root)) return hold(one.root, shift + slope * held_[two.root]);
  const bool direct = one.root == joint;
  leaders_[one.root] = direct ? other : two.root;
  spec_.links[one.root].joint.mimic = direct ? MimicSpec{spec_.links[other].joint.name, ratio, offset}
                                             : MimicSpec{spec_.links[two.root].joint.name, slope, shift};
  return true;
}

bool MjcfCouplings::hold(std::size_t joint, double q) {
  const Chain chain = chain_of(joint);
  const double position = (q - chain.offset) / chain.ratio;
  const auto [held, fresh] = held_.try_emplace(chain.root, position);
  return fresh || std::abs(held->second - position) <= kSamePosition;
}

void MjcfCouplings::finish() {
  std::map<std::size_t, double> positions;
  for (std::size_t i = 0; i < spec_.links.size() && !held_.empty(); ++i) {
    const Chain chain = chain_of(i);
    const auto held = held_.find(chain.root);
    if (held != held_.end()) positions[i] = chain.offset + chain.ratio * held->second;
  }
  for (const auto& [i, q] : positions) {
    LinkSpec& link = spec_.links[i];
    const Vec3<double>& axis = link.joint.axis;
    const Transform<double> moved = link.joint.type == JointType::revolute
                                        ? Transform<double>{rotation_about(axis, q), {0, 0, 0}}
                                        : Transform<double>{Mat3<double>::identity(), axis * q};
    link.X_JL = moved * link.X_JL;
    link.joint.type = JointType::fixed;
    link.joint.dofs.clear(), link.joint.mimic.reset();
  }
}

}  // namespace verne
