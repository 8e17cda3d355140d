#include "simulate/integrator.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "simulate/multistep.h"
#include "simulate/runge_kutta.h"

namespace verne {

namespace {

constexpr long kMostStepsUnasked = 20000;  // of one advance(), unless somebody decides
/// Implicit steps between two questions whether explicit ones would do: these at first, then twice as many, up to most.
constexpr long kFirstTrial = 100, kLongestTrial = 3200;
/// By which explicit steps must be cheaper than implicit ones to be worth a change.
constexpr double kWorthChanging = 2;
/// What is left of the cost of implicit steps after each question whether it was worth less: problems change.
constexpr double kRemembered = 0.98;

}  // namespace

struct Integrator::Memory {
  Memory(int size, Rate rate, const Tolerances& tolerances, Formulas formulas)
      : problem{size, tolerances, std::move(rate)} {
    using enum Formulas;
    if (formulas == runge_kutta || formulas == automatic) explicit_method = std::make_unique<RungeKutta>(problem);
    if (formulas != runge_kutta) {
      implicit_method = std::make_unique<Multistep>(
          problem, formulas == adams ? Multistep::Formulas::adams : Multistep::Formulas::backward);
    }
    if (explicit_method) {
      active = explicit_method.get();
    } else {
      active = implicit_method.get();
    }
  }

  long steps_between() const { return active == explicit_method.get() ? kExplicitStepsBetween : kImplicitStepsBetween; }

  void change_to(OdeMethod& method) {
    const std::vector<double> y(active->state().begin(), active->state().end());
    method.start(active->time(), y);
    active = &method;
  }

  /// The cheaper method from here on, as far as can be seen: implicit steps are tried where stability bounds explicit
  /// ones.
  void choose() {
    if (!explicit_method || !implicit_method) return;
    if (active == explicit_method.get()) {
      const double cost = explicit_method->cost_of_stiffness();
      if (cost == 0) return;
      if (cost <= std::exchange(implicit_cost, implicit_cost * kRemembered)) return;
      change_to(*implicit_method);
      start_trial(kFirstTrial);
    } else if (implicit_method->steps() - trial_steps >= trial && active->time() > trial_start) {
      implicit_cost = cost_of_trial();
      const double radius = spectral_radius(problem, active->time(), active->state());
      if (kWorthChanging * RungeKutta::cost_by_stability(radius) < implicit_cost) {
        change_to(*explicit_method);
      } else {
        start_trial(std::min(2 * trial, kLongestTrial));
      }
    }
  }
  void start_trial(long steps) {
    trial = steps, trial_steps = implicit_method->steps(), trial_rates = problem.rates, trial_start = active->time();
    is_whole = true;
  }
  /// Rates per unit of time; short first steps count only if there will be more of them.
  double cost_of_trial() const {
    const double rates = static_cast<double>(problem.rates - trial_rates),
                 mean = rates / (active->time() - trial_start);
    if (!is_whole) return mean;
    return std::min(
        mean, rates / (static_cast<double>(implicit_method->steps() - trial_steps) * implicit_method->next_step()));
  }

  OdeProblem problem;
  std::unique_ptr<RungeKutta> explicit_method;
  std::unique_ptr<Multistep> implicit_method;
  OdeMethod* active = nullptr;
  Question question;
  bool at_event = false;
  double implicit_cost = 0;  ///< rates per unit of time, as it was last, or 0
  long trial = 0, trial_steps = 0, trial_rates = 0;
  double trial_start = 0;
  bool is_whole = true;  ///< the trial, without a start within it
};

Integrator::Integrator(int size, Rate rate, const Tolerances& tolerances, Formulas formulas)
    : memory_(std::make_unique<Memory>(size, std::move(rate), tolerances, formulas)) {}
Integrator::~Integrator() = default;

void Integrator::project(Projection projection) {
  memory_->problem.projection = std::move(projection);
  if (memory_->implicit_method) memory_->implicit_method->project();
}

void Integrator::watch(int count, Watched functions, std::span<const Crossing> crossings) {
  OdeProblem& problem = memory_->problem;
  problem.watched = std::move(functions);
  problem.crossed.assign(static_cast<std::size_t>(count), 0);
  problem.directions.assign(problem.crossed.size(), Crossing::either);
  for (std::size_t k = 0; k < crossings.size(); ++k) problem.directions.at(k) = crossings[k];
  if (memory_->explicit_method) memory_->explicit_method->watch();
  if (memory_->implicit_method) memory_->implicit_method->watch();
}

void Integrator::ask(Question question) {
  memory_->question = std::move(question);
}

void Integrator::start(double t, std::span<const double> y) {
  memory_->is_whole = false;
  memory_->active->start(t, y);
}

bool Integrator::advance(double t) {
  using Outcome = OdeMethod::Outcome;
  Memory& m = *memory_;
  m.at_event = false;
  std::fill(m.problem.crossed.begin(), m.problem.crossed.end(), 0);
  if (t == time()) return true;
  const long start = steps().all();
  for (long asked_at = start;;) {
    const long next = asked_at + m.steps_between();
    const Outcome outcome = m.active->advance(t, std::max(1L, next - steps().all()));
    m.at_event = outcome == Outcome::event;
    if (outcome == Outcome::failed) return false;
    m.choose();
    if (outcome != Outcome::paused) return outcome == Outcome::reached;
    if (steps().all() < next) continue;
    asked_at = steps().all();
    if (!(m.question ? m.question(time()) : asked_at - start < kMostStepsUnasked)) return false;
  }
}

bool Integrator::at_event() const {
  return memory_->at_event;
}
std::span<const int> Integrator::crossed() const {
  return memory_->problem.crossed;
}
double Integrator::time() const {
  return memory_->active->time();
}
std::span<const double> Integrator::state() const {
  return memory_->active->state();
}
Integrator::Steps Integrator::steps() const {
  Steps steps;
  if (memory_->explicit_method) steps.of_explicit = memory_->explicit_method->steps();
  if (memory_->implicit_method) steps.of_implicit = memory_->implicit_method->steps();
  return steps;
}

}  // namespace verne
