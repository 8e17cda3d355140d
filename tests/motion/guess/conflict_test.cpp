// What an infeasible task says: tasks whose smallest conflict is known.
#include <gtest/gtest.h>

#include <algorithm>

#include "motion/task_text.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

using test::read;
using Names = std::vector<std::string>;

Names sorted_parts(const Solution& solution, nlp::Status status = nlp::Status::infeasible) {
  EXPECT_EQ(solution.status, status) << solution.message;
  if (!solution.conflict) return {};
  EXPECT_EQ(solution.conflict->certain(), status == nlp::Status::infeasible);
  EXPECT_EQ(solution.message, to_string(*solution.conflict));
  Names parts = solution.conflict->parts;
  std::sort(parts.begin(), parts.end());
  return parts;
}

/// The two-link arm, which reaches 0.8 m, from a bent posture.
std::string reach(const std::string& frames) {
  return test::subject_to("  start: {position: [0.3, 1]}\n  frames:\n" + frames) +
         "trajectory: {degree: 3, control_points: 7, nodes: 14}\n";
}

TEST(Conflict, AGoalOutOfReach) {
  const Solution solution = predict(read(reach("    - {frame: tool, at: end, position: [1.1, 0, 0]}\n")));
  EXPECT_EQ(sorted_parts(solution), Names{"position of tool at the end"});
  ASSERT_TRUE(solution.conflict.has_value());
  EXPECT_NEAR(solution.conflict->amount, 0.3, 1e-12);
  EXPECT_EQ(solution.message,
            "cannot be met: position of tool at the end; at best, position of tool is off by 0.3 m: it is 1.1 m from "
            "where its links begin, which reach 0.8 m");
  EXPECT_EQ(solution.iterations, 0);  // nothing had to be solved for that
}

/// What no law rules out is not found, from several starts: within reach, but the joints' limits keep it away.
TEST(Conflict, AGoalBehindLimits) {
  const Solution solution =
      predict(read(reach("    - {frame: tool, at: end, position: [-0.7, 0.1, 0]}\n"
                         "  limits: {position: {shoulder: [-1, 1], elbow: [-1.5, 1.5]}}\n")));
  EXPECT_EQ(sorted_parts(solution, nlp::Status::not_found),
            (Names{"position of shoulder", "position of tool at the end"}));
  ASSERT_TRUE(solution.conflict.has_value());
  EXPECT_EQ(solution.conflict->missed, "position error of tool");
  EXPECT_EQ(solution.conflict->starts, 3);
  EXPECT_EQ(solution.message.find("not met from each of 3 starts together: "), 0u) << solution.message;
  EXPECT_NE(solution.message.find("; in the nearest motion, position error of tool is off by "), std::string::npos);
  EXPECT_NE(solution.message.find("; that is no proof: try "), std::string::npos);
  EXPECT_GT(solution.starts.size(), 1u);  // other starts were tried before it was given up
}

TEST(Conflict, FramesThatContradictEachOther) {
  const Solution solution =
      predict(read(reach("    - {frame: tool, at: end, position: [0.5, 0.1, 0]}\n"
                         "    - {frame: tool, at: end, position: [0.5, 0.3, 0]}\n"
                         "    - {frame: tool, at: 0.5, position: [0.6, 0.2, 0]}\n")));
  EXPECT_EQ(sorted_parts(solution), (Names{"position of tool at the end", "position of tool at the end"}));
  EXPECT_NEAR(solution.conflict->amount, 0.2, 1e-12);
}

/// Two limbs of a length of 1 on one trunk, whose ends are to be 2.5 apart.
TEST(Conflict, PlacesOutOfReach) {
  const test::TemporaryModel model(R"(  - {name: trunk, joint: {name: root, type: prismatic, axis: [1, 0, 0]}, mass: 0}
  - {name: arm, parent: trunk, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1]}
  - {name: hand, parent: arm, joint: {name: wrist, type: fixed}, pose: {xyz: [0, -1, 0]}, mass: 0}
  - {name: leg, parent: trunk, joint: {name: hip, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1]}
  - {name: foot, parent: leg, joint: {name: ankle, type: fixed}, pose: {xyz: [0, -1, 0]}, mass: 0}
)");
  const auto tried = [&](const char* hand) {
    return predict(model.task(std::string("  start: {position: 0}\n  end: {position: free}\n  frames: "
                                          "[{frame: foot, position: [-1, free, free], tolerance: 0.1}, "
                                          "{frame: hand, at: path, position: [{between: [-9, ") +
                              hand + "]}, free, free]}, {frame: hand, position: [" + hand +
                              ", free, free], tolerance: 0.1}]\n"));
  };
  const Solution far = tried("1.7");
  EXPECT_EQ(far.status, nlp::Status::infeasible);
  EXPECT_EQ(far.iterations, 0);
  EXPECT_EQ(
      far.message,
      "cannot be met together: position of foot at the end, position of hand at the end; at best, the distance of "
      "foot and hand is off by 0.5 m");
  EXPECT_TRUE(tried("0.8").success());
}

/// 1 kg over 1 m with 1 N takes 2 s. What slides across has nothing to do with it, nor have wide limits.
Solution slid_in(const std::string& duration, const std::string& rest = "") {
  const test::TemporaryModel model(
      "  - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0], limits: {effort: 1, velocity: 50, "
      "position: [-9, 9]}}, mass: 1, inertia: [1, 1, 1]}\n"
      "  - {name: other, parent: cart, joint: {name: siding, type: prismatic, axis: [0, 1, 0], limits: {effort: 1}}, "
      "mass: 0.001, inertia: [1, 1, 1]}\n");
  return predict(model.whole_task("duration: " + duration +
                                  "\nminimize: [{effort: 1}]\n"
                                  "trajectory: {degree: 3, control_points: 8, nodes: 20}\nsubject_to:\n"
                                  "  start: {position: 0}\n  end: {position: [1, 0]}\n" +
                                  rest));
}

TEST(Conflict, TooLittleTimeForTheForce) {
  const Solution hasty = slid_in("1.6");
  EXPECT_EQ(sorted_parts(hasty, nlp::Status::not_found), (Names{"duration", "effort of rail", "end", "start"}));
  EXPECT_TRUE(hasty.conflict->irreducible);
  EXPECT_TRUE(slid_in("2.4").success());
  EXPECT_FALSE(slid_in("2.4").conflict.has_value());
}

/// A solve that ran out of iterations does not know what is in its way; the search for what contradicts what finds out.
TEST(Conflict, FoundWhereIterationsRanOut) {
  const Solution hasty = slid_in("1.6", "solver: {max_iterations: 20}\n");
  ASSERT_GT(hasty.starts.size(), 1u);
  for (const StartResult& start : hasty.starts) EXPECT_EQ(start.status, nlp::Status::iteration_limit);
  EXPECT_EQ(sorted_parts(hasty, nlp::Status::not_found), (Names{"duration", "effort of rail", "end", "start"}));
  // Where there is none, it stays what it was.
  const Solution slow = slid_in("2.4", "solver: {max_iterations: 2}\n");
  EXPECT_EQ(slow.status, nlp::Status::iteration_limit) << slow.message;
  EXPECT_FALSE(slow.conflict.has_value());
}

/// What a given state breaks at once is said at once: no solve is needed.
TEST(Conflict, GivenStatesAgainstWhatHoldsAllTheWay) {
  const auto from = [](const std::string& rest) {
    return predict(read(test::subject_to("  start: {position: [0.3, 1]}\n  end: {position: [0.5, 0.5]}\n" + rest)));
  };
  // The tool's x axis is turned by the sum of both angles.
  const Solution turned =
      from("  frames: [{frame: tool, at: path, axis: [1, 0, 0], points: [1, 0, 0], tolerance: 60 deg}]\n");
  EXPECT_EQ(sorted_parts(turned), (Names{"axis of tool all the way", "start"}));
  EXPECT_EQ(turned.iterations, 0);
  EXPECT_NEAR(turned.conflict->amount, 1.3 - M_PI / 3, 1e-12);
  EXPECT_EQ(turned.conflict->unit, "rad");
  EXPECT_TRUE(turned.conflict->irreducible);
  // Exactly, and with both states: the worse one is named.
  const Solution exact = from("  frames: [{frame: tool, at: path, axis: [1, 0, 0], points: [1, 0, 0]}]\n");
  EXPECT_EQ(sorted_parts(exact), (Names{"axis of tool all the way", "start"}));
  // The elbow is in a ball in the end.
  const Solution hit = from(
      "  keep_out: [{sphere: {center: [0.351, 0.192, 0], radius: 0.03}, margin: 0.01, links: [{link: link1, from: [0, "
      "0, 0], radius: 0.02}]}]\n");
  EXPECT_EQ(sorted_parts(hit), (Names{"end", "keep_out of obstacle 1"}));
  EXPECT_NEAR(hit.conflict->amount, 0.06, 1e-3);
  ASSERT_FALSE(hit.violations.empty());
  EXPECT_EQ(hit.violations[0].unit, "m");  // a distance, no row of the program
  EXPECT_NEAR(hit.violations[0].bound, 0.06, 1e-12);
  EXPECT_FALSE(from("").conflict.has_value());
}

/// A rod at rest, level, with a little less and a little more than what holds it.
TEST(Conflict, WhatADriveCannotHold) {
  const auto held_with = [](double part) {
    const test::TemporaryModel model(
        "  - {name: rod, joint: {name: hinge, type: revolute, axis: [0, 1, 0], limits: {effort: " +
        std::to_string(part * 2 * 9.81 * 0.5) + "}}, mass: 2, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}\n");
    return predict(model.task("  start: {position: 90 deg, acceleration: 0}\n  end: {position: 80 deg}\n"));
  };
  const Solution weak = held_with(0.9);
  EXPECT_EQ(sorted_parts(weak), (Names{"effort of hinge", "start"}));
  EXPECT_NEAR(weak.conflict->amount, 0.1 * 9.81, 1e-6);
  EXPECT_EQ(weak.iterations, 0);
  EXPECT_TRUE(held_with(1.1).success());
}

/// Joints that slide reach as far as their range; where it has no end, nothing is certain.
TEST(Conflict, ReachOfJointsThatSlide) {
  const auto reached = [](const std::string& range, const std::string& x) {
    const test::TemporaryModel model(
        "  - {name: slide, joint: {name: rail, type: prismatic, axis: [1, 0, 0]" + range +
        "}, pose: {xyz: [1, 0, 0]}, mass: 1, inertia: [1, 1, 1]}\n"
        "  - {name: arm, parent: slide, joint: {name: hinge, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, "
        "1, "
        "1]}\n"
        "  - {name: hand, parent: arm, joint: {name: wrist, type: fixed}, pose: {xyz: [0.3, 0, 0]}, mass: 0}\n");
    return predict(model.task("  start: {position: 0}\n  end: {position: free}\n  frames: [{frame: hand, position: [" +
                              x + ", free, free]}]\n"));
  };
  const std::string range = ", limits: {position: [-0.2, 0.5]}";  // 1 m from the world: up to 1.8 m, from 0.5 m
  const Solution far = reached(range, "1.85");
  EXPECT_EQ(sorted_parts(far), Names{"position of hand at the end"});
  EXPECT_NEAR(far.conflict->amount, 0.05, 1e-12);
  EXPECT_TRUE(reached(range, "1.78").success());
  EXPECT_NEAR(reached(range, "0.4").conflict->amount, 0.1, 1e-12);
  EXPECT_TRUE(reached("", "1.85").success());
}

TEST(Conflict, StoppedOnRequest) {
  PredictOptions options;
  int starts = 0;  // of solves: those of the prediction come first
  options.progress = [&](const PredictProgress& progress) {
    starts += progress.iteration.iteration == 0 ? 1 : 0;
    return starts < 6;
  };
  const Solution solution = predict(read(reach("    - {frame: tool, at: end, position: [-0.7, 0.1, 0]}\n"
                                               "  limits: {position: {shoulder: [-1, 1], elbow: [-1.5, 1.5]}}\n")),
                                    options);
  EXPECT_EQ(starts, 6);
  EXPECT_EQ(solution.status, nlp::Status::not_found);
  EXPECT_FALSE(solution.conflict.has_value());
  EXPECT_FALSE(solution.violations.empty());
}

}  // namespace
}  // namespace verne
