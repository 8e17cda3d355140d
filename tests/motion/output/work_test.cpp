// Scores of a person's work from a motion: angles of the body, places of the hands, and what files say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion/output/body_posture.h"
#include "motion/output/work_scores.h"
#include "motion/task_text.h"
#include "motion/terms/muscled_joints.h"
#include "motion/verify/fatigue_course.h"
#include "support/paths.h"
#include "support/text.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

constexpr double kOneDegree = M_PI / 180;

const Model& person() {
  static const Model model = load_model(test::source_dir() + "/models/human55.yaml");
  return model;
}

/// Standing on soles at height zero, but for these joints (degrees).
Trajectory standing(const Model& model, const std::map<std::string, double>& angles) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    if (model.dof_names()[i] == "global_ty") q[i] = 0.9305;
    if (const auto angle = angles.find(model.dof_names()[i]); angle != angles.end()) q[i] = angle->second * kOneDegree;
  }
  return Trajectory(SplineBasis(3, 2), Eigen::VectorXd::Constant(2, 0.5), q.transpose().replicate(5, 1));
}

struct Posed {
  explicit Posed(const std::map<std::string, double>& angles)
      : motion(sample_motion(person(), standing(person(), angles), 3)), postures(person(), motion) {}
  SampledMotion motion;
  BodyPostures postures;
};

TEST(BodyPosture, Upright) {
  const BodyPosture posture = Posed({}).postures.at(1);
  EXPECT_NEAR(posture.trunk_flexion, 0, 1e-12);
  EXPECT_NEAR(posture.neck_flexion, 0, 1e-12);
  EXPECT_NEAR(posture.arms[0].elbow, 0, 1e-12);
  EXPECT_FALSE(posture.arms[0].across_or_out);
}

TEST(BodyPosture, AnglesOfJoints) {
  const Posed posed({{"global_rz_tilt", -30},
                     {"spine1_flexion", 25},
                     {"spine2_flexion", 25},
                     {"neck_lower_flexion", 10},
                     {"neck_upper_flexion", 15},
                     {"shoulder_flexion_r", 100},
                     {"shoulder_abduction_l", 35},
                     {"elbow_flexion_r", 90},
                     {"elbow_pronation_r", 70},
                     {"wrist_flexion_l", 20},
                     {"clavicle_elevation_l", 25},
                     {"wrist_radial_deviation_r", -12},
                     {"knee_flexion_r", 50}});
  const BodyPosture p = posed.postures.at(1);
  EXPECT_NEAR(p.trunk_flexion, 80, 1e-9);
  EXPECT_NEAR(p.trunk_side, 0, 1e-9);
  EXPECT_NEAR(p.trunk_twist, 0, 1e-9);
  EXPECT_NEAR(p.neck_flexion, 25, 1e-9);
  EXPECT_NEAR(p.arms[0].flexion, 100, 1e-9);
  EXPECT_NEAR(p.arms[0].abduction, 0, 1e-9);
  EXPECT_NEAR(p.arms[0].elbow, 90, 1e-9);
  EXPECT_NEAR(std::abs(p.arms[0].twist), 70, 1e-9);
  EXPECT_NEAR(std::abs(p.arms[0].wrist_deviation), 12, 1e-9);
  EXPECT_NEAR(p.arms[0].raised, 0, 1e-9);
  EXPECT_NEAR(p.arms[1].abduction, 35 + 25, 1e-9);  // with the shoulder that is raised
  EXPECT_NEAR(p.arms[1].raised, 25, 1e-9);
  EXPECT_NEAR(std::abs(p.arms[1].wrist_flexion), 20, 1e-9);
  EXPECT_TRUE(p.arms[1].across_or_out);
  EXPECT_NEAR(p.knees[0], 50, 1e-9);
  EXPECT_NEAR(p.knees[1], 0, 1e-9);
  EXPECT_NEAR(std::abs(Posed({{"spine2_rotation", 6}, {"spine3_rotation", 15}}).postures.at(1).trunk_twist), 21, 1e-9);
  EXPECT_NEAR(std::abs(Posed({{"spine1_lateral", 8}, {"spine2_lateral", 7}}).postures.at(1).trunk_side), 15, 1e-9);
}

TEST(BodyPosture, PlacesOfTheHands) {
  // Elbows at right angles: the hands are a forearm and its grip ahead of the ankles.
  const Posed posed({{"elbow_flexion_r", 90}, {"elbow_flexion_l", 90}});
  const LiftPlace place = posed.postures.lift_place(1);
  EXPECT_NEAR(place.horizontal, 1.3 * 0.2689, 1e-9);
  EXPECT_NEAR(place.vertical, 0.9305 + 0.1457 + 2 * 0.10775 + 0.0918 + 0.062 + 0.0005 - 0.2817, 1e-9);
  EXPECT_NEAR(place.asymmetry, 0, 1e-6);
  EXPECT_NEAR(
      Posed({{"elbow_flexion_r", 90}, {"elbow_flexion_l", 90}, {"spine3_rotation", 17}, {"spine4_rotation", 17}})
          .postures.lift_place(1)
          .asymmetry,
      34, 1e-6);
}

/// A lift of 15 kg from a stoop to standing with bent elbows.
struct SomeLift {
  explicit SomeLift(const std::string& rest = "") : task(read(rest)), solution(motion_of(task.model)) {
    solution.status = nlp::Status::solved;
    motion = sample_motion(task, solution, 101);
  }
  static Task read(const std::string& rest) {
    return read_task(
        "format: verne-task/1\nmodel: ../models/human55.yaml\ndrive: all\nduration: 1\nminimize: []\n"
        "payloads: [{frame: hand_r, mass: 7.5}, {frame: hand_l, mass: 7.5}]\n" +
            rest,
        "lift", test::source_dir() + "/tasks");
  }
  static Trajectory motion_of(const Model& model) {
    const Trajectory stoop = standing(model, {{"spine1_flexion", 25}, {"spine2_flexion", 25}, {"global_rz_tilt", -30}}),
                     stand = standing(model, {{"elbow_flexion_r", 90}, {"elbow_flexion_l", 90}});
    Eigen::MatrixXd points = stoop.control_points();
    points.bottomRows(2) = stand.control_points().bottomRows(2);
    return Trajectory(SplineBasis(3, 2), Eigen::VectorXd::Constant(2, 0.5), points);
  }
  WorkScores scores() const { return work_scores(task, solution, motion).value(); }
  Task task;
  Solution solution;
  SampledMotion motion;
};

TEST(WorkScores, OfALift) {
  const SomeLift some("work: {frequency: 5, hours: 2, coupling: poor}\n");
  const WorkScores scores = some.scores();
  ASSERT_TRUE(scores.lift.has_value());
  EXPECT_DOUBLE_EQ(scores.lift->load, 15);
  EXPECT_EQ(scores.lift->origin.time, 0);
  EXPECT_NEAR(scores.lift->destination.time, 1, 1e-12);
  EXPECT_NEAR(scores.lift->destination.place.horizontal, 1.3 * 0.2689, 1e-6);
  const RecommendedWeight& weight = scores.lift->destination.weight;
  EXPECT_DOUBLE_EQ(weight.frequency, 0.6);
  EXPECT_DOUBLE_EQ(weight.coupling, 0.9);
  EXPECT_NEAR(scores.lift->destination.index, 15 / weight.limit, 1e-12);
  EXPECT_NEAR(scores.lift->distance, scores.lift->destination.place.vertical - scores.lift->origin.place.vertical,
              1e-12);
  double shares = 0;
  for (const WorkScores::Zone& zone : scores.zones) shares += zone.share;
  EXPECT_NEAR(shares, 3, 1e-9);  // of the trunk and both arms
  // What is worth knowing is said where it is assumed, and not where it was told.
  const std::string text = summary_text(some.task, some.solution, &some.motion);
  EXPECT_TRUE(test::contains(text, "lifting index, origin"));
  EXPECT_TRUE(test::contains(text, "assumed                stance: on both legs; "));
  EXPECT_FALSE(test::contains(text, "coupling: fair"));
  EXPECT_TRUE(test::contains(summary_text(SomeLift().task, some.solution, &some.motion), "coupling: fair"));
  EXPECT_TRUE(test::contains(solution_json(some.task, some.solution, some.motion, "", ""), R"("lift":{"load":15)"));
}

/// All that is above L5/S1 weighs on it with its moment, which the back muscles balance at 6 cm.
TEST(WorkScores, TheBackOfSomebodyWhoStandsStill) {
  SomeLift some;
  const Model& model = some.task.model;
  some.solution.trajectory = standing(model, {{"spine1_flexion", 25}, {"spine2_flexion", 20}});
  some.motion = sample_motion(some.task, some.solution, 3);
  const auto poses = some.motion.link_poses.eigen().col(0);
  const int disc = model.link("spine1");
  double weight = 0, moment = 0;
  for (std::size_t l = 0; l < model.links().size(); ++l) {
    int up = static_cast<int>(l);
    while (up >= 0 && up != disc) up = model.links()[static_cast<std::size_t>(up)].parent;
    if (up != disc) continue;
    const LinkSpec& link = model.spec().links[l];
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(poses.data() + 12 * l + 3);
    const Eigen::Vector3d com(link.com.x, link.com.y, link.com.z);
    const double ahead = poses[static_cast<Eigen::Index>(12 * l)] + (R * com).x() - poses[12 * disc];
    weight += link.mass * 9.80665, moment += link.mass * 9.80665 * ahead;
  }
  const WorkScores scores = some.scores();
  ASSERT_EQ(scores.loads.front().name, "l5s1");
  const double bent = 25 * kOneDegree, size = std::hypot(moment, 1);  // smoothed
  const double pulls = (size + moment) / (2 * 0.06) + (size - moment) / (2 * 0.1) + 1 / 0.08 + 1 / 0.1;
  EXPECT_NEAR(scores.loads.front().compression[0], weight * std::cos(bent) + pulls, 1e-6);
  EXPECT_NEAR(scores.loads.front().shear[0], weight * std::sin(bent), 1e-6);
  EXPECT_NEAR(scores.loads.front().total, scores.loads.front().compression[0], 1e-6);  // for a second
}

TEST(WorkScores, MirroredPosturesHaveMirroredScores) {
  const auto scores_of = [](const char* side) {
    SomeLift some;
    const std::string s = side;
    some.solution.trajectory = standing(
        some.task.model, {{"shoulder_flexion_" + s, 80}, {"elbow_flexion_" + s, 30}, {"wrist_flexion_" + s, 40}});
    some.motion = sample_motion(some.task, some.solution, 3);
    return some.scores().scores;
  };
  const auto right = scores_of("r"), left = scores_of("l");
  const auto most = [](const auto& scores, const std::string& name) {
    for (const WorkScores::Score& score : scores) {
      if (score.name == name) return score.most;
    }
    return -1.0;
  };
  for (const std::string kind : {"RULA, ", "REBA, "}) {
    EXPECT_EQ(most(right, kind + "right"), most(left, kind + "left"));
    EXPECT_EQ(most(right, kind + "left"), most(left, kind + "right"));
  }
  EXPECT_GT(most(right, "RULA, right"), most(right, "RULA, left"));
  EXPECT_NEAR(most(right, "right hip compression"), most(left, "left hip compression"), 1e-6);
  EXPECT_NEAR(most(right, "L5/S1 compression"), most(left, "L5/S1 compression"), 1e-6);
}

TEST(WorkScores, Repeated) {
  const SomeLift some("repeat: {times: 20, every: 6 s}\n");
  const WorkScores scores = some.scores();
  ASSERT_TRUE(scores.fatigue.has_value());
  EXPECT_EQ(scores.fatigue->period, 6);
  EXPECT_NEAR(scores.lift->origin.weight.frequency, 0.45, 1e-12);  // ten a minute
  double last = 1;
  ASSERT_FALSE(scores.fatigue->muscles.empty());
  for (const TiringMuscles& who : scores.fatigue->muscles) {
    ASSERT_EQ(who.capacity.size(), 20u);
    last = std::min(last, who.capacity.back());
    EXPECT_LE(who.capacity.back(), who.capacity.front() + 1e-9) << who.joint;
  }
  EXPECT_LT(last, 0.99);
  const std::string text = summary_text(some.task, some.solution, &some.motion);
  EXPECT_TRUE(test::contains(text, "20 repetitions, one every 6 s"));
  EXPECT_TRUE(test::contains(text, "fatigue of trunk: Frey-Law et al. 2012"));
  // With a longer rest more is left.
  const WorkScores rested = SomeLift("repeat: {times: 20, rest: 30 s}\n").scores();
  EXPECT_NEAR(rested.fatigue->period, 31, 1e-9);
  for (std::size_t k = 0; k < rested.fatigue->muscles.size(); ++k) {
    EXPECT_GE(rested.fatigue->muscles[k].capacity.back(), scores.fatigue->muscles[k].capacity.back() - 1e-9);
  }
}

/// With a limit of what the back may bear, somebody rises who bears less, and whom it costs more.
TEST(WorkScores, RisesFromAChairWithLessOnTheBack) {
  Task task = test::shipped_task("sit_to_stand");
  const auto load = [&](const Solution& solution) {
    const SampledMotion motion = sample_motion(task, solution, 401);
    return work_scores(task, solution, motion).value().loads.front().compression.maxCoeff();
  };
  const Solution free = predict(task);
  ASSERT_TRUE(free.success()) << free.message;
  const double most = load(free);
  EXPECT_NEAR(most, 2800, 150);
  const std::size_t joint = joint_of(muscled_joints()[0], task.model).value();
  task.limits.sizes["compression"][joint] = 0.9 * most;
  const Solution limited = predict(task);
  ASSERT_TRUE(limited.success()) << limited.message;
  EXPECT_LE(load(limited), 0.9 * most * (1 + 1e-3));
  EXPECT_GT(limited.cost, free.cost);
}

/// Somebody rises again and again whose knees are spared: what the limit says of the motion as a whole is nearly what
/// the whole model of fatigue, step by step, makes of it.
TEST(WorkScores, RisesOftenWithLessFatigue) {
  Task task = test::shipped_task("sit_to_stand");
  task.work.repeat = {100, 0, 6.0, 0};
  const auto names = task.model.dof_names();
  const auto knee = std::find(names.begin(), names.end(), "knee_flexion_r") - names.begin();
  const auto tired = [&](const Solution& solution) {
    const FatigueCourse course = fatigue_course(task, sample_motion(task, solution, 401), solution);
    for (const TiringMuscles& who : course.muscles) {
      if (who.joint == "knee_flexion_r" && !who.positive) return 1 - who.capacity.back();
    }
    return 0.0;
  };
  const Solution free = predict(task);
  ASSERT_TRUE(free.success()) << free.message;
  const double most = 0.9 * tired(free);
  task.limits.sizes["fatigue"][static_cast<std::size_t>(knee)] = most;
  const Solution limited = predict(task);
  ASSERT_TRUE(limited.success()) << limited.message;
  const auto use = std::find_if(limited.limits.begin(), limited.limits.end(),
                                [](const LimitUse& limit) { return limit.of == "knee_flexion_r (-)"; });
  ASSERT_NE(use, limited.limits.end());
  EXPECT_EQ(use->kind, "fatigue");
  EXPECT_NEAR(use->utilisation, 1, 1e-3);
  EXPECT_GT(use->multiplier, 0);
  EXPECT_NEAR(tired(limited), most, 0.1 * most);
  EXPECT_GT(limited.cost, free.cost);
}

TEST(WorkScores, BadFatigue) {
  const auto complaint = [](const std::string& limits) {
    return test::problems(test::with("drive: all\nsubject_to: {limits: {" + limits + "}}\n", "human55"));
  };
  EXPECT_TRUE(test::contains(complaint("fatigue: {global_tx: 0.1}"), "no limit of effort, which is its strength"));
  EXPECT_TRUE(test::contains(complaint("fatigue: {knee_flexion_r: 2}"),
                             "fatigue: knee_flexion_r: expected a part of the strength, between 0 and 1, found '2'"));
  EXPECT_TRUE(test::contains(complaint("fatigue: {knee: 0.2}"), "'knee'"));
  const std::string phases = "drive: all\nphases: [{limits: {fatigue: {knee_flexion_r: 0.1}}}, {duration: 0.5}]\n";
  EXPECT_TRUE(test::contains(test::problems(test::with(phases, "human55")), "is of the motion as a whole"));
}

TEST(WorkScores, BadWork) {
  const auto complaint = [](const std::string& model, const std::string& work) {
    try {
      read_task(
          "format: verne-task/1\nmodel: ../models/" + model + ".yaml\ndrive: all\nduration: 1\nminimize: []\n" + work,
          "lift", test::source_dir() + "/tasks");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(
      test::contains(complaint("two_link", "work: {load: 1}\n"), "lift:6: error: work: scores are of a person"));
  EXPECT_TRUE(test::contains(complaint("human55", "work: {lod: 1}\n"), "did you mean 'load'?"));
  EXPECT_TRUE(
      test::contains(complaint("human55", "work: {load: -1}\n"), "load: expected a number that is not negative"));
  EXPECT_TRUE(test::contains(complaint("human55", "work: {hours: 9}\n"), "hours: expected at most 8"));
  EXPECT_TRUE(test::contains(complaint("human55", "work: {coupling: nice}\n"), "good, fair, poor or unacceptable"));
  EXPECT_TRUE(test::contains(complaint("human55", "subject_to: {limits: {compression: {l5s: 1 N}}}\n"), "'l5s1'"));
  EXPECT_TRUE(test::contains(complaint("two_link", "subject_to: {limits: {shear: {l5s1: 1 N}}}\n"), "of a person"));
  for (const std::string limit : {"compression: {knee_r: 1 N, l5s1: 1 N}", "joint_force: {knee_flexion_r: 1 N}"}) {
    const std::string ground = "ground: {supports: [{frame: foot_r, contacts: [heel_lateral_r, toe_tip_r]}]}";
    const std::string found =
        test::problems(test::with("subject_to:\n  " + ground + "\n  limits: {" + limit + "}\n", "human55"));
    EXPECT_TRUE(test::contains(found, "is of 'knee_flexion_r', between the root and what stands")) << found;
  }
  EXPECT_EQ(test::problems(test::with("subject_to:\n  ground: {supports: [{frame: foot_r, contacts: [heel_lateral_r, "
                                      "toe_tip_r]}]}\n  limits: {joint_force: {spine1_rotation: 900 N}}\n",
                                      "human55")),
            test::problems(test::with("", "human55")));
  EXPECT_TRUE(test::contains(complaint("human55", "repeat: {times: 3, every: 0.5 s}\n"),
                             "lift:6: error: repeat: every: faster than the motion, which lasts 1 s at least"));
  EXPECT_TRUE(
      test::contains(complaint("human55", "repeat: {times: 3, every: 5 s, rest: 1 s}\n"), "either rest or every"));
  EXPECT_TRUE(test::contains(complaint("human55", "repeat: {rest: 5 s}\n"), "times"));
  EXPECT_TRUE(test::contains(complaint("human55", "work: {lift: up}\n"), "there is no phase 'up'"));
}

}  // namespace
}  // namespace verne
