#include "motion/out_of_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion/phases.h"
#include "motion/task_terms.h"

namespace verne {

namespace {

double norm(const Vec3<double>& x) {
  return std::sqrt(dot(x, x));
}

/// How far the origin of a link can be from that of the link that carries it.
double stretch_of(const LinkSpec& link) {
  switch (link.joint.type) {
    case JointType::fixed:
    case JointType::revolute:
    case JointType::universal:
    case JointType::spherical:
      return norm(link.X_PJ.p) + norm(link.X_JL.p);
    default:
      return kInfinity;  // slides
  }
}

/// A point of a link and how far it is from the link's origin.
struct Held {
  int link;
  double from_origin;
};
Held held_by(const Model& model, const FrameTask& frame) {
  const int links = static_cast<int>(model.links().size());
  if (frame.site < links) return {frame.site, norm(frame.point)};
  const FrameSpec& named = model.frames()[frame.site - links];
  return {model.link(named.link), norm(named.X_LF.p) + norm(frame.point)};
}

/// How far two points can be apart: no farther than the way along the links between them. Points of one link are no
/// question of reach.
double reach(const Model& model, const FrameTask& a, const FrameTask& b) {
  const Held from = held_by(model, a), to = held_by(model, b);
  double sum = from.from_origin + to.from_origin;
  int one = from.link, other = to.link;
  if (one == other) return kInfinity;
  while (one != other) {
    int& farther = one > other ? one : other;  // links come after those that carry them
    sum += stretch_of(model.spec().links[farther]);
    farther = model.links()[farther].parent;
  }
  return sum;
}

/// How far two places must be apart at least.
double gap(const FrameTask& a, const FrameTask& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (a.per_second[k] != 0 || b.per_second[k] != 0) continue;  // depends on the duration
    const double apart = std::max(a.position[k].lower - b.position[k].upper, b.position[k].lower - a.position[k].upper);
    sum += std::pow(std::max(0.0, apart - a.position_tolerance - b.position_tolerance), 2);
  }
  return std::sqrt(sum);
}

bool meet(const WhenTask& a, const WhenTask& b) {
  return a.path || b.path || a.at == b.at;
}

}  // namespace

std::optional<Conflict> out_of_reach(const Task& task) {
  std::optional<Conflict> worst;
  const std::vector<Stage> all = stages(task, phase_of_spans(task));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::vector<FrameTask>& frames = all[k].task.frames;
    for (auto a = frames.begin(); a != frames.end(); ++a) {
      for (auto b = frames.begin(); b != a; ++b) {
        if (a->position.empty() || b->position.empty() || !meet(a->when, b->when)) continue;
        const double missing = gap(*b, *a) - reach(task.model, *b, *a);
        if (!(missing > (worst ? worst->amount : 0))) continue;
        const std::string one = label_of(task.model, *b), other = label_of(task.model, *a);
        const std::string where = task.phases.empty() ? "" : " in " + task.phases[k].name;
        worst = Conflict{{"position of " + one + where, "position of " + other + where},
                         fmt::format("the distance of {} and {}", one, other),
                         "m",
                         missing,
                         true};
      }
    }
  }
  return worst;
}

}  // namespace verne
