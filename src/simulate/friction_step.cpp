#include "simulate/friction_step.h"

#include <algorithm>
#include <cmath>

#include "base/decompositions.h"
#include "verne/base/error.h"

namespace verne {

namespace {

/// Accelerations below this part of the summands they come from are rounding.
constexpr double kAccelerationRounding = 1e-12;
/// The same for all: of the largest acceleration.
constexpr double kAccelerationNoise = 1e-13;
/// What the others leave of W_kk, as a part of it: below, joint k is tied to them (its square root is an angle's sine).
constexpr double kTiedFriction = 1e-10;

/// The minimum of ½ fᵀ W f − unresistedᵀ f within the bounds, whose gradient is −a: an active-set method on faces of
/// the box, each with W positive among the joints that are free in it.
class BoxedFriction {
 public:
  BoxedFriction(const Eigen::MatrixXd& W, const Eigen::VectorXd& unresisted, const Eigen::VectorXd& bound)
      : W_(W),
        unresisted_(unresisted),
        bound_(bound),
        f_(Eigen::VectorXd::Zero(bound.size())),
        a_(unresisted),
        noise_((unresisted.cwiseAbs() + W.cwiseAbs() * bound) * kAccelerationRounding) {
    if (unresisted.size() > 0) noise_.array() += kAccelerationNoise * unresisted.cwiseAbs().maxCoeff();
  }

  FrictionStep solve(const std::vector<char>& broke_loose) {
    // Each round ends in the least value of another face, below all before: there are finitely many. The bound is for
    // rounding alone.
    const long most = 1000 + 100 * static_cast<long>(f_.size());
    for (long round = 0; round < most; ++round) {
      const int next = most_violated();
      if (next < 0) {
        hold_the_rest(broke_loose);
        return {f_, directions(broke_loose), free_};
      }
      let_in(next);
      minimize_on_face();
    }
    throw InputError("rounding hides which joints friction holds");
  }

 private:
  bool is_free(int k) const { return std::find(free_.begin(), free_.end(), k) != free_.end(); }

  /// By how much the acceleration of a joint wants its friction to change, and can have it.
  double violation(int k) const {
    if (is_free(k) || std::abs(a_[k]) <= noise_[k]) return 0;
    if (a_[k] > 0 ? f_[k] >= bound_[k] : f_[k] <= -bound_[k]) return 0;
    return std::abs(a_[k]) * bound_[k];
  }
  int most_violated() const {
    int next = -1;
    double most = 0;
    for (int k = 0; k < f_.size(); ++k) {
      const double by = violation(k);
      if (by > most) most = by, next = k;
    }
    return next;
  }

  /// How the free frictions answer to that of k so that their joints stay without acceleration; and what k then feels
  /// of its own. Returns whether k is not tied to them.
  bool answer_to(int k, Eigen::VectorXd& answer) const {
    answer = free_.empty() ? Eigen::VectorXd()
                           : Eigen::VectorXd(-positive_solution(W_(free_, free_), W_(free_, std::vector<int>{k})));
    double own = W_(k, k);
    for (std::size_t i = 0; i < free_.size(); ++i) own += W_(k, free_[i]) * answer[static_cast<Eigen::Index>(i)];
    return own > kTiedFriction * W_(k, k);
  }

  void let_in(int k) {
    Eigen::VectorXd answer;
    if (answer_to(k, answer)) {
      free_.push_back(k);
      return;
    }
    // Nothing bends the value on this way: down to the first bound.
    const double way = a_[k] > 0 ? 1 : -1;
    double length = bound_[k] - way * f_[k];
    int first = -1;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const double change = way * answer[static_cast<Eigen::Index>(i)];
      const int j = free_[i];
      const double room = change > 0 ? (bound_[j] - f_[j]) / change : change < 0 ? (-bound_[j] - f_[j]) / change : 0;
      if (change != 0 && room < length) length = std::max(room, 0.0), first = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < free_.size(); ++i) f_[free_[i]] += length * way * answer[static_cast<Eigen::Index>(i)];
    f_[k] += length * way;
    if (first < 0) {
      f_[k] = way * bound_[k];
    } else {
      const int j = free_[static_cast<std::size_t>(first)];
      f_[j] = std::copysign(bound_[j], way * answer[first]);
      free_[static_cast<std::size_t>(first)] = k;  // j took part in the tie: W is positive without it
    }
  }

  /// Friction that leaves the free joints without acceleration; those whose bound is in the way become fixed at it.
  void minimize_on_face() {
    while (true) {
      a_ = unresisted_ - W_ * f_;
      if (free_.empty()) return;
      const Eigen::VectorXd step = positive_solution(W_(free_, free_), a_(free_));
      double part = 1;
      int first = -1;
      for (std::size_t i = 0; i < free_.size(); ++i) {
        const int j = free_[i];
        const double change = step[static_cast<Eigen::Index>(i)], end = std::copysign(bound_[j], change);
        if ((end - f_[j]) / change < part) part = std::max(0.0, (end - f_[j]) / change), first = static_cast<int>(i);
      }
      for (std::size_t i = 0; i < free_.size(); ++i) f_[free_[i]] += part * step[static_cast<Eigen::Index>(i)];
      if (first < 0) break;
      const int j = free_[static_cast<std::size_t>(first)];
      f_[j] = std::copysign(bound_[j], step[first]);
      free_.erase(free_.begin() + first);
    }
    a_ = unresisted_ - W_ * f_;
  }

  /// What does not accelerate with the friction that it has is held, too, unless it is tied.
  void hold_the_rest(const std::vector<char>& broke_loose) {
    Eigen::VectorXd answer;
    for (const bool at_bound : {false, true}) {
      for (int k = 0; k < f_.size(); ++k) {
        const bool is_at_bound = std::abs(f_[k]) >= bound_[k];
        if (is_at_bound != at_bound || is_free(k) || std::abs(a_[k]) > noise_[k]) continue;
        if (is_at_bound && broke_loose[static_cast<std::size_t>(k)]) continue;
        if (answer_to(k, answer)) free_.push_back(k);
      }
    }
    std::sort(free_.begin(), free_.end());
  }

  std::vector<int> directions(const std::vector<char>& broke_loose) const {
    std::vector<int> signs(broke_loose.size(), 0);
    for (int k = 0; k < f_.size(); ++k) {
      const auto i = static_cast<std::size_t>(k);
      const bool moves = !is_free(k) && (broke_loose[i] || std::abs(a_[k]) > noise_[k]);
      if (moves && std::abs(f_[k]) >= bound_[k] && a_[k] * f_[k] > 0) signs[i] = f_[k] > 0 ? 1 : -1;
    }
    return signs;
  }

  const Eigen::MatrixXd& W_;
  const Eigen::VectorXd &unresisted_, &bound_;
  Eigen::VectorXd f_, a_, noise_;
  std::vector<int> free_;
};

}  // namespace

FrictionStep solve_friction(const Eigen::MatrixXd& W, const Eigen::VectorXd& unresisted, const Eigen::VectorXd& bound,
                            const std::vector<char>& broke_loose) {
  return BoxedFriction(W, unresisted, bound).solve(broke_loose);
}

}  // namespace verne
