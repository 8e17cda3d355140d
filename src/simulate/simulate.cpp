#include "verne/simulate/simulate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "simulate/integrator.h"
#include "simulate/motion_equations.h"

namespace verne {

namespace {

/// By how much loops may be open, or open themselves, at the start.
constexpr double kClosedAtStart = 1e-9;
/// Of absolute errors against relative ones.
constexpr double kAbsolutePart = 1e-2;
/// By how much a joint that stops at its limit is beyond it, so that one which starts there is seen to leave.
constexpr double kBeyondLimit = 1e-10;
/// Of the duration: times that differ by less are one that was computed in two ways.
constexpr double kSameStop = 1e-12;
/// Of a simulation: one that takes more makes no progress worth waiting for.
constexpr long kMostStepsOfAll = 10'000'000;
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

/// Collects what is given out.
class Recorder {
 public:
  Recorder(MotionEquations& motion, SimulatedMotion& out) : motion_(motion), out_(out) {}

  void add(double t, std::span<const double> y) {
    motion_.solve(t, y, true);
    times_.push_back(t);
    append(q_, motion_.q(y)), append(v_, motion_.v(y)), append(a_, motion_.a), append(tau_, motion_.tau);
    append(loops_, motion_.loops.reshaped()), append(joints_, motion_.joints.reshaped());
    const double kinetic = motion_.kinetic_energy(y), potential = motion_.potential_energy(y), work = y.back();
    if (times_.size() == 1) kinetic_ = kinetic, potential_ = potential;
    const double changes[] = {kinetic - kinetic_, potential - potential_, work};
    out_.energy_drift = std::max(out_.energy_drift, std::abs(changes[0] + changes[1] - changes[2]));
    for (const double change : changes) out_.energy_scale = std::max(out_.energy_scale, std::abs(change));
    out_.loop_drift = std::max(out_.loop_drift, motion_.opening(y));
  }

  double last_time() const { return times_.back(); }

  void finish() {
    const auto table = [&](const std::vector<double>& values) {
      const auto columns = static_cast<Eigen::Index>(times_.size());
      return Table(Eigen::Map<const Eigen::MatrixXd>(values.data(), static_cast<Eigen::Index>(values.size()) / columns,
                                                     columns));
    };
    out_.time = times_;
    out_.q = table(q_), out_.v = table(v_), out_.a = table(a_), out_.tau = table(tau_);
    out_.loop_wrenches = table(loops_), out_.joint_wrenches = table(joints_);
  }

 private:
  template <class Column>
  static void append(std::vector<double>& values, const Column& column) {
    values.insert(values.end(), column.begin(), column.end());
  }

  MotionEquations& motion_;
  SimulatedMotion& out_;
  std::vector<double> times_, q_, v_, a_, tau_, loops_, joints_;
  double kinetic_ = 0, potential_ = 0;
};

void require_sound(const Mechanism& mechanism, const Values& q, const Values& v, const SimulateOptions& options) {
  const Model& model = mechanism.model();
  if (q.size() != model.nq() || v.size() != model.nv())
    throw std::invalid_argument("simulate: q or v has a wrong size");
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

/// One run, from the start to its end.
class SimulationRun {
 public:
  SimulationRun(const Mechanism& mechanism, const TorqueLaw& law, const SimulateOptions& options)
      : model_(mechanism.model()),
        options_(options),
        motion_(mechanism, law, options.prescribed),
        recorder_(motion_, out_),
        integrator_(motion_.size(),
                    [this](double t, std::span<const double> y, std::span<double> rate) { put_rate(t, y, rate); },
                    {options.tolerance, options.tolerance * kAbsolutePart}) {
    if (motion_.constrained()) {
      integrator_.project([this](double t, std::span<double> y) { return motion_.project(t, y); });
    }
    if (options.stop_at_limits) {
      integrator_.watch(
          [this](double, std::span<const double> y) { return limit_distance(model_, y).distance + kBeyondLimit; });
    }
    integrator_.ask([this](double t) {
      steps_ += Integrator::kStepsBetween;
      return wanted(t) && steps_ < kMostStepsOfAll;
    });
  }

  SimulatedMotion run(const Values& q, const Values& v) {
    std::vector<double> y(q.begin(), q.end());
    y.insert(y.end(), v.begin(), v.end());
    y.push_back(0);
    if (motion_.off_prescribed(0, y) > kClosedAtStart) {
      throw InputError("the start is not that of the prescribed motion");
    }
    integrator_.start(0, y);
    recorder_.add(0, y);
    out_.end = SimulatedMotion::End::finished;
    for (const Stop& stop : stops_of(options_)) {
      if (reach(stop)) continue;
      end_early();
      break;
    }
    recorder_.finish();
    return out_;
  }

 private:
  void put_rate(double t, std::span<const double> y, std::span<double> rate) {
    try {
      motion_.rate(t, y, rate);
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
      if (!wanted(integrator_.time()) || !integrator_.advance(stop.time)) return false;
      complaint_.clear();
      if (stop.sample) recorder_.add(stop.time, integrator_.state());
    } catch (const InputError& error) {
      complaint_ = error.problems().front().text;
      return false;
    }
    const std::vector<double> y(integrator_.state().begin(), integrator_.state().end());
    if (stop.jump) integrator_.start(stop.time, y);
    return true;
  }

  /// Says why, and keeps the last state that was reached.
  void end_early() {
    if (interrupted_) {
      out_.end = SimulatedMotion::End::interrupted, out_.message = "interrupted";
    } else if (integrator_.at_event()) {
      out_.end = SimulatedMotion::End::limit;
      out_.message = "joint '" + limit_distance(model_, integrator_.state()).joint + "' is at its limit";
    } else {
      out_.end = SimulatedMotion::End::failed;
      out_.message = steps_ >= kMostStepsOfAll ? fmt::format("it takes more than {} steps", kMostStepsOfAll)
                     : complaint_.empty()      ? "no step is short enough"
                                               : complaint_;
    }
    if (!(integrator_.time() > recorder_.last_time())) return;
    try {
      recorder_.add(integrator_.time(), integrator_.state());
    } catch (const InputError&) {  // the samples before are what there is
    }
  }

  const Model& model_;
  const SimulateOptions& options_;
  SimulatedMotion out_;
  MotionEquations motion_;
  Recorder recorder_;
  Integrator integrator_;
  std::string complaint_;  ///< of the last state that has no acceleration
  int complaints_ = 0;
  long steps_ = 0;
  bool interrupted_ = false;
};

}  // namespace

SimulatedMotion simulate(const Mechanism& mechanism, const Values& q, const Values& v, const TorqueLaw& law,
                         const SimulateOptions& options) {
  require_sound(mechanism, q, v, options);
  return SimulationRun(mechanism, law, options).run(q, v);
}

}  // namespace verne
