#include "motion/pumping.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "motion/task_loads.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

constexpr double kLess = 0.97;       // effort from one try to the next
constexpr double kLeastPart = 0.02;  // of the effort
constexpr int kMostHalves = 80;      // of a swing
constexpr int kStepsOfHalf = 400;    // at most, on the average
constexpr double kStep = 0.02;       // of the time that the way takes with the largest acceleration
constexpr double kAstray = 1.2;      // times the way, to the other side
constexpr std::size_t kKinds = 3;    // of swings, by the number of halves, to each side

/// One freedom of a model, all others at rest.
class OneFreedom {
 public:
  OneFreedom(const Task& task, int dof, const Eigen::VectorXd& posture)
      : model_(task.model),
        dof_(dof),
        data_(task.model),
        loads_(loads_of(task)),
        q_(posture),
        v_(Eigen::VectorXd::Zero(posture.size())),
        a_(v_),
        tau_(v_) {}

  /// Of the drive.
  double effort(double q, double v, double a) {
    q_[dof_] = q, v_[dof_] = v, a_[dof_] = a;
    inverse_dynamics<double>(model_, data_, q_, v_, a_, tau_, &loads_);
    return tau_[dof_];
  }
  double acceleration(double q, double v, double tau) {
    const double at_rest = effort(q, v, 0);
    return (tau - at_rest) / (effort(q, v, 1) - at_rest);
  }

 private:
  const Model& model_;
  int dof_;
  Data<double> data_;
  Loads<double> loads_;
  Eigen::VectorXd q_, v_, a_, tau_;
};

class Pump {
 public:
  Pump(const Task& task, int dof, const Eigen::VectorXd& posture, double to, double longest)
      : limits_(task.limits.effort[dof]),
        range_(task.limits.position[dof]),
        freedom_(task, dof, posture),
        from_(posture[dof]),
        to_(to),
        longest_(longest) {
    double fastest = 0;
    for (int k = 0; k <= 8; ++k) {
      for (const double tau : {limits_.lower, limits_.upper}) {
        fastest = std::max(fastest, std::abs(freedom_.acceleration(from_ + (to_ - from_) * k / 8, 0, tau)));
      }
    }
    step_ = kStep * std::sqrt(std::abs(to_ - from_) / fastest);
  }

  /// `side`: where it is pushed first, 1 or −1. Nothing where that does not lead there.
  std::optional<Swing> swing(double part, double side) {
    Swing swing{step_, {from_}, 1, part};
    double q = from_, v = 0;
    const auto push = [&](double velocity) {
      const double along = velocity != 0 ? velocity : side;
      return part * (along > 0 ? limits_.upper : limits_.lower);
    };
    const double sign = to_ > from_ ? 1 : -1;
    was_too_slow_ = false;
    while (static_cast<int>(swing.q.size()) < kStepsOfHalf * kMostHalves && swing.halves <= kMostHalves &&
           swing.duration() <= longest_) {
      const double tau = push(v), before = v;
      advance(q, v, tau);
      swing.q.push_back(q);
      if (before * v < 0) ++swing.halves, side = -side;
      if (sign * (q - to_) >= 0) return swing;
      const bool astray = !(sign * (q - from_) > -kAstray * std::abs(to_ - from_));
      if (astray || q < range_.lower || q > range_.upper) return std::nullopt;
    }
    was_too_slow_ = true;
    return std::nullopt;
  }

  /// Why the last one led nowhere.
  bool was_too_slow() const { return was_too_slow_; }

 private:
  /// Runge and Kutta's step of fourth order.
  void advance(double& q, double& v, double tau) {
    const double h = step_;
    const double a1 = freedom_.acceleration(q, v, tau);
    const double v2 = v + h / 2 * a1, a2 = freedom_.acceleration(q + h / 2 * v, v2, tau);
    const double v3 = v + h / 2 * a2, a3 = freedom_.acceleration(q + h / 2 * v2, v3, tau);
    const double v4 = v + h * a3, a4 = freedom_.acceleration(q + h * v3, v4, tau);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }

  Interval limits_, range_;
  OneFreedom freedom_;
  double from_, to_, longest_, step_ = 0;
  bool was_too_slow_ = false;
};

}  // namespace

std::vector<Swing> swings(const Task& task, int dof, const Eigen::VectorXd& posture, double to, double longest,
                          bool slow) {
  Pump pump(task, dof, posture, to, longest);
  std::vector<Swing> all;
  for (const double side : {1.0, -1.0}) {
    std::vector<Swing> found;
    for (double part = 1; part > kLeastPart; part *= kLess) {
      std::optional<Swing> swing = pump.swing(part, side);
      if (!swing && pump.was_too_slow()) break;  // less would take still longer
      if (!swing) continue;
      // The weakest push for as many halves gets there with the least speed.
      if (!found.empty() && found.back().halves == swing->halves) found.pop_back();
      if (!slow && found.size() == kKinds) break;
      found.push_back(std::move(*swing));
      if (found.size() > kKinds) found.erase(found.begin());
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  std::stable_sort(all.begin(), all.end(), [](const Swing& a, const Swing& b) { return a.duration() < b.duration(); });
  if (slow) std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace verne
