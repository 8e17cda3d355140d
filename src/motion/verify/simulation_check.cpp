#include "motion/verify/simulation_check.h"

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "dynamics/hybrid.h"
#include "motion/terms/task_loads.h"
#include "motion/values/closed_forces.h"
#include "motion/values/ground_forces.h"
#include "simulate/integrator.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

// Well below any drift that matters, and above rounding.
constexpr Integrator::Tolerances kTolerances{1e-11, 1e-13};
constexpr double kAstray = 100;  // so far from the plan a motion has nothing to do with it any more: rad or m

/// Thrown out of an integration that is not to go on.
struct SimulationStopped {};

/// The model's own motion from a planned state under the planned efforts, in one phase.
class Simulation {
 public:
  /// `following`: joints that move as planned, since nothing resists them in this phase.
  Simulation(const Stage& stage, std::span<const int> following, const Trajectory& trajectory,
             const std::function<bool()>& go_on)
      : stage_(stage),
        go_on_(go_on),
        task_(stage.task),
        curve_(trajectory),
        nv_(task_.model.nv()),
        data_(task_.model),
        loads_(loads_of(task_)),
        planned_(task_.model, 1),
        tau_(nv_),
        a_(nv_),
        following_(task_.model, following),
        is_stiff_(task_.mechanism.has_value()),  // drift from closure makes loops so
        integrator_(made(is_stiff_ ? Integrator::Formulas::backward : Integrator::Formulas::adams)) {
    if (task_.mechanism) closed_.emplace(task_);
  }

  /// The planned state at the start of a span.
  Eigen::VectorXd planned(int span) const {
    Eigen::VectorXd state(2 * nv_);
    state << curve_.at(Place{span, 0.0}, 0), curve_.at(Place{span, 0.0}, 1);
    return state;
  }
  /// Goes on from a state to the end of a span. Returns how far from the plan that is.
  double run(int span, Eigen::VectorXd& state) {
    span_ = span;
    bool there = went(state);
    if (!there && !is_stiff_ && !integrator_->at_event()) {
      is_stiff_ = true;  // or leads nowhere
      integrator_ = made(Integrator::Formulas::backward);
      there = went(state);
    }
    if (!there) return kInfinity;
    std::copy(integrator_->state().begin(), integrator_->state().end(), state.begin());
    return distance({span, 1.0}, state.head(nv_));
  }

  /// When the last run ended.
  double reached() const { return curve_.time({span_, integrator_->time()}); }

 private:
  std::unique_ptr<Integrator> made(Integrator::Formulas formulas) {
    const auto rate = [this](double fraction, std::span<const double> state, std::span<double> out) {
      evaluate(fraction, state, out);
    };
    auto integrator = std::make_unique<Integrator>(2 * nv_, rate, kTolerances, formulas);
    integrator->watch(1, [this](double fraction, std::span<const double> state, std::span<double> values) {
      values[0] = kAstray - distance({span_, fraction}, Eigen::Map<const Eigen::VectorXd>(state.data(), nv_));
    });
    return integrator;
  }
  double distance(const Place& place, const Eigen::Ref<const Eigen::VectorXd>& q) const {
    return (q - curve_.at(place, 0)).cwiseAbs().maxCoeff();
  }
  /// Whether it got to the end of the span.
  bool went(const Eigen::VectorXd& state) {
    integrator_->start(0, {state.data(), static_cast<std::size_t>(state.size())});
    return integrator_->advance(1);
  }

  /// Rate of (q; v) per fraction of the span: efforts are smooth within one, and time is as exact for a late one.
  void evaluate(double fraction, std::span<const double> state, std::span<double> rate) {
    if (go_on_ && !go_on_()) throw SimulationStopped();
    const Place place{span_, fraction};
    const double length = curve_.lengths()[span_];
    const Eigen::Map<const Eigen::VectorXd> q(state.data(), nv_), v(state.data() + nv_, nv_);
    const auto write = [&] { Eigen::Map<Eigen::VectorXd>(rate.data(), 2 * nv_) << v * length, a_ * length; };
    if (closed_) {
      closed_->find_efforts(curve_.at(place, 0), curve_.at(place, 1), curve_.at(place, 2));
      for (int i = 0; i < nv_; ++i) set_passive(i, closed_->efforts[i]);
      closed_->accelerate(q, v, a_);
      return write();
    }
    if (task_.ground) stand(place);
    inverse_dynamics<double>(task_.model, data_, curve_.at(place, 0), curve_.at(place, 1), curve_.at(place, 2), tau_,
                             &loads_);
    for (int i = 0; i < nv_; ++i) set_passive(i, tau_[i]);
    for (const Joint& joint : task_.model.joints()) {  // the ground holds up what nothing drives
      if (task_.ground && !joint.spec.actuated) tau_.segment(joint.v, joint.nv).setZero();
    }
    if (task_.model.joints_without_inertia().empty()) {
      forward_dynamics<double>(task_.model, data_, q, v, tau_, a_, &loads_);
    } else {
      a_ = curve_.at(place, 2);
      hybrid_dynamics<double>(task_.model, data_, following_, q, v, a_, tau_, &loads_);
    }
    write();
  }

  /// A passive joint gets exactly its limit, not what the plan needs.
  void set_passive(int dof, double& effort) const {
    const Interval& limit = task_.limits.effort[dof];
    if (limit.fixed()) effort = limit.lower;
  }

  /// The ground does what it does to the planned motion.
  void stand(const Place& place) {
    planned_.q.set(0, curve_.at(place, 0));
    planned_.v.set(0, curve_.at(place, 1));
    planned_.a.set(0, curve_.at(place, 2));
    forward_kinematics(task_.model, planned_);
    const GroundForces forces(stage_, curve_, {place}, planned_);
    loads_ = loads_of(task_);
    forces.add_to(loads_, planned_, 0);
  }

  const Stage& stage_;
  const std::function<bool()>& go_on_;
  const Task& task_;
  const Trajectory& curve_;
  int nv_, span_ = 0;
  Data<double> data_;
  Loads<double> loads_;
  Batch planned_;  // one state
  Eigen::VectorXd tau_, a_;
  GivenAccelerations following_;
  std::optional<ClosedForces> closed_;
  bool is_stiff_;
  std::unique_ptr<Integrator> integrator_;
};

constexpr double kNoDrift = std::numeric_limits<double>::quiet_NaN();

/// Joints that carry no inertia, in all phases.
std::vector<int> never_laden(const std::vector<Stage>& stages) {
  std::vector<int> all;
  for (const int joint : stages.front().task.model.joints_without_inertia()) {
    const auto is_laden = [&](const Stage& stage) {
      return std::ranges::find(stage.task.model.joints_without_inertia(), joint) ==
             stage.task.model.joints_without_inertia().end();
    };
    if (std::ranges::none_of(stages, is_laden)) all.push_back(joint);
  }
  return all;
}

SimulationCheck simulate_all(const std::vector<Stage>& stages, const Trajectory& trajectory,
                             const std::function<bool()>& go_on) {
  SimulationCheck check;
  Eigen::VectorXd carried;  // from span to span
  if (!never_laden(stages).empty()) return {kNoDrift, kNoDrift};
  for (const Stage& stage : stages) {
    Simulation simulation(stage, stage.task.model.joints_without_inertia(), trajectory, go_on);
    if (carried.size() == 0) carried = simulation.planned(0);
    for (int s = stage.spans.first; s < stage.spans.end; ++s) {
      Eigen::VectorXd state = simulation.planned(s);
      check.drift = std::max(check.drift, simulation.run(s, state));
      if (check.whole_horizon < kInfinity) {
        check.whole_horizon = std::max(check.whole_horizon, simulation.run(s, carried));
        if (check.whole_horizon == kInfinity) check.diverges_at = simulation.reached();
      }
    }
  }
  return check;
}

}  // namespace

SimulationCheck check_by_simulation(const std::vector<Stage>& stages, const Trajectory& trajectory,
                                    const std::function<bool()>& go_on) {
  try {
    return simulate_all(stages, trajectory, go_on);
  } catch (const SimulationStopped&) {
    return {kNoDrift, kNoDrift, {}, true};
  }
}

}  // namespace verne
