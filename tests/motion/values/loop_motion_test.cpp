// Tasks on mechanisms with closed loops, and on models with free joints: known optima, other cuts, mistakes.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "model/one_axis_joints.h"
#include "motion/task_text.h"
#include "support/compare.h"
#include "support/states.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"
#include "verne/motion/solution.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

class LoopMotion : public test::TaskFolder {};

/// A parallelogram that lies flat: its coupler does not turn, so that it is one inertia about the crank.
constexpr char kParallelogram[] = R"(format: verne-model/1
name: parallelogram
convention: tree
gravity: [0, 0, -9.81]
base: {type: fixed}
links:
  - {name: crank, joint: {name: drive, type: revolute, axis: [0, 0, 1], limits: {effort: 2}}, mass: 0.5, com: [0.15, 0, 0], inertia: [0.001, 0.004, 0.004]}
  - {name: coupler, parent: crank, joint: {name: pin, type: revolute, axis: [0, 0, 1], actuated: false}, pose: {xyz: [0.3, 0, 0]}, mass: 2, com: [0.2, 0.1, 0], inertia: [0.01, 0.02, 0.03]}
  - {name: rocker, parent: base, joint: {name: follower, type: revolute, axis: [0, 0, 1], actuated: false}, pose: {xyz: [0.4, 0, 0]}, mass: 0.5, com: [0.15, 0, 0], inertia: [0.001, 0.004, 0.004]}
loops:
  - {name: closing, type: revolute, a: {link: coupler, pose: {xyz: [0.4, 0, 0]}}, b: {link: rocker, pose: {xyz: [0.3, 0, 0]}}}
home: {drive: 1, pin: -1, follower: 1}
)";

/// Lying flat, both pivots of a parallelogram bear its weight, and nothing tells which how much.
TEST_F(LoopMotion, LimitsOfWhatNothingDetermines) {
  write_model(kParallelogram);
  const std::string motion = R"(duration: {free: [0.1, 5]}
minimize: [{time: 1}]
refine: {rounds: 0, knots: 0, switches: false}
subject_to:
  start: {position: {drive: 0.6}}
  end: {position: {drive: 1.8}}
)";
  EXPECT_TRUE(task_warnings(task(motion)).empty());
  const auto warnings =
      task_warnings(task(motion + "  limits: {joint_force: {closing: 100}, joint_moment: {pin: 50}}\n"));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].text.find("the limit joint_force of 'closing': the motion does not determine fz,"), 0u)
      << warnings[0].text;
  EXPECT_EQ(warnings[1].text.find("the limit joint_moment of 'pin': the motion does not determine mx, my,"), 0u)
      << warnings[1].text;
  // In phases, those of each.
  const auto in_phases = task_warnings(task(motion + R"(phases:
  - {name: first, duration: 1, limits: {joint_moment: {drive: 80}}}
  - {name: second, duration: 1, limits: {joint_force: {closing: 100}}}
)"));
  ASSERT_EQ(in_phases.size(), 2u);
  EXPECT_EQ(in_phases[0].text.find("the limit joint_moment of 'drive' in phase 'first': the motion does not"), 0u)
      << in_phases[0].text;
  EXPECT_EQ(in_phases[1].text.find("the limit joint_force of 'closing' in phase 'second': the motion does not"), 0u)
      << in_phases[1].text;
  // Upright, nothing ever acts across its plane: there is nothing to choose.
  std::string upright = kParallelogram;
  upright.replace(upright.find("[0, 0, -9.81]"), 13, "[0, -9.81, 0]");
  write_model(upright);
  const Task plane = task(motion + "  limits: {joint_force: {closing: 100}, joint_moment: {pin: 50}}\n");
  EXPECT_TRUE(task_warnings(plane).empty());
  const Solution solution = predict(plane);
  const std::string json = solution_json(plane, solution, sample_motion(plane, solution, 5), "", "");
  EXPECT_NE(
      json.find(
          R"("undetermined":{"loop_wrenches":{"closing":["fz","mx","my"]},"joint_wrenches":{"drive":["fz","mx","my"])"),
      std::string::npos);
}

/// The least time of a double integrator, and the greatest force in the coupler's pins: all of its mass is accelerated
/// along the circle and towards its middle.
TEST_F(LoopMotion, AParallelogramIsADoubleIntegrator) {
  write_model(kParallelogram);
  const Task least_time = task(R"(duration: {free: [0.1, 5]}
minimize: [{time: 1}]
subject_to: {start: {position: {drive: 0.6}}, end: {position: {drive: 1.8}}}
refine: {gap: 1e-4}
)");
  const Solution solution = predict(least_time);
  ASSERT_TRUE(solution.success()) << solution.message;
  const double inertia = 2 * (0.004 + 0.5 * 0.15 * 0.15) + 2 * 0.3 * 0.3;
  const double least = 2 * std::sqrt(1.2 * inertia / 2);
  EXPECT_GT(solution.trajectory.duration(), least);
  EXPECT_LT(solution.trajectory.duration(), 1.003 * least);  // accelerations do not jump where loops are closed
  EXPECT_LT(solution.verification.equation_residual, 1e-6);
  EXPECT_LT(solution.verification.simulation_drift, 1e-4);
  const SampledMotion motion = sample_motion(least_time, solution, 101);
  EXPECT_LT(motion.tau.eigen().bottomRows(2).cwiseAbs().maxCoeff(), 1e-12);  // passive
  for (int k = 0; k < 101; ++k) {
    const double angle = motion.q.eigen()(0, k), speed = motion.v.eigen()(0, k), rate = motion.a.eigen()(0, k);
    const Eigen::Vector3d pin = motion.joint_wrenches.eigen().block<3, 1>(6 * least_time.model.joint("pin"), k);
    const Eigen::Vector3d other = motion.loop_wrenches.eigen().block<3, 1>(0, k);
    // Both in the axes of the coupler, which does not turn
    const Eigen::Vector2d both = (pin + other).head<2>();
    const Eigen::Vector2d acceleration(-0.3 * (rate * std::sin(angle) + speed * speed * std::cos(angle)),
                                       0.3 * (rate * std::cos(angle) - speed * speed * std::sin(angle)));
    EXPECT_TRUE(test::close(both, 2 * acceleration, 1e-4)) << k;
  }
}

/// Motors in all joints of the tree share what one would have to give, and the pin's turns the other way.
TEST_F(LoopMotion, MotorsShareTheWork) {
  write_model(kParallelogram);
  const auto solve = [&](const std::string& weights, const Eigen::Vector3d& share) {
    const Task shared = task("drive: all\n" + weights + R"(duration: {free: [0.1, 5]}
minimize: [{time: 1}]
subject_to: {start: {position: {drive: 0.6}}, end: {position: {drive: 1.8}}, limits: {effort: 2}}
refine: {gap: 1e-4}
)");
    const Solution solution = predict(shared);
    ASSERT_TRUE(solution.success()) << solution.message;
    const double inertia = 2 * (0.004 + 0.5 * 0.15 * 0.15) + 2 * 0.3 * 0.3;
    const double force = 2 / share.cwiseAbs().maxCoeff();  // of all together, where one is at its limit
    const double least = 2 * std::sqrt(1.2 * inertia / force);
    EXPECT_GT(solution.trajectory.duration(), least);
    EXPECT_LT(solution.trajectory.duration(), 1.003 * least);
    EXPECT_LT(solution.verification.equation_residual, 1e-6);
    EXPECT_LT(solution.verification.simulation_drift, 1e-4);
    const SampledMotion motion = sample_motion(shared, solution, 51);
    const Eigen::MatrixXd tau = motion.tau.eigen(), closed_form = inertia * share * motion.a.eigen().row(0);
    EXPECT_TRUE(test::close(tau, closed_form, 1e-4));
  };
  solve("", Eigen::Vector3d(1, -1, 1) / 3);
  solve("weights: {follower: 2}\n", Eigen::Vector3d(1, -1, 0.5) / 2.5);
}

/// What is not told which coordinates are independent chooses others than the motors' without harm.
TEST_F(LoopMotion, MotorsMayBeDependent) {
  const auto duration = [&](const std::string& more) {
    write_model(kParallelogram + more);
    const Solution solution = predict(task(R"(duration: {free: [0.1, 5]}
minimize: [{time: 1}]
subject_to: {start: {position: {drive: 0.6}}, end: {position: {drive: 1.8}}}
refine: off
)"));
    EXPECT_TRUE(solution.success()) << solution.message;
    return solution.trajectory.duration();
  };
  EXPECT_NEAR(duration(""), duration("independent: [follower]\n"), 1e-6);
}

/// Joints that follow others beside a loop, and one joint of a coupling in it, against the same inertia without them.
TEST_F(LoopMotion, CoupledJoints) {
  const auto with = [](const std::string& before, const std::string& after, const std::string& links) {
    std::string text = kParallelogram;
    text.replace(text.find(before), before.size(), after);
    text.insert(text.find("loops:"), links);
    if (after.find("mimic") != std::string::npos) text.replace(text.find("drive: 1,"), 9, "shaft: 2,");  // of home
    return text;
  };
  const std::string crank = "{name: drive, type: revolute, axis: [0, 0, 1], limits: {effort: 2}}";
  const auto solve = [&](const std::string& model, const std::string& joint, double from, double to) {
    write_model(model);
    const std::string at = "{position: {" + joint + ": ";
    const Task least_time = task(
        "duration: {free: [0.1, 5]}\nminimize: [{time: 1}]\nrefine: off\nsubject_to: {start: " + at +
        std::to_string(from) + "}}, end: " + at + std::to_string(to) + "}}, limits: {joint_force: {closing: 12}}}\n");
    const Solution solution = predict(least_time);
    EXPECT_TRUE(solution.success()) << solution.message;
    EXPECT_LT(solution.verification.simulation_drift, 1e-4);
    return std::pair(solution.trajectory.duration(),
                     sample_motion(least_time, solution, 9).loop_wrenches.eigen().eval());
  };
  // A wheel that is geared to the crank is a rotor of the crank.
  const auto rotor =
      solve(with(crank, "{name: drive, type: revolute, axis: [0, 0, 1], rotor_inertia: 0.09, limits: {effort: 2}}", ""),
            "drive", 0.6, 1.8);
  const auto wheel = solve(
      with(crank, crank,
           "  - {name: wheel, parent: base, joint: {name: gear, type: revolute, axis: [0, 0, 1], mimic: {joint: drive, "
           "ratio: -3, offset: 0.2}}, pose: {xyz: [-0.3, 0, 0]}, mass: 1, inertia: [0.01, 0.01, 0.01]}\n"),
      "drive", 0.6, 1.8);
  EXPECT_NEAR(wheel.first, rotor.first, 1e-7);
  EXPECT_TRUE(test::close(wheel.second, rotor.second, 1e-5));
  // A shaft that the crank follows at half its speed, with half of the effort.
  const auto shaft = solve(
      with(
          crank, "{name: drive, type: revolute, axis: [0, 0, 1], mimic: {joint: shaft, ratio: 0.5}}",
          "  - {name: motor, parent: base, joint: {name: shaft, type: revolute, axis: [0, 0, 1], limits: {effort: 1}}, "
          "pose: {xyz: [-0.3, 0, 0]}, mass: 1, inertia: [0.01, 0.01, 0.0225]}\n"),
      "shaft", 1.2, 3.6);
  EXPECT_NEAR(shaft.first, rotor.first, 1e-7);
  EXPECT_TRUE(test::close(shaft.second, rotor.second, 1e-5));
}

/// Two cranks that are geared to each other, and two rods that meet in a pin.
std::string geared_five_bar(const std::string& gear, const std::string& home) {
  return R"(format: verne-model/1
name: geared_five_bar
convention: tree
gravity: [0, -9.81, 0]
base: {type: fixed}
links:
  - {name: left_crank, parent: base, pose: {xyz: [-0.1, 0, 0]}, joint: {name: left, type: revolute, axis: [0, 0, 1], limits: {effort: 4}}, mass: 0.2, com: [0.1, 0, 0], inertia: [1e-4, 7e-4, 7e-4]}
  - {name: left_rod, parent: left_crank, pose: {xyz: [0.2, 0, 0]}, joint: {name: left_elbow, type: revolute, axis: [0, 0, 1], actuated: false}, mass: 0.3, com: [0.15, 0, 0], inertia: [1e-4, 2e-3, 2e-3]}
  - {name: right_crank, parent: base, pose: {xyz: [0.1, 0, 0]}, joint: {name: right, type: revolute, axis: [0, 0, 1], mimic: {joint: left, )" +
         gear + R"(}}, mass: 0.2, com: [0.1, 0, 0], inertia: [1e-4, 7e-4, 7e-4]}
  - {name: right_rod, parent: right_crank, pose: {xyz: [0.2, 0, 0]}, joint: {name: right_elbow, type: revolute, axis: [0, 0, 1], actuated: false}, mass: 0.3, com: [0.15, 0, 0], inertia: [1e-4, 2e-3, 2e-3]}
loops:
  - {name: pin, type: revolute, a: {link: left_rod, pose: {xyz: [0.3, 0, 0]}}, b: {link: right_rod, pose: {xyz: [0.3, 0, 0]}}}
home: )" +
         home + "\n";
}

/// With cranks that turn against each other, both halves are mirror images: as much as one half whose pin slides on the
/// line between them, driven by half of the motor.
TEST_F(LoopMotion, CouplingsWithinLoops) {
  std::string text = geared_five_bar("ratio: -1, offset: pi", "{left: 2.2, left_elbow: -1.2, right_elbow: 1.2}");
  const auto lift = [&](const std::string& closing) {
    write_model(text);
    return task(R"(trajectory: {degree: 3, control_points: 30}
refine: off
duration: 0.3
minimize: [{effort: {}}]
subject_to: {start: {position: {left: 2.6}}, end: {position: {left: 1.9}}, limits: {joint_force: {)" +
                closing + ": 4}}}\n");
  };
  const Task whole = lift("pin");
  const Solution both = predict(whole);
  text.replace(text.find("effort: 4"), 9, "effort: 2");
  text.erase(text.find("  - {name: right_crank"));
  text += R"(loops:
  - {name: line, type: point_on_line, a: {link: world, pose: {rpy: [-pi/2, 0, 0]}}, b: {link: left_rod, pose: {xyz: [0.3, 0, 0]}}}
home: {left: 2.2, left_elbow: -1.2}
)";
  const Task half = lift("line");
  const Solution one = predict(half);
  for (const Solution* solution : {&both, &one}) {
    ASSERT_TRUE(solution->success()) << solution->message;
    EXPECT_LT(solution->verification.equation_residual, 1e-6);
    EXPECT_LT(solution->verification.simulation_drift, 1e-5);
  }
  const SampledMotion of_both = sample_motion(whole, both, 21), of_one = sample_motion(half, one, 21);
  const Eigen::RowVectorXd efforts = of_both.tau.eigen().row(0), halved = of_one.tau.eigen().row(0);
  EXPECT_TRUE(test::close(efforts, 2 * halved, 1e-5));
  const auto force = [](const SampledMotion& motion) -> Eigen::RowVectorXd {
    return motion.loop_wrenches.eigen().topRows(3).colwise().norm();
  };
  EXPECT_TRUE(test::close(force(of_both), force(of_one), 1e-5));
  EXPECT_GT(force(of_both).maxCoeff(), 3.9);  // the limit binds
}

/// Speeds that are not alike: what is found is what the mechanism does under the motor's efforts.
TEST_F(LoopMotion, GearsWithinLoops) {
  write_model(geared_five_bar("ratio: 0.4, offset: 0.1", "{left: 2.2, left_elbow: -1.2, right_elbow: 1.2}"));
  const Task geared = task(R"(duration: {free: [0.05, 5]}
minimize: [{time: 1}]
subject_to: {start: {position: {left: 2.6}}, end: {position: {left: 1.9}}}
)");
  const Solution solution = predict(geared);
  ASSERT_TRUE(solution.success()) << solution.message;
  EXPECT_LT(solution.verification.equation_residual, 1e-6);
  EXPECT_LT(solution.verification.simulation_drift, 1e-4);
  EXPECT_LT(solution.iterations, 60);  // as second derivatives are exact
}

/// A limit of the force in the joint that closes the loop holds, and costs time.
TEST_F(LoopMotion, ForcesInLoopsAreLimited) {
  const Task limited = test::shipped_task("five_bar");
  Task free = limited;
  free.limits.joint_force.assign(free.limits.joint_force.size(), kInfinity);
  const Solution with = predict(limited), without = predict(free);
  ASSERT_TRUE(with.success()) << with.message;
  ASSERT_TRUE(without.success()) << without.message;
  EXPECT_GT(with.trajectory.duration(), without.trajectory.duration() + 1e-4);
  const auto largest = [](const Task& task, const Solution& solution) {
    return sample_motion(task, solution, 2001).loop_wrenches.eigen().topRows(3).colwise().norm().maxCoeff();
  };
  EXPECT_LT(largest(limited, with), 10 * (1 + 1e-4));
  EXPECT_GT(largest(free, without), 10.1);
}

/// Of the Delta: motors turn as its closed form says for where the platform is, which does not turn; no ball joint
/// bears more than it may, which costs time.
TEST_F(LoopMotion, TheDeltaCarries) {
  Task limited = test::shipped_task("delta");
  limited.refine = RefineSpec::off();
  limited.refine.knots = 1;
  Task free = limited;
  free.limits.joint_force.assign(free.limits.joint_force.size(), kInfinity);
  free.refine = RefineSpec::off();
  const Solution with = predict(limited), without = predict(free);
  EXPECT_GT(with.trajectory.duration(), without.trajectory.duration() + 1e-4);
  EXPECT_LT(with.verification.kkt_residual, 1e-6);
  EXPECT_LT(with.verification.equation_residual, 1e-4);
  const SampledMotion motion = sample_motion(limited, with, 101);
  const Model& model = limited.model;
  const auto platform = 12 * Eigen::Index(model.link("platform"));
  const Eigen::MatrixXd poses = motion.link_poses.eigen();
  const auto at = [&](Eigen::Index k) -> Eigen::Vector3d { return poses.col(k).segment<3>(platform); };
  EXPECT_TRUE(test::close(at(0), Eigen::Vector3d(-0.12, 0.04, -0.5), 1e-8));
  EXPECT_TRUE(test::close(at(100), Eigen::Vector3d(0.12, -0.04, -0.5), 1e-8));
  EXPECT_GT(at(50).z(), -0.45 - 1e-8);
  for (Eigen::Index k = 0; k <= 100; k += 10) {
    EXPECT_TRUE(test::close(poses.col(k).segment<9>(platform + 3).reshaped(3, 3), Eigen::Matrix3d::Identity(), 1e-4));
    for (int leg = 0; leg < 3; ++leg) {
      // In the plane of the arm: from its pivot, 0.2 m out, to the middle of the two wrists, 0.05 m from the
      // platform's.
      const double turn = leg * 2 * M_PI / 3;
      const Eigen::Vector3d p = Eigen::AngleAxisd(-turn, Eigen::Vector3d::UnitZ()) * at(k);
      const double x = p.x() + 0.05 - 0.2, z = p.z(), y = p.y();
      // |wrist − elbow| = 0.5 with the elbow at 0.25 (cos θ, 0, −sin θ)
      const double reach = (x * x + y * y + z * z + 0.25 * 0.25 - 0.5 * 0.5) / (2 * 0.25);
      const double angle = std::atan2(-z, x) - std::acos(reach / std::hypot(x, z));
      const int dof = model.joints()[std::size_t(model.joint("motor" + std::to_string(leg + 1)))].v;
      EXPECT_NEAR(motion.q.eigen()(dof, k), angle, 1e-4) << leg << " " << k;
    }
  }
  EXPECT_LT(motion.tau.eigen().cwiseAbs().maxCoeff(), 15 * 1.02);
  for (Eigen::Index k = 0; k < 6; ++k) {
    EXPECT_LT(motion.loop_wrenches.eigen().middleRows(6 * k, 3).colwise().norm().maxCoeff(), 30 * 1.02) << k;
  }
}

/// The same mechanism cut at another joint moves in the same way.
TEST_F(LoopMotion, OtherCuts) {
  const Task task = test::shipped_task("five_bar");
  ModelSpec spec = task.model.spec();
  const auto link = [&](const std::string& name) -> LinkSpec& {
    return *std::find_if(spec.links.begin(), spec.links.end(), [&](const LinkSpec& l) { return l.name == name; });
  };
  // The right rod now hangs on the left one, and its other end is closed.
  LinkSpec& rod = link("right_rod");
  rod.parent = "left_rod";
  rod.X_PJ.p = {0.3, 0, 0};
  rod.com.x = 0.3 - rod.com.x;
  rod.joint.name = "tool_pin";
  LoopSpec& loop = spec.loops.front();
  loop.name = "right_rod_joint";
  loop.a = {"right_rod", Transform<double>::identity()}, loop.b = {"right_crank", Transform<double>::identity()};
  loop.a.X_LF.p = {0.3, 0, 0}, loop.b.X_LF.p = {0.2, 0, 0};
  const double right = task.mechanism->home()[2] + task.mechanism->home()[3] + M_PI;
  const double left = task.mechanism->home()[0] + task.mechanism->home()[1];
  spec.home = {{"left_crank_joint", {task.mechanism->home()[0]}, 0},
               {"left_rod_joint", {task.mechanism->home()[1]}, 0},
               {"right_crank_joint", {task.mechanism->home()[2]}, 0},
               {"tool_pin", {right - left}, 0}};
  Task other(build_model(spec));
  const int pin = other.model.joint("tool_pin");
  const auto moved = [&](auto values) {  // coordinates: cranks have other places
    auto out = values;
    for (int i = 0; i < 4; ++i) {
      const std::string& name = other.model.dof_names()[i];
      const auto& names = task.model.dof_names();
      const auto from = std::find(names.begin(), names.end(), name) - names.begin();
      out[i] = from < 4 ? values[from] : values[3];
    }
    return out;
  };
  for (auto [state, given] : {std::pair(&other.start, &task.start), std::pair(&other.end, &task.end)}) {
    *state = {moved(given->position), moved(given->velocity), moved(given->acceleration), 0};
  }
  other.limits = task.limits;
  for (auto* bounds : {&other.limits.position, &other.limits.velocity, &other.limits.acceleration, &other.limits.jerk,
                       &other.limits.effort}) {
    *bounds = moved(*bounds);
  }
  other.limits.joint_force.assign(other.limits.joint_force.size(), kInfinity);
  other.limits.joint_force[pin] = 10;  // now a joint of the tree
  other.costs = task.costs, other.duration = task.duration, other.curve = task.curve;
  const Solution a = predict(task), b = predict(other);
  ASSERT_TRUE(a.success()) << a.message;
  ASSERT_TRUE(b.success()) << b.message;
  EXPECT_NEAR(a.trajectory.duration(), b.trajectory.duration(), 5e-4 * a.trajectory.duration());
}

/// A chain in place of a free joint: the same poses, energies and efforts of the other joints.
TEST_F(LoopMotion, ChainsInPlaceOfFreeJoints) {
  const Model floating = load_model(test::models() + "space_arm.yaml");
  const Model chain = build_model(with_one_axis_joints(floating.spec()));
  ASSERT_EQ(chain.nq(), chain.nv());
  ASSERT_EQ(chain.nv(), floating.nv());
  EXPECT_EQ(chain.dof_names()[3], "satellite_joint_yaw");
  std::mt19937_64 rng(3);
  Data<double> one(floating), other(chain);
  const Eigen::VectorXd q = test::random_values(rng, chain.nv(), 1), v = test::random_values(rng, chain.nv(), 1),
                        a = test::random_values(rng, chain.nv(), 1);
  const Kinematics<double> moving = forward_kinematics<double>(chain, other, q, v, a);
  const int satellite = chain.site("satellite");
  const Eigen::Matrix3d R = moving.rotation(satellite);
  Eigen::VectorXd free_q(floating.nq()), free_v(floating.nv()), free_a(floating.nv());
  free_q << moving.position(satellite), Eigen::Quaterniond(R).coeffs(), q.tail(6);
  const Eigen::Matrix<double, 6, 1> twist = moving.velocities.col(satellite),
                                    rate = moving.accelerations.col(satellite);
  const Eigen::Vector3d linear = twist.head<3>(), spin = twist.tail<3>();
  free_v << R.transpose() * linear, R.transpose() * spin, v.tail(6);
  free_a << R.transpose() * (rate.head<3>() - spin.cross(linear)), R.transpose() * rate.tail<3>(), a.tail(6);
  const Eigen::VectorXd efforts = inverse_dynamics<double>(floating, one, free_q, free_v, free_a);
  const Eigen::VectorXd same = inverse_dynamics<double>(chain, other, q, v, a);
  EXPECT_TRUE(test::close(Eigen::VectorXd(same.tail(6)), Eigen::VectorXd(efforts.tail(6)), 1e-11));
  // The force on the satellite is the same, in its own axes and in the world's
  EXPECT_TRUE(test::close(Eigen::VectorXd(same.head(3)), Eigen::VectorXd(R * efforts.head(3)), 1e-11));
}

/// Momentum stays zero although nobody says so.
TEST_F(LoopMotion, ASatelliteIsPushedAway) {
  const Task task = test::shipped_task("space_arm_reach");
  const Solution solution = predict(task);
  ASSERT_TRUE(solution.success()) << solution.message;
  Data<double> data(task.model);
  double largest = 0, speed = 0;
  for (int k = 0; k <= 20; ++k) {
    const double time = solution.trajectory.duration() * k / 20;
    const Eigen::VectorXd v = solution.trajectory.at(time, 1);
    const auto body =
        whole_body_state<double>(task.model, data, solution.trajectory.at(time, 0), v, solution.trajectory.at(time, 2));
    largest = std::max({largest, body.momentum.norm(), body.angular_momentum.norm()});
    speed = std::max(speed, v.head(3).norm());
  }
  EXPECT_LT(largest, 0.02);  // of a hundred times that in its parts
  EXPECT_GT(1200 * speed, 100 * 0.02);
}

TEST_F(LoopMotion, Problems) {
  const std::string rest = "duration: 1\nminimize: [{smoothness: {}}]\n";
  std::string text = kParallelogram;
  write_model(text);
  EXPECT_EQ(problems(rest), "none");
  EXPECT_EQ(problems(rest + "subject_to: {limits: {joint_force: {closin: 3}}}\n"),
            "subject_to: limits: joint_force: there is no joint 'closin' (did you mean 'closing'?)");
  EXPECT_EQ(problems(rest + "drive: all\nweights: {follower: 0}\n"),
            "weights: follower: expected a positive number, found '0'");
  EXPECT_EQ(problems(rest + "weights: {follower: 2}\n"),
            "weights: follower: the joint is not actuated: its effort is zero");
  EXPECT_EQ(problems(rest + "weights: 2\n"), "weights: expected {joint: weight}, found '2'");
  write_model(text.replace(text.find("xyz: [0.4, 0, 0]}}, b"), 16, "xyz: [0.4, 0, 0.2]"));
  EXPECT_NE(problems(rest).find("cannot be used"), std::string::npos);
  // What is about the axes of a free joint has no meaning for a chain.
  ModelSpec spec = load_model(test::models() + "space_arm.yaml").spec();
  spec.links.front().joint.dofs.assign(6, {});
  spec.links.front().joint.dofs[0].viscous = 1;
  write_model(write_yaml(spec));
  EXPECT_NE(problems(rest).find("is free, whose rotation is a quaternion that splines do not follow"),
            std::string::npos);
}

}  // namespace
}  // namespace verne
