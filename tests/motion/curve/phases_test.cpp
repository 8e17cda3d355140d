// Motions in phases: known optima, what holds in one phase only, and the same checks as without.
#include "motion/curve/phases.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/guess/first_guess.h"
#include "motion/task_text.h"
#include "verne/dynamics/dynamics.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

using test::read;

/// 2 kg on a rail, rest to rest over 3 m.
constexpr double kCart = 2, kRail = 3;
Task rail_task(const std::string& rest) {
  const test::TemporaryModel model(
      "  - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, mass: 2, inertia: [1, 1, 1]}\n");
  return model.whole_task("trajectory: {control_points: 9, nodes: 24}\n" + rest);
}

TEST(Phases, FullForceFullSpeedFullForceBack) {
  const double force = 5, speed = 2;
  const Solution solution = predict(rail_task(R"(minimize: [{time: 1}]
phases: [{name: faster, jump: true}, {name: fast, jump: true}, {name: slower}]
subject_to: {start: {position: 0}, end: {position: 3}, limits: {effort: 5 N, velocity: 2}}
)"));
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  // Each arc is a polynomial that the spline can be, and its end is a variable.
  EXPECT_NEAR(solution.trajectory.duration(), kRail / speed + speed * kCart / force, 1e-6);
  ASSERT_EQ(solution.phases.size(), 3u);
  EXPECT_NEAR(solution.phases[0].end, speed * kCart / force, 1e-4);
  EXPECT_NEAR(solution.phases[1].end, kRail / speed, 1e-4);
  EXPECT_EQ(solution.phases[2].end, solution.trajectory.duration());
  EXPECT_LT(solution.verification.simulation_drift, 1e-8);
  // Limits that hold in all phases are listed once.
  ASSERT_EQ(solution.limits.size(), 2u);
  EXPECT_EQ(solution.limits[1].phase, "");
  // What a unit of force is worth: dT/dF = −V m / F²
  EXPECT_NEAR(solution.limits[1].multiplier, speed * kCart / (force * force), 1e-3);
}

TEST(Phases, APayloadIsPickedUp) {
  const double force = 5, load = 4, first = 1;
  const Task task = rail_task(R"(minimize: [{time: 1}]
phases:
  - {name: go, jump: true}
  - {name: fetch, end: {position: 1, velocity: 0}, jump: true}
  - {name: lift off, payloads: [{frame: cart, mass: 4}], jump: true}
  - {name: bring, payloads: [{frame: cart, mass: 4}]}
subject_to: {start: {position: 0}, end: {position: 3}, limits: {effort: 5 N}}
)");
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const double there = 2 * std::sqrt(first * kCart / force);
  const double back = 2 * std::sqrt((kRail - first) * (kCart + load) / force);
  EXPECT_NEAR(solution.phases[1].end, there, 1e-5);
  EXPECT_NEAR(solution.trajectory.duration(), there + back, 1e-6);
  EXPECT_LT(solution.verification.simulation_drift, 1e-8);  // forward dynamics know of the load, too
  // Efforts on both sides of the border, where the acceleration jumps.
  const SampledMotion motion = sample_motion(task, solution, 4001);
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    const double mass = motion.time[k] < solution.phases[1].end ? kCart : kCart + load;
    EXPECT_NEAR(motion.tau(0, k), mass * motion.a(0, k), 1e-9);
  }
}

TEST(Phases, AViaPointAtAFreeTimeIsABorder) {
  // The least ∫F² goes along a cubic; to pass a place of it costs nothing, at the right time.
  const Solution solution = predict(rail_task(R"(duration: 1
minimize: [{effort: 1}]
phases: [{name: there, end: {position: 1}}, {name: beyond}]
subject_to: {start: {position: 0}, end: {position: 3}, limits: {effort: none}}
)"));
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_NEAR(solution.cost, 12 * kRail * kRail * kCart * kCart, 1e-5);
  const double s = solution.phases[0].end;
  EXPECT_NEAR(kRail * s * s * (3 - 2 * s), 1, 1e-6);
  EXPECT_NEAR(solution.trajectory.duration(), 1, 1e-9);
}

TEST(Phases, LimitsOfOnePhase) {
  const Task task = rail_task(R"(minimize: [{time: 1}]
phases: [{name: hurry, end: {position: 2}}, {name: careful, limits: {velocity: 0.5}}]
subject_to: {start: {position: 0}, end: {position: 3}, limits: {effort: 5 N}}
)");
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const SampledMotion motion = sample_motion(task, solution, 2001);
  double hurried = 0, careful = 0;
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    double& fastest = motion.time[k] < solution.phases[0].end ? hurried : careful;
    fastest = std::max(fastest, std::abs(motion.v(0, k)));
  }
  EXPECT_GT(hurried, 1.5);
  EXPECT_LE(careful, 0.5 * (1 + 1e-6));
  EXPECT_TRUE(solution.verification.velocity_certified.value());
  ASSERT_EQ(solution.limits.back().kind, "velocity");
  EXPECT_EQ(solution.limits.back().phase, "careful");
  EXPECT_NE(solution_json(task, solution, motion, "", "").find("\"phase\":\"careful\""), std::string::npos);
  EXPECT_NE(summary_text(task, solution).find("careful"), std::string::npos);
}

/// Full force, back to the speed that the second phase allows, on at that speed, full force back.
TEST(Phases, FinerCurvesComeNearTheOptimum) {
  const std::string task = R"(minimize: [{time: 1}]
phases: [{name: hurry, end: {position: 2}}, {name: careful, limits: {velocity: 0.5}}]
subject_to: {start: {position: 0}, end: {position: 3}, limits: {effort: 5 N}}
)";
  const double a = 5 / kCart, slow = 0.5, fast = std::sqrt(2 * a + slow * slow / 2);
  const double border = (2 * fast - slow) / a, shortest = border + 1 / slow + slow / (2 * a);
  const Solution coarse = predict(rail_task(task + "refine: off\n")), usual = predict(rail_task(task)),
                 fine = predict(rail_task(task + "refine: {gap: 5e-4}\n"));
  EXPECT_GT(coarse.cost, shortest * 1.005);
  for (const Solution* solution : {&usual, &fine}) {
    EXPECT_EQ(solution->status, nlp::Status::solved) << solution->message;
    EXPECT_LE(solution->verification.limit_excess, 1e-6);
    EXPECT_GT(solution->cost, shortest * (1 - 2e-6));
    EXPECT_LT(solution->cost, shortest * (1 + 3 * solution->refinement_gap.value()));
    EXPECT_NEAR(solution->phases[0].end, border, 0.01 * border);
    // Each phase has a timing of its own, and knots where it needs them.
    EXPECT_EQ(solution->phases[0].end_span, solution->phases[1].first_span);
    EXPECT_GT(solution->phases[0].end_span, coarse.phases[0].end_span);
  }
  EXPECT_LT(usual.cost, shortest * 1.005);
  EXPECT_LT(fine.cost, shortest * 1.001);
}

TEST(Phases, GivenDurationsAndFrames) {
  const Task task = read(R"(format: verne-task/1
model: two_link.yaml
trajectory: {control_points: 12, nodes: 30}
minimize: [{effort: 1}]
phases:
  - {name: over, duration: 0.3, frames: [{frame: tool, position: [0.55, 0.4, free]}]}
  - {name: along, duration: {free: [0.2, 0.6]}, frames: [{frame: tool, at: path, position: [free, 0.4, free], tolerance: 0.001}]}
  - {name: home, duration: 0.4}
subject_to: {start: {position: [0, 0.5]}, end: {position: [0, 0.5]}}
)");
  const Solution solution = predict(task);
  EXPECT_TRUE(solution.success()) << solution.message;
  EXPECT_NEAR(solution.phases[0].end, 0.3, 1e-9);
  EXPECT_GE(solution.phases[1].end, 0.5 - 1e-9);
  EXPECT_NEAR(solution.phases[2].end - solution.phases[2].start, 0.4, 1e-9);
  const SampledMotion motion = sample_motion(task, solution, 501);
  const auto tool = [&](Eigen::Index k) {
    const double q1 = motion.q(0, k), q2 = motion.q(1, k);
    return 0.4 * std::sin(q1) + 0.4 * std::sin(q1 + q2);
  };
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    const bool along = motion.time[k] >= 0.3 && motion.time[k] <= solution.phases[1].end;
    if (along) {
      EXPECT_NEAR(tool(k), 0.4, 0.001 * (1 + 1e-3));
    }
  }
}

TEST(Phases, AWarmStartKeepsTheirTimes) {
  const Task task = rail_task(R"(minimize: [{time: 1}]
phases: [{name: faster, jump: true}, {name: fast, jump: true}, {name: slower}]
subject_to: {start: {position: 0}, end: {position: 3}, limits: {effort: 5 N, velocity: 2}}
)");
  const Solution first = predict(task);
  const Trajectory again = refitted(task, known_motion(first));
  ASSERT_EQ(again.basis().spans(), first.trajectory.basis().spans());
  EXPECT_EQ(again.basis().multiplicities(), first.trajectory.basis().multiplicities());
  EXPECT_LT((again.lengths() - first.trajectory.lengths()).norm(), 1e-12);
  PredictOptions options;
  options.warm_start = &first;
  EXPECT_NEAR(predict(task, options).cost, first.cost, 1e-6);
}

TEST(Phases, PiecesOfACurve) {
  const SplineBasis basis(4, {1, 3, 1, 2});
  const Eigen::VectorXd lengths = (Eigen::VectorXd(5) << 0.1, 0.3, 0.2, 0.25, 0.15).finished();
  const Trajectory whole(basis, lengths, Eigen::MatrixXd::Random(basis.control_points(), 3));
  for (const auto& [first, end] : {std::pair{0, 5}, {0, 2}, {1, 3}, {2, 4}, {4, 5}}) {
    const Trajectory piece = whole.piece(first, end);
    EXPECT_EQ(piece.basis().spans(), end - first);
    for (int s = first; s < end; ++s) {
      for (const double fraction : {0.0, 0.3, 1.0}) {
        for (int order = 0; order < 4; ++order) {
          const Eigen::VectorXd expected = whole.at(Place{s, fraction}, order);
          EXPECT_LT((piece.at(Place{s - first, fraction}, order) - expected).norm(), 1e-11 * (1 + expected.norm()));
        }
      }
    }
  }
  EXPECT_THROW(whole.piece(3, 3), std::invalid_argument);
  EXPECT_THROW(whole.piece(0, 6), std::invalid_argument);
}

/// As at the start of a sweep over what is carried.
TEST(Phases, APayloadMayBeNothing) {
  const std::string carried = "payloads: [{frame: tool, mass: load, com: [0, 0, 0.1]}]\nparameters: {load: 2}\n";
  const auto mass = [&](double load) { return test::read(test::with(carried), {{"load", load}}).model.moving_mass(); };
  EXPECT_EQ(mass(0), test::read(test::with("")).model.moving_mass());
  EXPECT_NEAR(mass(3), mass(0) + 3, 1e-12);
}

TEST(Phases, Problems) {
  const auto problems = [](const std::string& phases, const std::string& rest = "") {
    return test::problems(test::with("phases:\n" + phases + rest));
  };
  EXPECT_EQ(problems("  - {name: a, end: {position: 0}, jump: true, mass: 1}\n  - {name: a, end: {velocity: 0}}\n"),
            "t:7: error: phases: 1: unknown key 'mass'\n"
            "t:8: error: phases: 2: name: there is a phase 'a' already, in line 7\n"
            "t:8: error: phases: 2: end: the last phase ends as the motion does: give `subject_to: end`");
  EXPECT_EQ(problems("  - {duration: 0.75}\n  - {duration: 0.5}\n"),
            "t:7: error: phases: the phases overlap: they take at least 1.25 s together, and the motion 1 s");
  EXPECT_EQ(problems("  - {duration: 0.3}\n  - {duration: {free: [0.1, 0.2]}}\n"),
            "t:7: error: phases: the phases leave a gap: they take at most 0.5 s together, and the motion 1 s");
  EXPECT_EQ(
      problems("  - {duration: {part: [0.2, 1.5]}}\n  - {duration: {part: [0.2, 0.4], guess: 0.5}}\n"),
      "t:7: error: phases: 1: duration: part: expected [least, most], parts of the motion between 0 and 1, found a "
      "list of 2\n"
      "t:8: error: phases: 2: duration: guess: 0.5 lies outside of the bounds");
  EXPECT_EQ(problems("  - {duration: {part: [0.2, 0.3]}}\n  - {duration: {part: [0.2, 0.4]}}\n"),
            "t:7: error: phases: the phases leave a gap: they take at most 0.7 s together, and the motion 1 s");
  const std::string parts = "phases: [{duration: {part: [0.2, 0.3]}}, {duration: {part: [0.2, 0.4]}}]\n";
  EXPECT_EQ(test::problems(test::minimizing("  - effort: 1\n", parts)),
            "t:6: error: phases: the parts of the phases make [0.4, 0.7] of the motion, not 1");
  EXPECT_EQ(test::problems("format: verne-task/1\nmodel: two_link.yaml\nminimize: []\n" + parts),
            "t:4: error: phases: 1: duration: part: of what? The motion has no `duration`\n"
            "t:4: error: phases: 2: duration: part: of what? The motion has no `duration`");
  EXPECT_EQ(problems("  - {payloads: [{frame: tol, mass: 1}, {frame: tool}, {frame: tool, mass: -1}]}\n"),
            "t:7: error: phases: 1: payloads: 1: frame: there is no link or frame 'tol' (did you mean 'tool'?)\n"
            "t:7: error: phases: 1: payloads: 2: mass is missing\n"
            "t:7: error: phases: 1: payloads: 3: mass: expected a mass that is not negative, found '-1'");
  EXPECT_EQ(
      problems("  - {name: a}\n  - {name: b}\n",
               "subject_to: {via: [{at: 0.5, position: 0}], frames: [{frame: tool, at: 0.5, position: [0, 0, 0]}]}\n"),
      "t:9: error: subject_to: via: which phase is meant? Move it there\n"
      "t:9: error: subject_to: frames: at: which phase is meant? Move it there");
  EXPECT_EQ(problems("  []\n"), "t:7: error: phases: expected a list of phases, found a list of 0");
  EXPECT_EQ(problems("  - {}\n  - {}\n", "trajectory: {knots: free}\n"),
            "t:9: error: trajectory: knots: phases keep their knots in proportion");
}

}  // namespace
}  // namespace verne
