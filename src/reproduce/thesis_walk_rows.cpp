/// Chapter 5 of the thesis: a person walks. tasks/gait_thesis.yaml, docs/gait.md.
#include <fmt/core.h>

#include <Eigen/Core>
#include <cmath>

#include "report/svg_chart.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"

namespace verne::reproduce {

namespace {

constexpr const char* kTask = "gait_thesis";

const Prediction& first_solve(Sources& sources) {
  return sources.prediction(kTask, {"first solve", {}, [](Task& task) {
                                      const double tolerance = task.refine.tolerance;
                                      task.refine = RefineSpec::off();
                                      task.refine.tolerance = tolerance;
                                    }});
}

/// A limit of the program is counted as the thesis counts it, before nodes are added between its own.
void size(Sources& sources, Answer& answer) {
  const Solution& found = first_solve(sources).solution;
  const int phases = static_cast<int>(found.phases.size());
  answer.add_printed("variables, without the times of phases", "", 330, found.program.variables - phases, 0);
  Finding& constraints = answer.add_printed("constraints", "", 1726, found.program.constraints, 0);
  constraints.known = 1922;
  Finding& active = answer.add_printed("active constraints at the optimum", "", 244, found.program.active, 60);
  active.known = 185;
  answer.timings.push_back({"time of the solve", 34.10, found.solve_seconds});
  answer.reason =
      "the thesis does not say how its rows are counted: here twelve nodes, bands for contacts, a support polygon and "
      "velocities at both ends have their own (docs/gait.md)";
}

/// A curve of the stride by its name.
const StrideCurve& curve(const Prediction& found, const std::string& name) {
  if (found.stride) {
    for (const StrideCurve& curve : found.stride->curves) {
      if (curve.name == name) return curve;
    }
  }
  throw InputError("the motion has no curve '" + name + "'");
}

std::string chart(const Prediction& found, const std::string& name, const std::string& label) {
  const StrideCurve& of = curve(found, name);
  ChartSpec spec;
  spec.x_label = "gait cycle (%)", spec.y_label = label;
  spec.width_mm = 80, spec.height_mm = 60;
  ChartLine line;
  line.name = "right";
  line.x.assign(found.stride->percent.begin(), found.stride->percent.end());
  line.y.assign(of.values.begin(), of.values.end());
  spec.lines.push_back(std::move(line));
  return svg_chart(spec);
}

/// Values while the foot bears something: from its strike on.
Eigen::VectorXd in_stance(const Prediction& found, const std::string& name) {
  const Eigen::VectorXd vertical = curve(found, "grf_vertical_r_BW").values.eigen();
  const Eigen::VectorXd values = curve(found, name).values.eigen();
  std::vector<double> kept;
  for (Eigen::Index k = 0; k + 1 < values.size(); ++k) {
    if (vertical[k] > 0.02) kept.push_back(values[k]);
  }
  return Eigen::Map<const Eigen::VectorXd>(kept.data(), static_cast<Eigen::Index>(kept.size()));
}

/// How often a curve falls and rises again by a twentieth of its largest value.
int dips(const Eigen::VectorXd& y) {
  const double much = y.maxCoeff() / 20;
  int count = 0;
  double high = y[0], low = y[0];
  for (const double value : y) {
    low = std::min(low, value);
    if (high - low > much && value - low > much) ++count, high = low = value;
    if (value > high) high = low = value;
  }
  return count;
}

double correlation(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  const Eigen::ArrayXd a = x.array() - x.mean(), b = y.array() - y.mean();
  return (a * b).sum() / std::sqrt((a * a).sum() * (b * b).sum());
}

void figure_5_2(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kTask);
  answer.add_printed("step length", "m", 0.6, found.task.parameters.at("step"), 1e-12);
  answer.add_printed("time of a step", "s", 0.5, found.solution.trajectory.duration(), 1e-9);
  const Eigen::VectorXd knee = curve(found, "knee_angle_r_deg").values.eigen();
  // The left knee is asked for in the middle of its swing; the right one is that half a cycle later.
  const double swing =
      found.solution.phases.at(1).start + 0.4 * (found.solution.phases[1].end - found.solution.phases[1].start);
  const double at = 50 + 50 * swing / found.solution.trajectory.duration();
  answer.add_printed("knee in the middle of the swing", "°", 60, knee[std::lround(at)], 5.5);
  const auto q = found.motion.q.eigen();
  const int spine = found.task.model.joints()[static_cast<std::size_t>(found.task.model.joint("spine2_flexion"))].q;
  answer.add_disagreement("spine is bent at most by", q.row(spine).cwiseAbs().maxCoeff(), 0.35).unit = "rad";
  answer.figures.push_back({"", "Figure 5.2: a step of the walking motion", plot_of(found, "snapshots")});
}

struct Panel {
  const char *suffix, *caption, *curve, *label;
};
void add_panels(const Prediction& found, Answer& answer, std::initializer_list<Panel> panels) {
  for (const Panel& panel : panels) {
    answer.figures.push_back({panel.suffix, panel.caption, chart(found, panel.curve, panel.label)});
  }
}

void figure_5_3(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kTask);
  const auto range = [&](const char* of, const char* name, double low, double high) {
    const Eigen::VectorXd values = curve(found, name).values.eigen();
    const double least = low - values.minCoeff(), most = values.maxCoeff() - high;
    answer
        .add_disagreement(fmt::format("{} leaves the range of {}° to {}° by", of, low, high),
                          std::max({0.0, least, most}), 0)
        .unit = "°";
  };
  range("hip", "hip_flexion_r_deg", -40, 60);
  range("knee", "knee_angle_r_deg", -1, 80);
  range("ankle", "ankle_angle_r_deg", -51, 21);
  add_panels(found, answer,
             {{"a", "Figure 5.3 (a): hip", "hip_flexion_r_deg", "hip flexion (°)"},
              {"b", "Figure 5.3 (b): knee", "knee_angle_r_deg", "knee flexion (°)"},
              {"c", "Figure 5.3 (c): ankle", "ankle_angle_r_deg", "ankle dorsiflexion (°)"}});
}

void figure_5_4(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kTask);
  const Eigen::VectorXd vertical = in_stance(found, "grf_vertical_r_BW"), along = in_stance(found, "grf_fore_aft_r_BW");
  const Eigen::Index half = along.size() / 2;
  const auto sign = [](double x) { return x > 0 ? 1.0 : -1.0; };
  answer.add_printed("sign of the fore-aft force in the first half of the stance", "", -1, sign(along.head(half).sum()),
                     0);
  answer.add_printed("sign in the second half", "", 1, sign(along.tail(half).sum()), 0);
  Finding& weight = answer.add_printed("mean vertical force of both feet over the cycle", "body weights", 1,
                                       2 * vertical.sum() / 100, 0.02);
  weight.rounding = 0.02;
  // The last instants of the stance, in which the load goes over to the other foot, are not of the pattern.
  Finding& pattern = answer.add_printed("dips of the vertical force between peaks", "", 1,
                                        dips(vertical.head(vertical.size() * 9 / 10)), 1);
  pattern.known = 0;
  answer.reason =
      "with effort as the only cost this optimum has one plateau where people have two peaks; those of the task gait, "
      "which asks for more, are as in people (docs/gait.md)";
  add_panels(found, answer,
             {{"a", "Figure 5.4 (a): lateral", "grf_lateral_r_BW", "lateral force (body weights)"},
              {"b", "Figure 5.4 (b): vertical", "grf_vertical_r_BW", "vertical force (body weights)"},
              {"c", "Figure 5.4 (c): fore-aft", "grf_fore_aft_r_BW", "fore-aft force (body weights)"}});
}

void figure_5_5(Sources& sources, Answer& answer) {
  const Prediction& found = sources.prediction(kTask);
  const Eigen::VectorXd vertical = in_stance(found, "grf_vertical_r_BW");
  for (const char* joint : {"hip", "knee", "ankle"}) {
    const Eigen::VectorXd force = in_stance(found, fmt::format("joint_force_{}_r_BW", joint));
    Finding& like =
        answer.add_printed(fmt::format("correlation of the {} with the vertical ground force in stance", joint), "", 1,
                           correlation(force, vertical), 0.3);
    like.rounding = 0.3;
  }
  add_panels(found, answer,
             {{"a", "Figure 5.5 (a): hip", "joint_force_hip_r_BW", "force in the hip (body weights)"},
              {"b", "Figure 5.5 (b): knee", "joint_force_knee_r_BW", "force in the knee (body weights)"},
              {"c", "Figure 5.5 (c): ankle", "joint_force_ankle_r_BW", "force in the ankle (body weights)"}});
}

}  // namespace

std::vector<Row> thesis_walk_rows() {
  constexpr Document kThesis = Document::thesis;
  return {
      {"thesis-size-5", kThesis, "section 5.2.2, p. 45–46",
       "330 variables (55 freedoms, six control points each), 1726 constraints, 244 active, 34.10 s", size},
      {"thesis-figure-5.2", kThesis, "figure 5.2, p. 46",
       "A step of 0.6 m at 1.2 m/s; the knee bends by about 60° in the middle of the swing, the spine stays straight",
       figure_5_2},
      {"thesis-figure-5.3", kThesis, "figure 5.3, p. 47", "Angles of hip, knee and ankle are as in people", figure_5_3},
      {"thesis-figure-5.4", kThesis, "figure 5.4, p. 48",
       "The ground brakes, then pushes; the vertical force has two peaks and carries the body", figure_5_4},
      {"thesis-figure-5.5", kThesis, "figure 5.5, p. 49",
       "Internal forces of hip, knee and ankle go as the vertical ground force in stance", figure_5_5},
  };
}

}  // namespace verne::reproduce
