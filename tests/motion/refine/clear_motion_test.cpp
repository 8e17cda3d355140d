/// Motions among things: solved, shown to be clear, and looked at by other means.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "motion/refine/random_scenes.h"
#include "motion/task_text.h"
#include "motion/verify/clearance_proof.h"
#include "structures/collision_shapes.h"
#include "support/mesh_files.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

namespace verne::test {
namespace {

double deepest_by_points(const Task& task, const Trajectory& motion, int samples) {
  double deepest = 0;
  for (int n = 0; n < samples; ++n) {
    deepest = std::max(deepest, overlap_by_points(task, motion.at(motion.duration() * n / (samples - 1))));
  }
  return deepest;
}

constexpr char kReach[] =
    "format: verne-task/1\nmodel: two_link.yaml\nduration: free\nminimize: [{time: 1}]\n"
    "refine: {switches: false, knots: 0}\n"
    "subject_to:\n  start: {position: [0, 0.4]}\n  end: {position: [2.2, 0.4]}\n"
    "  limits: {jerk: 5000}\n";

/// The planner's way, planes and proof lead to the motion that distances as constraints lead to.
TEST(ClearMotion, EndsInTheOptimumOfDistances) {
  const std::string ball = "sphere: {center: [0.2, 0.72, 0], radius: 0.06}, links: [link1, link2]";
  const Task by_distance = read(std::string(kReach) + "  keep_out: [{" + ball + ", margin: 0.001}]\n");
  const Task by_planes = read(std::string(kReach) +
                              "self_collision: false\nscene:\n  margin: 0.001\n  objects:\n    ball: {sphere: {radius: "
                              "0.06}, pose: {xyz: [0.2, 0.72, 0]}}\n");
  const Solution expected = predict(by_distance), found = predict(by_planes);
  ASSERT_TRUE(expected.success()) << expected.message;
  ASSERT_TRUE(found.success()) << found.message;
  EXPECT_TRUE(found.verification.clearance_certified.value_or(false)) << found.verification.not_clear;
  EXPECT_NEAR(found.cost, expected.cost, 0.01 * expected.cost);
  ASSERT_FALSE(found.verification.approaches.empty());
  EXPECT_GE(found.verification.approaches.front().distance, 0.001);
  EXPECT_EQ(deepest_by_points(by_planes, found.trajectory, 400), 0);
}

/// Without the planner: from a motion that keeps farther away, which distances as constraints alone led to.
TEST(ClearMotion, APlannersGuessLeavesTheOptimumAsItIs) {
  const std::string ball = "ball: {sphere: {radius: 0.06}, pose: {xyz: [0.42, 0.35, 0]}}";
  const Task task = read(std::string(kReach) + "self_collision: false\nscene: {objects: {" + ball + "}}\n");
  const Task farther = read(std::string(kReach) +
                            "  keep_out: [{sphere: {center: [0.42, 0.35, 0], radius: 0.06}, links: [link1, link2], "
                            "margin: 0.02}]\n");
  const Solution planned = predict(task), guess = predict(farther);
  ASSERT_TRUE(planned.success() && guess.success()) << planned.message << guess.message;
  Collisions collisions = task.shapes->collisions;
  ASSERT_TRUE(prove_clearance(collisions, guess.trajectory).shown);  // so nothing is planned
  ASSERT_GT(guess.cost, 1.002 * planned.cost);
  PredictOptions options;
  options.warm_start = &guess;
  const Solution without = predict(task, options);
  ASSERT_TRUE(without.success()) << without.message;
  EXPECT_NEAR(without.cost, planned.cost, 3e-3 * planned.cost) << guess.cost;  // less is not worth another corridor
  for (int k = 0; k <= 10; ++k) {
    const Eigen::VectorXd apart = without.trajectory.at(without.trajectory.duration() * k / 10) -
                                  planned.trajectory.at(planned.trajectory.duration() * k / 10);
    EXPECT_LT(apart.norm(), 0.02) << k;  // rad, of 2.2
  }
}

TEST(ClearMotion, WhatIsFarAwayChangesNothing) {
  const std::string far = "scene: {objects: {ball: {sphere: {radius: 0.06}, pose: {xyz: [5, 0, 0]}}}}\n";
  const Solution alone = predict(read(kReach)), among = predict(read(std::string(kReach) + far));
  ASSERT_TRUE(alone.success() && among.success()) << among.message;
  EXPECT_NEAR(among.cost, alone.cost, 1e-4 * alone.cost);
  const std::string summary = summary_text(read(kReach), alone, nullptr);
  EXPECT_NE(summary.find(", effort yes\n"), std::string::npos) << summary;
  EXPECT_EQ(summary.find("sampled between nodes"), std::string::npos) << summary;
  EXPECT_TRUE(among.verification.clearance_certified.value_or(false));
}

TEST(ClearMotion, SaysWhatTouches) {
  const auto said = [](const std::string& ends, const std::string& objects, const std::string& margin = "") {
    return problems("format: verne-task/1\nmodel: two_link.yaml\nduration: 1\nminimize: []\nsubject_to: {" + ends +
                    "}\nscene: {" + margin + "objects: {" + objects + "}}\n");
  };
  EXPECT_EQ(said("start: {position: [0, 0]}, end: {position: [1, 0]}",
                 "post: {box: {size: [0.1, 0.1, 1]}, pose: {xyz: [0.82, 0, 0]}}"),
            "t:5: error: subject_to: start: 'post' and 'link2' overlap by 50 mm");
  EXPECT_EQ(said("start: {position: [1, 0]}, end: {position: [0, 0]}",
                 "ball: {sphere: {radius: 0.1}, pose: {xyz: [0.95, 0, 0]}}", "margin: 0.05, "),
            "t:5: error: subject_to: end: 'ball' and 'link2' are 30 mm apart, less than the margin of 50 mm");
  const std::string huge = said("start: {position: [0, 0]}, end: {position: [1, 0]}", "post: {sphere: {radius: 100}}");
  EXPECT_NE(huge.find("'post' is 200 m across: is it in millimetres (a mesh: `scale: [0.001, 0.001, 0.001]`)?"),
            std::string::npos)
      << huge;
}

/// Of a box the mesh, and a hole in it: a cage that is open at one side.
TEST(ClearMotion, AMeshIsWhatItIs) {
  const MeshFolder folder;
  Triangles box;
  for (int k = 0; k < 8; ++k) {
    box.points.push_back({k & 1 ? 0.26F : 0.14F, k & 2 ? 0.78F : 0.66F, k & 4 ? 0.3F : -0.3F});
  }
  box.corners = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  folder.write("box.stl", stl_bytes(box));
  box.corners.resize(4);  // floor and lid alone
  folder.write("open.stl", stl_bytes(box));
  const auto task = [&](const std::string& objects, const std::string& given = kReach) {
    const std::string model = "model: two_link.yaml";
    std::string text = given + "self_collision: false\nscene: {margin: 0.001, objects: {thing: " + objects + "}}\n";
    text.replace(text.find(model), model.size(), "model: " + models() + "two_link.yaml");
    return load_task(folder.write("task.yaml", text));
  };
  const Task of_mesh = task("{mesh: {file: box.stl}}");
  const Solution found = predict(of_mesh),
                 expected = predict(task("{box: {size: [0.12, 0.12, 0.6]}, pose: {xyz: [0.2, 0.72, 0]}}"));
  ASSERT_TRUE(found.success() && expected.success()) << found.message << expected.message;
  EXPECT_TRUE(found.verification.clearance_certified.value_or(false)) << found.verification.not_clear;
  EXPECT_NEAR(found.cost, expected.cost, 0.01 * expected.cost);
  const std::string straight =
      "format: verne-task/1\nmodel: two_link.yaml\nduration: free\nminimize: [{time: 1}]\nhold: {elbow: 0}\n"
      "subject_to:\n  start: {position: [0]}\n  end: {position: [2.2]}\n  limits: {position: {shoulder: [-0.4, 3]}}\n";
  const Solution through = predict(task("{mesh: {file: open.stl}}", straight));
  EXPECT_TRUE(through.success()) << through.message;
  EXPECT_TRUE(through.verification.clearance_certified.value_or(false)) << "between floor and lid";
  EXPECT_EQ(predict(task("{mesh: {file: open.stl}, as: hull}", straight)).status, nlp::Status::not_found);
  const std::string text = summary_text(of_mesh, found);
  EXPECT_TRUE(text.find("'box.stl' counts as 1 convex part, exactly") != std::string::npos) << text;
}

/// Around a divider, close to it: at first the last link leaves its corridor with corners that do not count.
TEST(ClearMotion, IsSolvedBetweenBoards) {
  const Task task = load_task(source_dir() + "/tasks/arm7_shelf.yaml");
  const Solution found = predict(task);
  EXPECT_EQ(found.status, nlp::Status::solved) << found.message;
  EXPECT_TRUE(found.verification.clearance_certified.value_or(false)) << found.verification.not_clear;
  EXPECT_LT(found.cost, 1.13);
  EXPECT_EQ(deepest_by_points(task, found.trajectory, 200), 0);
}

TEST(ClearMotion, WithoutAWay) {
  // A cage of thin plates around the arm, which cannot turn.
  const Task task = read(
      "format: verne-task/1\nmodel: two_link.yaml\nduration: free\nminimize: [{time: 1}]\nhold: {elbow: 0}\n"
      "subject_to: {start: {position: {shoulder: 0}}, end: {position: {shoulder: 1.5}},\n"
      "  limits: {position: {shoulder: [-0.4, 2]}}}\n"
      "scene: {objects: {plate: {box: {size: [1, 0.0001, 1]}, pose: {xyz: [0.7, 0.3, 0]}}}}\n");
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::not_found);
  EXPECT_EQ(solution.message, "no way was found on which nothing touches");
}

TEST(RandomScenes, AreThoseOfTheirSeeds) {
  const SceneArm arm = scene_arms().front();
  const auto text = [&](unsigned seed) {
    const std::optional<Task> task = random_scene_task(arm, "table", seed);
    return task ? task->text : "";
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
  EXPECT_NE(text(1), "");
}

/// Arms whose files name meshes that are not there have shapes of the generator's own.
TEST(RandomScenes, OfRealArms) {
  const std::vector<SceneArm> arms = scene_arms();
  if (arms.size() == 1) GTEST_SKIP() << "../shared/robots is not there";
  int solved = 0;
  for (const SceneArm& arm : arms) {
    if (arm.name != "ur5" && arm.name != "tiago") continue;
    const std::optional<Task> task = random_scene_task(arm, "clutter", 1);
    ASSERT_TRUE(task) << arm.name;
    const Solution found = predict(*task);
    EXPECT_TRUE(found.success()) << arm.name << ": " << found.message;
    EXPECT_TRUE(found.verification.clearance_certified.value_or(false)) << found.verification.not_clear;
    EXPECT_EQ(deepest_by_points(*task, found.trajectory, 100), 0) << arm.name;
    ++solved;
  }
  EXPECT_EQ(solved, 2);
}

}  // namespace
}  // namespace verne::test
