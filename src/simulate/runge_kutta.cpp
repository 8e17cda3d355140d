#include "simulate/runge_kutta.h"

#include <arkode/arkode_butcher.h>
#include <arkode/arkode_erkstep.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "simulate/prince_dormand.h"
#include "simulate/step_events.h"
#include "simulate/sundials_memory.h"

namespace verne {

namespace {

constexpr int kMostErrorTestFailures = 20;
/// Of the time: steps that are not longer are none.
constexpr double kSmallestStep = 8 * std::numeric_limits<double>::epsilon();
/// By which a step is shorter that is tried after one that led nowhere.
constexpr double kShorter = 0.1;
/// Of the stability bound: steps about this long, so many of them with fewer others between, are bounded by it.
constexpr double kNearStability = 0.75;
constexpr int kStiffSteps = 15, kOtherSteps = 6;
/// Parts of a step in which a function that is watched may change its sign and change it back.
constexpr double kLooks[] = {0.25, 0.5, 0.75};

void free_erkstep(void* stepper) {
  ERKStepFree(&stepper);
}

}  // namespace

struct RungeKutta::Memory {
  explicit Memory(OdeProblem& ode)
      : problem(ode),
        context(make_sundials_context()),
        y(require_made(N_VNew_Serial(ode.size, context.get()))),
        looked_at(require_made(N_VNew_Serial(ode.size, context.get()))) {
    N_VConst(0, y.get());
    stepper.reset(require_made(ERKStepCreate(&evaluate, 0, y.get(), context.get())));
    ERKStepSStolerances(stepper.get(), problem.tolerances.relative, problem.tolerances.absolute);
    ERKStepSetUserData(stepper.get(), this);
    set_table();
    ERKStepSetPostprocessStepFn(stepper.get(), &move);
    ERKStepSetInterpolantDegree(stepper.get(), 3);  // more needs further rates
    ERKStepSetMaxErrTestFails(stepper.get(), kMostErrorTestFailures);
    ERKStepSetErrFile(stepper.get(), nullptr);  // what goes wrong is returned, not printed
    start.resize(static_cast<std::size_t>(problem.size));
    last_good = end = start;
    for (Call& call : calls) call.y = call.rate = start;
  }

  void set_table() {
    constexpr int n = PrinceDormand::kStages;
    std::array<double, n> nodes{}, weights{}, embedded{};
    std::array<double, n * n> stages{};
    std::copy_n(PrinceDormand::kNodes, n, nodes.begin());
    std::copy_n(&PrinceDormand::kStageWeights[0][0], n * n, stages.begin());
    std::copy_n(PrinceDormand::kWeights, n, weights.begin());
    std::copy_n(PrinceDormand::kEmbeddedWeights, n, embedded.begin());
    const ARKodeButcherTable table =
        require_made(ARKodeButcherTable_Create(n, PrinceDormand::kOrder, PrinceDormand::kEmbeddedOrder, nodes.data(),
                                               stages.data(), weights.data(), embedded.data()));
    ERKStepSetTable(stepper.get(), table);  // a copy
    ARKodeButcherTable_Free(table);
  }

  static int evaluate(realtype t, N_Vector state, N_Vector rate, void* memory) {
    auto& self = *static_cast<Memory*>(memory);
    const std::span<double> at = entries(state), out = entries(rate);
    const int outcome = self.problem.evaluate(t, at, out);
    std::rotate(self.calls.begin(), self.calls.begin() + 1, self.calls.end());
    Call& call = self.calls.back();
    call.t = t;
    std::copy(at.begin(), at.end(), call.y.begin());
    std::copy(out.begin(), out.end(), call.rate.begin());
    return outcome;
  }

  /// Called in any case: otherwise ERKStep would take the rate of the last stage, which is at the end of the step, for
  /// that of the new state.
  static int move(realtype t, N_Vector state, void* memory) {
    OdeProblem& problem = static_cast<Memory*>(memory)->problem;
    return problem.projection ? problem.project(t, entries(state)) : 0;
  }

  void reset(double at, std::span<const double> from, double first_step) {
    std::copy(from.begin(), from.end(), entries(y.get()).begin());
    ERKStepReset(stepper.get(), at, y.get());
    ERKStepSetInitStep(stepper.get(), first_step);
    t = at;
  }

  double next_step() const {
    double step = 0;
    ERKStepGetCurrentStep(stepper.get(), &step);
    return step;
  }

  /// One step, or less so as to end at `to`. Returns whether one is short enough.
  bool step(double to) {
    const double from = t, smallest = kSmallestStep * std::max(std::abs(from), std::abs(to));
    if (to - from <= smallest) {
      t = to;
      return true;
    }
    const std::span<const double> here = entries(y.get());
    std::copy(here.begin(), here.end(), last_good.begin());
    for (double longest = to - from; longest > smallest;) {
      ERKStepSetStopTime(stepper.get(), to);
      const int outcome = ERKStepEvolve(stepper.get(), to, y.get(), &t, ARK_ONE_STEP);
      problem.rethrow();
      if (outcome >= 0 && is_finite(y.get())) return true;
      const double tried = next_step();  // what failed there may be short enough here
      longest = kShorter * std::min(longest, tried > 0 ? tried : longest);
      reset(from, last_good, longest);
    }
    return false;
  }

  /// What the last step times the largest eigenvalue is about: of the last two stages, which are at the same time.
  double step_times_eigenvalue(double length) const {
    const auto& [a, b, at_end] = calls;
    if (a.t != b.t) return 0;
    double rates = 0, states = 0;
    for (std::size_t i = 0; i < a.y.size(); ++i) {
      rates += (a.rate[i] - b.rate[i]) * (a.rate[i] - b.rate[i]);
      states += (a.y[i] - b.y[i]) * (a.y[i] - b.y[i]);
    }
    return states > 0 ? length * std::sqrt(rates / states) : 0;
  }

  void forget_stiffness() { stiff_steps = other_steps = 0; }
  void judge_stiffness(double from) {
    if (step_times_eigenvalue(t - from) > kNearStability * PrinceDormand::kStability) {
      if (stiff_steps++ == 0) stiff_since = from, rates_before_stiff = problem.rates - PrinceDormand::kStages;
      other_steps = 0;
    } else if (stiff_steps > 0 && ++other_steps == kOtherSteps) {
      forget_stiffness();
    }
  }

  /// Repeats the last step, from `start`, up to a time within it.
  bool go_to(double from, double to, std::span<double> out) {
    reset(from, start, to - from);
    while (t < to) {
      if (!step(to)) return false;
    }
    measure(out);
    return true;
  }
  void measure(std::span<double> out) {
    problem.measure(t, entries(y.get()), out);
    problem.rethrow();
  }

  /// Looks for events in the last step, and goes back to the first one that is seen.
  Outcome look_for_events(double from) {
    const double to = t, next = next_step();
    const std::span<const double> here = entries(y.get());
    std::copy(here.begin(), here.end(), end.begin());
    const StepEvents::Probe probe = [&](double at, std::span<double> out) { return go_to(from, at, out); };
    const auto found = [&](double by) {
      const std::optional<double> at = events.locate(from, by, values, probe);
      if (!at) return Outcome::failed;
      events.tell(values, problem.crossed);
      const std::vector<double> event_state(entries(y.get()).begin(), entries(y.get()).end());
      reset(*at, event_state, next);
      events.begin_step(values);
      return Outcome::event;
    };
    measure(values);
    const std::vector<double> at_end = values;
    for (const double part : kLooks) {
      const double middle = from + part * (to - from);
      if (ERKStepGetDky(stepper.get(), middle, 0, looked_at.get()) < 0) break;
      problem.measure(middle, entries(looked_at.get()), values);
      problem.rethrow();
      if (!events.crossed(values)) continue;
      if (!go_to(from, middle, values)) return Outcome::failed;
      if (events.crossed(values)) return found(middle);
      reset(to, end, next);  // touched at most
      break;
    }
    values = at_end;
    if (events.crossed(values)) return found(to);
    events.begin_step(at_end);
    return Outcome::reached;
  }

  struct Call {
    double t;
    std::vector<double> y, rate;
  };
  OdeProblem& problem;
  SundialsContext context;  // the others need it: freed last
  SundialsVector y, looked_at;
  SundialsOwner<void, free_erkstep> stepper;
  double t = 0;
  long steps = 0;
  std::vector<double> start, end, last_good;
  std::array<Call, 3> calls;  ///< the last ones, latest last
  StepEvents events;
  std::vector<double> values;  ///< of the functions that are watched
  bool is_measured = false;    ///< since the start
  int stiff_steps = 0, other_steps = 0;
  double stiff_since = 0;
  long rates_before_stiff = 0;
};

RungeKutta::RungeKutta(OdeProblem& problem) : memory_(std::make_unique<Memory>(problem)) {}
RungeKutta::~RungeKutta() = default;

void RungeKutta::watch() {
  memory_->events.watch(memory_->problem.directions);
  memory_->values.resize(memory_->events.count());
}

void RungeKutta::start(double t, std::span<const double> y) {
  Memory& m = *memory_;
  std::copy(y.begin(), y.end(), entries(m.y.get()).begin());
  ERKStepReInit(m.stepper.get(), &Memory::evaluate, t, m.y.get());
  ERKStepSetInitStep(m.stepper.get(), 0);
  m.t = t;
  m.is_measured = false;
  m.forget_stiffness();
}

OdeMethod::Outcome RungeKutta::advance(double end, long steps) {
  Memory& m = *memory_;
  if (m.events.any() && !std::exchange(m.is_measured, true)) {
    m.measure(m.values);
    m.events.begin_step(m.values);
  }
  if (m.stiff_steps >= kStiffSteps) m.forget_stiffness();  // somebody was told
  for (long k = 0; k < steps; ++k) {
    const double from = m.t;
    const std::span<const double> here = state();
    std::copy(here.begin(), here.end(), m.start.begin());
    if (!m.step(end)) return Outcome::failed;
    ++m.steps;
    m.judge_stiffness(from);
    if (m.events.any()) {
      const Outcome outcome = m.look_for_events(from);
      if (outcome != Outcome::reached) return outcome;
    }
    if (m.t == end) return Outcome::reached;
    if (m.stiff_steps >= kStiffSteps) break;
  }
  return Outcome::paused;
}

double RungeKutta::cost_of_stiffness() const {
  const Memory& m = *memory_;
  if (m.stiff_steps < kStiffSteps || m.t == m.stiff_since) return 0;
  return static_cast<double>(m.problem.rates - m.rates_before_stiff) / (m.t - m.stiff_since);
}

double RungeKutta::cost_by_stability(double spectral_radius) {
  return PrinceDormand::kStages * spectral_radius / PrinceDormand::kStability;
}

double RungeKutta::time() const {
  return memory_->t;
}
std::span<const double> RungeKutta::state() const {
  return entries(memory_->y.get());
}
long RungeKutta::steps() const {
  return memory_->steps;
}

}  // namespace verne
