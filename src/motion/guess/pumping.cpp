#include "motion/guess/pumping.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "motion/terms/task_loads.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

constexpr double kLess = 0.97;               // effort from one try to the next
constexpr double kLeastPart = 0.02;          // of the effort
constexpr int kMostHalves = 80;              // of a swing
constexpr int kStepsOfHalf = 400;            // at most, on the average
constexpr double kStepOfWay = 0.02;          // of the time that the way takes with the largest acceleration
constexpr double kHolding = 0.2;             // 1/step: how quickly other freedoms go back where they are to be
constexpr double kOtherWay = 1.2;            // times the way, to the other side
constexpr std::size_t kNumbersOfHalves = 3;  // of swings, by the number of halves, to each side

/// A model whose drives do what they can: one of them pushes, the others hold a posture.
class Drives {
 public:
  Drives(const Task& task, int pushing)
      : model_(task.model),
        pushing_(pushing),
        limits_(task.limits.effort),
        data_(task.model),
        loads_(loads_of(task)),
        wish_(task.model.nv()),
        tau_(task.model.nv()),
        a_(task.model.nv()) {}

  /// Of all freedoms, where one is driven by `tau` and the others, as far as their limits allow, are brought back to a
  /// posture, as quickly as a critically damped oscillator of this frequency, 1/s.
  const Eigen::VectorXd& accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double tau,
                                       const Eigen::VectorXd& posture, double frequency) {
    wish_ = frequency * frequency * (posture - q) - 2 * frequency * v;
    wish_[pushing_] = 0;
    inverse_dynamics<double>(model_, data_, q, v, wish_, tau_, &loads_);
    for (Eigen::Index i = 0; i < tau_.size(); ++i) tau_[i] = std::clamp(tau_[i], limits_[i].lower, limits_[i].upper);
    tau_[pushing_] = tau;
    forward_dynamics<double>(model_, data_, q, v, tau_, a_, &loads_);
    return a_;
  }

 private:
  const Model& model_;
  int pushing_;
  const std::vector<Interval>& limits_;
  Data<double> data_;
  Loads<double> loads_;
  Eigen::VectorXd wish_, tau_, a_;
};

class Pump {
 public:
  Pump(const Task& task, int dof, const Eigen::VectorXd& from, const Eigen::VectorXd& to, double longest)
      : dof_(dof),
        limits_(task.limits.effort[dof]),
        range_(task.limits.position[dof]),
        drives_(task, dof),
        from_(from),
        to_(to),
        way_(to[dof] - from[dof]),
        longest_(longest) {
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(from.size());
    double fastest = 0;
    for (int k = 0; k <= 8; ++k) {
      const Eigen::VectorXd q = from + (to - from) * k / 8;
      for (const double tau : {limits_.lower, limits_.upper}) {
        fastest = std::max(fastest, std::abs(drives_.accelerations(q, rest, tau, q, 0)[dof]));
      }
    }
    step_ = kStepOfWay * std::sqrt(std::abs(way_) / fastest);
  }

  /// `side`: where it is pushed first, 1 or −1. Nothing where that does not lead there.
  std::optional<Swing> swing(double part, double side) {
    Swing swing{step_, {from_}, 1, part};
    Eigen::VectorXd q = from_, v = Eigen::VectorXd::Zero(q.size());
    was_too_slow_ = false;
    while (static_cast<int>(swing.q.size()) < kStepsOfHalf * kMostHalves && swing.halves <= kMostHalves &&
           swing.duration() <= longest_) {
      const double along = v[dof_] != 0 ? v[dof_] : side, before = v[dof_];
      advance(q, v, part * (along > 0 ? limits_.upper : limits_.lower));
      swing.q.push_back(q);
      if (before * v[dof_] < 0) ++swing.halves, side = -side;
      const double there = progress(q);
      if (there >= 1) return swing;
      if (!(there > -kOtherWay) || q[dof_] < range_.lower || q[dof_] > range_.upper) return std::nullopt;
    }
    was_too_slow_ = true;
    return std::nullopt;
  }
  /// Why the last one led nowhere.
  bool was_too_slow() const { return was_too_slow_; }

 private:
  /// 1: there.
  double progress(const Eigen::VectorXd& q) const { return (q[dof_] - from_[dof_]) / way_; }

  /// Runge and Kutta's step of fourth order.
  void advance(Eigen::VectorXd& q, Eigen::VectorXd& v, double tau) {
    const double h = step_;
    const Eigen::VectorXd posture = from_ + std::clamp(progress(q), 0.0, 1.0) * (to_ - from_);
    const auto at = [&](const Eigen::VectorXd& q_at, const Eigen::VectorXd& v_at) -> const Eigen::VectorXd& {
      return drives_.accelerations(q_at, v_at, tau, posture, kHolding / step_);
    };
    const Eigen::VectorXd a1 = at(q, v);
    const Eigen::VectorXd v2 = v + h / 2 * a1, a2 = at(q + h / 2 * v, v2);
    const Eigen::VectorXd v3 = v + h / 2 * a2, a3 = at(q + h / 2 * v2, v3);
    const Eigen::VectorXd v4 = v + h * a3, a4 = at(q + h * v3, v4);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }

  int dof_;
  Interval limits_, range_;
  Drives drives_;
  Eigen::VectorXd from_, to_;
  double way_, longest_, step_ = 0;
  bool was_too_slow_ = false;
};

}  // namespace

std::vector<Swing> swings(const Task& task, int dof, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                          double longest, bool slow) {
  if (!task.model.joints_without_inertia().empty()) return {};
  Pump pump(task, dof, from, to, longest);
  std::vector<Swing> all;
  for (const double side : {1.0, -1.0}) {
    std::vector<Swing> found;
    for (double part = 1; part > kLeastPart; part *= kLess) {
      std::optional<Swing> swing = pump.swing(part, side);
      if (!swing && pump.was_too_slow()) break;  // less would take still longer
      if (!swing) continue;
      // The weakest push for as many halves gets there with the least speed.
      if (!found.empty() && found.back().halves == swing->halves) found.pop_back();
      if (!slow && found.size() == kNumbersOfHalves) break;
      found.push_back(std::move(*swing));
      if (found.size() > kNumbersOfHalves) found.erase(found.begin());
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  std::stable_sort(all.begin(), all.end(), [](const Swing& a, const Swing& b) { return a.duration() < b.duration(); });
  if (slow) std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace verne
