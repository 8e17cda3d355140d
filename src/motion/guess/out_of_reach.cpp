// A point of a link lies in a ball about a point of the joint that turns the link, wherever it turns: as far from it as
// it is across the axis. A joint that slides makes the ball wider by half of its range. From link to link, centres go
// on and radii add up.
#include "motion/guess/out_of_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion/curve/phases.h"
#include "motion/task/part_names.h"
#include "motion/terms/task_terms.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr double kMissing = 1e-3;  // m: verification passes an error of that size

/// Where a point can be: in axes of a link, or of the world (-1).
struct Ball {
  int link;
  Vec3<double> center;
  double radius = 0;
};

Ball point_of(const Model& model, const FrameGoalSpec& frame) {
  const int links = static_cast<int>(model.links().size());
  if (frame.site < links) return {frame.site, frame.point};
  const FrameSpec& named = model.frames()[frame.site - links];
  return {model.link(named.link), named.X_LF * frame.point};
}

/// The positions that a joint with one freedom of its own may have in a task.
Interval range_of(const Task& task, const Joint& joint) {
  if (joint.nv != 1) return {};
  const auto dof = static_cast<std::size_t>(joint.v);
  if (dof < task.held.size() && task.held[dof]) return {*task.held[dof], *task.held[dof]};
  return task.limits.position[dof];
}

/// The same point in axes of what carries the link.
Ball in_carrier(const Task& task, const Ball& ball) {
  const LinkSpec& link = task.model.spec().links[ball.link];
  const Joint& joint = task.model.joints()[task.model.links()[ball.link].joint];
  const Vec3<double> in_joint = link.X_JL * ball.center;
  Vec3<double> center = in_joint;
  double radius = ball.radius;
  switch (link.joint.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
      center = link.joint.axis * dot(link.joint.axis, in_joint);
      radius += norm(in_joint - center);
      break;
    case JointType::universal:
    case JointType::spherical:
      center = {0, 0, 0};
      radius += norm(in_joint);
      break;
    case JointType::prismatic: {
      const Interval range = range_of(task, joint);
      const bool ends = range.lower > -kInfinity && range.upper < kInfinity;
      center = in_joint + link.joint.axis * (ends ? (range.lower + range.upper) / 2 : 0);
      radius += (range.upper - range.lower) / 2;
      break;
    }
    default:
      radius = kInfinity;
  }
  return {task.model.links()[ball.link].parent, link.X_PJ * center, radius};
}

Ball in_world(const Task& task, Ball ball) {
  while (ball.link >= 0) ball = in_carrier(task, ball);
  return ball;
}

/// How far two points can be apart.
double reach(const Task& task, Ball a, Ball b) {
  while (a.link != b.link) {
    Ball& farther = a.link > b.link ? a : b;  // links come after those that carry them
    farther = in_carrier(task, farther);
  }
  return norm(a.center - b.center) + a.radius + b.radius;
}

/// Where a frame is to be, with what is tolerated; anywhere where that depends on the duration.
Interval wanted_along(const FrameGoalSpec& frame, int k) {
  if (frame.per_second[k] != 0) return {};
  return {frame.position[k].lower - frame.position_tolerance, frame.position[k].upper + frame.position_tolerance};
}

/// How far two boxes are apart.
template <class One, class Other>
double gap(const One& one, const Other& other) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const Interval a = one(k), b = other(k);
    sum += std::pow(std::max({0.0, a.lower - b.upper, b.lower - a.upper}), 2);
  }
  return std::sqrt(sum);
}

bool coincide(const WhenSpec& a, const WhenSpec& b) {
  return a.path || b.path || a.at == b.at;
}

/// What is asked of places in a stage of a task.
class Places {
 public:
  Places(const Task& here, std::string where) : here_(here), where_(std::move(where)) {}

  Conflict of(const FrameGoalSpec& frame) const {
    const Ball ball = in_world(here_, point_of(here_.model, frame));
    const double apart = gap([&](int k) { return wanted_along(frame, k); },
                             [&](int k) {
                               return Interval{ball.center[k], ball.center[k]};
                             });
    return {{part(frame)},
            "position of " + label_of(here_.model, frame),
            "m",
            apart - ball.radius,
            true,
            fmt::format("it is {:.4g} m from where its links begin, which reach {:.4g} m", apart, ball.radius)};
  }
  Conflict of(const FrameGoalSpec& a, const FrameGoalSpec& b) const {
    const double apart = gap([&](int k) { return wanted_along(a, k); }, [&](int k) { return wanted_along(b, k); });
    const double missing = apart - reach(here_, point_of(here_.model, a), point_of(here_.model, b));
    return {{part(a), part(b)},
            fmt::format("the distance of {} and {}", label_of(here_.model, a), label_of(here_.model, b)),
            "m",
            missing,
            true};
  }

 private:
  std::string part(const FrameGoalSpec& frame) const { return part_of_frame(here_.model, frame, "position") + where_; }

  const Task& here_;
  const std::string where_;
};

}  // namespace

std::optional<Conflict> out_of_reach(const Task& task) {
  std::optional<Conflict> worst;
  const auto keep = [&](Conflict conflict) {
    if (conflict.amount > (worst ? worst->amount : kMissing)) worst = std::move(conflict);
  };
  const std::vector<Stage> all = stages(task, phase_of_spans(task));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Places places(all[k].task, task.phases.empty() ? "" : " in " + task.phases[k].name);
    const std::vector<FrameGoalSpec>& frames = all[k].task.frames;
    for (auto a = frames.begin(); a != frames.end(); ++a) {
      if (a->position.empty()) continue;
      keep(places.of(*a));
      for (auto b = frames.begin(); b != a; ++b) {
        if (!b->position.empty() && coincide(a->when, b->when)) keep(places.of(*b, *a));
      }
    }
  }
  return worst;
}

}  // namespace verne
