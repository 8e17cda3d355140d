// Tasks as nonlinear programs: all derivatives against differences, at points where nothing is special.
#include "motion/program/program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "motion/guess/first_guess.h"
#include "motion/task_text.h"
#include "support/allocation_guard.h"
#include "support/compare.h"
#include "support/states.h"
#include "verne/nlp/check_derivatives.h"

namespace verne {
namespace {

using test::read;

/// A task with fewer control points and nodes: differences of all entries take their time.
Task small(Task task) {
  task.curve.control_points = task.curve.degree + 3;
  task.curve.nodes = task.curve.control_points;
  return task;
}

Grid grid_of(const Task& task, const Trajectory& curve) {
  const std::vector<int> one(curve.basis().spans(), 0), phases = task.phases.empty() ? one : phase_of_spans(task);
  return {variables_of(task, curve, phases), even_nodes(curve, phases, task.curve.nodes), {}};
}

/// `tolerance`: of the differences, which smoothed kinks (energy, distances) make worse.
void expect_exact_derivatives(const Task& task, double tolerance = 1e-6) {
  const Trajectory guess = first_guess(task);
  Program program = make_program(task, grid_of(task, guess), guess);
  std::mt19937_64 rng(5);
  Eigen::VectorXd x = program.problem.initial().eigen();
  x.head(program.curve.size()) = program.curve.variables(guess);
  x.head(program.curve.timing(0)) += test::random_values(rng, program.curve.timing(0), 0.1);
  auto timing = x.segment(program.curve.timing(0), program.curve.groups);
  timing = timing.cwiseProduct((test::random_values(rng, program.curve.groups, 0.1).array() + 1).matrix()).eval();
  const nlp::DerivativeReport report = nlp::check_derivatives(program.problem, nlp::view(x), tolerance);
  for (const auto* list : {&report.gradient, &report.jacobian, &report.hessian}) {
    for (const nlp::DerivativeError& error : *list) {
      ADD_FAILURE() << error.where << ": " << error.exact << ", by differences " << error.difference
                    << (error.outside ? " (not in the pattern)" : "");
    }
  }
  EXPECT_TRUE(report.good());
  // There is something to compare.
  EXPECT_GT(program.problem.constraints(), task.model.nv());
  EXPECT_GT(program.problem.hessian_pattern().size(), static_cast<std::size_t>(program.curve.size()));
}

/// Σ over spans of weight · ∫ a² dt, for accelerations that are straight on each.
double roughness(const Trajectory& curve, const std::vector<double>& weights) {
  double sum = 0;
  for (int s = 0; s < curve.basis().spans(); ++s) {
    const Eigen::VectorXd a = curve.at(Place{s, 0.0}, 2), b = curve.at(Place{s, 1.0}, 2);
    sum += weights[s] * curve.lengths()[s] / 3 * (a.squaredNorm() + a.dot(b) + b.squaredNorm());
  }
  return sum;
}

/// What reads the duration of the motion depends on all timing variables.
TEST(Program, DerivativesOfTermsThatReadTheDuration) {
  Task one = test::shipped_task("two_link_min_time"), knots = one;
  knots.curve.free_knots = true;
  Task phases = test::read(
      "format: verne-task/1\nmodel: two_link.yaml\nminimize: [effort: 1]\nphases:\n"
      "  - {name: a, duration: {free: [0.3, 1]}, end: {position: [0.5, 0.5]}}\n  - {name: b, duration: {free: [0.2, "
      "2]}}\n"
      "  - {name: c, duration: {free: [0.2, 2]}}\n"
      "subject_to:\n  start: {position: 0, velocity: 0}\n  end: {position: 0, velocity: 0}\n");
  phases.curve.control_points = 10;  // some spans know one timing variable, others two
  for (Task* task : {&one, &knots, &phases}) {
    const TermFactory factory = [](Channels& c) {
      return make_term({c.duration(), c.effort("elbow"), c.velocity("shoulder")},
                       [](const auto* u) { return sin(u[0]) * u[1] + u[0] * u[0] * u[2] * u[2]; });
    };
    const TermFactory alone = [](Channels& c) {
      return make_term({c.duration()}, [](const auto* u) { return u[0] * u[0] * u[0]; });
    };
    task->add_cost({.name = "cost"}, factory);
    task->add_cost({.name = "alone", .over = Over::start}, alone);
    task->add_limit({.name = "limit", .bounds = {-1, 1}}, factory);
    expect_exact_derivatives(task == &phases ? *task : small(*task));
  }
}

/// (17a): what the tie-breaker takes of two motions is in the proportion of their roughness; where joints wait, short
/// spans count less.
TEST(Program, TiesSparePulsesOfThoseThatWait) {
  const Task task = test::shipped_task("two_link_min_time");
  const SplineBasis basis(3, 4);
  const Eigen::VectorXd lengths = Eigen::Vector4d(0.4, 0.02, 0.1, 0.2);
  std::mt19937_64 rng(3);
  const auto random_curve = [&] {
    return Trajectory(basis, lengths,
                      test::random_values(rng, 2 * basis.control_points(), 1.0).reshaped(basis.control_points(), 2));
  };
  const Trajectory guess = random_curve(), other = random_curve();
  const auto ties = [&](const std::vector<int>& idle, const Trajectory& curve) {
    Grid grid = grid_of(task, guess);
    grid.idle = idle;
    Program program = make_program(task, grid, guess);
    Eigen::VectorXd x = program.problem.initial().eigen();
    x.head(program.curve.size()) = program.curve.variables(curve);
    return program.problem.cost(nlp::view(x)) - curve.duration();
  };
  const std::vector<double> all{1, 1, 1, 1}, sparing{1, 0.05, 0.25, 0.5};
  EXPECT_NEAR(ties({}, other) / ties({}, guess), roughness(other, all) / roughness(guess, all), 1e-9);
  EXPECT_NEAR(ties({0, 1}, other) / ties({0, 1}, guess), roughness(other, sparing) / roughness(guess, sparing), 1e-9);
}

TEST(Program, DerivativesOfShippedTasks) {
  for (const char* name : {"two_link_min_time", "prismatic_revolute", "puma_pick_and_place", "arm7_around_obstacle",
                           "arm7_reach", "joint_force_limited_lift", "swing_up"}) {
    SCOPED_TRACE(name);
    expect_exact_derivatives(small(test::shipped_task(name)));
  }
}

/// Every cost and every constraint at once.
std::string everything(const std::string& knots) {
  return R"(format: verne-task/1
model: two_link.yaml
trajectory: {degree: 4, control_points: 8, nodes: 8, knots: )" +
         knots + R"(}
duration: {free: [0.2, 3], guess: 0.8}
minimize:
  - time: 0.9
  - effort: {weight: 0.1, normalize: true}
  - effort: {weight: 0.1, normalize: each_way, power: 3}
  - effort_rate: {weight: 1e-3, normalize: true, joints: {shoulder: 1, elbow: 3}}
  - peak_effort: {weight: 0.1, joints: {shoulder: 1, elbow: 2}}
  - joint_force: {weight: 1e-2, joints: [elbow, root_joint]}
  - peak_effort: {weight: 0.2, normalize: true}
  - energy: {weight: 0.01, smoothing: 1 W}
  - smoothness: {weight: 1e-3}
  - smoothness: {weight: 1e-6, of: jerk}
  - reference: {weight: 0.1, posture: {elbow: -1}}
  - steadiness: {weight: 1e-3, frame: tool, point: [0.1, 0.2, 0]}
  - steadiness: {weight: 1e-2, frame: link2, of: rotation}
subject_to:
  start: {position: {shoulder: 0, elbow: {between: [-2.2, -1.8]}}, acceleration: {shoulder: 0}}
  end: {position: {shoulder: 1}, velocity: {elbow: {between: [-1, 1]}}}
  via: [{at: 0.4, position: {shoulder: 0.4}, velocity: {elbow: {between: [-5, 5]}}}]
  limits: {position: {elbow: [-3, 0]}, velocity: 20, acceleration: 300, jerk: 9000, joint_force: 40, joint_moment: 12,
    torque_speed: {shoulder: {stall: 20, no_load: 60}, elbow: {points: [[0, 12], [5, 12], [20, 4]]}},
    effort_rms: {shoulder: 8, elbow: 5}, effort_rate: {shoulder: 400, elbow: 200}}
  frames:
    - {frame: tool, at: end, position: [0.5, free, free], tolerance: 0.1}
    - {frame: tool, at: 0.6, orientation: {rpy: [0, 0, 10 deg]}}
    - {frame: tool, at: path, orientation: {rpy: [0, 0, 45 deg]}, tolerance: 100 deg}
    - {frame: link1, at: path, point: [0.1, 0, 0], position: [free, free, 0]}
    - {frame: tool, at: path, position: [{between: [-2, 2]}, free, free], velocity: [{between: [-9, 9]}, free, 0]}
    - {frame: tool, at: 0.7, velocity: [0.5, free, free], point: [0.1, 0.2, 0]}
    - {frame: tool, at: path, axis: [1, 0, 0], points: [1, 1, 0], tolerance: 150 deg}
    - {frame: link1, at: 0.2, axis: [1, 0, 0.5], points: [1, 0.2, 0.3]}
  keep_out:
    - {sphere: {center: [0.6, 0.5, 0], radius: 0.1}, links: [link2], margin: 0.02}
    - {capsule: {from: [-1, -0.5, 0], to: [1, -0.5, 0.2], radius: 0.2}, links: [link1, {link: link2, from: [0, 0, 0], radius: 0.03}]}
    - {box: {center: [0.4, 0.7, 0.1], size: [0.3, 0.2, 0.4], rpy: [0.1, 0.2, 0.3]}, links: [link2], margin: 0.1}
    - {against: [{link: link1, from: [-0.2, 0, 0], radius: 0.1}], links: [{link: link2, from: [0, 0, 0], to: [0.1, 0, 0], radius: 0.1}]}
  swing_together: [{limbs: [[tool, link1], [link2, link1]], along: [1, 0.5, 0.2], slack: 0.3}]
  loads: [{frame: tool, force: [3, -4, 0], moment: [0, 0, 0.5], point: [0.1, 0.2, 0]}, {frame: link1, force: [0, 5, 1]}]
  periodic: {joints: [elbow], difference: {elbow: 0.3}}
)";
}

TEST(Program, DerivativesOfEverything) {
  expect_exact_derivatives(read(everything("uniform")), 1e-5);
}
TEST(Program, DerivativesOfEverythingOnFreeKnots) {
  expect_exact_derivatives(read(everything("free")), 1e-5);
}

TEST(Program, DerivativesInPhases) {
  expect_exact_derivatives(read(R"(format: verne-task/1
model: two_link.yaml
trajectory: {degree: 4, control_points: 9, nodes: 9}
duration: {free: [0.2, 3]}
minimize: [{time: 0.9}, {effort: 0.1}, {effort_rate: 1e-3}, {smoothness: 1e-3}, {peak_effort: 0.3}]
phases:
  - {name: over, duration: {free: [0.1, 1], guess: 0.3}, spans: 2, jump: true, end: {position: {elbow: -1.5}}}
  - name: along
    duration: {free: [0.2, 1], guess: 0.4}
    payloads: [{frame: tool, mass: 2, com: [0.1, 0, 0.1], inertia: [0.01, 0.02, 0.03]}]
    limits: {velocity: 9, joint_force: 50}
    frames: [{frame: tool, at: 0.3, position: [free, 0.3, free], tolerance: 0.2}]
    keep_out: [{sphere: {center: [0.6, 0.5, 0], radius: 0.1}, links: [link2]}]
  - {name: home, duration: 0.3, via: [{at: 0.5, velocity: {shoulder: {between: [-9, 9]}}}]}
subject_to:
  start: {position: [0, -2]}
  end: {position: [1, -1]}
  periodic: {joints: [elbow], difference: {elbow: 1}}
)"),
                           1e-5);
}

/// What many repetitions leave of muscles: integrals over all phases as variables, and functions of these.
TEST(Program, DerivativesOfFatigue) {
  const std::string head = "format: verne-task/1\nmodel: two_link.yaml\n";
  const std::string costs = "minimize: [{time: 0.9}, {fatigue: {weight: 2, joints: {shoulder: 1, elbow: 3}}}]\n";
  const std::string ends = "subject_to:\n  start: {position: [0, -2]}\n  end: {position: [1, -1]}\n";
  const std::string limits = "  limits: {effort: {shoulder: [-900, 600], elbow: 300}, fatigue: {shoulder: 0.2}}\n";
  for (const char* curve :
       {"trajectory: {degree: 4, control_points: 8, nodes: 8}\nduration: {free: [0.2, 3], guess: 0.8}\n",
        "trajectory: {degree: 4, control_points: 9, nodes: 9}\nduration: {free: [0.2, 3]}\n"
        "phases:\n  - {duration: {free: [0.1, 1], guess: 0.3}, spans: 2}\n  - {duration: 0.3}\n"}) {
    Task task = read(head + curve + costs + ends + limits);
    task.work.repeat = {50, 0, 4.0, 0};
    task.limits.sizes["tired_up"] = {0.1, 0};
    task.limits.sizes["tired_down"] = {0, 0.2};
    expect_exact_derivatives(task, 1e-5);
  }
}

/// What is divided by a free duration, is a part of it, or moves on with it.
TEST(Program, DerivativesOfWhatGoesWithTheDuration) {
  const std::string costs =
      "minimize: {mean: [{effort: 0.1}, {effort_rate: 1e-3}, {smoothness: 1e-3}, {energy: {joints: [elbow]}}]}\n";
  const std::string rest = R"(subject_to:
  start: {position: [0, -2]}
  end: {position: {elbow: -1}}
  frames:
    - {frame: tool, at: end, position: [0.9, free, free], per_second: [-0.5, 0, 0]}
    - {frame: link1, at: path, position: [{between: [-1, 1]}, free, free], per_second: [0.3, 0, 0]}
  periodic: {joints: [shoulder], speed: {shoulder: 0.4}}
)";
  const std::string head = "format: verne-task/1\nmodel: two_link.yaml\nduration: {free: [0.2, 3], guess: 0.8}\n";
  for (const char* knots : {"uniform", "free"}) {
    SCOPED_TRACE(knots);
    const std::string curve =
        std::string("trajectory: {degree: 4, control_points: 8, nodes: 8, knots: ") + knots + "}\n";
    expect_exact_derivatives(read(head + curve + costs + rest), 1e-5);
  }
  expect_exact_derivatives(read(head + costs + rest + R"(trajectory: {degree: 4, control_points: 9, nodes: 9}
phases:
  - {duration: {part: [0.3, 0.5], guess: 0.4}, spans: 2}
  - duration: {part: [0.2, 0.6]}
    frames: [{frame: tool, at: 0.3, position: [free, 0.3, free], per_second: [0, 0.2, 0], tolerance: 0.2}]
)"),
                           1e-5);
}

/// Two arms on one trunk: what couples them are the trunk's effort and wrench, and nothing else.
TEST(Program, DerivativesOfABranchedTree) {
  const test::TemporaryModel model(R"(
  - {name: trunk, joint: {name: trunk, type: revolute, axis: [0, 0, 1]}, mass: 2, inertia: [1, 2, 2], com: [0.1, 0, 0]}
  - {name: upper_r, parent: trunk, pose: {xyz: [0, 1, 0]}, joint: {name: shoulder_r, type: revolute, axis: [1, 0, 0]}, mass: 1, inertia: [0.1, 0.2, 0.2], com: [0, 0, -0.3]}
  - {name: fore_r, parent: upper_r, pose: {xyz: [0, 0, -0.6]}, joint: {name: elbow_r, type: revolute, axis: [0, 1, 0]}, mass: 1, inertia: [0.1, 0.2, 0.2], com: [0, 0, -0.2]}
  - {name: upper_l, parent: trunk, pose: {xyz: [0, -1, 0]}, joint: {name: shoulder_l, type: revolute, axis: [1, 0, 0]}, mass: 1, inertia: [0.1, 0.2, 0.2], com: [0, 0, -0.3]}
)");
  for (const char* costs : {"effort: 1", "effort: {joints: [shoulder_l, elbow_r]}", "energy: {smoothing: 1 W}",
                            "steadiness: {frame: fore_r, point: [0, 0, -0.4]}",
                            "steadiness: {frame: fore_r, of: rotation}", "steadiness: {frame: fore_r, of: lean}"}) {
    SCOPED_TRACE(costs);
    expect_exact_derivatives(model.whole_task(std::string("duration: {free: [0.5, 2], guess: 1}\n") +
                                              "trajectory: {control_points: 6, nodes: 6}\nminimize: [{" + costs + R"(}]
subject_to:
  start: {position: 0}
  end: {position: {trunk: 1, shoulder_r: 0.5, shoulder_l: -0.5}}
  limits: {effort: {trunk: 50, elbow_r: 20}, joint_force: {shoulder_r: 40}}
  frames: [{frame: fore_r, at: end, point: [0, 0, -0.3], position: [free, 0.5, free]}]
  keep_out: [{links: [fore_r], against: [upper_l], margin: 0.1}]
)"),
                             1e-5);
  }
}

TEST(Program, DerivativesBetweenSwitches) {
  // Repeated knots, as refinement puts them where efforts jump.
  const Task task = small(test::shipped_task("two_link_min_time"));
  const SplineBasis basis(3, {1, 2, 1, 2, 1});
  const Eigen::VectorXd lengths = (Eigen::VectorXd(6) << 0.05, 0.1, 0.1, 0.08, 0.07, 0.1).finished();
  const Eigen::MatrixXd points = Eigen::MatrixXd::Random(basis.control_points(), 2);
  const Trajectory curve(basis, lengths, points);
  Program program = make_program(task, grid_of(task, curve), curve);
  const Eigen::VectorXd x = program.curve.variables(curve);
  const nlp::DerivativeReport report = nlp::check_derivatives(program.problem, nlp::view(x));
  EXPECT_TRUE(report.good()) << report.largest;
}

TEST(Program, IterationsAllocateNothing) {
  if (test::allocation_count() < 0) GTEST_SKIP() << "allocations cannot be counted here";
  for (const char* name : {"two_link_min_time", "puma_pick_and_place", "arm7_around_obstacle", "arm7_reach",
                           "joint_force_limited_lift", "swing_up"}) {
    SCOPED_TRACE(name);
    const Task task = test::shipped_task(name);
    const Trajectory guess = first_guess(task);
    Program program = make_program(task, grid_of(task, guess), guess);
    nlp::Problem& problem = program.problem;
    Eigen::VectorXd x = program.curve.variables(guess), gradient(x.size()), values(problem.constraints());
    const Eigen::VectorXd multipliers = Eigen::VectorXd::Ones(problem.constraints());
    std::vector<double> jacobian(problem.jacobian_pattern().size()), hessian(problem.hessian_pattern().size());
    const auto iterate = [&] {
      x *= 1.001;
      problem.cost(nlp::view(x));
      problem.gradient(nlp::view(x), nlp::view(gradient));
      problem.constraints(nlp::view(x), nlp::view(values));
      problem.jacobian(nlp::view(x), jacobian);
      problem.hessian(nlp::view(x), 1, nlp::view(multipliers), hessian);
    };
    iterate();  // batches get their memory with the first call
    const long before = test::allocation_count();
    iterate();
    EXPECT_EQ(test::allocation_count() - before, 0);
  }
}

/// Limits with one wrong entry: off by 1e-4 of the largest.
class Mistaken : public NodeLimits {
 public:
  using NodeLimits::NodeLimits;
  enum class Where { nowhere, jacobian, hessian } where = Where::nowhere;
  void jacobian(std::span<const double> x, std::span<double> entries) override {
    NodeLimits::jacobian(x, entries);
    if (where == Where::jacobian) spoil(entries);
  }
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override {
    NodeLimits::hessian(x, multipliers, entries);
    if (where == Where::hessian) spoil(entries);
  }

 private:
  static void spoil(std::span<double> entries) { *std::max_element(entries.begin(), entries.end()) *= 1 + 1e-4; }
};

TEST(Program, AMistakeWouldBeSeen) {
  const Task task = small(test::shipped_task("joint_force_limited_lift"));
  const Trajectory guess = first_guess(task);
  const Grid grid = grid_of(task, guess);
  for (const auto where : {Mistaken::Where::nowhere, Mistaken::Where::jacobian, Mistaken::Where::hessian}) {
    Program program = make_program(task, grid, guess);
    ChannelLayout channels(task.model);
    LimitTerms terms = path_limits(task, channels);
    auto limits = std::make_unique<Mistaken>(task.model, channels, grid.curve, grid.nodes, std::move(terms),
                                             program.stages[0].stage.spans);
    limits->where = where;
    const NodeLimits::Bounds bounds = limits->bounds();
    program.problem.add_constraint({"again", std::move(limits), bounds.lower, bounds.upper});
    const nlp::DerivativeReport report =
        nlp::check_derivatives(program.problem, nlp::view(program.curve.variables(guess)), 1e-6);
    EXPECT_EQ(report.jacobian.empty(), where != Mistaken::Where::jacobian);
    EXPECT_EQ(report.good(), where == Mistaken::Where::nowhere);
  }
}

TEST(Program, AccelerationsNeedNotRepeat) {
  const auto rows = [](const std::string& more) {
    const Task task = read(test::subject_to("  periodic: {joints: [shoulder]" + more + "}\n"));
    expect_exact_derivatives(task);
    const Trajectory guess = first_guess(task);
    return make_program(task, grid_of(task, guess), guess).problem.constraints();
  };
  EXPECT_EQ(rows(", acceleration: free"), rows("") - 1);
  EXPECT_EQ(test::problems(test::subject_to("  periodic: {acceleration: 0}\n")),
            "t:7: error: subject_to: periodic: acceleration: expected free, found '0'");
}

TEST(Program, EveryRowHasAName) {
  const Task task = read(everything("uniform"));
  const Trajectory guess = first_guess(task);
  Program program = make_program(task, grid_of(task, guess), guess);
  std::string names;
  for (int row = 0; row < program.problem.constraints(); ++row) names += program.problem.constraint_name(row) + "\n";
  for (const char* part :
       {"effort of elbow at ", "joint_force of shoulder at ", "joint_moment of elbow at ", "jerk of shoulder at ",
        "keep_out of link2 from obstacle 1 at ", "frame_orientation of tool at 60.0 % of the motion",
        "means: effort_rms of elbow", "rates: effort_rate of shoulder at node 3", "frame_position of tool.x at 100.0 %",
        "frame_velocity of tool.x at ", "frame_axis of link1 at 20.0 %",
        "via: position of shoulder at 40.0 % of the motion", "periodicity"}) {
    EXPECT_NE(names.find(part), std::string::npos) << part;
  }
}

/// On one span, and at the knots at both of its ends.
TEST(Program, LimitsCanBeTightened) {
  const Task task = small(test::shipped_task("two_link_min_time"));
  const Trajectory guess = first_guess(task);
  Grid grid = grid_of(task, guess);
  grid.nodes = {{0, 0.5}, {1, 0.0}, {1, 0.5}, {1, 1.0}, {2, 0.0}, {2, 0.5}};
  const int spans = guess.basis().spans(), elbow = 5;  // position, velocity and effort of two joints
  grid.tightening.assign(6 * spans, 0.0);
  grid.tightening[elbow * spans + 1] = 1e-2;
  const Program program = make_program(task, grid, guess);
  const nlp::ConstraintBlock& limits = program.problem.constraint_blocks().back();
  ASSERT_EQ(limits.upper.size(), 6 * 6);
  for (int node = 0; node < 6; ++node) {
    const double effort = node == 0 || node == 5 ? 10 : 9.9;
    EXPECT_EQ(limits.upper[6 * node + elbow - 1], 10) << node;
    EXPECT_DOUBLE_EQ(limits.upper[6 * node + elbow], effort) << node;
    EXPECT_DOUBLE_EQ(limits.lower[6 * node + elbow], -effort) << node;
  }
}

/// A program with moved bounds is the one that the tighter grid would make; what bounds cannot do is left to that.
TEST(Program, BoundsAreTightenedInPlace) {
  const Task task = small(test::shipped_task("two_link_min_time"));
  const Trajectory guess = first_guess(task);
  const Grid grid = grid_of(task, guess);
  Grid tighter = grid;
  for (int k = 0; k < 6 * guess.basis().spans(); ++k) tighter.tightening.push_back(1e-3 * (k % 7));
  Program moved = make_program(task, grid, guess);
  ASSERT_TRUE(tighten_bounds(moved, grid, tighter));
  const Program made = make_program(task, tighter, guess);
  for (std::size_t k = 0; k < made.problem.constraint_blocks().size(); ++k) {
    EXPECT_EQ(moved.problem.constraint_blocks()[k].lower, made.problem.constraint_blocks()[k].lower);
    EXPECT_EQ(moved.problem.constraint_blocks()[k].upper, made.problem.constraint_blocks()[k].upper);
  }
  Grid more = tighter;
  more.nodes.push_back({0, 0.123});
  EXPECT_FALSE(tighten_bounds(moved, tighter, more));

  Task rated = task;
  rated.limits.effort_rate = {50, 50};
  Program with_rates = make_program(rated, grid, guess);
  Grid slower = grid;
  slower.tightening.assign(8 * guess.basis().spans(), 0.0);
  slower.tightening[0] = 1e-3;
  EXPECT_TRUE(tighten_bounds(with_rates, grid, slower));
  slower.tightening.back() = 1e-3;
  EXPECT_FALSE(tighten_bounds(with_rates, grid, slower));
}

TEST(Program, ATieBreakerForWhatCostsLeaveFree) {
  const auto tie_breaker = [](Task task, std::vector<int> idle = {}) {
    const Trajectory guess = first_guess(task);
    Grid grid = grid_of(task, guess);
    grid.idle = std::move(idle);
    Program program = make_program(task, grid, guess);
    const Eigen::VectorXd x = program.curve.variables(guess);
    const double all = program.problem.cost(nlp::view(x));
    double own = 0;
    std::size_t k = 0;
    const std::vector<double> integrals = program.functions[0].integrals
                                              ? program.functions[0].integrals->integrals(nlp::view(x))
                                              : std::vector<double>{};
    for (const CostSpec& cost : task.costs) {
      own += cost.weight * (cost.type == &cost_type("time") ? guess.duration() : integrals[k++]);
    }
    return (all - own) / own;
  };
  // Time and energy do not say how each joint moves; there, smoothness counts for a 50 000th of the cost at most, and
  // for ten times that in joints whose limits have no price.
  const auto two_link = [](const char* costs) {
    return read(std::string("format: verne-task/1\nmodel: two_link.yaml\nduration: 1\nminimize: [") + costs +
                "]\nsubject_to: {start: {position: 0}, end: {position: 1}}\n");
  };
  for (const char* costs : {"{time: 1}", "{energy: {smoothing: 1}}", "{time: 1}, {effort: {joints: [elbow]}}"}) {
    EXPECT_GT(tie_breaker(two_link(costs)), 1e-8) << costs;
    EXPECT_LE(tie_breaker(two_link(costs)), 2e-5) << costs;
    EXPECT_NEAR(tie_breaker(two_link(costs), {0, 1}), 10 * tie_breaker(two_link(costs)), 1e-12) << costs;
  }
  EXPECT_GT(tie_breaker(two_link("{time: 1}"), {1}), 2e-5);
  EXPECT_LE(tie_breaker(two_link("{time: 1}"), {1}), 2.2e-4);
  for (const char* costs : {"{time: 1}, {effort: 1}", "{smoothness: 1}", "{joint_force: 1}"}) {
    EXPECT_NEAR(tie_breaker(two_link(costs)), 0, 1e-15) << costs;
  }
}

TEST(Program, EquationNodesAreAsManyAsFreedoms) {
  for (int degree = 1; degree <= 6; ++degree) {
    const SplineBasis basis(degree, 4);
    const Eigen::VectorXd lengths = Eigen::VectorXd::Ones(4);
    const Trajectory curve(basis, lengths, Eigen::MatrixXd::Zero(basis.control_points(), 1));
    const std::vector<Place> nodes = equation_nodes(curve);
    ASSERT_EQ(nodes.size(), basis.control_points() - static_cast<std::size_t>(std::min(2, degree - 1)));
    EXPECT_EQ(curve.time(nodes.front()), 0);
    EXPECT_EQ(curve.time(nodes.back()), 4);
    for (std::size_t k = 1; k < nodes.size(); ++k) EXPECT_GT(curve.time(nodes[k]), curve.time(nodes[k - 1]));
  }
}

}  // namespace
}  // namespace verne
