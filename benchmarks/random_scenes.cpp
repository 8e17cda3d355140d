/// How well arms find their ways among random things: bookshelves, boxes, cages, tables, clutter.
///   random_scenes [--arm panda] [--kind cage] [--first 1] [--count 10] [--starts 20] [--replan 20] [--stops 9]
///   [--list]
/// Seconds are processor time of this process.
#include <fmt/core.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "motion/refine/random_scenes.h"
#include "structures/collision_shapes.h"
#include "verne/motion/planner.h"
#include "verne/motion/predict.h"

#ifdef VERNE_HAVE_FCL
#include "peers/fcl_overlap.h"
#endif

namespace verne::bench {
namespace {

constexpr int kSamples = 201;            // of a motion, to look for overlaps by points on links
constexpr int kFclSamples = 801;         // … and by the Flexible Collision Library
constexpr double kNoOverlap = 1e-6;      // m
constexpr unsigned kMostSeeds = 100000;  // that are tried for a scene with two free postures

struct Settings {
  std::string arm, kind;
  unsigned first = 1;
  int count = 10, starts = 1, replan = 0, stops = 0;
  bool list = false;
};

double seconds_used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

bool overlaps(const Task& task, const Trajectory& motion) {
#ifdef VERNE_HAVE_FCL
  const std::string by_fcl = test::overlap_by_fcl(task, motion, kFclSamples);
  if (!by_fcl.empty()) fmt::print("  WRONG: {}\n", by_fcl);
  if (!by_fcl.empty()) return true;
#endif
  for (int n = 0; n < kSamples; ++n) {
    if (test::overlap_by_points(task, motion.at(motion.duration() * n / (kSamples - 1))) > kNoOverlap) return true;
  }
  return false;
}

struct Tally {
  int tried = 0, solved = 0, wrong = 0;
  std::vector<double> seconds, durations, over_best;
  const char* best = "the best of starts";

  void add(const Tally& other) {
    tried += other.tried, solved += other.solved, wrong += other.wrong, best = other.best;
    const auto append = [](std::vector<double>& to, const std::vector<double>& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    append(seconds, other.seconds), append(durations, other.durations), append(over_best, other.over_best);
  }
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value / static_cast<double>(values.size());
  return sum;
}

/// The value that so much of all does not exceed.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  return values[static_cast<std::size_t>(std::clamp(std::ceil(share * count) - 1, 0.0, count - 1))];
}

bool certified(const Solution& solution) {
  return solution.success() && solution.verification.clearance_certified.value_or(false);
}

void try_scene(const Task& task, const Settings& settings, const std::string& name, Tally& tally) {
  ++tally.tried;
  const double before = seconds_used();
  const Solution solution = predict(task);
  tally.seconds.push_back(seconds_used() - before);
  const bool found = certified(solution);
  const double duration = solution.trajectory.duration();
  if (found) {
    ++tally.solved, tally.durations.push_back(duration);
    tally.wrong += overlaps(task, solution.trajectory);
  }
  double best = duration;
  if (found && settings.starts > 1) {
    Task many = task;
    many.starts.count = settings.starts;
    const Solution other = predict(many);
    if (certified(other)) best = std::min(best, other.trajectory.duration());
    tally.over_best.push_back(duration / best);
  }
  if (!settings.list && found) return;
  fmt::print("  {}: {} ({}), {:.4g} s of {:.4g}, {:.2f} s used, {} control points\n", name, to_string(solution.status),
             solution.message, duration, best, tally.seconds.back(), solution.trajectory.control_points().rows());
  for (const RefinementRound& round : solution.rounds) {
    if (!settings.list) break;
    fmt::print("    {:24} {:3} control points, {:3} nodes, {:3} iterations, cost {:.5g}\n", round.what,
               round.control_points, round.nodes, round.iterations, round.cost);
  }
  std::fflush(stdout);
}

/// Random numbers of a seed.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : random_(seed) {}
  double within(double most) { return most * (2 * static_cast<double>(random_() >> 11) * 0x1p-53 - 1); }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

 private:
  std::mt19937_64 random_;
};

Eigen::VectorXd posture_of(const Task& task, const StateSpec& state) {
  Eigen::VectorXd q(task.model.nv());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::optional<double> held = task.held.empty() ? std::nullopt : task.held[k];
    q[i] = held.value_or(state.position[k].lower);
  }
  return q;
}

bool is_free(const Task& task, Collisions& collisions, const Eigen::VectorXd& q) {
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const Interval& limits = task.limits.position[static_cast<std::size_t>(i)];
    if (q[i] < limits.lower || q[i] > limits.upper) return false;
  }
  return collisions.near(q, collisions.margin() + 1e-3).empty();
}

/// What has changed since a motion was planned.
struct Change {
  Eigen::VectorXd goal;
  std::string object{};  ///< that was moved; empty: none
  Vec3<double> by{0, 0, 0};
  std::shared_ptr<const CollisionShapes> shapes{};
};

/// Another goal, or a thing moved, of which neither touches an end; nothing where that was not drawn in many tries.
std::optional<Change> drawn(const Task& task, const Eigen::VectorXd& start, const Eigen::VectorXd& goal, bool of_goal,
                            Numbers& numbers) {
  constexpr double kGoalMoves = 0.1, kThingMoves = 0.03;  // rad of each joint; m along each axis
  constexpr int kTries = 100;
  for (int n = 0; n < kTries; ++n) {
    Collisions collisions = task.shapes->collisions;
    Change change{goal};
    if (of_goal) {
      for (Eigen::Index i = 0; i < goal.size(); ++i) {
        if (task.held.empty() || !task.held[static_cast<std::size_t>(i)]) change.goal[i] += numbers.within(kGoalMoves);
      }
    } else {
      const CollisionBody& thing = collisions.bodies()[numbers.below(collisions.bodies().size())];
      if (thing.link >= 0) continue;
      change.object = thing.object;
      for (int i = 0; i < 3; ++i) change.by[i] = numbers.within(kThingMoves);
      collisions.move_object(change.object, change.by, Mat3<double>::identity());
    }
    if (!is_free(task, collisions, start) || !is_free(task, collisions, change.goal)) continue;
    change.shapes = std::make_shared<CollisionShapes>(CollisionShapes{collisions});
    return change;
  }
  return std::nullopt;
}

/// Moves the goal or a thing, many times, each time after the motion was found anew.
void replan(const Task& task, const Settings& settings, const std::string& name, unsigned seed, Tally& tally) {
  constexpr double kDeadline = 0.01;  // s
  const Eigen::VectorXd start = posture_of(task, task.start), goal = posture_of(task, task.end);
  Planner first(task);
  if (!certified(first.plan(start, goal))) return;
  Numbers numbers(seed);
  for (int k = 0; k < settings.replan; ++k) {
    const std::optional<Change> change = drawn(task, start, goal, k % 2 == 0, numbers);
    if (!change) continue;
    Planner planner = first;
    if (!change->object.empty()) planner.move_object(change->object, change->by);
    ++tally.tried;
    const double before = seconds_used();
    const Solution found = planner.replan(start, change->goal, kDeadline);
    tally.seconds.push_back(seconds_used() - before);
    Task changed = task;
    changed.shapes = change->shapes;
    if (certified(found)) {
      ++tally.solved, tally.durations.push_back(found.trajectory.duration());
      tally.wrong += overlaps(changed, found.trajectory);
      const Solution best = settings.starts > 1 ? Planner(changed).plan(start, change->goal) : found;
      if (certified(best)) tally.over_best.push_back(found.trajectory.duration() / best.trajectory.duration());
    }
    if (!settings.list && certified(found)) continue;
    fmt::print("  {} {} moved: {} ({}), {:.2f} ms used, {:.4g} s\n", name, change->object.empty() ? "goal" : "thing",
               to_string(found.status), found.message, 1e3 * tally.seconds.back(), found.trajectory.duration());
  }
}

/// Stops at times all along a motion. `over_best`: their durations as a part of those of stops along the way.
void stop(const Task& task, const Settings& settings, const std::string& name, Tally& tally) {
  tally.best = "those along the way";
  Planner planner(task);
  const Solution motion = planner.plan(posture_of(task, task.start), posture_of(task, task.end));
  if (!certified(motion)) return;
  for (int k = 1; k <= settings.stops; ++k) {
    const double time = motion.trajectory.duration() * k / (settings.stops + 1);
    ++tally.tried;
    const double before = seconds_used();
    const std::optional<Solution> halt = planner.stop(motion, time);
    tally.seconds.push_back(seconds_used() - before);
    const std::optional<Solution> along = planner.stop(motion, time, StopWay::along);
    if (!halt || !along) continue;
    ++tally.solved, tally.wrong += overlaps(task, halt->trajectory);
    tally.durations.push_back(halt->trajectory.duration());
    tally.over_best.push_back(halt->trajectory.duration() / along->trajectory.duration());
    if (!settings.list) continue;
    fmt::print("  {} at {:.3f} s: {} for {:.3f} s, along the way {:.3f} s, {:.2f} ms used\n", name, time, halt->message,
               halt->trajectory.duration(), along->trajectory.duration(), 1e3 * tally.seconds.back());
  }
}

void print(const std::string& arm, const std::string& kind, const Tally& t) {
  fmt::print("{:8} {:10} {:4} of {:4} solved, {} wrong, s: median {:.4f}, p98 {:.4f}, p99 {:.4f}, motion {:.3f} s", arm,
             kind, t.solved, t.tried, t.wrong, quantile(t.seconds, 0.5), quantile(t.seconds, 0.98),
             quantile(t.seconds, 0.99), mean_of(t.durations));
  if (!t.over_best.empty()) fmt::print(", {:.4f} times {}", mean_of(t.over_best), t.best);
  fmt::print("\n");
  std::fflush(stdout);
}

void try_arm(const test::SceneArm& arm, const Settings& settings, Tally& all) {
  Tally of_arm;
  for (const char* const kind : test::kSceneKinds) {
    if (!settings.kind.empty() && settings.kind != kind) continue;
    Tally tally;
    const int count = settings.count * std::max({1, settings.replan, settings.stops});
    for (unsigned seed = settings.first; tally.tried < count && seed < kMostSeeds; ++seed) {
      const std::optional<Task> task = test::random_scene_task(arm, kind, seed);
      if (!task) continue;
      const std::string name = fmt::format("{} {} {}", arm.name, kind, seed);
      if (settings.stops > 0) {
        stop(*task, settings, name, tally);
      } else if (settings.replan > 0) {
        replan(*task, settings, name, seed, tally);
      } else {
        try_scene(*task, settings, name, tally);
      }
    }
    print(arm.name, kind, tally);
    of_arm.add(tally);
  }
  print(arm.name, "all", of_arm);
  all.add(of_arm);
}

int run(const Settings& settings) {
  Tally all;
  for (const test::SceneArm& arm : test::scene_arms()) {
    if (settings.arm.empty() || settings.arm == arm.name) try_arm(arm, settings, all);
  }
  print("all", "", all);
  return all.wrong > 0;
}

}  // namespace
}  // namespace verne::bench

int main(int argc, char** argv) {
  CLI::App app{"Ways of arms among random things"};
  verne::bench::Settings settings;
  app.add_option("--arm", settings.arm, "of these alone");
  app.add_option("--kind", settings.kind, "bookshelf, box, cage, table or clutter alone");
  app.add_option("--first", settings.first, "seed");
  app.add_option("--count", settings.count, "scenes of each kind and arm");
  app.add_option("--starts", settings.starts, "compare with the best of so many starts");
  app.add_option("--replan", settings.replan, "plan again so many times in each scene");
  app.add_option("--stops", settings.stops, "stop at so many times of each motion");
  app.add_flag("--list", settings.list, "every scene");
  CLI11_PARSE(app, argc, argv);
  return verne::bench::run(settings);
}
