#include <algorithm>
#include <optional>

#include "base/independent_rows.h"
#include "structures/closing.h"
#include "structures/held_directions.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

/// Newton's method from a state beside a closed one; it leaves rounding after two or three steps.
constexpr int kMostNewtonSteps = 8;
/// Of equations in units of length: what rounding leaves of a closed loop.
constexpr double kRoundedOpening = 1e-14;
/// Singular values are looked at where the smallest pivot is below this part of the largest: pivots are larger.
constexpr double kSuspiciousPivot = 10 * kNearSingular;

std::vector<int> other_velocities(const Model& model, std::span<const int> held) {
  std::vector<int> free;
  for (int k = 0; k < model.nv(); ++k) {
    if (std::find(held.begin(), held.end(), k) == held.end()) free.push_back(k);
  }
  return free;
}

/// The loops' equations along the velocities that are free to change. Only the independent ones count, which were
/// chosen once: beside a closed configuration the redundant ones are not quite so, and would take away motions that
/// the mechanism has. Near a singularity all count, as HeldDirections has them.
class FreeEquations {
 public:
  FreeEquations(MechanismData<double>::Parts& parts, std::span<const int> held)
      : p_(parts), free_(other_velocities(parts.model, held)), scale_(p_.c.column_scale(free_)) {}

  std::span<const int> free() const { return free_; }
  /// Whether they are no more than what may change.
  bool solvable() const { return p_.c.rows.size() <= free_.size(); }

  /// Newton's method from a configuration, which leaves all at what it found: a closed one where it converges.
  void close(Eigen::VectorXd& q) {
    double last = kInfinity;
    for (int k = 0; k <= kMostNewtonSteps; ++k) {
      evaluate(q);
      const double size = scaled(p_.system.phi).lpNorm<Eigen::Infinity>();
      if (!(size > kRoundedOpening && size < last / 2)) return;
      q = integrate(p_.model, p_.data, q, least_change(-p_.system.phi));
      last = size;
    }
  }
  void evaluate(const Eigen::VectorXd& q) {
    p_.system.evaluate(p_.model, p_.data, q, p_.zero_v);
    rows_.emplace(p_.c.row_scale(p_.c.rows).asDiagonal() * p_.system.J(p_.c.rows, free_) * scale_.asDiagonal());
    weak_.reset();
    if (rows_->pivot_ratio() >= kSuspiciousPivot) return;
    if (!weak_.emplace(p_, free_).nearly_singular()) weak_.reset();
  }

  bool nearly_singular() const { return weak_.has_value(); }

  /// The change of velocities that leaves nothing of J v: the smallest, or near a singularity that which impulses of
  /// the loops make, so that momentum is kept.
  Eigen::VectorXd closing_change(VectorIn<double> v) const {
    const Eigen::VectorXd by = -(p_.system.J * v);
    return weak_ ? weak_->balance(Eigen::VectorXd::Zero(v.size()), by).x : least_change(by);
  }

 private:
  Eigen::VectorXd scaled(const Eigen::VectorXd& equations) const {
    return p_.c.row_scale(p_.c.rows).cwiseProduct(equations(p_.c.rows));
  }
  Eigen::VectorXd least_change(const Eigen::VectorXd& by) const {
    if (weak_) return weak_->least_change(by);
    Eigen::VectorXd change = Eigen::VectorXd::Zero(p_.model.nv());
    change(free_) = scale_.cwiseProduct(rows_->least_norm(scaled(by)));
    return change;
  }

  MechanismData<double>::Parts& p_;
  std::vector<int> free_;
  Eigen::VectorXd scale_;
  std::optional<IndependentRows> rows_;
  std::optional<HeldDirections> weak_;
};

}  // namespace

bool project_state(const Mechanism& mechanism, MechanismData<double>& data, VectorOut<double> q, VectorOut<double> v,
                   std::span<const int> held) {
  require_size("project_state", "q", mechanism.model().nq(), q.size());
  require_size("project_state", "v", mechanism.model().nv(), v.size());
  auto& p = data.parts();
  const Eigen::VectorXd start = integrate(p.model, p.data, q, p.zero_v);  // quaternions of length one
  Eigen::VectorXd nearest = start;
  if (!p.c.rows.empty()) {
    FreeEquations equations(p, held);
    if (!equations.solvable() || !start.allFinite()) return false;
    equations.close(nearest);
    if (widest_gap(p.c, p.system, closed_tolerance(p.c))) {
      nearest = start;
      if (close_loops(p.c, p.data, p.system, equations.free(), nearest)) return false;
      equations.evaluate(nearest);
    }
    p.nearly_singular = equations.nearly_singular();
    const Eigen::VectorXd change = equations.closing_change(v);
    if (!change.allFinite()) return false;
    v += change;
  }
  q = nearest;
  return true;
}

}  // namespace verne
