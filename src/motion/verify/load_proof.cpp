#include "motion/verify/load_proof.h"

#include <algorithm>
#include <cmath>

#include "dynamics/motion_enclosure.h"
#include "motion/terms/task_terms.h"

namespace verne {

namespace {

constexpr int kMostHalvings = 6;     // of a span
constexpr int kStretchesOfSpan = 6;  // at most, in the mean
constexpr int kMostSplits = 10;      // of a polynomial, until its hull is as narrow as it need be
constexpr double kRounding = 1e-9;   // of a limit
constexpr int kKinds = 3;

enum class Judgement { kept, open, exceeded };

/// Bernstein coefficients on [−1, 1], whose hull holds the polynomial.
using Hull = std::array<double, TaylorModel::kTerms>;

Hull hull_of(const TaylorModel& x) {
  constexpr int n = TaylorModel::kTerms - 1;
  Hull power{};  // of u = (s + 1) / 2: s^k = (2u − 1)^k, Horner in s
  for (int k = n; k >= 0; --k) {
    for (int j = n; j >= 0; --j) power[j] = (j > 0 ? 2 * power[j - 1] : 0) - power[j];
    power[0] += x.c[k];
  }
  double binomial = 1;  // of n over k
  for (int k = 0; k <= n; ++k) power[k] /= binomial, binomial *= static_cast<double>(n - k) / (k + 1);
  for (int level = 1; level <= n; ++level) {
    for (int k = n; k >= level; --k) power[k] += power[k - 1];
  }
  return power;
}

/// x ≤ upper, by the hull and by halves of it.
Judgement below(const Hull& hull, double rest, double upper, int splits) {
  if (*std::ranges::max_element(hull) + rest <= upper) return Judgement::kept;
  const double ends = std::max(hull.front(), hull.back());
  if (ends - rest > upper) return Judgement::exceeded;
  if (ends + rest > upper || splits == 0) return Judgement::open;
  Hull left{}, right = hull;
  for (std::size_t level = 0; level < hull.size(); ++level) {
    left[level] = right[0];
    for (std::size_t k = 0; k + level + 1 < hull.size(); ++k) right[k] = (right[k] + right[k + 1]) / 2;
  }
  const Judgement first = below(left, rest, upper, splits - 1);
  return first == Judgement::kept ? below(right, rest, upper, splits - 1) : first;
}

Judgement below(const TaylorModel& x, double upper) {
  if (upper == kInfinity || x.upper() <= upper) return Judgement::kept;
  return std::isfinite(x.rest) ? below(hull_of(x), x.rest, upper, kMostSplits) : Judgement::open;
}

/// A limit of a freedom's torque, or of three components of a joint's wrench.
struct Limit {
  int kind;   ///< 0: effort, 1: joint_force, 2: joint_moment
  int index;  ///< freedom or joint
  Interval bounds;

  Judgement judge(const MotionEnclosure& enclosure) const {
    if (kind > 0) {
      const TaylorModel* u = enclosure.wrench(index, 3 * (kind - 1));
      return below(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], bounds.upper * bounds.upper);
    }
    const TaylorModel& tau = enclosure.torque(index);
    return std::max(below(tau, bounds.upper), below(-tau, -bounds.lower));
  }
};

std::vector<Limit> limits_of(const Task& task, double tolerance) {
  std::vector<Limit> limits;
  const auto slack = [&](double bound) { return (tolerance - kRounding) * std::abs(bound); };
  for (std::size_t i = 0; i < task.limits.effort.size(); ++i) {
    const Interval& x = task.limits.effort[i];
    if (!x.bounded() || x.fixed()) continue;  // those that are fixed are equations
    limits.push_back({0, static_cast<int>(i), {x.lower - slack(x.lower), x.upper + slack(x.upper)}});
  }
  for (const auto& [kind, sizes] : {std::pair(1, &task.limits.joint_force), std::pair(2, &task.limits.joint_moment)}) {
    for (std::size_t j = 0; j < sizes->size(); ++j) {
      const double size = (*sizes)[j];
      if (size < kInfinity) limits.push_back({kind, static_cast<int>(j), {-kInfinity, size + slack(size)}});
    }
  }
  return limits;
}

/// A span's coordinates as polynomials of the part u of it that is over: a column for each.
class SpanPolynomials {
 public:
  SpanPolynomials(const Trajectory& curve, int span) : length_(curve.lengths()[span]) {
    const Trajectory piece = curve.piece(span, span + 1);  // its control points are Bernstein's coefficients
    power_ = piece.control_points();
    const Eigen::Index degree = power_.rows() - 1;
    double binomial = 1;  // of degree over k
    for (Eigen::Index level = 1; level <= degree; ++level) {
      for (Eigen::Index k = degree; k >= level; --k) power_.row(k) -= power_.row(k - 1);
    }
    for (Eigen::Index k = 0; k <= degree; ++k) {
      power_.row(k) *= binomial;
      binomial *= static_cast<double>(degree - k) / static_cast<double>(k + 1);
    }
  }

  /// On the stretch of u from middle − half to middle + half.
  void put(double middle, double half, MotionEnclosure& enclosure) const {
    const double rate = 1 / (half * length_);  // of s by time
    std::vector<double> s(static_cast<std::size_t>(power_.rows()));
    for (Eigen::Index i = 0; i < power_.cols(); ++i) {
      std::ranges::copy(power_.col(i), s.begin());
      for (std::size_t level = 0; level + 1 < s.size(); ++level) {  // Horner: powers of u − middle
        for (std::size_t k = s.size() - 1; k-- > level;) s[k] += middle * s[k + 1];
      }
      double scale = 1;
      for (double& term : s) term *= scale, scale *= half;
      const auto at = static_cast<std::size_t>(i);
      enclosure.q[at] = model_of(s), differentiate(s, rate);
      enclosure.v[at] = model_of(s), differentiate(s, rate);
      enclosure.a[at] = model_of(s);
    }
  }

 private:
  static void differentiate(std::vector<double>& s, double rate) {
    for (std::size_t k = 0; k + 1 < s.size(); ++k) s[k] = static_cast<double>(k + 1) * s[k + 1] * rate;
    s.back() = 0;
  }
  static TaylorModel model_of(const std::vector<double>& s) {
    TaylorModel out(0.0);
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (k < TaylorModel::kTerms) {
        out.c[k] = s[k];
      } else {
        out.rest += std::abs(s[k]);
      }
    }
    return out;
  }

  double length_;
  Eigen::MatrixXd power_;
};

}  // namespace

LoadProof prove_loads(const Task& task, const Trajectory& trajectory, const SpanRange& spans, double tolerance) {
  LoadProof proof;
  std::vector<Limit> limits = limits_of(task, tolerance);
  const ChannelLayout channels = channels_of(task, spans, trajectory.lengths());
  const bool is_tree = !channels.mechanism() && !task.ground && channels.nv() == task.model.nv();
  if (limits.empty() || !is_tree || task.model.nq() != task.model.nv()) return proof;
  std::optional<bool>* const shown[kKinds] = {&proof.effort, &proof.joint_force, &proof.joint_moment};
  for (const Limit& limit : limits) *shown[limit.kind] = true;
  const bool wrenches = proof.joint_force || proof.joint_moment;
  MotionEnclosure enclosure(task.model, channels.loads(), wrenches);
  const int most = kStretchesOfSpan * (spans.end - spans.first);

  struct Stretch {
    double middle, half;
    int halvings;
    std::vector<Limit> open;
  };
  for (int span = spans.first; span < spans.end && !limits.empty(); ++span) {
    const SpanPolynomials polynomials(trajectory, span);
    std::vector<Stretch> stretches{{0.5, 0.5, 0, limits}};
    while (!stretches.empty()) {
      const Stretch here = std::move(stretches.back());
      stretches.pop_back();
      polynomials.put(here.middle, here.half, enclosure);
      enclosure.evaluate();
      ++proof.stretches;
      std::vector<Limit> open;
      for (const Limit& limit : here.open) {
        if (!**shown[limit.kind]) continue;
        const Judgement judgement = limit.judge(enclosure);
        if (judgement == Judgement::kept) continue;
        const bool last = here.halvings == kMostHalvings || proof.stretches >= most;
        if (judgement == Judgement::exceeded || last) *shown[limit.kind] = false;
        open.push_back(limit);
      }
      std::erase_if(open, [&](const Limit& limit) { return !**shown[limit.kind]; });
      if (open.empty()) continue;
      for (const double side : {0.5, -0.5}) {
        stretches.push_back({here.middle + side * here.half, here.half / 2, here.halvings + 1, open});
      }
    }
    std::erase_if(limits, [&](const Limit& limit) { return !**shown[limit.kind]; });
  }
  return proof;
}

}  // namespace verne
