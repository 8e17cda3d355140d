#include "structures/loop_walk.h"

#include <algorithm>

#include "base/decompositions.h"
#include "structures/closing.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

constexpr int kMostWalkTries = 200;
/// Walks to where quaternions lead that have dependent velocities, too, and what is left then.
constexpr int kMostLeads = 20;
constexpr double kArrived = 1e-12;

class LoopWalk {
 public:
  LoopWalk(const Mechanism::Contents& mechanism, Data<double>& data, LoopSystem<double>& system)
      : c_(mechanism), data_(data), system_(system) {}

  bool to(const Eigen::VectorXd& goal, Eigen::Ref<Eigen::VectorXd> q) {
    const Eigen::VectorXd way = way_to(goal, q);
    Eigen::VectorXd rate = rate_along(way), last = rate;
    double left = 1, step = 1;
    for (int k = 0; k < kMostWalkTries; ++k) {
      step = std::min({step, left, kLongestWalk / std::max(size(rate), kStanding)});
      const Eigen::VectorXd from = q;
      // Where branches cross, the equations do not tell the rate; the way that was taken so far goes on there.
      if (!take(q, rate, step, step >= left ? &goal : nullptr) &&
          !take(q, last, step, step >= left ? &goal : nullptr)) {
        step /= 2;
        continue;
      }
      if (step >= left) return true;
      left -= step;
      last = difference<double>(c_.model, data_, from, q) / step;
      rate = rate_along(way);
      step *= 2;
    }
    return false;
  }

  /// Of what quaternions lead; everything else arrives at once.
  double way_left(const Eigen::VectorXd& goal, const Eigen::VectorXd& q) {
    return c_.partial_v.empty() ? 0 : size(way_to(goal, q));
  }

 private:
  double size(const Eigen::VectorXd& step) const {
    return step.size() == 0 ? 0 : step.cwiseQuotient(c_.column_scale).cwiseAbs().maxCoeff();
  }

  Eigen::VectorXd with_independent(Eigen::VectorXd q, const Eigen::VectorXd& of) const {
    for (const int k : c_.exact_q) q[k] = of[k];
    return q;
  }

  /// Along the independent velocities. What a quaternion that leads has along dependent ones is left to closing.
  Eigen::VectorXd way_to(const Eigen::VectorXd& goal, const Eigen::VectorXd& q) {
    Eigen::VectorXd at = q;
    for (const int k : c_.independent_q) at[k] = goal[k];
    Eigen::VectorXd way = difference<double>(c_.model, data_, q, at);
    for (const int k : c_.dependent) way[k] = 0;
    return way;
  }

  /// Of all coordinates, where the independent ones go along `way`, from the system at q.
  Eigen::VectorXd rate_along(const Eigen::VectorXd& way) const {
    const Eigen::MatrixXd rows = c_.row_scale.asDiagonal() * system_.J;
    const Eigen::VectorXd scale = c_.column_scale(c_.dependent);
    const Eigen::VectorXd found = least_squares(rows(Eigen::all, c_.dependent) * scale.asDiagonal(), rows * -way);
    Eigen::VectorXd rate = way;
    for (std::size_t k = 0; k < c_.dependent.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      rate[c_.dependent[k]] = found[i] * scale[i];
    }
    return rate.allFinite() ? rate : way;
  }

  /// Goes on, unless it leads somewhere else than predicted.
  bool take(Eigen::Ref<Eigen::VectorXd> q, const Eigen::VectorXd& rate, double step, const Eigen::VectorXd* goal) {
    Eigen::VectorXd predicted = integrate<double>(c_.model, data_, q, rate * step);
    if (goal) predicted = with_independent(predicted, *goal);
    Eigen::VectorXd closed = predicted;
    if (close_loops(c_, data_, system_, c_.dependent, closed)) return false;
    if (size(difference<double>(c_.model, data_, predicted, closed)) > kMostBend * size(rate) * step + kStanding) {
      return false;
    }
    q = closed;
    return true;
  }

  const Mechanism::Contents& c_;
  Data<double>& data_;
  LoopSystem<double>& system_;
};

}  // namespace

bool walk_to(const Mechanism::Contents& mechanism, Data<double>& data, LoopSystem<double>& system,
             const Eigen::VectorXd& goal, Eigen::Ref<Eigen::VectorXd> q) {
  if (close_loops(mechanism, data, system, mechanism.dependent, q)) return false;
  LoopWalk walk(mechanism, data, system);
  if (!walk.to(goal, q)) return false;
  // Closing turns what quaternions lead, and with it what is left of the way to them.
  for (int k = 0; k < kMostLeads && walk.way_left(goal, q) > kArrived; ++k) {
    if (!walk.to(goal, q)) return false;
  }
  return true;
}

}  // namespace verne
