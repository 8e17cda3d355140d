// Boxes and other links that links keep out of.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "motion/task_text.h"
#include "motion/terms/keep_out.h"
#include "motion/terms/keep_out_of_box.h"
#include "verne/dynamics/kinematics.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

using test::read;

/// The world coordinates of a point of a link at a time.
Vec3<double> point_at(const Task& task, const Trajectory& motion, double time, int link, const Vec3<double>& point) {
  Data<double> data(task.model);
  const Kinematics<double> kinematics = forward_kinematics<double>(task.model, data, motion.at(time));
  const Eigen::Vector3d p =
      kinematics.position(link) + kinematics.rotation(link) * Eigen::Vector3d(point.x, point.y, point.z);
  return {p.x(), p.y(), p.z()};
}

/// The least of a function of time along the motion.
template <class NodeQuantity>
double least(const Trajectory& motion, NodeQuantity&& quantity) {
  double all = kInfinity;
  for (int k = 0; k <= 500; ++k) all = std::min(all, quantity(motion.duration() * k / 500));
  return all;
}

std::string sweep(const std::string& keep_out) {
  return R"(format: verne-task/1
model: two_link.yaml
trajectory: {degree: 4, control_points: 12, nodes: 40}
duration: 1
minimize: [{smoothness: 1}]
subject_to:
  limits: {effort: none}
  start: {position: [-60 deg, 10 deg]}
  end: {position: [60 deg, 10 deg]}
)" + keep_out;
}

TEST(Obstacles, ALinkGoesAroundABox) {
  const Task task = read(
      sweep("  keep_out: [{box: {center: [0.8, 0, 0], size: [0.3, 0.2, 0.4], rpy: [0, 0, 20 deg]}, margin: 0.06}]\n"));
  const BoxSpec& box = *task.keep_out[0].obstacle.box;
  const LinkCapsule& part = task.keep_out[0].parts.back();
  const auto clearance = [&](const Trajectory& motion) {
    return least(motion, [&](double time) {
      const auto local = [&](const Vec3<double>& p) {
        return transpose(box.pose.R) * (point_at(task, motion, time, part.link, p) - box.pose.p);
      };
      return segment_to_box(local(part.from), local(part.to), box.size * 0.5);
    });
  };
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_GT(clearance(solution.trajectory), 0.08 * (1 - 1e-5));
  EXPECT_LT(clearance(solution.trajectory), 0.08 * 1.02);  // no wider than the smoothing makes it
  EXPECT_EQ(clearance(predict(read(sweep(""))).trajectory), 0);
  // It is in the file that the report is made of.
  const auto json = nlohmann::json::parse(solution_json(task, solution, sample_motion(task, solution, 3), "", ""));
  EXPECT_EQ(json["obstacles"][0]["type"], "box");
  EXPECT_EQ(json["obstacles"][0]["size"], nlohmann::json({0.3, 0.2, 0.4}));
  EXPECT_NEAR(json["obstacles"][0]["rotation"][2].get<double>(), std::sin(M_PI / 18), 1e-15);
}

/// A box across the way of a stretched arm, which has to fold to pass it: thin, wide or turned, and with hardly more
/// than a finger's breadth to keep. Without the box the arm would fold as well, for time's sake.
TEST(Obstacles, BoxesAcrossTheWay) {
  const auto in_least_time = [](const std::string& keep_out) {
    return read(R"(format: verne-task/1
model: two_link.yaml
duration: {free: [0.1, 3]}
minimize: [{time: 1}]
subject_to:
  start: {position: [-1, 0]}
  end: {position: [1, 0]}
)" + keep_out);
  };
  const double least_time = predict(in_least_time("")).cost;
  for (const char* shape :
       {"center: [0.75, 0, 0], size: [0.2, 0.1, 1]", "center: [0.75, 0, 0], size: [0.1, 0.3, 0.3]",
        "center: [0.7, 0.05, 0], size: [0.18, 0.18, 0.18], rpy: [0, 0, 0.8]",
        "center: [0.65, 0, 0], size: [0.01, 0.2, 2]", "center: [0.79, 0, 0], size: [0.16, 0.02, 0.1]"}) {
    const Task task = in_least_time("  keep_out: [{box: {" + std::string(shape) + "}, margin: 0.01}]\n");
    const Solution solution = predict(task);
    EXPECT_EQ(solution.status, nlp::Status::solved) << shape << ": " << solution.message;
    EXPECT_LT(solution.cost, 1.02 * least_time) << shape;
    const BoxSpec& box = *task.keep_out[0].obstacle.box;
    for (const LinkCapsule& part : task.keep_out[0].parts) {
      const double clearance = least(solution.trajectory, [&](double time) {
        const auto local = [&](const Vec3<double>& p) {
          return transpose(box.pose.R) * (point_at(task, solution.trajectory, time, part.link, p) - box.pose.p);
        };
        return segment_to_box(local(part.from), local(part.to), box.size * 0.5);
      });
      EXPECT_GT(clearance, (part.radius + 0.01) * (1 - 1e-5)) << shape;
    }
  }
}

TEST(Obstacles, LinksKeepApart) {
  // Two arms side by side, each swinging through where the other one hangs.
  const test::TemporaryModel model(R"(
  - {name: left, pose: {xyz: [0, 0.3, 0]}, joint: {name: left, type: revolute, axis: [1, 0, 0]}, mass: 1, inertia: [0.1, 0.1, 0.01], com: [0, 0, -0.25]}
  - {name: left_fore, parent: left, pose: {xyz: [0, 0, -0.5]}, joint: {name: left_elbow, type: revolute, axis: [0, 1, 0]}, mass: 1, inertia: [0.1, 0.1, 0.01], com: [0, 0, -0.4]}
  - {name: right, parent: base, pose: {xyz: [0, -0.3, 0]}, joint: {name: right, type: revolute, axis: [1, 0, 0]}, mass: 1, inertia: [0.1, 0.1, 0.01], com: [0, 0, -0.9]}
)");
  const auto task = [&](const std::string& keep_out) {
    return model.whole_task(R"(trajectory: {degree: 4, control_points: 12, nodes: 24}
duration: 1
minimize: [{smoothness: 1}]
subject_to:
  start: {position: [0, 0.1, 0]}
  end: {position: [-0.7, 0.1, -0.7]}
  via: [{at: 0.5, position: {right: 0.25}}]
)" + keep_out);
  };
  const Task apart = task("  keep_out: [{links: [left, left_fore], against: [right], margin: 0.02}]\n");
  const auto clearance = [&](const Trajectory& motion) {
    return least(motion, [&](double time) {
      double nearest = kInfinity;
      const LinkCapsule& other = apart.keep_out[0].against[0];
      const auto at = [&](const LinkCapsule& part, const Vec3<double>& p) {
        return point_at(apart, motion, time, part.link, p);
      };
      for (const LinkCapsule& part : apart.keep_out[0].parts) {
        nearest = std::min(nearest, segment_distance(at(part, part.from), at(part, part.to), at(other, other.from),
                                                     at(other, other.to)));
      }
      return nearest;
    });
  };
  const Solution solution = predict(apart);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  // Refinement keeps up to a thousandth more than asked for where that costs nothing.
  EXPECT_GT(clearance(solution.trajectory), (0.05 + 0.05 + 0.02) * (1 - 1e-6));
  EXPECT_LT(clearance(solution.trajectory), (0.05 + 0.05 + 0.02) * (1 + 1e-3));
  EXPECT_LT(clearance(predict(task("")).trajectory), 0.1);
  EXPECT_EQ(solution_json(apart, solution, sample_motion(apart, solution, 3), "", "").find("obstacles"),
            std::string::npos);
}

/// Shapes that nobody gave are guessed, and said so.
TEST(Obstacles, StandInsForLinksAreNamed) {
  const auto warnings = [](const std::string& visuals, const std::string& zone) {
    ModelSpec spec = load_spec(test::models() + "two_link.yaml");
    for (LinkSpec& link : spec.links) {
      if (visuals.find(link.name) == std::string::npos) continue;
      link.visuals = {{VisualSpec::Shape::mesh, Transform<double>::identity(), {1, 1, 1}, "a.stl", {}}};
    }
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "verne_stand_ins";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "m.yaml") << write_yaml(spec);
    const Task task = read_task(
        "format: verne-task/1\nmodel: m.yaml\nduration: 1\nminimize: [{effort: 1}]\n"
        "subject_to:\n  keep_out:\n    - " +
            zone + "\n",
        "t", folder.string());
    std::filesystem::remove_all(folder);
    std::string text;
    for (const Diagnostic& warning : task_warnings(task)) text += to_string(warning, "warning") + "\n";
    return text;
  };
  const std::string ball = "sphere: {center: [2, 0, 0], radius: 0.1}";
  EXPECT_EQ(warnings("", "{" + ball + "}"), "");
  const std::string said =
      "t:7: warning: keep_out: capsules of radius 0.05 m from joint to joint stand in for links without a ball, box, "
      "cylinder or capsule among their shapes (meshes are not read): ";
  EXPECT_EQ(warnings("link2", "{" + ball + "}"), said + "1 link ('link2')\n");
  EXPECT_EQ(warnings("link1 link2", "{" + ball + "}"), said + "2 links ('link1', 'link2')\n");
  EXPECT_EQ(warnings("link2", "{links: [link1], " + ball + "}"), "");
  EXPECT_EQ(warnings("link2", "{links: [{link: link2, from: [0, 0, 0], radius: 0.1}], " + ball + "}"), "");
}

}  // namespace
}  // namespace verne
