// What a motion does not meet is found, named, and decides whether it counts as solved.
#include "motion/verify/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/task_text.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

using test::read;
using test::subject_to;

/// The elbow moves from 0 to 1 rad and back in 1 s, q = 4 t (1 − t): at most 4 rad/s. The shoulder rests.
Trajectory bow(double height = 1) {
  return {SplineBasis(2, 1), Eigen::VectorXd::Ones(1), (Eigen::MatrixXd(3, 2) << 0, 0, 0, 2 * height, 0, 0).finished()};
}

Solution judged(const Task& task, const Trajectory& motion, nlp::Status status = nlp::Status::solved) {
  std::vector<Place> via, frames;
  for (const ViaSpec& v : task.via) via.push_back(motion.place(v.at * motion.duration()));
  for (const FrameGoalSpec& f : task.frames) frames.push_back(motion.place(f.when.at * motion.duration()));
  Solution solution(motion);
  solution.status = status;
  judge(measure(task, motion, {{{task, {0, motion.basis().spans()}}, {}, via, frames}}), solution);
  return solution;
}

/// A task that the bow keeps to, apart from what is given.
Task task_with(const std::string& more) {
  return read(subject_to("  start: {velocity: free}\n  end: {velocity: free}\n  limits: {effort: none}\n" + more));
}

TEST(Verdict, AMotionThatKeepsToTheTask) {
  for (const nlp::Status status :
       {nlp::Status::solved, nlp::Status::acceptable, nlp::Status::infeasible, nlp::Status::not_found}) {
    const Solution solution = judged(task_with(""), bow(), status);
    EXPECT_EQ(solution.status, status);
    EXPECT_TRUE(solution.message.empty());
  }
}

/// What ends too early says what it fails at, the worst of each kind.
TEST(Verdict, WhatEndsTooEarly) {
  Task task = task_with("");
  EXPECT_EQ(judged(task, bow(), nlp::Status::iteration_limit).message, "; all that was asked for is met");
  task.limits.velocity[1] = {-3.2, 3.2};
  const Solution cut = judged(task, bow(), nlp::Status::iteration_limit);
  EXPECT_EQ(cut.status, nlp::Status::iteration_limit);
  EXPECT_EQ(cut.message, "; not met: velocity of elbow (off by 0.8 rad/s at 0 s)");
  EXPECT_EQ(judged(task, bow(), nlp::Status::interrupted).message, "");
}

TEST(Verdict, SummariesDoNotContradictThemselves) {
  const Task task = task_with("");
  Solution met = judged(task, bow(), nlp::Status::iteration_limit);
  EXPECT_TRUE(met.violations.empty());
  EXPECT_EQ(summary_text(task, met).find("what could not be met"), std::string::npos);
  // Quantities with their units, not rows of the program.
  const Task slow =
      read(subject_to("  start: {velocity: free}\n  end: {velocity: free}\n  limits: {effort: none, velocity: 2}\n"));
  Solution fast = judged(slow, bow(), nlp::Status::iteration_limit);
  EXPECT_NE(summary_text(slow, fast).find("what could not be met\n  velocity of elbow at 0 s: 4 rad/s, allowed 2\n"),
            std::string::npos)
      << summary_text(slow, fast);
  // A gap that was asked for and not reached
  Task fine = task;
  fine.refine.gap = 1e-4;
  met.refinement_gap = 0.026;
  EXPECT_NE(summary_text(fine, met).find("by 2.6 % (estimate), not 0.01 % as asked for\n"), std::string::npos);
  met.refinement_gap = 5e-5;
  EXPECT_EQ(summary_text(fine, met).find("asked for\n"), std::string::npos);
  // A link in an obstacle has no distance at all.
  met.limits = {{"keep_out", "link2 from box", "m", {0.03, kInfinity}, 1e6, 1, {}, 0, ""}};
  EXPECT_NE(summary_text(task, met).find("used more than 10 times"), std::string::npos);
}

TEST(Verdict, LimitsAreToleratedToAThousandth) {
  Task task = task_with("");
  const auto with_limit = [&](double limit, nlp::Status status = nlp::Status::solved) {
    task.limits.velocity[1] = {-limit, limit};
    return judged(task, bow(), status);
  };
  EXPECT_EQ(with_limit(4 - 1e-7).status, nlp::Status::solved);  // within what was asked for, 1e-6
  const Solution tolerated = with_limit(4 / (1 + 9e-4));
  EXPECT_EQ(tolerated.status, nlp::Status::acceptable);
  EXPECT_EQ(tolerated.message.find("warning: velocity of elbow at "), 0u) << tolerated.message;
  const Solution wrong = with_limit(4 / 1.25, nlp::Status::acceptable);
  EXPECT_EQ(wrong.status, nlp::Status::not_verified);
  EXPECT_FALSE(wrong.success());
  EXPECT_EQ(wrong.message, "velocity of elbow at 0 s is 4 rad/s, asked for 3.2: off by 0.8 rad/s, allowed 0.0032");
  ASSERT_EQ(wrong.violations.size(), 1u);
  EXPECT_EQ(wrong.violations[0].name, "velocity of elbow at 0 s");
  EXPECT_EQ(wrong.violations[0].value, 4);
  // Who asks for less gets it without a warning; who failed has failed already.
  task.refine.tolerance = 0.3;
  EXPECT_EQ(with_limit(4 / 1.25).status, nlp::Status::solved);
  task.refine.tolerance = 1e-6;
  EXPECT_EQ(with_limit(4 / 1.25, nlp::Status::infeasible).status, nlp::Status::infeasible);
}

TEST(Verdict, StatesAreMeasured) {
  const auto status = [](const std::string& more) { return judged(task_with(more), bow()).status; };
  EXPECT_EQ(status("  via: [{at: 0.5, position: {elbow: 1}, velocity: {elbow: 0}}]\n"), nlp::Status::solved);
  EXPECT_EQ(status("  via: [{at: 0.5, position: {elbow: 1.0009}}]\n"), nlp::Status::solved);
  EXPECT_EQ(status("  via: [{at: 0.5, position: {elbow: 1.002}}]\n"), nlp::Status::not_verified);
  EXPECT_EQ(status("  via: [{at: 0.5, velocity: {elbow: 0.003}}]\n"), nlp::Status::solved);  // of 4 rad/s
  EXPECT_EQ(status("  via: [{at: 0.5, velocity: {elbow: 0.005}}]\n"), nlp::Status::not_verified);
  EXPECT_EQ(status("  via: [{at: 0.5, position: {elbow: {between: [0.5, 0.9]}}}]\n"), nlp::Status::not_verified);
  const Solution rests = judged(read(subject_to("  end: {velocity: free}\n  limits: {effort: none}\n")), bow());
  EXPECT_EQ(rests.status, nlp::Status::not_verified);  // it does not start at rest
  EXPECT_EQ(rests.message.find("velocity of elbow at 0 s is 4 rad/s, asked for 0"), 0u) << rests.message;
}

TEST(Verdict, PeriodsAreMeasured) {
  const Solution solution = judged(task_with("  periodic: {joints: [elbow]}\n"), bow());
  EXPECT_EQ(solution.status, nlp::Status::not_verified);
  EXPECT_EQ(solution.message.find("velocity of elbow after a period at 1 s"), 0u) << solution.message;
  EXPECT_EQ(judged(task_with("  periodic: {joints: [shoulder]}\n"), bow()).status, nlp::Status::solved);
}

TEST(Verdict, EquationsAreMeasured) {
  Task task = task_with("");
  task.limits.effort[0] = {0, 0};  // a shoulder that is free would not rest
  const Solution solution = judged(task, bow());
  EXPECT_EQ(solution.status, nlp::Status::not_verified);
  EXPECT_EQ(solution.message.find("effort of shoulder at "), 0u) << solution.message;
  EXPECT_EQ(judged(task, bow(0)).status, nlp::Status::solved);
}

TEST(Verdict, FramesAreMeasured) {
  // At 0.5 s the elbow is bent by 1 rad, and the tool with it.
  const auto solution = [](const std::string& frame) {
    return judged(task_with("  frames: [{frame: tool, " + frame + "}]\n"), bow());
  };
  EXPECT_EQ(solution("at: 0.5, orientation: {rpy: [0, 0, 1]}").status, nlp::Status::solved);
  EXPECT_EQ(solution("at: 0.5, orientation: {rpy: [0, 0, 1.0009]}").status, nlp::Status::solved);
  EXPECT_EQ(solution("at: 0.5, orientation: {rpy: [0, 0, 0.2]}, tolerance: 0.9").status, nlp::Status::solved);
  EXPECT_EQ(solution("at: 0.5, orientation: {rpy: [0, 0, 0.2]}, tolerance: 0.7999").status, nlp::Status::acceptable);
  EXPECT_EQ(solution("at: 0.5, orientation: {rpy: [0, 0, 0.2]}, tolerance: 0.79").status, nlp::Status::not_verified);
  const Solution turned = solution("at: 0.5, orientation: {rpy: [180 deg, 0, 0]}");
  EXPECT_EQ(turned.status, nlp::Status::not_verified);
  EXPECT_EQ(turned.message.find("orientation error of tool at 0.5 s is 3.14159 rad"), 0u) << turned.message;
  EXPECT_EQ(solution("at: path, orientation: {rpy: [0, 0, 0]}").status, nlp::Status::not_verified);
  EXPECT_EQ(solution("at: path, position: [free, free, 0]").status, nlp::Status::solved);
  EXPECT_EQ(solution("at: 0.5, position: [free, free, 0.002]").status, nlp::Status::not_verified);
}

TEST(Verdict, WhatIsNotANumberIsNotVerified) {
  EXPECT_EQ(excess_of(NAN, {-1, 1}), kInfinity);
  Measured measured;
  measured.findings.push_back({"effort of elbow", "N·m", 0, NAN, 1, 1e-6, 1e-3});
  Solution solution(bow());
  solution.status = nlp::Status::solved;
  judge(measured, solution);
  EXPECT_EQ(solution.status, nlp::Status::not_verified);
}

}  // namespace
}  // namespace verne
