// What stands on the ground: its forces against the momentum of the whole body, mirrors, mistakes in tasks.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "motion/curve/mirror.h"
#include "motion/guess/first_guess.h"
#include "motion/guess/out_of_reach.h"
#include "motion/refine/one_start.h"
#include "motion/some_step.h"
#include "motion/task_text.h"
#include "motion/terms/ground_limits.h"
#include "support/compare.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"
#include "verne/motion/solution.h"
#include "verne/motion/stride.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

using test::problems;

constexpr double kGravity = 9.80665;

/// The ground gives what gravity and the rate of the momentum ask for, in force and moment, whatever the motion; and
/// the joints that nothing drives have nothing to do.
TEST(Ground, HoldsUpTheWholeBody) {
  const Task task = test::walk_by_rule();
  const Trajectory curve = test::some_motion(task, 5);
  const int samples = 37;
  const SampledMotion motion = sample_motion(task, test::solution_on(task, curve), samples);
  ASSERT_EQ(motion.ground.size(), 2u);
  EXPECT_LT(motion.tau.eigen().topRows(6).cwiseAbs().maxCoeff(), 1e-9);
  Data<double> data(task.model);
  const auto momentum = [&](double time) -> Eigen::Matrix<double, 6, 1> {  // about the world's origin
    const WholeBodyState<double> body =
        whole_body_state<double>(task.model, data, curve.at(time, 0), curve.at(time, 1), curve.at(time, 2));
    Eigen::Matrix<double, 6, 1> h;
    h << body.momentum, body.angular_momentum + body.com.cross(body.momentum);
    return h;
  };
  for (int k = 1; k + 1 < samples; ++k) {
    const double time = motion.time[k], h = 1e-4;
    if (std::abs(std::remainder(time, test::kSpan)) < 3 * h) continue;  // the jerk jumps there
    const Eigen::Matrix<double, 6, 1> rate =
        (8 * (momentum(time + h) - momentum(time - h)) - momentum(time + 2 * h) + momentum(time - 2 * h)) / (12 * h);
    const Eigen::Vector3d weight(0, -kGravity * task.model.mass(), 0), com = motion.com.eigen().col(k);
    Eigen::Vector3d force = weight, moment = com.cross(weight);
    for (const GroundReaction& reaction : motion.ground) {
      const Eigen::Vector3d F = reaction.force.eigen().col(k);
      if (F.norm() == 0) continue;
      force += F;
      moment += reaction.centre.eigen().col(k).head<3>().cross(F) + Eigen::Vector3d(0, reaction.moment[k], 0);
      EXPECT_NEAR(reaction.centre.eigen()(1, k), 0, 1e-12);
    }
    EXPECT_TRUE(test::close(force, rate.head<3>(), 1e-6)) << time;
    EXPECT_TRUE(test::close(moment, rate.tail<3>(), 1e-6)) << time;
  }
}

/// What a solution says of where feet stand: all contacts of each phase, where the model has them in its middle.
TEST(Ground, FootPrints) {
  const Task task = test::walk_by_rule();
  const Solution solution = test::solution_on(task, test::some_motion(task, 5));
  const SampledMotion motion = sample_motion(task, solution, 11);
  const auto prints = nlohmann::json::parse(solution_json(task, solution, motion, "", ""))["foot_prints"];
  const std::vector<std::pair<std::string, std::size_t>> expected{
      {"foot_r", 2}, {"foot_l", 2}, {"foot_r", 7}, {"foot_r", 5}};  // heel, toes; flat; ball and toes
  ASSERT_EQ(prints.size(), expected.size());
  for (std::size_t k = 0; k < prints.size(); ++k) {
    EXPECT_EQ(prints[k]["support"], expected[k].first);
    EXPECT_EQ(prints[k]["corners"].size(), expected[k].second);
  }
  EXPECT_EQ(prints[2]["start"], 4 * test::kSpan);
  EXPECT_EQ(prints[2]["end"], 8 * test::kSpan);
  Data<double> data(task.model);
  const Eigen::VectorXd q = solution.trajectory.at(6 * test::kSpan), zero = Eigen::VectorXd::Zero(task.model.nv());
  const Kinematics<double> at = forward_kinematics<double>(task.model, data, q, zero, zero);
  int found = 0;
  for (const ContactSpec& contact : task.model.contacts()) {
    if (!contact.name.ends_with("_r")) continue;
    const int link = task.model.link(contact.link);
    const Eigen::Vector3d point(contact.point.x, contact.point.y, contact.point.z),
        place = at.position(link) + at.rotation(link) * point;
    for (const auto& corner : prints[2]["corners"]) {
      EXPECT_EQ(corner[1], 0);
      found += std::hypot(corner[0].get<double>() - place.x(), corner[2].get<double>() - place.z()) < 1e-9;
    }
  }
  EXPECT_EQ(found, 7);
}

/// Freedoms of the human and their mirror images, as anatomy has them.
TEST(Ground, MirrorsTheHuman) {
  const Model model = load_model(test::models() + "human55.yaml");
  const Mirror mirror = mirror_of(model);
  EXPECT_TRUE(mirror.problems.empty());
  const auto index = [&](const std::string& name) {
    const auto& names = model.dof_names();
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (int i = 0; i < model.nv(); ++i) {
    EXPECT_EQ(mirror.partner[mirror.partner[i]], i);
    const std::string name = model.dof_names()[i];
    const bool paired = name.ends_with("_r") || name.ends_with("_l");
    EXPECT_EQ(mirror.partner[i] != i, paired) << name;
    const bool sideways = name == "global_tz" || name == "global_rx_list" || name == "global_ry_rotation" ||
                          name.find("lateral") != std::string::npos ||
                          (name.find("rotation") != std::string::npos && !paired);
    EXPECT_EQ(mirror.sign[i], sideways ? -1 : 1) << name;
  }
  EXPECT_EQ(mirror.partner[index("hip_rotation_r")], index("hip_rotation_l"));
  ModelSpec lame = model.spec();
  for (LinkSpec& link : lame.links) {
    if (link.joint.name == "knee_flexion_l") link.X_PJ.p.y -= 0.01;
  }
  EXPECT_FALSE(mirror_of(build_model(lame)).problems.empty());
  ModelSpec laden = model.spec();
  for (LinkSpec& link : laden.links) link.mass += link.name == "hand_r" ? 5 : 0;
  EXPECT_EQ(mirror_of(build_model(laden)).problems,
            std::vector<std::string>{"'hand_r' has 5.4453 kg, and 'hand_l' 0.4453 kg"});
}

/// The centre of pressure by its definition, against the row that keeps it inside of an edge.
TEST(Ground, CentreOfPressureInsideOfEdges) {
  using Across = PressureSide::Across;
  const std::vector<int> inputs{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Eigen::Vector3d a(0.1, 0, 0.2), b(0.4, 0, 0.2);
  const double length = 0.3, margin = 0.02;
  for (const double x : {0.0, 0.25, 0.5}) {
    for (const double z : {0.1, 0.3}) {
      const Eigen::Vector3d F(30, 500, -20), centre(x, 0, z), M = centre.cross(F) + Eigen::Vector3d(0, 7, 0);
      Eigen::VectorXd u(12);
      u << F, M, a, b;
      const PressureSide side({"", "", ""}, inputs, Across::side, {0, 1, 0}, margin, length, 700);
      const PressureSide end({"", "", ""}, inputs, Across::end, {0, 1, 0}, margin, length, 700);
      // Along x with y up, the left is where z falls.
      EXPECT_NEAR(side.measured(u.data()), 0.2 - z, 1e-12);
      EXPECT_NEAR(end.measured(u.data()), 0.4 - x, 1e-12);
      // An edge between two feet has no given length: a row may be of another size, what is reported not.
      const PressureSide stretched({"", "", ""}, inputs, Across::side, {0, 1, 0}, 0, 2 * length, 700);
      EXPECT_NEAR(stretched.measured(u.data()), 0.2 - z, 1e-12);
      double row = 0;
      side.value(u.data(), &row);
      EXPECT_NEAR(row, (0.2 - z + margin) * 500 / 700, 1e-12);
      end.value(u.data(), &row);
      EXPECT_NEAR(row, (0.4 - x + margin) * 500 / 700, 1e-12);
    }
  }
}

TEST(Ground, Problems) {
  const auto ground = [](const std::string& supports) {
    return problems(test::subject_to("  ground: {supports: [" + supports + "]}\n", "human55"));
  };
  const std::string heel = "contacts: [heel_lateral_r, heel_medial_r]";
  EXPECT_EQ(ground("{frame: foot_r, share: [1, 0], " + heel + "}"),
            "t:7: error: subject_to: ground: the shares of the supports must make 1 at the start and at the end of the "
            "phase");
  EXPECT_EQ(ground("{frame: foot_r, contacts: [heel_lateral_r]}"),
            "t:7: error: subject_to: ground: 1: contacts: expected two contacts or more");
  EXPECT_EQ(ground("{frame: foot_r, contacts: [heel_lateral_r, heel_medal_r]}"),
            "t:7: error: subject_to: ground: 1: contacts: the model has no contact 'heel_medal_r' (did you mean "
            "'heel_medial_r'?)");
  EXPECT_EQ(ground("{frame: foot_r, margin: 0.1, " + heel + "}"),
            "t:7: error: subject_to: ground: 1: margin: expected at most 0.01, found '0.1'");
  EXPECT_EQ(ground("{frame: fot_r, " + heel + "}"),
            "t:7: error: subject_to: ground: 1: frame: there is no link or frame 'fot_r' (did you mean 'foot_r'?)");
  EXPECT_EQ(ground(""), "t:7: error: subject_to: ground: expected one support or two");
  const auto polygon = [&](const std::string& corners, const std::string& more = "") {
    return problems(
        test::subject_to("  ground: {supports: [{frame: foot_r, contacts: [heel_lateral_r, heel_medial_r, "
                         "ball_lateral_r]}], polygon: [" +
                             corners + "]" + more + "}\n",
                         "human55"));
  };
  EXPECT_EQ(polygon("ball_lateral_r, heel_medial_r, heel_lateral_r"), "none");
  EXPECT_EQ(polygon("heel_lateral_r, heel_medial_r"),
            "t:7: error: subject_to: ground: polygon: expected three contacts or more");
  EXPECT_EQ(polygon("heel_lateral_r, heel_medial_r, toe_tip_r"),
            "t:7: error: subject_to: ground: polygon: 'toe_tip_r' is not at a corner of a support's contacts, or is "
            "there twice");
  EXPECT_NE(polygon("heel_lateral_r, heel_medial_r, heel_lateral_r").find("or is there twice"), std::string::npos);
  EXPECT_NE(polygon("heel_lateral_r, heel_medial_r, ball_latral_r").find("did you mean 'ball_lateral_r'?"),
            std::string::npos);
  EXPECT_EQ(polygon("ball_lateral_r, heel_medial_r, heel_lateral_r", ", forces: variables, friction: 1"),
            "t:7: error: subject_to: ground: polygon: forces that are variables have a balance of their own");
  EXPECT_EQ(problems(test::subject_to("  periodic: {mirrored: true}\n")),
            "t:7: error: subject_to: periodic: mirrored: the model does not say what its mirror image is: give it "
            "`mirror:`");
  EXPECT_EQ(problems(test::with("hold: [elbw]\n")),
            "t:6: error: hold: there is no joint 'elbw' (did you mean 'elbow'?)");
}

/// Numbers of a CSV file by the names of its first line.
std::map<std::string, std::vector<double>> read_columns(const std::string& path) {
  std::istringstream lines(read_text_file(path));
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::size_t k = 0;
    const bool head = names.empty();
    for (std::string cell; std::getline(cells, cell, ','); ++k) {
      if (head) {
        names.push_back(cell);
      } else {
        columns[names[k]].push_back(std::stod(cell));
      }
    }
  }
  return columns;
}

/// A row of the right leg over a stride, which is a step of it and one of its partner, at so many even times.
Eigen::VectorXd over_stride(const Eigen::VectorXd& right, const Eigen::VectorXd& left, Eigen::Index count) {
  Eigen::VectorXd out(count);
  const auto steps = static_cast<double>(right.size() - 1);
  for (Eigen::Index k = 0; k < count; ++k) {
    const double at = 2 * steps * static_cast<double>(k) / static_cast<double>(count - 1);
    const Eigen::VectorXd& leg = at < steps ? right : left;
    const double in = std::min(at < steps ? at : at - steps, steps - 1e-9);
    const auto before = static_cast<Eigen::Index>(in);
    const double part = in - static_cast<double>(before);
    out[k] = (1 - part) * leg[before] + part * leg[before + 1];
  }
  return out;
}

struct Likeness {
  double correlation, difference;  // root of the mean square without the means
};
Likeness likeness(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const Eigen::ArrayXd x = a.array() - a.mean(), y = b.array() - b.mean();
  return {(x * y).sum() / std::sqrt(x.square().sum() * y.square().sum()), std::sqrt((x - y).square().mean())};
}

constexpr double kRough = 1e-4;  // tolerance that is enough to compare costs

/// The step on fewer spans, and without the energy, which takes several solves.
Task plain_step(const std::map<std::string, double>& parameters = {}) {
  Task task = test::walk_by_rule(parameters);
  std::erase_if(task.costs, [](const CostSpec& cost) { return cost.type == &cost_type("energy"); });
  for (PhaseSpec& phase : task.phases) phase.spans = 3;
  task.curve.control_points = 12, task.curve.nodes = 36;
  task.solver.tolerance = 3e-6;  // to which rates at both ends are compared
  return task;
}

/// A step is solved to a motion that keeps what it promises, between nodes, too; and a stride is two of them.
TEST(Ground, AStepEndsAsItsMirrorImage) {
  const Task task = plain_step();
  const Solution solution = predict(task);
  ASSERT_TRUE(solution.success()) << solution.message;
  EXPECT_LT(solution.verification.simulation_drift, 1e-6);
  const Task faster = plain_step({{"speed", 1.25}});
  PredictOptions options;
  options.warm_start = &solution;
  const Solution neighbour = predict(faster, options);
  EXPECT_TRUE(neighbour.success()) << neighbour.message;
  EXPECT_LT(neighbour.iterations, solution.iterations / 3);
  Task staged = task;  // feasibility first, which the same curve allows; then the same cost
  staged.solver.feasible_first = true, staged.solver.tolerance = kRough, staged.refine = RefineSpec::off();
  const Solution in_stages = solve_from(staged, {}, first_guess(staged));
  ASSERT_GE(in_stages.rounds.size(), 2u);
  EXPECT_EQ(in_stages.rounds[0].what, "feasibility");
  EXPECT_EQ(in_stages.rounds[1].what, "cost");
  EXPECT_NEAR(in_stages.cost, solution.rounds.front().cost, 0.02 * solution.cost);
  const Mirror mirror = mirror_of(task.model);
  const double duration = solution.trajectory.duration();
  for (int order = 0; order < 3; ++order) {
    const Eigen::VectorXd begin = solution.trajectory.at(0.0, order), end = solution.trajectory.at(duration, order);
    for (int i = 0; i < task.model.nv(); ++i) {
      const double gone = order == 0 && i == 0 ? task.parameters.at("speed") * duration : 0;
      // Positions are linear in the variables. Rates are not, as phases have their own durations: they agree as well
      // as the solver was asked for.
      const double allowed = order == 0 ? 1e-9 : task.solver.tolerance * (1 + std::abs(end[i]));
      EXPECT_NEAR(end[i], mirror.sign[i] * begin[mirror.partner[i]] + gone, allowed) << i << ", order " << order;
    }
  }
  const SampledMotion motion = sample_motion(task, solution, 401);
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
  for (const GroundReaction& reaction : motion.ground) {
    const Eigen::MatrixXd force = reaction.force.eigen();
    impulse += (force.rowwise().sum() - (force.col(0) + force.col(400)) / 2) / 400;
  }
  const double weight = task.model.mass() * kGravity;
  EXPECT_NEAR(impulse.y(), weight, 1e-3 * weight);  // over a period gravity is all there is
  EXPECT_NEAR(impulse.x(), 0, 1e-3 * weight);

  const std::optional<Stride> stride = unfold_stride(task, solution);
  ASSERT_TRUE(stride);
  for (int i = 0; i < task.model.nv(); ++i) {  // the step goes over into its image without a jump
    EXPECT_NEAR(stride->motion.q(i, 50), solution.trajectory.at(duration, 0)[i], 1e-6) << i;
  }
  for (const StrideCurve& curve : stride->curves) {
    const bool vertical = curve.name == "grf_vertical_r_BW";
    if (!vertical && curve.name != "grf_fore_aft_r_BW") continue;
    EXPECT_NEAR(curve.values.eigen().head(100).mean(), vertical ? 0.5 : 0, 2e-3) << curve.name;
  }
}

/// Steps of any length that keep the speed: the cost finds one that is no worse than the given one.
TEST(Ground, ChoosesTheLengthOfItsSteps) {
  const auto first_solve = [](double play) {
    Task task = plain_step({{"play", play}});
    task.solver.tolerance = kRough, task.refine = RefineSpec::off();
    return solve_from(task, {}, first_guess(task));
  };
  const Solution given = first_solve(0), free = first_solve(0.2);
  EXPECT_NEAR(given.trajectory.duration(), 0.5, 1e-9);
  EXPECT_LT(free.cost, given.cost);
  const double duration = free.trajectory.duration();
  EXPECT_GT(duration * 1.2, 0.4);
  EXPECT_LT(duration * 1.2, 0.8);
  const double support = free.phases[0].end / duration, flat = (free.phases[1].end - free.phases[1].start) / duration;
  EXPECT_NEAR(support, 0.27, 0.02 + 1e-4);
  EXPECT_NEAR(flat, 0.37, 0.03 + 1e-4);
}

/// The problem of the thesis has its size: six control points for each of 55 freedoms, 38 of which are free, and two
/// timings, which are free as well.
TEST(Ground, TheThesisProblem) {
  Task task = test::shipped_task("gait_thesis");
  task.solver.max_iterations = 1;
  const Solution solution = solve_from(task, {}, first_guess(task));
  EXPECT_EQ(solution.program.variables, 55 * 6 + 2);
  EXPECT_EQ(solution.program.free_variables, 38 * 6 + 2);
  EXPECT_GT(solution.program.constraints, 1726);
  EXPECT_EQ(solution.status, nlp::Status::iteration_limit);
}

/// How far p is inside of the hull of some places on the ground, of those lines through two of them that have all
/// others on one side; negative outside.
double inside_of_hull(const std::vector<Eigen::Vector2d>& places, const Eigen::Vector2d& p) {
  double least = kInfinity;
  for (const Eigen::Vector2d& a : places) {
    for (const Eigen::Vector2d& b : places) {
      if ((b - a).norm() < 1e-9) continue;
      const Eigen::Vector2d n = Eigen::Vector2d(a.y() - b.y(), b.x() - a.x()).normalized();
      if (std::all_of(places.begin(), places.end(), [&](const auto& c) { return n.dot(c - a) > -1e-12; })) {
        least = std::min(least, n.dot(p - a));
      }
    }
  }
  return least;
}

/// Balance as the thesis asks for it: with both feet on the ground the zero-moment point, by the momentum of the whole
/// body, is in the hull of all contacts that stand, and a foot's own centre of pressure may be beside the foot.
TEST(Ground, TheZeroMomentPointIsInTheSupportPolygon) {
  Task task = test::shipped_task("gait_thesis");
  // Two of its five corners are left out, since the step keeps away from the limit else.
  const std::vector<std::string> polygon{"ball_lateral_r", "ball_medial_l", "heel_lateral_r"};
  std::vector<ContactPoint>& points = task.phases[0].ground->polygon;
  points = {points[0], points[3], points[4]};
  const Solution solution = predict(task);
  ASSERT_TRUE(solution.success()) << solution.message;
  const std::map<std::string, std::vector<std::string>> feet{
      {"foot_r", {"heel_lateral_r", "heel_medial_r", "ball_lateral_r", "ball_medial_r"}},
      {"foot_l", {"ball_lateral_l", "ball_medial_l", "toe_lateral_l", "toe_medial_l"}}};
  Data<double> data(task.model);
  double least = kInfinity, least_of_a_foot = kInfinity;
  const SampledMotion motion = sample_motion(task, solution, 401);
  for (Eigen::Index k = 0; motion.time[k] < solution.phases[0].end; ++k) {
    const Eigen::VectorXd q = motion.q.eigen().col(k), v = motion.v.eigen().col(k), a = motion.a.eigen().col(k);
    const Kinematics<double> at = forward_kinematics<double>(task.model, data, q, v, a);
    std::vector<Eigen::Vector2d> corners;
    double highest = 0;  // above or below the ground: this task has wide bands
    for (const GroundReaction& foot : motion.ground) {
      std::vector<Eigen::Vector2d> places;
      for (const ContactSpec& contact : task.model.contacts()) {
        const auto& names = feet.at(foot.support);
        if (std::find(names.begin(), names.end(), contact.name) == names.end()) continue;
        const int link = task.model.link(contact.link);
        const Eigen::Vector3d place =
            at.position(link) + at.rotation(link) * Eigen::Vector3d(contact.point.x, contact.point.y, contact.point.z);
        places.emplace_back(place.x(), place.z());
        if (std::find(polygon.begin(), polygon.end(), contact.name) != polygon.end()) corners.push_back(places.back());
        highest = std::max(highest, std::abs(place.y()));
      }
      const Eigen::Vector3d centre = foot.centre.eigen().col(k);
      if (foot.force.eigen().col(k).norm() > 0) {
        least_of_a_foot = std::min(least_of_a_foot, inside_of_hull(places, {centre.x(), centre.z()}));
      }
    }
    // Where the moment of gravity and inertia has no part along the ground.
    const auto rate = [&](double h) -> Eigen::Matrix<double, 6, 1> {
      const WholeBodyState<double> body =
          whole_body_state<double>(task.model, data, q + h * v + h * h / 2 * a, v + h * a, a);
      Eigen::Matrix<double, 6, 1> momentum;
      momentum << body.momentum, body.angular_momentum + body.com.cross(body.momentum);
      return momentum;
    };
    const double h = 1e-5;
    const Eigen::Matrix<double, 6, 1> wrench = (rate(h) - rate(-h)) / (2 * h);
    const Eigen::Vector3d weight(0, kGravity * task.model.mass(), 0), com = motion.com.eigen().col(k);
    const Eigen::Vector3d F = wrench.head<3>() + weight, M = wrench.tail<3>() + com.cross(weight);
    // On the ground; at the height of the contacts, where it is limited, it is elsewhere by what F leans.
    const double lean = std::hypot(F.x(), F.z()) / F.y();
    least = std::min(least, inside_of_hull(corners, {M.z() / F.y(), -M.x() / F.y()}) + lean * highest);
  }
  EXPECT_GT(least, -1e-3);
  EXPECT_LT(least, 0.02);  // the limit is felt
  EXPECT_LT(least_of_a_foot, -0.01);
}

/// A step that nobody can make: what fails is told by the names of contacts and joints.
TEST(Ground, NamesWhatFails) {
  Task task = plain_step({{"speed", 6}, {"step", 2.4}});
  task.solver.max_iterations = 3;
  task.refine = RefineSpec::off();
  const Solution solution = predict_from(task, {}, first_guess(task));
  ASSERT_FALSE(solution.success());
  EXPECT_NE(solution.message.find("; not met: "), std::string::npos) << solution.message;
  EXPECT_NE(solution.message.find("frame_position of "), std::string::npos) << solution.message;
  EXPECT_EQ(solution.message.find("frame_position of foot_"), std::string::npos) << solution.message;  // but heel_…
  bool mirrored = false;
  for (const nlp::Violation& violation : solution.violations) {
    EXPECT_EQ(violation.name.find("row "), std::string::npos) << violation.name;
    mirrored = mirrored || violation.name.starts_with("position of hip_flexion_l after a period");
  }
  EXPECT_TRUE(mirrored);
}

/// A step that is longer than the legs, and none that legs can make.
TEST(Ground, StepsBeyondTheLegs) {
  const std::optional<Conflict> far = out_of_reach(test::shipped_task("gait", {{"step", 3}}));
  ASSERT_TRUE(far);
  EXPECT_EQ(far->parts,
            (std::vector<std::string>{"position of heel_lateral_r all the way in double support on the foot",
                                      "position of toe_tip_l all the way in double support on the foot"}));
  // From the left toe to the right heel, less what tolerances give: a split with stretched feet reaches less.
  const double apart = 3 - 0.258 - 0.004, legs = 2 * (0.4222 + 0.4403);
  EXPECT_LT(far->amount, apart - legs);
  EXPECT_GT(far->amount, apart - legs - 0.7);
  EXPECT_FALSE(out_of_reach(test::shipped_task("gait", {{"step", 2}})));
}

/// Which contacts of the model are on the ground in each phase of the step.
const std::vector<std::vector<std::string>>& standing_on() {
  static const std::vector<std::vector<std::string>> kContacts = {
      {"heel_lateral_r", "heel_medial_r", "toe_tip_l", "toe_medial_l"},
      {"heel_lateral_r", "heel_medial_r", "ball_lateral_r", "ball_medial_r", "toe_lateral_r", "toe_tip_r",
       "toe_medial_r", "toe_tip_l", "toe_medial_l"},
      {"heel_lateral_r", "heel_medial_r", "ball_lateral_r", "ball_medial_r", "toe_lateral_r", "toe_tip_r",
       "toe_medial_r"},
      {"ball_lateral_r", "ball_medial_r", "toe_lateral_r", "toe_tip_r", "toe_medial_r"}};
  return kContacts;
}

/// From the places of links and differences in time, not from the task's own terms: what stands on the ground stays
/// there, and nothing else is below it. Tolerances: 0.5 mm and 10 %, for points that bands of others hold, and for
/// limits that are met to 1e-3.
void expect_feet_on_the_ground(const Task& task, const Trajectory& motion, const std::vector<double>& phase_ends) {
  constexpr double kBand = 1e-3, kSlip = 0.05, kStep = 1e-6;
  const double strike = task.parameters.at("strike");
  Data<double> data(task.model);
  const auto place = [&](const ContactSpec& contact, double time) -> Eigen::Vector3d {
    const auto kinematics = forward_kinematics<double>(task.model, data, motion.at(time));
    const int link = task.model.link(contact.link);
    return kinematics.position(link) +
           kinematics.rotation(link) * Eigen::Vector3d(contact.point.x, contact.point.y, contact.point.z);
  };
  double begin = 0;
  for (std::size_t phase = 0; phase < phase_ends.size(); begin = phase_ends[phase++]) {
    const std::vector<std::string>& standing = standing_on()[phase];
    for (const ContactSpec& contact : task.model.contacts()) {
      const bool stands = std::find(standing.begin(), standing.end(), contact.name) != standing.end();
      double low = 0, high = 0, fastest = 0;
      for (int k = 0; k <= 200; ++k) {
        const double time =
            std::clamp(begin + (phase_ends[phase] - begin) * k / 200, begin + kStep, phase_ends[phase] - kStep);
        const double height = place(contact, time).y();
        low = std::min(low, height), high = std::max(high, height);
        fastest = std::max(fastest, (place(contact, time + kStep) - place(contact, time - kStep)).norm() / (2 * kStep));
      }
      EXPECT_GT(low, -1.5 * kBand) << contact.name << " in phase " << phase;
      if (!stands) continue;
      EXPECT_LT(high, 1.5 * kBand) << contact.name << " in phase " << phase;
      const bool loaded = phase == 0 && contact.name.starts_with("heel");  // it gives way
      EXPECT_LT(fastest, 1.1 * (loaded ? strike : kSlip)) << contact.name << " in phase " << phase;
    }
  }
}

/// What docs/gait.md says of one person at 1.24 m/s.
TEST(Ground, WalksLikeAPerson) {
  const std::string path = test::source_dir() + "/../shared/gait/curves/moco3d_subject_stride.csv";
  if (!std::ifstream(path)) GTEST_SKIP() << "no measured gait at " << path;
  auto measured = read_columns(path);
  const Task task = test::shipped_task("gait", {{"speed", 1.24}});
  const Solution solution = predict(task);
  ASSERT_TRUE(solution.success()) << solution.message;
  std::vector<double> phase_ends;
  for (const PhaseResult& phase : solution.phases) phase_ends.push_back(phase.end);
  expect_feet_on_the_ground(task, solution.trajectory, phase_ends);
  const SampledMotion motion = sample_motion(task, solution, 201);
  const auto& names = task.model.dof_names();
  const auto compare = [&](const Eigen::VectorXd& right, const Eigen::VectorXd& left, const std::string& column) {
    const std::vector<double>& values = measured.at(column);
    const Eigen::Map<const Eigen::VectorXd> person(values.data(), static_cast<Eigen::Index>(values.size()));
    return likeness(over_stride(right, left, person.size()), person);
  };
  struct Angle {
    const char *joint, *column;
    double correlation, difference;  // asked for; degrees
  };
  for (const Angle& angle : {Angle{"hip_flexion", "hip_flexion_r_deg", 0.98, 4},
                             {"knee_flexion", "knee_angle_r_deg", 0.96, 6},
                             {"ankle_dorsiflexion", "ankle_angle_r_deg", 0.8, 5.5},
                             {"hip_adduction", "hip_adduction_r_deg", 0.6, 6}}) {
    const auto degrees = [&](const char* side) -> Eigen::VectorXd {
      const auto at = std::find(names.begin(), names.end(), angle.joint + std::string(side)) - names.begin();
      return motion.q.eigen().row(at).transpose() * (180 / M_PI);
    };
    const Likeness found = compare(degrees("_r"), degrees("_l"), angle.column);
    EXPECT_GT(found.correlation, angle.correlation) << angle.joint;
    EXPECT_LT(found.difference, angle.difference) << angle.joint;
  }
  const auto vertical = [&](const char* foot) -> Eigen::VectorXd {
    for (const GroundReaction& reaction : motion.ground) {
      if (reaction.support == foot) return reaction.force.eigen().row(1).transpose();
    }
    return {};
  };
  EXPECT_GT(compare(vertical("foot_r"), vertical("foot_l"), "grf_vertical_r_BW").correlation, 0.93);

  // Brake, then push, while the other foot is still on the ground; arms that swing.
  const Stride stride = unfold_stride(task, solution).value();
  const auto curve = [&](const std::string& name) -> Eigen::VectorXd {
    return std::find_if(stride.curves.begin(), stride.curves.end(),
                        [&](const StrideCurve& known) { return known.name == name; })
        ->values.eigen();
  };
  const Eigen::VectorXd ahead = curve("grf_fore_aft_r_BW"), arm = curve("arm_flex_r_deg");
  const std::vector<double>& person = measured.at("grf_fore_aft_r_BW");
  EXPECT_GT(likeness(ahead, Eigen::Map<const Eigen::VectorXd>(person.data(), ahead.size())).correlation, 0.85);
  EXPECT_GT(arm.maxCoeff() - arm.minCoeff(), 15);
  EXPECT_LT(arm.maxCoeff() - arm.minCoeff(), 45);
  EXPECT_LT(solution.verification.equation_residual, 1e-3 * task.model.mass() * kGravity);

  // People's legs do 0.79 J/kg/m.
  double work = 0;
  for (const char* joint : {"hip_", "knee_", "ankle_", "toe_"}) {
    for (const std::string& name : names) {
      if (!name.starts_with(joint)) continue;
      const auto at = std::find(names.begin(), names.end(), name) - names.begin();
      work += (motion.tau.eigen().row(at).array() * motion.v.eigen().row(at).array()).max(0).head(200).mean();
    }
  }
  work /= task.model.mass() * task.parameters.at("speed");
  EXPECT_GT(work, 0.6);
  EXPECT_LT(work, 1.0);
  // Over a stride, of both feet, with a finer rule than percents would make.
  const SampledMotion fine = sample_motion(task, solution, 2001);
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
  for (const GroundReaction& reaction : fine.ground) {
    const Eigen::MatrixXd force = reaction.force.eigen();
    impulse += (force.rowwise().sum() - (force.col(0) + force.col(2000)) / 2) / 2000;
  }
  const double weight = task.model.mass() * kGravity;
  EXPECT_NEAR(impulse.y(), weight, 1e-3 * weight);
  EXPECT_NEAR(impulse.x(), 0, 1e-3 * weight);
}

}  // namespace
}  // namespace verne
