#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "motion/refine/random_scenes.h"
#include "support/paths.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {

namespace {

/// A capsule of a link between two points in its axes, m.
struct Tube {
  const char* link;
  Vec3<double> from, to;
  double radius;
};

// Robots whose files name meshes that are not there. Their tubes lie along the links, as thick as the robots' own, to a
// centimetre or so; where links are neighbours but one, tubes are short enough not to touch whatever the joint does.
const std::vector<Tube> kUr5{
    {"base_link", {0, 0, 0}, {0, 0, 0.04}, 0.075},       {"shoulder_link", {0, 0, 0}, {0, 0.13, 0}, 0.06},
    {"upper_arm_link", {0, 0, 0}, {0, 0, 0.425}, 0.055}, {"forearm_link", {0, 0, 0}, {0, 0, 0.36}, 0.045},
    {"wrist_1_link", {0, 0, 0}, {0, 0.093, 0}, 0.045},   {"wrist_2_link", {0, 0, 0}, {0, 0, 0.09}, 0.045},
    {"wrist_3_link", {0, 0.02, 0}, {0, 0.15, 0}, 0.035}};  // with a gripper
const std::vector<Tube> kTiago{{"base_link", {0, 0, 0.1}, {0, 0, 0.1}, 0.27},
                               {"torso_fixed_link", {0, 0, 0.1}, {0, 0, 0.5}, 0.12},
                               {"torso_lift_link", {0.05, 0, -0.25}, {0.05, 0, -0.08}, 0.12},
                               {"head_2_link", {0.03, 0.05, 0}, {0.08, 0.05, 0}, 0.11},
                               {"arm_1_link", {0.02, 0.01, 0}, {0.12, 0.015, -0.03}, 0.055},
                               {"arm_2_link", {0, 0, 0}, {0.09, 0, 0}, 0.055},
                               {"arm_3_link", {0, -0.01, -0.05}, {-0.02, -0.02, -0.2}, 0.05},
                               {"arm_4_link", {-0.02, 0, 0}, {-0.15, 0.02, 0.027}, 0.045},
                               {"arm_5_link", {0, 0, 0}, {0, 0, 0.08}, 0.045},
                               {"arm_7_link", {0, 0, 0.08}, {0, 0, 0.22}, 0.045}};  // with its hand

/// These shapes in place of those that a model may have.
Model with_tubes(ModelSpec spec, const std::vector<Tube>& tubes) {
  for (LinkSpec& link : spec.links) {
    link.visuals.clear(), link.collisions.clear();
    for (const Tube& tube : tubes) {
      if (tube.link != link.name) continue;
      const Vec3<double> along = tube.to - tube.from;
      const double length = norm(along), flat = std::hypot(along.x, along.y);
      VisualSpec shape;
      shape.shape = VisualSpec::Shape::capsule;
      shape.size = {tube.radius, length, 0};
      shape.X_LV = {rotation_rpy({0, std::atan2(flat, along.z), std::atan2(along.y, along.x)}),
                    (tube.from + tube.to) * 0.5};
      link.collisions.push_back(shape);
    }
  }
  return build_model(std::move(spec));
}

/// TIAGo, of which the arm alone moves, with its body raised by 15 cm and a frame in its hand.
ModelSpec tiago_arm(const std::string& file) {
  ModelSpec spec = load_spec(file);
  for (LinkSpec& link : spec.links) {
    if (link.joint.name.starts_with("arm_")) continue;
    if (link.joint.name == "torso_lift_joint") link.X_PJ.p.z += 0.15;
    link.joint.type = JointType::fixed;
    link.joint.dofs.clear();
  }
  spec.frames.push_back({"hand", "arm_7_link", {Mat3<double>::identity(), {0, 0, 0.1}}});
  return spec;
}

std::vector<std::string> numbered(const std::string& stem, int count, const std::string& ending = "") {
  std::vector<std::string> names;
  for (int k = 1; k <= count; ++k) names.push_back(stem + std::to_string(k) + ending);
  return names;
}

/// Jerk is bounded by what changes the acceleration from none to the limit in 2 ms.
SceneArm arm_of(const char* name, Model model, const std::string& tool, const std::vector<std::string>& joints,
                const std::vector<double>& acceleration, double payload = 3) {
  SceneArm arm{name, std::move(model), tool, "", joints, acceleration, {}};
  arm.head = fmt::format("payloads: [{{frame: {}, mass: {}, com: [0, 0, 0.1]}}]\n", tool, payload);
  for (const double limit : acceleration) arm.jerk.push_back(500 * limit);
  return arm;
}

}  // namespace

std::vector<SceneArm> scene_arms() {
  const std::string robots = source_dir() + "/../shared/robots/", data = robots + "example-robot-data/robots/";
  const std::string panda = data + "panda_description/", iiwa = robots + "menagerie/kuka_iiwa_14/iiwa14.xml";
  const std::string ur5 = data + "ur_description/urdf/ur5_robot.urdf";
  const std::string tiago = data + "tiago_description/robots/tiago.urdf";
  const auto is_there = [](const std::string& file) { return std::filesystem::exists(file); };

  std::vector<SceneArm> arms;
  arms.push_back(arm_of("arm7", load_model(source_dir() + "/models/arm7.yaml"), "tool", numbered("joint", 7),
                        std::vector<double>(7, 12)));
  if (is_there(panda + "urdf/panda.urdf")) {
    SceneArm arm = arm_of("panda", load_model(panda + "urdf/panda.urdf"), "panda_hand", numbered("panda_joint", 7),
                          {15, 7.5, 10, 12.5, 15, 20, 20});
    arm.head += "hold: {panda_finger_joint1: 0.02}\n";
    arm.srdf = panda + "srdf/panda.srdf";
    arm.reach = 0.85;
    arms.push_back(std::move(arm));
  }
  if (is_there(iiwa)) {
    arms.push_back(
        arm_of("iiwa", load_model(iiwa), "attachment_site", numbered("joint", 7), std::vector<double>(7, 10)));
  }
  if (is_there(ur5)) {
    arms.push_back(arm_of(
        "ur5", with_tubes(load_spec(ur5), kUr5), "tool0",
        {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"},
        std::vector<double>(6, 10)));
  }
  if (is_there(tiago)) {
    // Its wrist bears 6.6 N m: no 3 kg. What is around stands as high above the floor as its arm begins.
    SceneArm arm = arm_of("tiago", with_tubes(tiago_arm(tiago), kTiago), "hand", numbered("arm_", 7, "_joint"),
                          std::vector<double>(7, 8), 0.5);
    arm.reach = 0.78;
    arm.base = {0.09, 0, 0.55};
    arms.push_back(std::move(arm));
  }
  return arms;
}

}  // namespace verne::test
