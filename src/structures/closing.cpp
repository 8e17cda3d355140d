#include "structures/closing.h"

#include <algorithm>
#include <cmath>

#include "base/decompositions.h"
#include "model/subject.h"
#include "structures/loop_opening.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

constexpr int kMostSteps = 200;
/// Of equations in units of length: what rounding leaves of a closed loop, and what counts as closed.
constexpr double kRounded = 1e-14, kClosed = 1e-11;
/// Radians, or lengths: longer steps leave the branch.
constexpr double kLongestStep = 0.4;
constexpr double kLeastDamping = 1e-3, kMostDamping = 1e12;
/// So many steps that leave more than this part of the opening end at a place where it is least.
constexpr int kMostIdleSteps = 12;
constexpr double kIdle = 0.99;
/// A step that is longer than the gap by this factor follows what tells equations apart by rounding alone; singular
/// values below its inverse are zero then.
constexpr double kSteepestStep = 1e5;
/// Newton's method on the independent equations, from where all of them are nearly closed.
constexpr int kExactSteps = 3;

/// The damped method of docs/theory/loops.md, section 2.
class LoopCloser {
 public:
  LoopCloser(const Mechanism::Contents& mechanism, Data<double>& data, LoopSystem<double>& system,
             std::span<const int> free)
      : c_(mechanism),
        data_(data),
        system_(system),
        free_(free.begin(), free.end()),
        column_scale_(c_.column_scale(free_)),
        zero_(Eigen::VectorXd::Zero(c_.model.nv())),
        opening_(c_.layout, zero_.size()) {}

  void run(Eigen::VectorXd& q) {
    measure(q);
    double damping = 1;
    int idle = 0;
    for (int k = 0; k < kMostSteps && idle < kMostIdleSteps && damping < kMostDamping; ++k) {
      if (r_.lpNorm<Eigen::Infinity>() <= kRounded) break;
      const double size = r_.squaredNorm();
      // Damping that vanishes as |r|² keeps quadratic convergence also where equations are redundant.
      const Eigen::VectorXd trial = moved(q, step(damping * size));
      const Eigen::VectorXd r = r_;
      const Eigen::MatrixXd J = J_;
      measure(trial);
      if (r_.squaredNorm() < size) {
        q = trial;
        damping = std::max(damping / 4, kLeastDamping);
        idle = r_.squaredNorm() > kIdle * size ? idle + 1 : 0;
      } else {
        r_ = r, J_ = J;
        damping *= 8;
      }
    }
    // Where a file was rounded all equations have no common zero; the independent ones have.
    if (c_.slack > 0 && !c_.redundant_rows.empty() && r_.lpNorm<Eigen::Infinity>() > kRounded) close_exactly(q);
    system_.evaluate(c_.model, data_, q, zero_);
  }

 private:
  void measure(const Eigen::VectorXd& q) {
    system_.evaluate(c_.model, data_, q, zero_);
    opening_.measure(c_.layout, system_);
    r_ = c_.row_scale.cwiseProduct(opening_.size);
    J_ = c_.row_scale.asDiagonal() * opening_.J(Eigen::all, free_) * column_scale_.asDiagonal();
  }

  /// The step that minimizes |r + J x|² + damping |x|².
  Eigen::VectorXd step(double damping) const {
    const Eigen::Index m = J_.rows(), n = J_.cols();
    Eigen::MatrixXd stacked = Eigen::MatrixXd::Zero(m + n, n);
    stacked.topRows(m) = J_;
    stacked.bottomRows(n).diagonal().setConstant(std::sqrt(damping));
    Eigen::VectorXd right = Eigen::VectorXd::Zero(m + n);
    right.head(m) = -r_;
    Eigen::VectorXd x = least_squares(stacked, right);
    double longest = x.size() == 0 ? 0 : x.lpNorm<Eigen::Infinity>();
    const double gap = r_.lpNorm<Eigen::Infinity>();
    if (gap < kFileRounding && longest > kSteepestStep * gap) {
      x = least_norm(J_, -r_, 1 / kSteepestStep);
      longest = x.lpNorm<Eigen::Infinity>();
    }
    if (longest > kLongestStep) x *= kLongestStep / longest;
    return x;
  }

  Eigen::VectorXd moved(const Eigen::VectorXd& q, const Eigen::VectorXd& scaled) {
    Eigen::VectorXd whole = zero_;
    for (std::size_t j = 0; j < free_.size(); ++j) {
      const auto i = static_cast<Eigen::Index>(j);
      whole[free_[j]] = scaled[i] * column_scale_[i];
    }
    return integrate(c_.model, data_, q, whole);
  }

  void close_exactly(Eigen::VectorXd& q) {
    for (int k = 0; k < kExactSteps; ++k) {
      q = moved(q, least_norm(J_(c_.rows, Eigen::all), -r_(c_.rows)));
      measure(q);
    }
  }

  const Mechanism::Contents& c_;
  Data<double>& data_;
  LoopSystem<double>& system_;
  std::vector<int> free_;
  Eigen::VectorXd column_scale_, zero_;
  LoopOpening opening_;
  Eigen::VectorXd r_;  ///< the opening, in units of the mechanism's length
  Eigen::MatrixXd J_;
};

}  // namespace

std::optional<Gap> close_loops(const Mechanism::Contents& mechanism, Data<double>& data, LoopSystem<double>& system,
                               std::span<const int> free, Eigen::Ref<Eigen::VectorXd> q) {
  Eigen::VectorXd closed = q;
  LoopCloser(mechanism, data, system, free).run(closed);
  q = closed;
  return widest_gap(mechanism, system, closed_tolerance(mechanism));
}

bool is_closed_but_for_rounding(const Mechanism::Contents& mechanism, const std::optional<Gap>& gap) {
  return !gap || (!gap->mirrored && gap->size * mechanism.row_scale[gap->equation] <= kFileRounding);
}

double closed_tolerance(const Mechanism::Contents& mechanism) {
  return kClosed * std::max(1.0, mechanism.length);
}

std::optional<Gap> widest_gap(const Mechanism::Contents& mechanism, const LoopSystem<double>& system,
                              double tolerance) {
  const LoopLayout& layout = mechanism.layout;
  Eigen::VectorXd beyond = system.phi.cwiseAbs();
  if (!beyond.allFinite()) return Gap{0, kInfinity};
  const auto give = [&](int row) {
    beyond[row] = std::max(0.0, beyond[row] - mechanism.slack / mechanism.row_scale[row]);
  };
  std::ranges::for_each(mechanism.redundant_rows, give);
  Eigen::Index widest = 0;
  if (beyond.size() > 0 && beyond.maxCoeff(&widest) > tolerance) {
    return Gap{static_cast<int>(widest), std::abs(system.phi[widest])};
  }
  for (std::size_t k = 0; k < layout.loops.size(); ++k) {
    for (const LoopPart part : layout.loops[k].directions) {
      if (system.states[k][part][part - kX] < 0) return Gap{layout.loops[k].first, 0, true};
    }
  }
  return std::nullopt;
}

std::string gap_text(const Mechanism::Contents& mechanism, const Gap& gap) {
  const int loop = mechanism.layout.loop_of(gap.equation);
  const LoopSpec& spec = mechanism.model.loops()[static_cast<std::size_t>(loop)];
  const LoopEquation& equation = mechanism.layout.equation(gap.equation);
  const std::string name = "loop '" + spec.name + "' ";
  if (gap.mirrored) return name + "closes only with the axes of a and b in opposite directions";
  return name + "stays open by " + rounded_text(gap.size) + (equation.length ? " m (" : " rad (") + equation.name + ")";
}

}  // namespace verne
