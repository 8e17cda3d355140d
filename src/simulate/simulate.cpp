#include "verne/simulate/simulate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "simulate/integrator.h"
#include "simulate/motion_equations.h"
#include "simulate/motion_recorder.h"
#include "simulate/passages.h"

namespace verne {

namespace {

/// By how much loops may be open, or open themselves, at the start.
constexpr double kClosedAtStart = 1e-9;
/// The same where a phase begins: what was planned to close does so nearly, and is moved to where it closes.
constexpr double kClosedAtPhase = 1e-2;
/// Of absolute errors against relative ones.
constexpr double kAbsolutePart = 1e-2;
/// By how much a joint that stops at its limit is beyond it, so that one which starts there is seen to leave.
constexpr double kBeyondLimit = 1e-10;
/// Of the duration: times that differ by less are one that was computed in two ways.
constexpr double kSameStop = 1e-12;
/// Of a simulation: one that takes more makes no progress worth waiting for.
constexpr long kMostStepsOfAll = 10'000'000;
/// What a change of friction counts for among these steps: where it changes, integration starts anew.
constexpr long kStepsPerSwitch = 50;
/// Steps that are shorter than this (s, or part of the time) on average lead nowhere; so do changes of friction.
constexpr double kShortestStep = 1e-10;
constexpr double kShortestSingularStep = 1e-7;  // the same, next to a singularity
constexpr long kStepsToAverage = 1000, kStepsToLook = 100, kSwitchesToAverage = 200;
/// States without accelerations after which a motion is given up: steps towards a singularity become ever shorter.
constexpr int kMostComplaints = 100;

/// How far the position of a joint is from its nearest limit, and which it is; negative beyond it.
struct LimitDistance {
  double distance = kInfinity;
  std::string joint;
};
LimitDistance limit_distance(const Model& model, std::span<const double> q) {
  LimitDistance nearest;
  for (const Joint& joint : model.joints()) {
    if (joint.nq != joint.nv) continue;  // quaternions have none
    for (int k = 0; k < joint.nv; ++k) {
      const DofSpec& dof = model.dofs()[static_cast<std::size_t>(joint.v + k)];
      const double at = q[static_cast<std::size_t>(joint.q + k)], distance = std::min(at - dof.lower, dof.upper - at);
      if (distance < nearest.distance) {
        nearest = {distance, model.dof_names()[static_cast<std::size_t>(joint.v + k)]};
      }
    }
  }
  return nearest;
}

void require_sound(const Mechanism& mechanism, const Values& q, const Values& v, const SimulateOptions& options) {
  const Model& model = mechanism.model();
  if (!(options.duration > 0) || options.samples < 2 || !(options.tolerance > 0)) {
    throw std::invalid_argument("simulate: expected a duration and a tolerance above zero and two samples at least");
  }
  const LimitDistance limit = limit_distance(model, q);
  if (options.stop_at_limits && limit.distance < -kBeyondLimit) {
    throw InputError("the start is beyond a limit: joint '" + limit.joint + "'");
  }
  if (model.loops().empty()) return;
  MechanismData<double> data(mechanism);
  require_closed(mechanism, data, q.eigen(), kClosedAtStart);
  Eigen::VectorXd all_v(model.nv()), all_a(model.nv()), independent(mechanism.mobility());
  for (Eigen::Index k = 0; k < independent.size(); ++k) {
    independent[k] = v[mechanism.independent()[static_cast<std::size_t>(k)]];
  }
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(independent.size());
  closed_motion(mechanism, data, q.eigen(), independent, zero, all_v, all_a);
  Eigen::Index worst = 0;
  const double off = (all_v - v.eigen()).cwiseAbs().maxCoeff(&worst);
  if (off <= kClosedAtStart * std::max(1.0, v.eigen().cwiseAbs().maxCoeff())) return;
  throw InputError("the velocities of the start open a loop or move a contact: " +
                   model.dof_names()[static_cast<std::size_t>(worst)] + fmt::format(" is off by {:.3g}", off));
}

/// The times at which the integration stops, and whether they are samples, jumps, both or none.
struct Stop {
  double time;
  bool sample, jump;
};
std::vector<Stop> stops_of(const SimulateOptions& options) {
  std::vector<Stop> all;
  for (int k = 1; k < options.samples; ++k) {
    const bool last = k + 1 == options.samples;
    all.push_back({last ? options.duration : options.duration * k / (options.samples - 1), true, false});
  }
  const auto add = [&](const std::vector<double>& times, bool jump) {
    for (const double t : times) {
      if (t > 0 && t < options.duration) all.push_back({t, false, jump});
    }
  };
  add(options.jumps, true);
  add(options.prescribed.times, false);
  std::ranges::sort(all, {}, &Stop::time);
  std::vector<Stop> stops;
  for (const Stop& stop : all) {
    if (stops.empty() || stop.time - stops.back().time > kSameStop * options.duration) {
      stops.push_back(stop);
    } else {  // at the later time, at which a jump is over
      stops.back() = {stop.time, stops.back().sample || stop.sample, stops.back().jump || stop.jump};
    }
  }
  return stops;
}

Integrator::Formulas formulas_of(SimulationMethod method) {
  return method == SimulationMethod::automatic       ? Integrator::Formulas::automatic
         : method == SimulationMethod::explicit_only ? Integrator::Formulas::runge_kutta
                                                     : Integrator::Formulas::backward;
}

/// One run, from the start to its end.
class SimulationRun {
 public:
  SimulationRun(const std::vector<SimulationPhase>& phases, const SimulateOptions& options)
      : phases_(phases), options_(options), recorder_(phases, out_) {}

  SimulatedMotion run(const Values& q, const Values& v) {
    make_phase();
    const std::vector<double> y = motion_->state(q, v);
    if (motion_->off_prescribed(0, y) > kClosedAtStart) {
      throw InputError("the start is not that of the prescribed motion");
    }
    begin_phase(0, y);
    recorder_.add(*motion_, 0, integrator_->state());
    out_.end = SimulatedMotion::End::finished;
    for (const Stop& stop : stops_of(options_)) {
      if (reach(stop)) continue;
      end_early();
      break;
    }
    recorder_.finish();
    count_steps();
    out_.passages = passages_.times();
    refuse_worthless();
    return out_;
  }

 private:
  void refuse_worthless() {
    using End = SimulatedMotion::End;
    if (out_.end != End::finished && out_.end != End::limit) return;
    const std::string verdict = recorder_.verdict(options_.tolerance);
    if (!verdict.empty()) out_.end = End::failed, out_.message = verdict;
  }

  void count_steps() {
    if (!integrator_) return;
    out_.explicit_steps += integrator_->steps().of_explicit;
    out_.implicit_steps += integrator_->steps().of_implicit;
  }

  void make_phase() {
    count_steps();
    motion_.emplace(phases_[phase_], options_.prescribed);
    integrator_.emplace(
        motion_->size(),
        [this](double at, std::span<const double> state, std::span<double> rate) { put_rate(at, state, rate); },
        Integrator::Tolerances{options_.tolerance, options_.tolerance * kAbsolutePart}, formulas_of(options_.method));
    if (motion_->constrained()) {
      integrator_->project([this](double at, std::span<double> state) { return project(at, state); });
    }
    watch();
    integrator_->ask([this](double at) { return is_worth_going_on(at); });
  }

  /// Asked every few steps.
  bool is_worth_going_on(double at) {
    const long counted = integrator_->steps().all(), steps = counted - std::exchange(counted_, counted);
    steps_ += steps, averaged_steps_ += steps, looked_steps_ += steps;
    recorder_.see_kinetic_energy(*motion_, integrator_->state());
    if (looked_steps_ >= kStepsToLook) {
      const double way = at - std::exchange(looked_at_, at),
                   least = static_cast<double>(std::exchange(looked_steps_, 0)) * kShortestSingularStep;
      if (motion_->at_singularity() && way < least * std::max(1.0, at)) {
        complaint_ = "the mechanism is singular here, and no way leads on; a rougher tolerance may lead past it";
        return false;
      }
    }
    return wanted(at) && steps_ < kMostStepsOfAll &&
           (averaged_steps_ < kStepsToAverage || goes_on(averaged_, at, std::exchange(averaged_steps_, 0), "steps"));
  }

  /// From a state whose work is zero.
  void begin_phase(double t, const std::vector<double>& y) {
    begin_smooth(t, y);
    recorder_.begin_phase(*motion_, integrator_->state());
  }

  /// Goes on where torques or friction jump: what sticks is decided anew; `crossed` as of the friction's margins.
  void begin_smooth(double t, std::vector<double> y, std::span<const int> crossed = {}) {
    motion_->decide_friction(t, y, crossed);
    passages_.restart(t, y, *motion_);
    integrator_->start(t, y);
    averaged_ = looked_at_ = t;
    averaged_steps_ = looked_steps_ = 0;
    counted_ = integrator_->steps().all();
  }

  /// Limits first, if they end the motion, then friction.
  std::size_t limits_watched() const { return options_.stop_at_limits ? 1 : 0; }
  void watch() {
    const int count = static_cast<int>(limits_watched()) + motion_->friction_events();
    const std::vector<Integrator::Crossing> falling(static_cast<std::size_t>(count), Integrator::Crossing::falling);
    integrator_->watch(
        count,
        [this](double t, std::span<const double> state, std::span<double> values) {
          if (limits_watched() > 0) values[0] = limit_distance(motion_->model(), state).distance + kBeyondLimit;
          motion_->put_friction_margins(t, state, values.subspan(limits_watched()));
        },
        falling);
  }
  bool limit_reached() const {
    return limits_watched() > 0 && integrator_->at_event() && integrator_->crossed()[0] != 0;
  }

  /// Goes on to a time, past all changes of friction. Returns whether it got there.
  bool advance(double t) {
    while (!integrator_->advance(t)) {
      if (!integrator_->at_event() || limit_reached() || !switch_friction()) return false;
      if (t - integrator_->time() <= kSameStop * options_.duration) return true;
    }
    return true;
  }

  /// Joints come to rest or break loose. Returns whether the motion goes on.
  bool switch_friction() {
    const double t = integrator_->time();
    const std::vector<int> crossed(integrator_->crossed().begin() + static_cast<long>(limits_watched()),
                                   integrator_->crossed().end());
    steps_ += kStepsPerSwitch;
    if (!wanted(t) || steps_ >= kMostStepsOfAll) return false;
    if (++switches_ % kSwitchesToAverage == 0 &&
        !goes_on(switched_, t, kSwitchesToAverage,
                 "changes between sticking and slipping of " + motion_->friction_names(crossed))) {
      return false;
    }
    begin_smooth(t, {integrator_->state().begin(), integrator_->state().end()}, crossed);
    return true;
  }

  /// Whether so many of something took the motion on by what is worth it; `from` is when they began, and is moved on.
  bool goes_on(double& from, double t, long count, const std::string& what) {
    const double way = t - std::exchange(from, t);
    if (way > static_cast<double>(count) * kShortestStep * std::max(1.0, t)) return true;
    complaint_ = fmt::format("{} {} took it on by {:.2g} s only", count, what, way);
    return false;
  }

  bool project(double t, std::span<double> y) {
    if (!motion_->project(t, y)) return false;
    passages_.see(t, *motion_);
    return true;
  }

  /// Goes on to the phase of a time. Returns whether it got there.
  bool change_phase(double t) {
    const double same = kSameStop * options_.duration;
    while (phase_ + 1 < phases_.size() && t >= phases_[phase_].end - same) {
      // A stop and an end that rounding sets apart are one time: no step is as short as what is between them.
      const double end = t - phases_[phase_].end > same ? phases_[phase_].end : t;
      if (!advance(end)) return false;
      std::vector<double> y(integrator_->state().begin(), integrator_->state().end());
      recorder_.balance(*motion_, y);
      const std::size_t nq = static_cast<std::size_t>(motion_->model().nq()),
                        nv = static_cast<std::size_t>(motion_->model().nv());
      ++phase_;
      MotionEquations next(phases_[phase_], options_.prescribed);
      y = next.state(std::span(y).first(nq), std::span(y).subspan(nq, nv));
      if (const double opening = next.opening(y);
          opening > kClosedAtPhase || (next.constrained() && !next.project(end, y))) {
        complaint_ = fmt::format("loops or contacts of the next phase are open by {:.3g}", opening);
        return false;
      }
      make_phase();
      begin_phase(end, y);
    }
    return true;
  }

  void put_rate(double t, std::span<const double> y, std::span<double> rate) {
    try {
      motion_->rate(t, y, rate);
    } catch (const InputError& error) {  // a shorter step may go round it
      complaint_ = error.problems().front().text;
      if (++complaints_ > kMostComplaints) throw;
      std::fill(rate.begin(), rate.end(), std::numeric_limits<double>::quiet_NaN());
    }
  }

  bool wanted(double t) {
    interrupted_ = options_.progress && !options_.progress(t);
    return !interrupted_;
  }

  bool reach(const Stop& stop) {
    try {
      if (!wanted(integrator_->time()) || !change_phase(stop.time) || !advance(stop.time)) return false;
      complaint_.clear();
      if (stop.jump) begin_smooth(stop.time, {integrator_->state().begin(), integrator_->state().end()});
      if (stop.sample) recorder_.add(*motion_, stop.time, integrator_->state());
    } catch (const InputError& error) {
      complaint_ = error.problems().front().text;
      return false;
    }
    return true;
  }

  /// Says why, and keeps the last state that was reached.
  void end_early() {
    if (interrupted_) {
      out_.end = SimulatedMotion::End::interrupted, out_.message = "interrupted";
    } else if (limit_reached()) {
      out_.end = SimulatedMotion::End::limit;
      out_.message = "joint '" + limit_distance(motion_->model(), integrator_->state()).joint + "' is at its limit";
    } else {
      out_.end = SimulatedMotion::End::failed;
      out_.message = steps_ >= kMostStepsOfAll ? fmt::format("it takes more than {} steps", kMostStepsOfAll)
                     : complaint_.empty()      ? "no step is short enough"
                                               : complaint_;
    }
    if (!(integrator_->time() > recorder_.last_time())) return;
    try {
      recorder_.add(*motion_, integrator_->time(), integrator_->state());
    } catch (const InputError&) {  // the samples before are what there is
    }
  }

  const std::vector<SimulationPhase>& phases_;
  const SimulateOptions& options_;
  std::size_t phase_ = 0;
  SimulatedMotion out_;
  MotionRecorder recorder_;
  std::optional<MotionEquations> motion_;
  std::optional<Integrator> integrator_;
  std::string complaint_;  ///< of the last state that has no acceleration
  int complaints_ = 0;
  long steps_ = 0, counted_ = 0, averaged_steps_ = 0, looked_steps_ = 0, switches_ = 0;
  double looked_at_ = 0, averaged_ = 0, switched_ = 0;  ///< when the last so many steps, or changes of friction, began
  bool interrupted_ = false;
  Passages passages_;
};

}  // namespace

SimulatedMotion simulate(const Mechanism& mechanism, const Values& q, const Values& v, const TorqueLaw& law,
                         const SimulateOptions& options) {
  return simulate({SimulationPhase{mechanism, law}}, q, v, options);
}

SimulatedMotion simulate(const std::vector<SimulationPhase>& phases, const Values& q, const Values& v,
                         const SimulateOptions& options) {
  if (phases.empty()) throw std::invalid_argument("simulate: there is no phase");
  for (const SimulationPhase& phase : phases) {
    if (phase.mechanism.model().nq() == q.size() && phase.mechanism.model().nv() == v.size()) continue;
    throw std::invalid_argument("simulate: q or v has a wrong size");
  }
  require_sound(phases.front().mechanism, q, v, options);
  return SimulationRun(phases, options).run(q, v);
}

}  // namespace verne
