#include "motion/simulation_check.h"

#include <algorithm>
#include <cmath>

#include "verne/dynamics/batch.h"

namespace verne {

namespace {

constexpr int kStepsPerSpan = 64;

/// States (q; v) that run along the spans of a curve, one per span, all at the same fraction of theirs.
class Runners {
 public:
  Runners(const Task& task, const Trajectory& trajectory, std::vector<int> spans)
      : task_(task),
        curve_(trajectory),
        spans_(std::move(spans)),
        nv_(task.model.nv()),
        planned_(task.model, static_cast<int>(spans_.size())),
        moved_(task.model, static_cast<int>(spans_.size())) {}

  /// The plan at a fraction of every span.
  Eigen::MatrixXd plan(double fraction) const {
    Eigen::MatrixXd state(2 * nv_, spans_.size());
    for (std::size_t k = 0; k < spans_.size(); ++k) {
      state.col(k) << curve_.at(Place{spans_[k], fraction}, 0), curve_.at(Place{spans_[k], fraction}, 1);
    }
    return state;
  }

  /// Rate of (q; v) per fraction of a span under the plan's efforts.
  Eigen::MatrixXd rate(double fraction, const Eigen::MatrixXd& state) {
    const int count = static_cast<int>(spans_.size());
    for (int k = 0; k < count; ++k) {
      const Place place{spans_[k], fraction};
      planned_.q.set(k, curve_.at(place, 0));
      planned_.v.set(k, curve_.at(place, 1));
      planned_.a.set(k, curve_.at(place, 2));
    }
    inverse_dynamics(task_.model, planned_);
    for (int k = 0; k < count; ++k) {
      moved_.q.set(k, state.col(k).head(nv_));
      moved_.v.set(k, state.col(k).tail(nv_));
      for (int i = 0; i < nv_; ++i) {
        const Interval& effort = task_.limits.effort[i];
        moved_.tau(i, k) = effort.fixed() ? effort.lower : planned_.tau(i, k);
      }
    }
    forward_dynamics(task_.model, moved_);
    Eigen::MatrixXd rate(2 * nv_, count);
    for (int k = 0; k < count; ++k) {
      const double length = curve_.lengths()[spans_[k]];
      rate.col(k) << state.col(k).tail(nv_) * length, moved_.a.get(k) * length;
    }
    return rate;
  }

  /// Runs from the begin to the end of the spans.
  Eigen::MatrixXd run(Eigen::MatrixXd state) {
    const double h = 1.0 / kStepsPerSpan;
    for (int step = 0; step < kStepsPerSpan; ++step) {
      const double t = step * h;
      const Eigen::MatrixXd k1 = rate(t, state), k2 = rate(t + h / 2, state + h / 2 * k1),
                            k3 = rate(t + h / 2, state + h / 2 * k2), k4 = rate(t + h, state + h * k3);
      state += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return state;
  }

  double distance(const Eigen::MatrixXd& state) const { return (state - plan(1)).topRows(nv_).cwiseAbs().maxCoeff(); }

 private:
  const Task& task_;
  const Trajectory& curve_;
  std::vector<int> spans_;
  int nv_;
  Batch planned_, moved_;
};

}  // namespace

SimulationCheck check_by_simulation(const Task& task, const Trajectory& trajectory) {
  std::vector<int> all;
  for (int s = 0; s < trajectory.basis().spans(); ++s) all.push_back(s);
  Runners spans(task, trajectory, all);
  SimulationCheck check;
  check.drift = spans.distance(spans.run(spans.plan(0)));

  Eigen::MatrixXd state;
  for (const int s : all) {
    Runners one(task, trajectory, {s});
    state = one.run(s == 0 ? one.plan(0) : state);
    const double distance = one.distance(state);
    check.whole_horizon = std::isfinite(distance) ? std::max(check.whole_horizon, distance) : kInfinity;
  }
  return check;
}

}  // namespace verne
