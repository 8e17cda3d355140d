// A stride from a step: the second half is the mirror image of the first in every quantity, and obeys mechanics by
// itself; files of it.
#include "verne/motion/stride.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "motion/curve/mirror.h"
#include "motion/some_step.h"
#include "motion/task_text.h"
#include "support/compare.h"
#include "verne/dynamics/dynamics.h"

namespace verne {
namespace {

struct SomeStride {
  Task task = test::walk_by_rule();
  Solution solution = test::solution_on(task, test::some_motion(task, 7));
  Stride stride = unfold_stride(task, solution).value();
};

const GroundReaction& of(const SampledMotion& motion, const std::string& support) {
  return *std::find_if(motion.ground.begin(), motion.ground.end(),
                       [&](const GroundReaction& reaction) { return reaction.support == support; });
}

/// The image is computed by reflecting results. What the model itself says of the reflected motion under the reflected
/// forces of the ground must be the same, in all joints.
TEST(Stride, TheMirroredStepObeysMechanics) {
  const SomeStride some;
  const Model& model = some.task.model;
  const SampledMotion& motion = some.stride.motion;
  Data<double> data(model);
  for (int k = 0; k <= 100; k += 5) {
    Loads<double> loads;
    for (const GroundReaction& reaction : motion.ground) {
      const Eigen::Vector3d force = reaction.force.eigen().col(k);
      if (force.norm() == 0) continue;
      loads.add({.frame = model.site(reaction.support),
                 .force = force,
                 .moment = Eigen::Vector3d(0, reaction.moment[k], 0),
                 .point = reaction.centre.eigen().col(k),
                 .at = At::world});
    }
    const TorquesAndWrenches<double> found = inverse_dynamics_and_wrenches<double>(
        model, data, motion.q.eigen().col(k), motion.v.eigen().col(k), motion.a.eigen().col(k), loads);
    EXPECT_TRUE(test::close(motion.tau.eigen().col(k), found.tau, 1e-9)) << k;
    EXPECT_TRUE(test::close(motion.joint_wrenches.eigen().col(k), found.wrenches.reshaped(), 1e-9)) << k;
    const WholeBodyState<double> body = whole_body_state<double>(model, data, motion.q.eigen().col(k),
                                                                 motion.v.eigen().col(k), motion.a.eigen().col(k));
    EXPECT_TRUE(test::close(motion.com.eigen().col(k), body.com, 1e-9)) << k;
    EXPECT_NEAR(motion.kinetic[k], body.kinetic_energy, 1e-9 * (1 + body.kinetic_energy));
  }
}

/// Half a cycle later everything is its own mirror image, and after a whole one it is back, two steps farther on.
TEST(Stride, IsSymmetric) {
  const SomeStride some;
  const SampledMotion& motion = some.stride.motion;
  const Mirror mirror = mirror_of(some.task.model);
  const double step = some.task.parameters.at("speed") * some.solution.trajectory.duration();
  const Eigen::Vector3d way(step, 0, 0), flip(1, 1, -1);
  for (int k = 0; k <= 50; ++k) {
    for (int i = 0; i < some.task.model.nv(); ++i) {
      const int p = mirror.partner[i];
      const double gone = i == 0 ? step : 0, sign = mirror.sign[i];
      EXPECT_NEAR(motion.q(i, k + 50), sign * motion.q(p, k) + gone, 1e-9);
      EXPECT_NEAR(motion.v(i, k + 50), sign * motion.v(p, k), 1e-9);
      EXPECT_NEAR(motion.tau(i, k + 50), sign * motion.tau(p, k), 1e-9 * (1 + std::abs(motion.tau(p, k))));
    }
    const GroundReaction &right = of(motion, "foot_r"), &left = of(motion, "foot_l");
    for (const auto& [one, other] : {std::pair{&right, &left}, {&left, &right}}) {
      const Eigen::Vector3d force = one->force.eigen().col(k);
      EXPECT_TRUE(test::close(other->force.eigen().col(k + 50), flip.cwiseProduct(force), 1e-9));
      EXPECT_NEAR(other->moment[k + 50], -one->moment[k], 1e-9 * (1 + std::abs(one->moment[k])));
      if (force.norm() == 0) continue;
      const Eigen::Vector3d centre = one->centre.eigen().col(k);
      EXPECT_TRUE(test::close(other->centre.eigen().col(k + 50), flip.cwiseProduct(centre) + way, 1e-9));
    }
  }
  EXPECT_TRUE(test::close(motion.com.eigen().col(100), motion.com.eigen().col(0) + 2 * way, 1e-9));
}

/// Moments are those of muscles and ligaments together: the same whether there are ligaments or not.
TEST(Stride, MomentsWithLigaments) {
  const SomeStride without;
  const Task taut = test::walk_by_rule({{"ligaments", 0.2}});
  const Stride stride = unfold_stride(taut, without.solution).value();
  for (std::size_t c = 0; c < stride.curves.size(); ++c) {
    const StrideCurve &one = stride.curves[c], &other = without.stride.curves[c];
    ASSERT_EQ(one.name, other.name);
    if (!one.name.starts_with("moment_")) continue;
    EXPECT_TRUE(test::close(one.values.eigen(), other.values.eigen(), 1e-9)) << one.name;
  }
  const double borne = (stride.motion.tau.eigen() - without.stride.motion.tau.eigen()).cwiseAbs().maxCoeff();
  EXPECT_GT(borne, 0.1);
}

std::vector<std::string> split(const std::string& line, char at) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, at);) cells.push_back(cell);
  return cells;
}

/// Numbers by the names of their columns; `head` lines stand before the names.
std::map<std::string, std::vector<double>> columns_of(const std::string& text, char separator, int head) {
  std::istringstream lines(text);
  std::string line;
  for (int k = 0; k < head; ++k) std::getline(lines, line);
  std::getline(lines, line);
  const std::vector<std::string> names = split(line, separator);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = split(line, separator);
    for (std::size_t k = 0; k < cells.size(); ++k) columns[names[k]].push_back(cells[k].empty() ? NAN : stod(cells[k]));
  }
  return columns;
}

TEST(Stride, Files) {
  const SomeStride some;
  const Model& model = some.task.model;
  const SampledMotion& motion = some.stride.motion;
  const auto row = [&](const std::string& name) {
    return std::find(model.dof_names().begin(), model.dof_names().end(), name) - model.dof_names().begin();
  };
  auto csv = columns_of(stride_csv(model, some.stride), ',', 0);
  ASSERT_EQ(csv.at("gait_cycle_percent").size(), 101u);
  EXPECT_EQ(csv.at("gait_cycle_percent")[100], 100);
  EXPECT_EQ(csv.at("q.knee_flexion_l")[60], motion.q(row("knee_flexion_l"), 60));
  EXPECT_NEAR(csv.at("knee_angle_r_deg")[60], motion.q(row("knee_flexion_r"), 60) * 180 / M_PI, 1e-12);
  const double weight = model.mass() * 9.80665;
  EXPECT_NEAR(csv.at("grf_vertical_r_BW")[20], csv.at("ground_fy.foot_r")[20] / weight, 1e-12);
  EXPECT_NEAR(csv.at("ground_weights_fy.foot_r")[20], csv.at("ground_fy.foot_r")[20] / weight, 1e-12);
  for (const auto& [name, joint] : {std::pair("hip_r", "hip_flexion_r"),
                                    {"knee_r", "knee_flexion_r"},
                                    {"ankle_r", "ankle_dorsiflexion_r"},
                                    {"L5S1", "spine1_flexion"}}) {
    const std::string of = joint;
    const double force = std::hypot(csv.at("fx." + of)[20], csv.at("fy." + of)[20], csv.at("fz." + of)[20]);
    EXPECT_NEAR(csv.at("joint_force_" + std::string(name) + "_BW")[20], force / weight, 1e-12) << name;
  }
  EXPECT_TRUE(std::isnan(csv.at("ground_px.foot_l")[30]));  // while the right foot stands alone
  EXPECT_NEAR(csv.at("zmp_x")[30], csv.at("ground_px.foot_r")[30], 1e-12);

  const std::string mot = stride_coordinates_mot(model, some.stride);
  EXPECT_TRUE(mot.starts_with("Coordinates\nversion=1\nnRows=101\nnColumns=34\ninDegrees=yes\nendheader\ntime\t"));
  auto angles = columns_of(mot, '\t', 6);
  EXPECT_EQ(angles.size(), 34u);
  EXPECT_NEAR(angles.at("arm_add_l")[3], -motion.q(row("shoulder_abduction_l"), 3) * 180 / M_PI, 1e-12);
  EXPECT_NEAR(angles.at("pelvis_ty")[3], motion.q(row("global_ty"), 3), 1e-12);
  double bent = 0;
  for (int k = 1; k <= 4; ++k) bent += motion.q(row("spine" + std::to_string(k) + "_flexion"), 3) * 180 / M_PI;
  EXPECT_NEAR(angles.at("lumbar_extension")[3], -bent, 1e-12);

  auto ground = columns_of(stride_ground_mot(model, some.stride), '\t', 6);
  EXPECT_EQ(ground.at("ground_force_l_vy")[70], of(motion, "foot_l").force(1, 70));
  EXPECT_EQ(ground.at("ground_force_l_px")[70], of(motion, "foot_l").centre(0, 70));
  EXPECT_EQ(ground.at("ground_force_l_px")[30], 0);
  EXPECT_EQ(ground.at("ground_torque_l_y")[70], of(motion, "foot_l").moment[70]);

  auto moments = columns_of(stride_moments_sto(model, some.stride), '\t', 6);
  EXPECT_EQ(moments.at("knee_angle_r_moment")[10], motion.tau(row("knee_flexion_r"), 10));
  EXPECT_EQ(moments.at("lumbar_extension_moment")[10], -motion.tau(row("spine1_flexion"), 10));
  EXPECT_NEAR(moments.at("pelvis_ty_force")[10], 0, 1e-9);
}

/// A motion of two steps that ends as it began is a stride itself, and has curves of the left side, too, which begin as
/// the left foot strikes. What is computed before the motion is known tells their names.
TEST(Stride, AWholeOne) {
  const Task task = test::shipped_task("gait_stride");
  const SplineBasis basis(3, 24);
  std::mt19937_64 rng(3);
  Eigen::MatrixXd points(basis.control_points(), task.model.nv());
  for (Eigen::Index c = 0; c < points.rows(); ++c) {
    points.row(c) = test::random_values(rng, task.model.nv(), 0.1).transpose();
    points(c, 0) += 0.1 * static_cast<double>(c), points(c, 1) += 0.92;
  }
  Eigen::VectorXd lengths = Eigen::VectorXd::Constant(24, test::kSpan);
  lengths.head(12) *= 0.9;  // the left foot strikes earlier than half a cycle
  Solution solution({basis, lengths, points});
  double start = 0;
  for (int k = 0; k < 6; ++k) {
    const double end = start + lengths.segment(4 * k, 4).sum();
    solution.phases.push_back({task.phases[k].name, start, end, 4 * k, 4 * (k + 1)});
    start = end;
  }
  const Stride stride = unfold_stride(task, solution).value();
  const auto& names = task.model.dof_names();
  const auto knee = std::find(names.begin(), names.end(), "knee_flexion_l") - names.begin();
  const auto curve = [&](const std::string& name) {
    return std::find_if(stride.curves.begin(), stride.curves.end(),
                        [&](const StrideCurve& known) { return known.name == name; })
        ->values.eigen();
  };
  const double strike = solution.phases[2].end;
  for (const int k : {0, 17, 60, 99}) {
    EXPECT_TRUE(test::close(stride.motion.q.eigen().col(k), solution.trajectory.at(0.01 * k * start, 0), 1e-9));
    const double time = std::fmod(strike + 0.01 * k * start, start);
    const double degrees = solution.trajectory.at(time, 0)[knee] * 180 / M_PI;
    EXPECT_NEAR(curve("knee_angle_l_deg")[k], degrees, 1e-3) << k;  // linear between thousandths
  }
  const SampledMotion fine = sample_motion(task, solution, 20001);
  const double weight = task.model.mass() * 9.80665, at = (strike + 0.1 * start) / start * 20000;
  const auto column = static_cast<Eigen::Index>(at);
  EXPECT_NEAR(curve("grf_vertical_l_BW")[10], of(fine, "foot_l").force(1, column) / weight, 1e-3);
  EXPECT_NEAR(curve("grf_lateral_l_BW")[10], -of(fine, "foot_l").force(2, column) / weight, 1e-3);
  std::vector<std::string> found;
  for (const StrideCurve& known : stride.curves) found.push_back(known.name);
  EXPECT_EQ(stride_curve_names(task), found);
}

/// Only motions that walk for ever have a stride.
TEST(Stride, OnlyOfSteps) {
  const SomeStride some;
  Task task = some.task;
  task.periodic.reset();
  EXPECT_FALSE(unfold_stride(task, some.solution));
  EXPECT_TRUE(stride_curve_names(task).empty());
  std::vector<std::string> found;
  for (const StrideCurve& known : some.stride.curves) found.push_back(known.name);
  EXPECT_EQ(stride_curve_names(some.task), found);
  task = some.task;
  task.periodic->difference[3] = 0.1;  // turns as it goes on
  EXPECT_FALSE(unfold_stride(task, some.solution));
  task = some.task;
  const auto turned = std::find(task.model.dof_names().begin(), task.model.dof_names().end(), "neck_lower_rotation");
  task.held[turned - task.model.dof_names().begin()] = 0.2;  // looks to one side
  EXPECT_FALSE(unfold_stride(task, some.solution));
}

}  // namespace
}  // namespace verne
