/// Chapter 4 of the thesis: two arms in a plane. True optima are from shooting on Pontryagin's conditions
/// (docs/theory/motion.md, section 11).
#include <Eigen/Core>
#include <cmath>

#include "formulations/barman.h"
#include "reproduce/comparison.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"
#include "verne/io/model_io.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

constexpr const char *kRevolute = "two_link_min_time", *kPrismatic = "prismatic_revolute";
constexpr double kRecursion = 1e-9;  // of two formulations, relative

/// Tables 4.1 to 4.4 print one value for both links.
struct PrintedArm {
  const char* model;
  DhParameters dh[2];
  Vec3<double> com[2];
  int normal[2];  ///< the axis of the link's frame that stands on the plane
};

double normal_inertia(const LinkSpec& link, int axis) {
  return axis == 0 ? link.inertia.xx : axis == 1 ? link.inertia.yy : link.inertia.zz;
}

/// Of the link's frame in that of the link before, at q = 0.
DhParameters dh_of(const LinkSpec& link) {
  const Transform<double> X = link.X_PJ * link.X_JL;
  DhParameters dh;
  dh.theta = std::atan2(X.R(1, 0), X.R(0, 0)), dh.alpha = std::atan2(X.R(2, 1), X.R(2, 2));
  dh.d = X.p.z, dh.a = X.p.x * std::cos(dh.theta) + X.p.y * std::sin(dh.theta);
  return dh;
}

void compare_tables(Sources& sources, Answer& answer, const PrintedArm& printed) {
  constexpr double kMass = 0.5, kInertia = 0.1, kEffort = 10, kExact = 1e-12;
  const ModelSpec spec = load_spec(sources.model_file(printed.model));
  if (spec.links.size() != 3) throw InputError(std::string(printed.model) + ": expected a base and two links");
  for (int i = 0; i < 2; ++i) {
    const LinkSpec& link = spec.links[static_cast<std::size_t>(i) + 1];
    const DhParameters dh = dh_of(link), table = printed.dh[i];
    const std::string of = " of link " + std::to_string(i + 1);
    answer.add_printed("θ" + of, "rad", table.theta, dh.theta, kExact);
    answer.add_printed("d" + of, "m", table.d, dh.d, kExact);
    answer.add_printed("a" + of, "m", table.a, dh.a, kExact);
    answer.add_printed("α" + of, "rad", table.alpha, dh.alpha, kExact);
    answer.add_printed("mass" + of, "kg", kMass, link.mass, kExact);
    answer.add_printed("inertia" + of, "kg·m²", kInertia, normal_inertia(link, printed.normal[i]), kExact);
    const Vec3<double> com = printed.com[i];
    answer.add_printed("r, x" + of, "m", com.x, link.com.x, kExact);
    answer.add_printed("r, y" + of, "m", com.y, link.com.y, kExact);
    const DofSpec dof = link.joint.dofs.empty() ? DofSpec{} : link.joint.dofs[0];
    answer.add_printed("upper bound" + of, i == 0 ? "N·m, N" : "N·m", kEffort, dof.effort_upper, kExact);
    answer.add_printed("lower bound" + of, i == 0 ? "N·m, N" : "N·m", -kEffort, dof.effort_lower, kExact);
  }
}

void tables_4_1(Sources& sources, Answer& answer) {
  compare_tables(sources, answer, {"two_link", {{.a = 0.4}, {.a = 0.4}}, {{-0.2, 0, 0}, {-0.2, 0, 0}}, {2, 2}});
}
void tables_4_3(Sources& sources, Answer& answer) {
  compare_tables(sources, answer,
                 {"prismatic_revolute",
                  {{.alpha = M_PI / 2, .d = 0.4, .theta = M_PI / 2}, {.a = 0.4, .theta = M_PI / 2}},
                  {{0, -0.2, 0}, {-0.2, 0, 0}},
                  {2, 2}});
}

/// The forces and torques of steps 1 to 10 of the thesis along a motion, beside those of the library.
void compare_along(const Prediction& found, Answer& answer, bool forces) {
  const Model& model = found.task.model;
  const auto tree = fm::dh_tree_of(model);
  if (!tree) throw InputError(tree.reason);
  const SampledMotion& motion = found.motion;
  double worst = 0, largest = 0;
  for (Eigen::Index k = 0; k < motion.time.size(); k += 20) {
    const Eigen::VectorXd q = motion.q.eigen().col(k), v = motion.v.eigen().col(k), a = motion.a.eigen().col(k);
    const auto theirs = fm::barman_dynamics<double>(*tree, {span_of(q), span_of(v), span_of(a)});
    if (!forces) {
      const Eigen::VectorXd tau = motion.tau.eigen().col(k);
      worst = std::max(worst, (vector_of(theirs.effort) - tau).cwiseAbs().maxCoeff());
      largest = std::max(largest, tau.cwiseAbs().maxCoeff());
      continue;
    }
    for (std::size_t j = 1; j < tree->links.size(); ++j) {
      const fm::DhLink& link = tree->links[j];
      if (link.body < 0) continue;
      const int joint = model.tree().joints[0].fixed ? link.body + 1 : link.body;
      const Vec3<double>& F = theirs.links[j].F_p;
      const double ours = motion.joint_wrenches.eigen().block(6 * joint, k, 3, 1).norm();
      worst = std::max(worst, std::abs(std::sqrt(dot(F, F)) - ours));
      largest = std::max(largest, ours);
    }
  }
  answer.add_disagreement(forces ? "internal forces by steps 5–9 of the thesis along the motion, largest disagreement"
                                 : "torques by steps 1–10 of the thesis along the motion, largest disagreement",
                          worst / largest, kRecursion);
}

/// Norms of the force in a joint along a motion.
Eigen::VectorXd force_norms(const Prediction& found, const std::string& joint) {
  return found.motion.joint_wrenches.eigen().middleRows(6 * found.task.model.joint(joint), 3).colwise().norm();
}

/// How often a curve rises and falls again by more than a fifth of its largest value; its ends count as falls.
int peaks(const Eigen::VectorXd& y) {
  const double much = y.maxCoeff() / 5;
  int count = 0;
  double low = 0, high = 0;
  for (Eigen::Index k = 0; k <= y.size(); ++k) {
    const double value = k < y.size() ? y[k] : 0;
    high = std::max(high, value);
    if (high - low > much && high - value > much) ++count, low = high = value;
    if (value < low || high - low <= much) low = std::min(low, value), high = std::max(value, low);
  }
  return count;
}

/// When a torque changes its sign, the `which`-th time.
double crossing(const Prediction& found, int dof, int which) {
  const auto tau = found.motion.tau.eigen().row(dof);
  for (Eigen::Index k = 1; k < tau.size(); ++k) {
    if ((tau[k - 1] > 0) == (tau[k] > 0) || which-- > 0) continue;
    return (found.motion.time[k - 1] + found.motion.time[k]) / 2;
  }
  return NAN;
}

void time_4_1(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kRevolute);
  Finding& T = answer.add_printed("T", "s", 0.392, found.solution.trajectory.duration(), 4e-5);
  T.known = 0.391854540, T.rounding = 5e-4;
  answer.add_disagreement("torque limits exceeded by", found.solution.verification.limit_excess, 1e-6);
}

void figure_4_2(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kRevolute);
  constexpr double kSwitch = 2e-3;
  const auto add = [&](const char* of, std::optional<double> printed, double obtained, double known) {
    Finding& finding = answer.add_printed(of, "s", printed.value_or(known), obtained, kSwitch);
    finding.printed = printed, finding.known = known, finding.rounding = 3e-3;
  };
  add("torque 1 leaves the upper bound for the lower", 0.2, crossing(found, 0, 0), 0.195927);
  add("torque 2 leaves the lower bound for the upper", {}, crossing(found, 1, 0), 0.045709);
  add("torque 2 returns to the lower bound", 0.25, crossing(found, 1, 1), 0.235300);
  compare_along(found, answer, false);
  answer.reason =
      "the optimum is bang-bang with its switches at 0.1959, 0.0457 and 0.2353 s; “just over 0.2” and “after 0.25” are "
      "read off curves that cannot jump";
  answer.figures.push_back({"", "Figure 4.2: joint torques of the two revolute joints", plot_of(found, "torques")});
}

void figure_4_3(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kRevolute);
  const Eigen::VectorXd first = force_norms(found, "shoulder"), second = force_norms(found, "elbow");
  const auto peak = [&](const char* of, double obtained, double known) {
    Finding& finding = answer.add_printed(of, "N", 0, obtained, 0.01 * known);
    finding.printed.reset(), finding.known = known;
  };
  answer.add_printed("peaks of the norm in joint 1", "", 2, peaks(first), 0);
  answer.add_printed("peaks of the norm in joint 2", "", 2, peaks(second), 0);
  peak("largest force in joint 1", first.maxCoeff(), 33.219);
  peak("largest force in joint 2", second.maxCoeff(), 23.962);
  compare_along(found, answer, true);
  answer.figures.push_back(
      {"", "Figure 4.3: norms of the internal forces", plot_of(found, "joint_forces", {"shoulder", "elbow"})});
}

void add_ends(const Prediction& found, Answer& answer, const double (&printed)[4], const char* const (&units)[2]) {
  const auto q = found.motion.q.eigen(), v = found.motion.v.eigen();
  const Eigen::Index last = q.cols() - 1;
  for (int i = 0; i < 2; ++i) {
    const std::string name = "q" + std::to_string(i + 1);
    answer.add_printed(name + "(0)", units[i], printed[2 * i], q(i, 0), 1e-6);
    answer.add_printed(name + "(T)", units[i], printed[2 * i + 1], q(i, last), 1e-6);
  }
  const double speed = std::max(v.col(0).cwiseAbs().maxCoeff(), v.col(last).cwiseAbs().maxCoeff());
  answer.add_printed("largest velocity at the ends", "1/s", 0, speed, 1e-6);
}

void figure_4_4(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kRevolute);
  add_ends(found, answer, {0, 1, -2, -1}, {"rad", "rad"});
  answer.figures.push_back({"", "Figure 4.4: the motion", plot_of(found, "snapshots")});
}

Change by_joint() {
  return {"ends by joint", {{"elbow_from", M_PI / 4}, {"slide_to", 0.6}}, {}};
}
Change by_joint_in(double duration) {
  Change change = by_joint();
  change.name += ", in a given time";
  change.edit = [duration](Task& task) { task.duration.bounds = {duration, duration}; };
  return change;
}

void time_4_2(Sources& sources, Answer& answer) {
  const Solution& printed = sources.prediction(kPrismatic).solution;
  Finding& T = answer.add_printed("T, as printed", "s", 0.5585, printed.trajectory.duration(), 5e-6);
  T.known = 0.646259708, T.rounding = 5e-5;
  const auto add = [&](const char* of, const char* unit, double obtained, double known, double tolerance) {
    Finding& finding = answer.add_printed(of, unit, 0, obtained, tolerance);
    finding.printed.reset(), finding.known = known;
  };
  add("cost, as printed", "", printed.cost, 0.853062814, 2e-6);
  const Solution& nearest = sources.prediction(kPrismatic, by_joint()).solution;
  Finding& T_nearest = answer.add_printed("T, ends read by joint", "s", 0.5585, nearest.trajectory.duration(), 5e-5);
  T_nearest.known = 0.567138240, T_nearest.rounding = 5e-5;
  add("cost, ends read by joint", "", nearest.cost, 0.748622477, 2e-6);
  const Solution& in_time = sources.prediction(kPrismatic, by_joint_in(0.5585)).solution;
  add("the same in 0.5585 s costs more by", "%", 100 * (in_time.cost / nearest.cost - 1), 0.036, 1e-3);
  answer.reason =
      "0.5585 s does not follow from the printed data; read as q1 from 0.1 to 0.6 and q2 from π/4 to −π/4 the optimum "
      "comes closest, and is so flat that 0.5585 s costs 0.04 % more";
}

void figure_4_5(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kPrismatic, by_joint());
  const auto tau = found.motion.tau.eigen();
  const Eigen::Index last = tau.cols() - 1;
  const auto sign = [](double x) { return x > 0 ? 1.0 : -1.0; };
  answer.add_printed("sign of the force at the start", "", 1, sign(tau(0, 0)), 0);
  answer.add_printed("sign of the force at the end", "", -1, sign(tau(0, last)), 0);
  answer.add_printed("sign of the torque at the start", "", -1, sign(tau(1, 0)), 0);
  answer.add_printed("sign of the torque at the end", "", 1, sign(tau(1, last)), 0);
  compare_along(found, answer, false);
  for (const char* joint : {"slide", "elbow"}) {
    const bool force = std::string(joint) == "slide";
    answer.figures.push_back({force ? "-force" : "-torque",
                              force ? "Figure 4.5: force of the prismatic joint, ends read by joint"
                                    : "Figure 4.5: torque of the revolute joint, ends read by joint",
                              plot_of(found, "torques", {joint})});
  }
}

void figure_4_6(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kPrismatic, by_joint());
  const Eigen::VectorXd first = force_norms(found, "slide"), second = force_norms(found, "elbow");
  answer.add_printed("peaks of the norm in the prismatic joint", "", 2, peaks(first), 0);
  answer.add_printed("peaks of the norm in the revolute joint", "", 2, peaks(second), 0);
  answer.add_printed("joint with the lower peak", "", 2, second.maxCoeff() < first.maxCoeff() ? 2 : 1, 0);
  compare_along(found, answer, true);
  answer.figures.push_back({"", "Figure 4.6: norms of the internal forces, ends read by joint",
                            plot_of(found, "joint_forces", {"slide", "elbow"})});
}

void figure_4_7(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kPrismatic);
  add_ends(found, answer, {0.1, M_PI / 4, 0.6, -M_PI / 4}, {"m", "rad"});
  answer.figures.push_back({"", "Figure 4.7: the motion, ends as printed", plot_of(found, "snapshots")});
  answer.figures.push_back({"-by-joint", "The motion, ends read by joint",
                            plot_of(sources.prediction(kPrismatic, by_joint()), "snapshots")});
}

}  // namespace

std::vector<Row> thesis_arm_rows() {
  constexpr Document kThesis = Document::thesis;
  return {
      {"thesis-table-4.1", kThesis, "tables 4.1 and 4.2, p. 32",
       "Denavit-Hartenberg parameters, masses, inertias and torque limits of the arm with two revolute joints",
       tables_4_1},
      {"thesis-time-4.1", kThesis, "section 4.1.3, p. 35", "The least time is 0.392 s", time_4_1},
      {"thesis-figure-4.2", kThesis, "figure 4.2, p. 34",
       "Torque 1 is at its upper bound until just over 0.2 s, then at the lower; torque 2 is at the lower, then at the "
       "upper bound, and returns after 0.25 s",
       figure_4_2},
      {"thesis-figure-4.3", kThesis, "figure 4.3, p. 35", "Norms of the internal forces have two peaks each",
       figure_4_3},
      {"thesis-figure-4.4", kThesis, "figure 4.4, p. 35, and (4.17)",
       "The arm moves from rest at (0, −2) to rest at (1, −1)", figure_4_4},
      {"thesis-table-4.3", kThesis, "tables 4.3 and 4.4, p. 37",
       "Denavit-Hartenberg parameters, masses, inertias and limits of the arm with a prismatic and a revolute joint",
       tables_4_3},
      {"thesis-time-4.2", kThesis, "section 4.2.2, p. 38", "The optimum for u = 0.01 takes 0.5585 s", time_4_2},
      {"thesis-figure-4.5", kThesis, "figure 4.5, p. 38",
       "The force goes from a positive to a negative peak, the torque from a negative to a positive one", figure_4_5},
      {"thesis-figure-4.6", kThesis, "figure 4.6, p. 39",
       "Both norms of the internal forces have two peaks, and that of the revolute joint is lower", figure_4_6},
      {"thesis-figure-4.7", kThesis, "figure 4.7, p. 39, and (4.19)",
       "The arm moves from rest at (0.1, 0.6) to rest at (π/4, −π/4)", figure_4_7},
  };
}

}  // namespace verne::reproduce
