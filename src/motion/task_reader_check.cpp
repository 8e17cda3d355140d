#include <algorithm>
#include <cmath>

#include "io/number.h"
#include "motion/task_reader.h"

namespace verne {

namespace {

std::string to_text(const Interval& x) {
  if (x.fixed()) return format_number(x.lower);
  return "[" + format_number(x.lower) + ", " + format_number(x.upper) + "]";
}

bool meet(const Interval& a, const Interval& b) {
  return a.lower <= b.upper && b.lower <= a.upper;
}

bool any_bounded(const std::vector<Interval>& intervals) {
  return std::any_of(intervals.begin(), intervals.end(), [](const Interval& x) { return x.bounded(); });
}

bool any_finite(const std::vector<double>& limits) {
  return std::any_of(limits.begin(), limits.end(), [](double x) { return x < kInfinity; });
}

class TaskChecker {
 public:
  TaskChecker(const Task& task, const TaskJoints& joints, const YamlMap& top)
      : task_(task), joints_(joints), top_(top) {}

  void check() const {
    check_state(task_.start, "start");
    check_state(task_.end, "end");
    for (std::size_t i = 0; i < task_.via.size(); ++i) {
      check_state(task_.via[i].state, "via: " + std::to_string(i + 1));
    }
    check_period();
    check_freedom();
    check_degree();
    check_shortest_time();
  }

 private:
  int line_of(const char* key) const {
    const YamlNode* node = top_.find(key);
    return node ? node->line : top_.line();
  }

  void check_state(const StateTask& state, const std::string& which) const {
    check_values(state, state.position, task_.limits.position, which, "position");
    check_values(state, state.velocity, task_.limits.velocity, which, "velocity");
    check_values(state, state.acceleration, task_.limits.acceleration, which, "acceleration");
  }

  void check_values(const StateTask& state, const std::vector<Interval>& values, const std::vector<Interval>& limits,
                    const std::string& which, const std::string& what) const {
    const YamlReader reader = top_.reader("subject_to").inside(which).inside(what);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (meet(values[i], limits[i])) continue;
      reader.error(state.line, in_quotes(joints_.name(i)) + " is " + to_text(values[i]) + ", outside of its limits " +
                                   to_text(limits[i]));
    }
  }

  /// The difference between the ends must be one that the end states allow.
  void check_period() const {
    if (!task_.periodic) return;
    const YamlReader reader = top_.reader("subject_to").inside("periodic");
    for (std::size_t k = 0; k < task_.periodic->dofs.size(); ++k) {
      const auto i = static_cast<std::size_t>(task_.periodic->dofs[k]);
      const auto check = [&](const Interval& start, const Interval& end, double difference, const char* what) {
        constexpr double kRounding = 1e-12;
        const double slack = kRounding * (1 + std::abs(difference));
        const Interval change{end.lower - start.upper, end.upper - start.lower};
        if (meet(change, {difference - slack, difference + slack})) return;
        reader.error(task_.end.line, std::string(what) + " of " + in_quotes(joints_.name(i)) + " goes from " +
                                         to_text(start) + " to " + to_text(end) + ", but must change by " +
                                         format_number(difference));
      };
      check(task_.start.position[i], task_.end.position[i], task_.periodic->difference[k], "position");
      check(task_.start.velocity[i], task_.end.velocity[i], 0, "velocity");
      check(task_.start.acceleration[i], task_.end.acceleration[i], 0, "acceleration");
    }
  }

  /// No joint can meet more conditions than it has control points.
  void check_freedom() const {
    for (std::size_t i = 0; i < joints_.count(); ++i) {
      int conditions = 0;
      const auto count = [&](const StateTask& state) {
        conditions += state.position[i].fixed() + state.velocity[i].fixed() + state.acceleration[i].fixed();
      };
      count(task_.start);
      count(task_.end);
      for (const ViaTask& via : task_.via) count(via.state);
      if (conditions <= task_.curve.control_points) continue;
      top_.reader("trajectory")
          .error(line_of("trajectory"), std::to_string(conditions) + " values of " + in_quotes(joints_.name(i)) +
                                            " are fixed at the start, the end and via points, more than its " +
                                            std::to_string(task_.curve.control_points) + " control points");
    }
  }

  void check_degree() const {
    const auto costs = [&](CostKind kind, int order = 2) {
      return std::any_of(task_.costs.begin(), task_.costs.end(),
                         [&](const CostTask& cost) { return cost.kind == kind && cost.order >= order; });
    };
    const LimitsTask& limits = task_.limits;
    const bool forces = any_bounded(limits.effort) || any_finite(limits.joint_force) ||
                        any_finite(limits.joint_moment) || costs(CostKind::effort) || costs(CostKind::energy) ||
                        costs(CostKind::joint_force);
    const bool jerk = any_bounded(limits.jerk) || costs(CostKind::smoothness, 3);
    const bool acceleration = any_bounded(limits.acceleration) || any_bounded(task_.start.acceleration) ||
                              any_bounded(task_.end.acceleration) || costs(CostKind::smoothness);
    if (task_.curve.degree < 3 && forces) {
      need_degree(3, "limits or costs of efforts and joint forces need an acceleration that does not jump");
    } else if (task_.curve.degree < 3 && jerk) {
      need_degree(3, "limits or costs of jerk need one that is not zero everywhere");
    } else if (task_.curve.degree < 2 && acceleration) {
      need_degree(2, "limits or costs of acceleration need one that is not zero everywhere");
    }
  }

  void need_degree(int degree, const std::string& why) const {
    top_.reader("trajectory")
        .inside("degree")
        .error(line_of("trajectory"), "expected at least " + std::to_string(degree) + ", found " +
                                          std::to_string(task_.curve.degree) + ": " + why);
  }

  bool costs_acceleration(std::size_t dof) const {
    return std::any_of(task_.costs.begin(), task_.costs.end(), [&](const CostTask& cost) {
      const bool grows = cost.kind == CostKind::effort || cost.kind == CostKind::smoothness;
      return grows && cost.weight > 0 && cost.scale[dof] > 0;
    });
  }

  /// Minimum time needs something that bounds the acceleration of every joint that can be driven.
  void check_shortest_time() const {
    const bool hurries = std::any_of(task_.costs.begin(), task_.costs.end(), [](const CostTask& cost) {
      return cost.kind == CostKind::time && cost.weight > 0;
    });
    if (!hurries || task_.duration.bounds.fixed()) return;
    const auto finite = [](const Interval& x) { return x.lower > -kInfinity && x.upper < kInfinity; };
    std::string unlimited;
    for (std::size_t i = 0; i < joints_.count(); ++i) {
      const LimitsTask& limits = task_.limits;
      if (!joints_.actuated(i) || finite(limits.effort[i]) || finite(limits.acceleration[i]) ||
          finite(limits.jerk[i]) || costs_acceleration(i)) {
        continue;
      }
      unlimited += (unlimited.empty() ? "" : ", ") + in_quotes(joints_.name(i));
    }
    if (unlimited.empty()) return;
    top_.reader("minimize")
        .error(line_of("minimize"), "time has no minimum while nothing bounds how hard joints are driven: give " +
                                        unlimited + " a limit of effort, acceleration or jerk");
  }

  const Task& task_;
  const TaskJoints& joints_;
  const YamlMap& top_;
};

}  // namespace

void check_task(const Task& task, const TaskJoints& joints, const YamlMap& top) {
  TaskChecker(task, joints, top).check();
}

}  // namespace verne
