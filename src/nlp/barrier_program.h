/// The problem that is solved for one barrier parameter μ:
///
///   minimize F(x) − μ Σ ln(distance to bound)   subject to   g(x) − s − p + n = 0
///
/// with s within the bounds of the rows (constant for equations). F is the cost and p = n = 0; or, to restore
/// feasibility, F = ρ Σ (p + n) + ζ/2 |D (x − x_R)|² with p, n ≥ 0. All of x, s, p, n are kept in one vector v.
#pragma once

#include "nlp/scaled_program.h"

namespace verne::nlp {

class BarrierProgram {
 public:
  using Vector = Eigen::VectorXd;
  enum class Aim { cost, feasibility };

  BarrierProgram(ScaledProgram& program, Aim aim);

  ScaledProgram& program() const { return program_; }
  bool elastic() const { return aim_ == Aim::feasibility; }
  int size() const { return static_cast<int>(lower_.size()); }
  int variables() const { return n_; }
  int rows() const { return m_; }
  int s(int row) const { return n_ + row; }
  int p(int row) const { return n_ + m_ + row; }
  int n(int row) const { return n_ + 2 * m_ + row; }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  bool has_lower(int i) const { return lower_[i] > -kInfinity; }
  bool has_upper(int i) const { return upper_[i] < kInfinity; }
  int bounds() const { return bounds_; }
  /// What the barrier's gradient has, times μ, for what has one bound only: it keeps that from drifting away.
  const Vector& drift() const { return drift_; }
  /// Distances to the bounds, never zero.
  double above(const Vector& v, int i) const { return std::max(v[i] - lower_[i], least_distance(lower_[i])); }
  double below(const Vector& v, int i) const { return std::max(upper_[i] - v[i], least_distance(upper_[i])); }

  /// Where feasibility is restored from, and how much staying there is worth.
  void set_reference(const Vector& x) { reference_ = x; }
  void set_nearness(double zeta) { nearness_ = zeta; }
  double nearness() const { return nearness_; }
  double row_price() const { return kRowPrice; }
  double weight(int i) const { return 1 / std::max(1.0, std::abs(reference_[i])); }

  struct Values {
    double cost = 0;  ///< the problem's own, scaled
    double F = 0;
    Vector g, residual;  ///< of rows; g(x) − s − p + n
    double theta = 0;    ///< Σ |residual|
  };
  /// Returns whether all is finite.
  bool evaluate(const Vector& v, Values& out);
  /// With F of evaluate().
  double barrier_function(const Vector& v, double F, double mu) const;
  /// ∇F, over all of v.
  void gradient(const Vector& v, Vector& out);
  /// Of ∇²F + Σ y ∇²g, without the diagonal that nearness brings.
  void hessian(const Vector& v, const Vector& y, std::vector<double>& entries);

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kRowPrice = 1000;
  static constexpr double kDrift = 1e-5;
  static double least_distance(double bound) {
    return std::numeric_limits<double>::epsilon() * std::max(1e-4, std::abs(bound));
  }

  ScaledProgram& program_;
  const Aim aim_;
  const int n_, m_;
  int bounds_ = 0;
  Vector lower_, upper_, drift_, x_, gradient_x_;
  Vector reference_;
  double nearness_ = 0;
};

}  // namespace verne::nlp
