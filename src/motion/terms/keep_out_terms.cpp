#include "motion/terms/keep_out.h"
#include "motion/terms/keep_out_of_box.h"
#include "motion/terms/task_terms.h"

namespace verne {

namespace {

constexpr LimitKind kKeepOut{.name = "keep_out", .known_from = 1, .of_posture = true, .of_zone = true};

/// The coordinates of both ends of a part of a link.
std::vector<int> end_channels(const LinkCapsule& part, ChannelLayout& channels) {
  const int a = channels.point(part.link, part.from), b = channels.point(part.link, part.to);
  return {a, a + 1, a + 2, b, b + 1, b + 2};
}

}  // namespace

void add_keep_out(const Task& task, ChannelLayout& channels, LimitTerms& terms) {
  for (const KeepOutSpec& zone : task.keep_out) {
    const ObstacleSpec& obstacle = zone.obstacle;
    for (const LinkCapsule& part : zone.parts) {
      const auto name = [&](const std::string& from) {
        return LimitName{kKeepOut, task.model.links()[part.link].name + " from " + from, "m"};
      };
      std::vector<int> ends = end_channels(part, channels);
      const double distance = part.radius + zone.margin;
      for (const LinkCapsule& other : zone.against) {
        std::vector<int> all = ends;
        for (const int channel : end_channels(other, channels)) all.push_back(channel);
        terms.push_back(
            std::make_unique<KeepApart>(name(task.model.links()[other.link].name), std::move(all),
                                        CapsulePair<true>(part, other.from, other.to, distance + other.radius)));
      }
      if (!zone.against.empty()) continue;
      if (obstacle.box) {
        terms.push_back(std::make_unique<KeepOutOfBox>(name(obstacle.name), std::move(ends),
                                                       CapsuleAndBox(part, *obstacle.box, distance)));
      } else {
        terms.push_back(std::make_unique<KeepOut>(
            name(obstacle.name), std::move(ends),
            CapsulePair<false>(part, obstacle.from, obstacle.to, distance + obstacle.radius)));
      }
    }
  }
}

}  // namespace verne
