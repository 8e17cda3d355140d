#include "kernel_work.h"

#include <cmath>
#include <random>

#include "dynamics/kernels/derivative_algorithms.h"
#include "verne/dynamics/configuration.h"

namespace verne::cli {

/// A number that counts what is done with it.
class Tally {
 public:
  Tally() = default;
  // Implicit, as models' constants meet states in products.
  Tally(double value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  double value() const { return value_; }

  friend Tally operator-(const Tally& a) { return {-a.value_}; }
  friend Tally operator+(const Tally& a, const Tally& b) { return done(a.value_ + b.value_); }
  friend Tally operator-(const Tally& a, const Tally& b) { return done(a.value_ - b.value_); }
  friend Tally operator*(const Tally& a, const Tally& b) { return done(a.value_ * b.value_); }
  friend Tally operator/(const Tally& a, const Tally& b) { return done(a.value_ / b.value_); }
  friend Tally& operator+=(Tally& a, const Tally& b) { return a = a + b; }
  friend Tally& operator-=(Tally& a, const Tally& b) { return a = a - b; }
  friend Tally& operator*=(Tally& a, const Tally& b) { return a = a * b; }

  static Tally done(double value, double operations = 1) {
    count += operations;
    return {value};
  }
  inline static thread_local double count = 0;

 private:
  double value_ = 0;
};

// What kernels ask of a scalar.
namespace {
constexpr double kOfSine = 18, kOfTangent = 30;  // by their polynomials (base/lane_math.h)
}
inline Tally square_root(const Tally& x) {
  return Tally::done(std::sqrt(x.value()));
}
inline bool less(const Tally& a, const Tally& b) {
  return a.value() < b.value();
}
inline Tally select(bool mask, const Tally& a, const Tally& b) {
  return mask ? a : b;
}
inline Tally hyperbolic_tangent(const Tally& x) {
  return Tally::done(std::tanh(x.value()), kOfTangent);
}
inline Trig<Tally> trigonometry(int count, const Tally* q, Scratch<Tally>& scratch, int first = 0) {
  Tally* const sn = scratch.take(count);
  Tally* const cs = scratch.take(count);
  for (int k = first; k < count; ++k) {
    sn[k] = Tally::done(std::sin(q[k].value()), kOfSine), cs[k] = Tally::done(std::cos(q[k].value()), kOfSine);
  }
  return {sn, cs};
}

namespace {

using A = Algorithms<Tally>;
using D = DerivativeAlgorithms<Tally>;

/// A state, results large enough for all, and scratch memory.
struct Bench {
  explicit Bench(const Model& m)
      : model(m),
        nv(m.nv()),
        memory(static_cast<std::size_t>(scratch_size(m.tree()))),
        out(static_cast<std::size_t>(3 * nv * nv + 12 * m.site_count() + 6 * nv)) {
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Eigen::VectorXd random = random_configuration(m, generator);
    q.assign(random.begin(), random.end());
    for (int k = 0; k < nv; ++k) v.emplace_back(uniform(generator)), x.emplace_back(uniform(generator));
  }

  template <class Run>
  double count(Run&& run) {
    Tally::count = 0;
    run(Scratch<Tally>(memory.data(), static_cast<long>(memory.size())));
    return Tally::count;
  }
  Inputs<Tally> inputs() const {
    Inputs<Tally> in;
    in.q = q.data(), in.v = v.data(), in.a = x.data(), in.tau = x.data();
    return in;
  }
  Blocks<Tally> blocks() {
    const auto n = static_cast<std::ptrdiff_t>(nv) * nv;
    return {out.data(), out.data() + n, out.data() + 2 * n, nv};
  }

  const Model& model;
  int nv;
  std::vector<Tally> memory, out, q, v, x;
};

}  // namespace

std::vector<KernelWork> kernel_work(const Model& model) {
  Bench b(model);
  const Tree& tree = model.tree();
  const Inputs<Tally> in = b.inputs();
  Tally* const out = b.out.data();
  const double number = sizeof(double), nq = model.nq(), nv = model.nv(), matrix = nv * nv;
  std::vector<Tally> a(static_cast<std::size_t>(nv));
  using S = Scratch<Tally>;
  const bool invertible = model.joints_without_inertia().empty();
  std::vector<KernelWork> all;
  const auto add = [&](const char* name, double inputs, double outputs, auto&& run) {
    all.push_back({name, b.count(run), number * inputs, number * outputs});
  };
  add("inverse_dynamics", nq + 2 * nv, nv, [&](S s) { A::inverse_dynamics(tree, in, out, nullptr, s); });
  add("mass_matrix", nq, matrix, [&](S s) { A::mass_matrix(tree, in, out, b.nv, s); });
  if (invertible) {
    add("forward_dynamics", nq + 2 * nv, nv, [&](S s) { A::forward_dynamics(tree, in, out, nullptr, s); });
    add("inverse_mass_matrix", nq, matrix, [&](S s) { A::inverse_mass_matrix(tree, in, out, b.nv, s); });
  }
  add("poses", nq, 12.0 * model.site_count(), [&](S s) { A::kinematics(tree, in, out, nullptr, nullptr, s); });
  add("inverse_dynamics_derivatives", nq + 2 * nv, 3 * matrix,
      [&](S s) { D::inverse_dynamics(tree, in, b.blocks(), {}, s); });
  if (invertible) {
    add("forward_dynamics_derivatives", nq + 2 * nv, nv + 3 * matrix,
        [&](S s) { D::forward_dynamics(tree, in, a.data(), b.blocks(), {}, s); });
  }
  return all;
}

}  // namespace verne::cli
