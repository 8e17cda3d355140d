#include "motion/loop_couplings.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace verne {

namespace {

/// Joints between a link and the world, each the index of the link that it carries.
std::vector<int> joints_to_world(const Model& model, const LoopEnd& end) {
  std::vector<int> joints;
  if (end.link == "world") return joints;
  for (int link = model.link(end.link); link >= 0; link = model.links()[static_cast<std::size_t>(link)].parent) {
    joints.push_back(link);
  }
  return joints;
}

}  // namespace

std::optional<std::string> coupled_within_loop(const Model& model) {
  const auto joint = [&](int k) -> const Joint& { return model.joints()[static_cast<std::size_t>(k)]; };
  const auto has = [](const std::vector<int>& joints, int k) {
    return std::find(joints.begin(), joints.end(), k) != joints.end();
  };
  for (const LoopSpec& loop : model.loops()) {
    const std::vector<int> a = joints_to_world(model, loop.a), b = joints_to_world(model, loop.b);
    std::vector<int> all = a;
    std::copy_if(b.begin(), b.end(), std::back_inserter(all), [&](int k) { return !has(a, k); });
    const auto moves_both = [&](int k) { return has(a, k) && has(b, k); };
    for (const int k : all) {
      if (!joint(k).coupled()) continue;
      const bool apart = std::any_of(all.begin(), all.end(), [&](int other) {
        const bool same = other != k && joint(other).v == joint(k).v && (joint(other).nv > 0 || joint(other).coupled());
        return same && !(moves_both(k) && moves_both(other));
      });
      if (apart) return joint(k).spec.name;
    }
  }
  return std::nullopt;
}

}  // namespace verne
