/// A Problem as the interior-point method wants to see it: scaled, without variables that are fixed and rows that mean
/// nothing.
#pragma once

#include <chrono>

#include "nlp/kkt_system.h"
#include "nlp/optimality.h"
#include "nlp/scaling.h"
#include "verne/nlp/solve.h"

namespace verne::nlp {

/// Thrown where a function or derivative is not a finite number.
struct NotFinite {};

class ScaledProgram {
 public:
  using Vector = Eigen::VectorXd;

  /// The problem must outlive the program. `x`: the start, within bounds.
  ScaledProgram(Problem& problem, const Values& x);

  int variables() const { return static_cast<int>(free_.size()); }
  int rows() const { return static_cast<int>(rows_.size()); }
  /// In scaled units; infinite where there is none. Rows with equal bounds are equations.
  const Vector& x_lower() const { return x_lower_; }
  const Vector& x_upper() const { return x_upper_; }
  const Vector& g_lower() const { return g_lower_; }
  const Vector& g_upper() const { return g_upper_; }
  const std::vector<char>& equation() const { return equation_; }
  const Scaling& scaling() const { return scaling_; }
  /// Of rows that depend on fixed variables alone: the largest violation, unscaled.
  double unchangeable_violation() const { return unchangeable_violation_; }

  std::vector<Entry> hessian_pattern() const;
  const SparseRows& jacobian_pattern() const { return jacobian_pattern_; }

  /// Cost and rows at a point. Returns whether all are finite.
  bool evaluate(const Vector& x, double& cost, Vector& g);
  void gradient(const Vector& x, Vector& gradient);
  void jacobian(const Vector& x, std::vector<double>& entries);
  /// From now on, jacobian() gives the entries of its pattern in this order.
  void arrange_jacobian(const std::vector<int>& order);
  void hessian(const Vector& x, double cost_factor, const Vector& y, std::vector<double>& entries);

  Vector scaled(const Values& x) const;
  const Values& unscaled(const Vector& x);
  /// The latest point that was asked about, unscaled.
  const Values& latest() const { return x_; }
  /// Rows, in the caller's units, by how much g(x) of evaluate() violates bounds at most.
  double violation(const Vector& g) const;
  /// Multipliers from and to the caller's signs and units; z: of the variables' bounds.
  void scale_multipliers(const Point& point, Vector& y, Vector& z_lower, Vector& z_upper) const;
  void unscale_multipliers(const Vector& y, const Vector& z_lower, const Vector& z_upper, Point& point) const;

  double function_seconds() const { return function_seconds_; }

 private:
  template <class Call>
  void timed(const Call& call);

  Problem& problem_;
  const Bounds bounds_;
  const Scaling scaling_;
  Values x_;  // the latest, unscaled

  std::vector<int> free_, rows_;  // of the problem
  std::vector<char> equation_;
  double unchangeable_violation_ = 0;
  Vector x_lower_, x_upper_, g_lower_, g_upper_;
  SparseRows jacobian_pattern_;
  std::vector<Entry> hessian_pattern_;

  /// Entries of a matrix that stay: where each comes from, and what makes it scaled.
  struct Kept {
    std::vector<int> entry;
    std::vector<double> factor;
    void reserve(std::size_t size) { entry.reserve(size), factor.reserve(size); }
    void add(std::size_t from, double times) { entry.push_back(static_cast<int>(from)), factor.push_back(times); }
    /// Throws NotFinite.
    void take(const std::vector<double>& all, std::vector<double>& kept) const;
  };
  Kept kept_jacobian_, kept_hessian_;
  std::vector<double> jacobian_, hessian_, gradient_, g_, multipliers_;  // of the problem
  double function_seconds_ = 0;
};

}  // namespace verne::nlp
