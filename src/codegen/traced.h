/// A scalar that writes down what is done with it: kernels that run on it leave a graph of their arithmetic.
#pragma once

#include "codegen/graph.h"
#include "dynamics/kernels/joint.h"

namespace verne::codegen {

/// The graph that this thread's arithmetic goes into, as long as the object lives.
class Tracing {
 public:
  explicit Tracing(Graph& graph) : before_(current_) { current_ = &graph; }
  ~Tracing() { current_ = before_; }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

  static Graph& graph() { return *current_; }

 private:
  Graph* before_;
  inline static thread_local Graph* current_ = nullptr;
};

/// Trivial, as scratch memory is not initialised: what was not assigned must not be read.
class Traced {
 public:
  Traced() = default;
  // Implicit, as models' constants meet states in products.
  Traced(double known) : term_(Tracing::graph().constant(known)) {}  // NOLINT(google-explicit-constructor)
  explicit Traced(Term term) : term_(term) {}

  Term term() const { return term_; }

  friend Traced operator-(const Traced& a) { return Traced(-a.term_); }
  friend Traced operator+(const Traced& a, const Traced& b) { return Traced(Tracing::graph().sum(a.term_, b.term_)); }
  friend Traced operator-(const Traced& a, const Traced& b) { return Traced(Tracing::graph().sum(a.term_, -b.term_)); }
  friend Traced operator*(const Traced& a, const Traced& b) {
    return Traced(Tracing::graph().product(a.term_, b.term_));
  }
  friend Traced operator/(const Traced& a, const Traced& b) {
    return Traced(Tracing::graph().quotient(a.term_, b.term_));
  }

 private:
  Term term_;
};

// What kernels ask of a scalar besides (base/scalar.h, base/lane_math.h, kernels/joint.h).
inline Traced sin(const Traced& x) {
  return Traced(Tracing::graph().sine(x.term()));
}
inline Traced cos(const Traced& x) {
  return Traced(Tracing::graph().cosine(x.term()));
}
inline Traced square_root(const Traced& x) {
  return Traced(Tracing::graph().square_root(x.term()));
}
inline Traced hyperbolic_tangent(const Traced& x) {
  return Traced(Tracing::graph().tanh(x.term()));
}
inline Traced less(const Traced& a, const Traced& b) {
  return Traced(Tracing::graph().less(a.term(), b.term()));
}
inline Traced select(const Traced& mask, const Traced& a, const Traced& b) {
  return Traced(Tracing::graph().select(mask.term(), a.term(), b.term()));
}
/// Of positions that are no angles too: what nobody reads does not reach the code.
inline Trig<Traced> trigonometry(int count, const Traced* q, Scratch<Traced>& scratch, int first = 0) {
  Traced* const sn = scratch.take(count);
  Traced* const cs = scratch.take(count);
  for (int k = first; k < count; ++k) sn[k] = sin(q[k]), cs[k] = cos(q[k]);
  return {sn, cs};
}

}  // namespace verne::codegen
