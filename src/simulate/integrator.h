/// Ordinary differential equations with error control.
#pragma once

#include <functional>
#include <memory>
#include <span>

namespace verne {

/// y' = f(t, y).
class Integrator {
 public:
  /// Backward differentiation (implicit, for stiff equations, too) and the formulas of Adams have variable order and
  /// step (CVODE). The explicit method of Runge and Kutta has order eight (ERKStep). `automatic` begins with it, and
  /// goes over to backward differentiation where the problem is stiff, and back.
  enum class Formulas { backward, adams, runge_kutta, automatic };
  /// Writes the rate. What it throws comes out of advance(); where it is not finite, a shorter step is tried.
  using Rate = std::function<void(double t, std::span<const double> y, std::span<double> rate)>;
  /// Of the error that one step adds to an entry y_i: relative · |y_i| + absolute.
  struct Tolerances {
    double relative = 1e-10, absolute = 1e-12;
  };

  /// Moves a state that a step ended in to where it must be (loops that are closed, quaternions of length one).
  /// Returns whether that is possible; where it is not, a shorter step is tried.
  using Projection = std::function<bool(double t, std::span<double> y)>;
  /// Writes functions of a state; where one of them changes its sign, an advance() ends.
  using Watched = std::function<void(double t, std::span<const double> y, std::span<double> values)>;
  /// Which changes of sign count.
  enum class Crossing : int { falling = -1, either = 0, rising = 1 };

  /// Whether to go on, at a time that was reached; asked after so many steps of an advance(), which take about as long.
  using Question = std::function<bool(double t)>;
  static constexpr long kImplicitStepsBetween = 100, kExplicitStepsBetween = 10;

  Integrator(int size, Rate rate, const Tolerances& tolerances, Formulas formulas = Formulas::backward);
  ~Integrator();

  /// So many steps of either kind were taken since the beginning.
  struct Steps {
    long of_explicit = 0, of_implicit = 0;
    long all() const { return of_explicit + of_implicit; }
  };

  /// Before the first start().
  void project(Projection projection);
  /// So many functions, from the next start() on; none when `count` is zero. Unless `crossings` is empty, only these
  /// changes of sign count, one for each function. A function that is zero at a start() counts from where it is not.
  void watch(int count, Watched functions, std::span<const Crossing> crossings = {});
  /// Unless somebody is asked, an advance() ends after 20 000 steps: a motion that takes more has gone astray.
  void ask(Question question);

  /// Begins at a time and state; also where the rate jumps, as nothing is remembered from before.
  void start(double t, std::span<const double> y);
  /// Goes on to exactly `t`, and never asks for a rate beyond it. Returns whether it got there; it does not where an
  /// event or too many steps end it before, or where no step is short enough: time() and state() are then the last
  /// that were reached.
  bool advance(double t);
  /// Whether the last advance() ended in an event: at a state behind it, by rounding. For each function that is
  /// watched, whether it crossed zero there and in which direction: −1, 0 or 1.
  bool at_event() const;
  std::span<const int> crossed() const;
  double time() const;
  std::span<const double> state() const;
  Steps steps() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace verne
