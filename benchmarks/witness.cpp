#include "witness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verne/dynamics/dynamics.h"
#include "verne/motion/solution.h"

namespace verne::bench {

namespace {

constexpr int kPostureTries = 1000, kSamples = 200;
constexpr double kSpare = 1. / 3;

/// (value − bound) / |bound|, the larger of both sides; −1 where nothing limits.
double excess(double value, double lower, double upper) {
  double worst = -1;
  if (std::isfinite(upper)) worst = std::max(worst, (value - upper) / std::max(std::abs(upper), 1e-9));
  if (std::isfinite(lower)) worst = std::max(worst, (lower - value) / std::max(std::abs(lower), 1e-9));
  return worst;
}

/// Positions are measured in radians and metres: a bound may be zero.
double position_excess(double value, double lower, double upper) {
  return std::max(lower - value, value - upper);
}

bool actuated(const Model& model, int dof) {
  for (const Joint& joint : model.joints()) {
    if (dof >= joint.v && dof < joint.v + joint.nv) return joint.spec.actuated;
  }
  return true;
}

}  // namespace

std::optional<Eigen::VectorXd> random_posture(const Model& model, std::mt19937_64& rng) {
  Data<double> data(model);
  for (int attempt = 0; attempt < kPostureTries; ++attempt) {
    Eigen::VectorXd q(model.nq());
    for (const Joint& joint : model.joints()) {
      for (int k = joint.v; k < joint.v + joint.nv; ++k) {
        const DofSpec& dof = model.dofs()[k];
        const double most = joint.spec.type == JointType::prismatic ? 0.5 : std::numbers::pi;
        q[k] = std::uniform_real_distribution<double>(std::max(dof.lower, -most), std::min(dof.upper, most))(rng);
      }
    }
    const Eigen::VectorXd tau = gravity_torques(model, data, q);
    bool held = true;
    for (int k = 0; k < model.nv(); ++k) {
      const DofSpec& dof = model.dofs()[k];
      held = held && tau[k] >= (1 - kSpare) * dof.effort_lower && tau[k] <= (1 - kSpare) * dof.effort_upper;
    }
    if (held) return q;
  }
  return std::nullopt;
}

double limit_excess(const Model& model, const Trajectory& motion, int samples) {
  const SampledMotion sampled = sample_motion(model, motion, samples);
  const auto q = sampled.q.eigen(), v = sampled.v.eigen(), tau = sampled.tau.eigen();
  double worst = -1;
  for (int k = 0; k < model.nv(); ++k) {
    const DofSpec& dof = model.dofs()[k];
    for (int i = 0; i < samples; ++i) {
      worst =
          std::max({worst, position_excess(q(k, i), dof.lower, dof.upper), excess(v(k, i), -dof.velocity, dof.velocity),
                    excess(tau(k, i), dof.effort_lower, dof.effort_upper)});
    }
  }
  return worst;
}

std::optional<Trajectory> slow_enough(const Model& model, const Eigen::MatrixXd& postures) {
  // Three control points at each end are equal, so that it starts and ends at rest; in between, two at every posture.
  const Eigen::Index inner = postures.cols() - 2;
  Eigen::MatrixXd points(6 + 2 * inner, model.nv());
  for (int k = 0; k < 3; ++k) {
    points.row(k) = postures.col(0).transpose();
    points.row(points.rows() - 1 - k) = postures.rightCols(1).transpose();
  }
  for (Eigen::Index k = 0; k < 2 * inner; ++k) points.row(3 + k) = postures.col(1 + k / 2).transpose();
  const int degree = 5, spans = static_cast<int>(points.rows()) - degree;
  for (double duration = 0.2; duration < 60; duration *= 1.25) {
    Trajectory motion(SplineBasis(degree, spans), Eigen::VectorXd::Constant(spans, duration / spans), points);
    if (limit_excess(model, motion, kSamples) <= 0) return motion;
  }
  return std::nullopt;
}

double passive_effort(const Model& model, const Trajectory& motion, int samples) {
  const SampledMotion sampled = sample_motion(model, motion, samples);
  const auto tau = sampled.tau.eigen();
  double passive = 0;
  for (int k = 0; k < model.nv(); ++k) {
    if (!actuated(model, k)) passive = std::max(passive, tau.row(k).cwiseAbs().maxCoeff());
  }
  return passive == 0 ? 0 : passive / tau.cwiseAbs().maxCoeff();
}

std::optional<Fall> random_fall(const Model& model, const Eigen::VectorXd& top, std::mt19937_64& rng) {
  constexpr int kSteps = 2000, kWaves = 3;
  constexpr double kPart = 0.9, kLeastPush = 0.2;
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(rng); };
  Fall fall{uniform(1, 2), top, Eigen::VectorXd::Zero(model.nv())};
  const int nv = model.nv();
  Eigen::MatrixXd heights(nv, kWaves);
  for (int k = 0; k < nv; ++k) {
    for (int w = 0; w < kWaves; ++w) heights(k, w) = uniform(-1, 1);
    // Pushed at first: from exact rest on top it would not fall.
    heights(k, 0) = std::copysign(std::max(std::abs(heights(k, 0)), kLeastPush), heights(k, 0));
    const double limit = model.dofs()[k].effort_upper;
    heights.row(k) *= actuated(model, k) ? kPart * limit / kWaves : 0;
  }
  Data<double> data(model);
  const auto slope = [&](double time, const Eigen::VectorXd& state) -> Eigen::VectorXd {
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(nv), out(2 * nv);
    for (int w = 0; w < kWaves; ++w) tau += heights.col(w) * std::cos(w * std::numbers::pi * time / fall.duration);
    out << state.tail(nv), forward_dynamics(model, data, state.head(nv), state.tail(nv), tau);
    return out;
  };
  Eigen::VectorXd state(2 * nv);
  state << fall.q, fall.v;
  const double h = fall.duration / kSteps;
  for (int step = 0; step < kSteps; ++step) {  // Runge–Kutta
    const double t = step * h;
    const Eigen::VectorXd k1 = slope(t, state), k2 = slope(t + h / 2, state + h / 2 * k1);
    const Eigen::VectorXd k3 = slope(t + h / 2, state + h / 2 * k2), k4 = slope(t + h, state + h * k3);
    state += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    for (int k = 0; k < nv; ++k) {
      if (std::abs(state[nv + k]) > kPart * model.dofs()[k].velocity) return std::nullopt;
    }
  }
  fall.q = state.head(nv), fall.v = state.tail(nv);
  return fall;
}

}  // namespace verne::bench
