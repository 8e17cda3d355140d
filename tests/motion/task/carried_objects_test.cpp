// What phases hold: the tree with the body welded to the tool, shapes by points of our own, bad input.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "motion/curve/phases.h"
#include "motion/task_text.h"
#include "motion/values/sample_stages.h"
#include "structures/collision_shapes.h"
#include "verne/dynamics/dynamics.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

/// A line each; what phases say begins on line 9.
std::string picking(const std::string& phases, const std::string& mass = ", mass: 2") {
  return "format: verne-task/1\nmodel: arm7.yaml\nduration: {free: [1, 20]}\nminimize: [{time: 1}]\nscene:\n  "
         "objects:\n"
         "    box: {box: {size: [0.1, 0.08, 0.12]}, pose: {xyz: [0.45, -0.38, 0.16]}" +
         mass + "}\nphases:\n" + phases;
}

std::string trouble(const std::string& phases, const std::string& mass = ", mass: 2") {
  return test::problems(picking(phases, mass));
}

TEST(CarriedObjects, BadInput) {
  const std::string hold = "attach: {object: box, to: tool";
  EXPECT_EQ(
      trouble("  - {attach: {object: boxx, to: tool}}\n"),
      "t:9: error: phases: 1: attach: object: there is no object 'boxx' under `scene: objects` of this file (did you "
      "mean 'box'?)");
  EXPECT_EQ(trouble("  - {attach: {object: box, to: tol}}\n"),
            "t:9: error: phases: 1: attach: to: there is no link or frame 'tol' (did you mean 'tool'?)");
  EXPECT_EQ(trouble("  - attach:\n    - {object: box, to: tool}\n    - {object: box, to: link7}\n"),
            "t:11: error: phases: 1: attach: 'box' is attached twice in one phase, in line 10, too");
  EXPECT_EQ(
      trouble("  - {" + hold + "}}\n  - {attach: {object: box, to: link7}}\n"),
      "t:10: error: phases: 2: attach: to: 'box' is held by 'tool' in line 9: say there where it is handed over, by "
      "`put`");
  EXPECT_EQ(trouble("  - {" + hold + "}}\n  - {}\n  - {" + hold + "}}\n"),
            "t:11: error: phases: 3: attach: where 'box' is then is not known: give `put` in line 9");
  EXPECT_EQ(trouble("  - {" + hold + ", put: {xyz: [0.4, 0, 0.3]}}}\n  - {" + hold + "}}\n"),
            "t:10: error: phases: 2: attach: 'box' is put down at the end of the phase before");
  EXPECT_EQ(trouble("  - {" + hold + "}}\n", ""), "t:7: error: scene: objects: box: mass is missing");
  EXPECT_EQ(trouble("  - {attach: {object: box, to: [tool, link6]}}\n"),
            "t:9: error: phases: 1: attach: at is missing");
}

/// Two boxes and a ball without mass, in the axes of the first: mass and inertia by the parallel axis theorem.
constexpr char kHammer[] =
    "[{box: {size: [0.1, 0.1, 0.2]}, mass: 2, pose: {xyz: [0.4, -0.3, 0.2], rpy: [0, 0, 90 deg]}}, "
    "{box: {size: [0.2, 0.04, 0.04]}, mass: 1, pose: {xyz: [0.4, -0.1, 0.25]}}, "
    "{sphere: {radius: 0.05}, pose: {xyz: [0.4, -0.3, 0.35]}}]";

void expect_hammer(const Task& task) {
  const Model& model = task.phases[1].model;
  const LinkSpec& link = model.spec().links[static_cast<std::size_t>(model.link("hammer"))];
  EXPECT_NEAR(link.mass, 3, 1e-12);
  // The second is at (0.2, 0, 0.05) in the axes of the first, which are turned about z, and turned by −90° itself.
  EXPECT_NEAR(link.com.x, 0.2 / 3, 1e-12);
  EXPECT_NEAR(link.com.z, 0.05 / 3, 1e-12);
  const double reduced = 2.0 / 3;  // m1 m2 / (m1 + m2)
  EXPECT_NEAR(link.inertia.xx, 2 * (0.01 + 0.04) / 12 + (0.04 + 0.0016) / 12 + reduced * 0.05 * 0.05, 1e-12);
  EXPECT_NEAR(link.inertia.yy, 2 * (0.01 + 0.04) / 12 + 2 * 0.0016 / 12 + reduced * (0.05 * 0.05 + 0.2 * 0.2), 1e-12);
  EXPECT_NEAR(link.inertia.xz, -reduced * 0.2 * 0.05, 1e-12);
  const std::vector<CollisionBody>& bodies = task.shapes->collisions.bodies();
  const auto of = [&](bool held) {
    return std::ranges::count_if(bodies, [&](const CollisionBody& body) {
      return body.object == "hammer" && (body.link >= 0) == held && !body.only_others;
    });
  };
  EXPECT_EQ(of(true), 3);
  EXPECT_EQ(of(false), 3);  // where it stands at first
}

TEST(CarriedObjects, OfSeveralShapes) {
  const std::string phases = "phases: [{}, {attach: {object: hammer, to: tool}}]\n";
  const std::string head = "format: verne-task/1\nmodel: arm7.yaml\nduration: {free: [1, 20]}\nminimize: [{time: 1}]\n";
  expect_hammer(test::read(head + "scene: {objects: {hammer: " + kHammer + "}}\n" + phases));
  EXPECT_EQ(
      test::problems(head + "scene: {objects: {hammer: [{sphere: {radius: 1}, pose: {xyz: [0, 0, 9]}}]}}\n" + phases),
      "t:5: error: scene: objects: hammer: mass is missing: at least one shape of what is held has one");
  // In a file of its own; what a solution keeps knows it, too.
  TaskFiles files;
  files.model = [](const std::string&) { return load_model(test::models() + "arm7.yaml"); };
  std::string scene = "format: verne-scene/1\nobjects:\n  wall: {box: {size: [1, 0.1, 1]}, pose: {xyz: [0, 2, 0]}}\n";
  files.read = [&](const std::string&) { return scene + "  hammer: " + kHammer + "\n"; };
  const Task task = read_task(head + "scene: cell.yaml\n" + phases, "t", "", {}, files);
  expect_hammer(task);
  const Task kept = read_task(task.text, "t", task.model, {});
  const Model& with_it = kept.phases[1].model;
  EXPECT_NEAR(with_it.mass(), task.phases[1].model.mass(), 1e-12);
  EXPECT_NEAR(with_it.mass() - kept.phases[0].model.mass(), 3, 1e-12);
  const auto trouble = [&] {
    return test::complaint<InputError>([&] { read_task(head + "scene: cell.yaml\n" + phases, "t", "", {}, files); });
  };
  files.read = [&](const std::string&) { return scene + "  hammer: {sphere: {radius: 0.1}}\n"; };
  EXPECT_EQ(trouble(), "cell.yaml:4: error: objects: hammer: mass is missing");
  files.read = [&](const std::string&) { return scene; };
  EXPECT_EQ(trouble(),
            "t:6: error: phases: 2: attach: object: there is no object 'hammer' in 'cell.yaml', or that is of MoveIt, "
            "whose files know no masses: write it under `scene: objects`");
}

/// Two hands that move along three axes each: one takes a box, hands it over in the air, the other puts it down.
TEST(CarriedObjects, AreHandedOver) {
  std::string links;
  for (const auto& [hand, y] : {std::pair("left", 0.5), std::pair("right", -0.5)}) {
    const std::string name = hand;
    const auto slide = [&](const std::string& axis, const std::string& direction, const std::string& parent) {
      return "  - {name: " + name + "_" + axis + ", " + parent + "joint: {name: " + name + "_along_" + axis +
             ", type: prismatic, axis: " + direction +
             ", limits: {position: [-1, 1], velocity: 1, effort: 100}}, mass: 1, inertia: [0.01, 0.01, 0.01]";
    };
    links += slide("x", "[1, 0, 0]", "parent: base, pose: {xyz: [0, " + std::to_string(y) + ", 0]}, ") + "}\n" +
             slide("y", "[0, 1, 0]", "parent: " + name + "_x, ") + "}\n" +
             slide("z", "[0, 0, 1]", "parent: " + name + "_y, ") +
             ", visuals: [{sphere: {radius: 0.02}, pose: {xyz: [0, 0, 0.06]}}]}\n";
  }
  const test::TemporaryModel model(links);
  const Task task = model.whole_task(R"(duration: {free: [0.5, 10]}
minimize: [{time: 1}]
scene:
  objects:
    box: {box: {size: [0.1, 0.1, 0.1]}, mass: 2, pose: {xyz: [0, 0.4, 0]}}
    wall: {box: {size: [0.4, 0.02, 0.3]}, pose: {xyz: [0, 0, -0.3]}}
refine: {knots: 0}
phases:
  - {}
  - {attach: {object: box, to: left_z, at: [0, 0.07, 0], put: {xyz: [0.1, 0, 0.1]}}}
  - {attach: {object: box, to: right_z, at: [0, -0.07, 0], put: {xyz: [0, -0.4, 0]}}}
  - {}
subject_to:
  start: {position: [0, 0.3, 0, 0, -0.3, 0]}
  end: {position: [0, 0.3, 0, 0, -0.3, 0]}
)");
  const Solution solution = predict(task);
  ASSERT_TRUE(solution.success()) << solution.message;
  EXPECT_TRUE(solution.verification.clearance_certified.value_or(false));
  Data<double> data(task.model);
  const double over = solution.phases[1].end;
  const Kinematics<double> at = forward_kinematics<double>(task.model, data, solution.trajectory.at(over));
  for (const char* const name : {"box", "box in right_z"}) {
    EXPECT_LT((at.position(task.model.link(name)) - Eigen::Vector3d(0.1, 0, 0.1)).norm(), 1e-9) << name;
  }
  EXPECT_LT(solution.trajectory.at(over, 1).norm(), 1e-9);
  // The weight of the box is borne by whoever holds it: at rest there, both hands share nothing.
  for (const auto& [phase, held] : {std::pair(0, 0.0), {1, 2.0}, {2, 2.0}, {3, 0.0}}) {
    EXPECT_NEAR(task.phases[static_cast<std::size_t>(phase)].model.mass() - task.model.mass(), held, 1e-12);
  }
  EXPECT_EQ(task.phases[1].attach[0].to, "left_z");
  EXPECT_EQ(task.phases[2].attach[0].to, "right_z");
  for (const std::string& note : task.shapes->notes)
    EXPECT_EQ(note.find("in the air at the end of 'phase 2'"), std::string::npos);
}

TEST(CarriedObjects, OutOfReachIsSaidAtOnce) {
  const Task task =
      test::read(picking("  - {}\n  - {attach: {object: box, to: tool, put: {xyz: [0.5, 2.35, 0.36]}}}\n"));
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::infeasible);
  EXPECT_NE(solution.message.find("position of box at the end in phase 2; at best, position of box is off by"),
            std::string::npos)
      << solution.message;
}

TEST(CarriedObjects, AReleaseInTheAirIsSaid) {
  const auto notes = [](const std::string& put) {
    std::string all;
    const Task task = test::read(
        picking("  - {}\n  - {attach: {object: box, to: tool, at: [0, 0, 0.06], turned: {rpy: [180 deg, 0, 0]}" + put +
                "}}\n  - {}\n"));
    for (const std::string& note : task.shapes->notes) all += note + "\n";
    return all;
  };
  EXPECT_NE(notes("").find("'box' is released in the air at the end of 'phase 2'"), std::string::npos);
  EXPECT_EQ(notes(", put: {xyz: [0.5, 0.3, 0.36]}").find("in the air"), std::string::npos);  // nothing else is known
}

class PickAndPlace : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    task_ = std::make_unique<Task>(test::shipped_task("arm7_pick_place"));
    solution_ = std::make_unique<Solution>(predict(*task_));
  }
  static void TearDownTestSuite() { task_.reset(), solution_.reset(); }
  static std::unique_ptr<Task> task_;
  static std::unique_ptr<Solution> solution_;
};
std::unique_ptr<Task> PickAndPlace::task_;
std::unique_ptr<Solution> PickAndPlace::solution_;

TEST_F(PickAndPlace, IsSolvedAndProven) {
  EXPECT_EQ(solution_->status, nlp::Status::solved) << solution_->message;
  EXPECT_TRUE(solution_->verification.clearance_certified.value_or(false));
}

/// Efforts are those of a model in which the box is a body that is welded to the tool, or of the arm alone; the grasp
/// bears what moves the box.
TEST_F(PickAndPlace, EffortsAreThoseOfTheWeldedTree) {
  const Model arm = load_model(test::models() + "arm7.yaml");
  ModelSpec spec = arm.spec();
  LinkSpec box;
  box.name = box.joint.name = "welded", box.parent = "link7";
  box.joint.type = JointType::fixed;
  // Its axes are the tool's, turned about x by half a turn; its upper side is at the tool.
  box.X_PJ = {{1, 0, 0, 0, -1, 0, 0, 0, -1}, {0, 0, 0.046 + 0.06}};
  box.has_inertial = true, box.mass = 3;
  box.inertia = {3 * (0.08 * 0.08 + 0.12 * 0.12) / 12, 0, 0,
                 3 * (0.1 * 0.1 + 0.12 * 0.12) / 12,   0, 3 * (0.1 * 0.1 + 0.08 * 0.08) / 12};
  spec.links.push_back(box);
  const Model welded = build_model(spec);
  const std::vector<Stage> parts = stages(*task_, phase_of_spans(*solution_));
  const SampledMotion motion = sample_stages(parts, solution_->trajectory, 61);
  Data<double> data(arm), data_welded(welded);
  const PhaseResult& carry = solution_->phases[1];
  int held = 0;
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    const double t = motion.time[k];
    if (std::abs(t - carry.start) < 1e-6 || std::abs(t - carry.end) < 1e-6) continue;
    const bool holds = t > carry.start && t < carry.end;
    held += holds;
    const Eigen::VectorXd q = motion.q.eigen().col(k), v = motion.v.eigen().col(k), a = motion.a.eigen().col(k);
    const Eigen::VectorXd tau =
        holds ? inverse_dynamics<double>(welded, data_welded, q, v, a) : inverse_dynamics<double>(arm, data, q, v, a);
    EXPECT_LT((tau - motion.tau.eigen().col(k)).norm(), 1e-9 * (1 + tau.norm())) << t;
  }
  EXPECT_GT(held, 10);
}

/// Of a point from a box; inside negative, by how deep.
double distance_from(const Eigen::Vector3d& half, const Eigen::Isometry3d& X_WB, const Eigen::Vector3d& p) {
  const Eigen::Vector3d beyond = (X_WB.inverse() * p).cwiseAbs() - half;
  return beyond.maxCoeff() < 0 ? beyond.maxCoeff() : beyond.cwiseMax(0).norm();
}

/// By points: a grid on the surface of the box against what stands, and points of the arm's capsules against the box
/// where it stands. It is there before and after, and with the tool in between.
TEST_F(PickAndPlace, NothingTouchesAtManyTimes) {
  const Model& model = task_->model;
  const Eigen::Vector3d half(0.05, 0.04, 0.06);
  const auto standing = [](double x, double y, double z, double turned) {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    X.translation() = Eigen::Vector3d(x, y, z);
    X.linear() = Eigen::AngleAxisd(turned, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    return X;
  };
  const Eigen::Isometry3d before = standing(0.45, -0.38, 0.16, 0), after = standing(0.5, 0.35, 0.36, M_PI / 2);
  struct Thing {
    Eigen::Vector3d half;
    Eigen::Isometry3d place;
    double apart;
  };
  const std::vector<Thing> things = {{{0.25, 0.25, 0.02}, standing(0.5, -0.45, 0.08, 0), -6e-4},
                                     {{0.13, 0.25, 0.01}, standing(0.52, 0.4, 0.29, 0), -6e-4},
                                     {{0.01, 0.25, 0.3}, standing(0.66, 0.4, 0.3, 0), 0.0099}};
  Data<double> data(model);
  const int box = model.link("box");
  const PhaseResult& carry = solution_->phases[1];
  const auto place_of = [&](const Kinematics<double>& at, int link) {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    X.translation() = at.position(link), X.linear() = at.rotation(link);
    return X;
  };
  for (int k = 0; k <= 1000; ++k) {
    const double t = solution_->trajectory.duration() * k / 1000;
    const Kinematics<double> at = forward_kinematics<double>(model, data, solution_->trajectory.at(t));
    const bool holds = t > carry.start && t < carry.end;
    const Eigen::Isometry3d X_WB = holds ? place_of(at, box) : t <= carry.start ? before : after;
    constexpr int kGrid = 6;
    for (int i = 0; holds && i < (kGrid + 1) * (kGrid + 1) * (kGrid + 1); ++i) {
      const Eigen::Vector3d u(i % (kGrid + 1), i / (kGrid + 1) % (kGrid + 1), i / (kGrid + 1) / (kGrid + 1));
      const Eigen::Vector3d p = X_WB * (half.cwiseProduct((2 * u / kGrid).array().matrix() - Eigen::Vector3d::Ones()));
      for (const Thing& thing : things) EXPECT_GT(distance_from(thing.half, thing.place, p), thing.apart) << t;
    }
    for (int link = 1; link < box; ++link) {  // capsules of all but the last link, which holds the box
      for (const VisualSpec& shape : model.spec().links[link].visuals) {
        if (shape.shape != VisualSpec::Shape::capsule) continue;
        for (int n = 0; n <= 10; ++n) {
          const Vec3<double> c = shape.X_LV * Vec3<double>{0, 0, shape.size.y * (n / 10.0 - 0.5)};
          const Eigen::Vector3d p = at.position(link) + at.rotation(link) * Eigen::Vector3d(c.x, c.y, c.z);
          EXPECT_GT(distance_from(half, X_WB, p), shape.size.x + 0.0099) << t << " " << model.spec().links[link].name;
        }
      }
    }
  }
  for (const auto& [t, X] : {std::pair(carry.start, before), std::pair(carry.end, after)}) {
    const Kinematics<double> at = forward_kinematics<double>(model, data, solution_->trajectory.at(t));
    EXPECT_LT((place_of(at, box).matrix() - X.matrix()).norm(), 1e-9);
    EXPECT_LT(solution_->trajectory.at(t, 1).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace verne
