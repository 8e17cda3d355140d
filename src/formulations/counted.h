/// A scalar that counts the operations done with it.
///
/// Papers count the multiplications and additions that are left when what is known beforehand has been worked out: so
/// does this. A number made from a double is known; what is computed from known numbers alone costs nothing, nor do
/// multiplying by a known 0, 1 or −1, adding a known 0, and changing a sign. Known numbers that cancel but for rounding
/// give a known 0. Divisions count as multiplications. Sines
/// and cosines are counted apart, since papers leave them out.
#pragma once

#include <cmath>

namespace verne::formulations {

struct OperationCount {
  long multiplications = 0, additions = 0, trigonometric = 0;
  bool operator==(const OperationCount&) const = default;
};

class Counted {
 public:
  Counted() = default;
  // Implicit, as models' constants meet states in products.
  Counted(double known) : value_(known) {}  // NOLINT(google-explicit-constructor)
  /// A number that is not known beforehand: a part of the state.
  static Counted variable(double value) {
    Counted x(value);
    x.known_ = false;
    return x;
  }
  double value() const { return value_; }

  friend Counted operator-(const Counted& a) { return made(-a.value_, a.known_); }
  friend Counted operator+(const Counted& a, const Counted& b) {
    if (a.is(0)) return b;
    if (b.is(0)) return a;
    const double sum = a.value_ + b.value_;
    if (a.known_ && b.known_ && std::abs(sum) < kRounding * std::abs(a.value_)) return Counted(0);
    return counted(a, b, sum, total_.additions);
  }
  friend Counted operator-(const Counted& a, const Counted& b) { return a + -b; }
  friend Counted operator*(const Counted& a, const Counted& b) {
    if (a.is(0) || b.is(0)) return Counted(0);
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    if (a.is(-1)) return -b;
    if (b.is(-1)) return -a;
    return counted(a, b, a.value_ * b.value_, total_.multiplications);
  }
  friend Counted operator/(const Counted& a, const Counted& b) {
    if (a.is(0)) return a;
    if (b.is(1)) return a;
    return counted(a, b, a.value_ / b.value_, total_.multiplications);
  }
  friend Counted sin(const Counted& a) { return trigonometric(a, std::sin(a.value_)); }
  friend Counted cos(const Counted& a) { return trigonometric(a, std::cos(a.value_)); }
  friend Counted tanh(const Counted& a) { return trigonometric(a, std::tanh(a.value_)); }

  /// What `work()` costs.
  template <class Work>
  static OperationCount count(Work&& work) {
    total_ = {};
    work();
    return total_;
  }

 private:
  bool is(double x) const { return known_ && value_ == x; }
  static Counted made(double value, bool known) { return known ? Counted(value) : variable(value); }
  static Counted counted(const Counted& a, const Counted& b, double value, long& counter) {
    const bool known = a.known_ && b.known_;
    if (!known) ++counter;
    return made(value, known);
  }
  static Counted trigonometric(const Counted& a, double value) {
    if (!a.known_) ++total_.trigonometric;
    return made(value, a.known_);
  }

  static constexpr double kRounding = 1e-14;

  double value_ = 0;
  bool known_ = true;
  inline static thread_local OperationCount total_;
};

}  // namespace verne::formulations
