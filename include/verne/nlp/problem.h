/// Nonlinear programs: minimize Σ weight·cost(x) subject to lower ≤ constraint(x) ≤ upper and bounds on x, with sparse
/// exact first and second derivatives. Solver-neutral; solve.h has the solver.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/values.h"

namespace verne::nlp {

inline constexpr double kNoBound = 1e20;  ///< this far or further out: no bound

/// Eigen's vectors as spans.
inline std::span<const double> view(const Eigen::Ref<const Eigen::VectorXd>& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline std::span<double> view(Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// A place in a sparse matrix.
struct Entry {
  int row = 0, column = 0;
  bool operator==(const Entry&) const = default;
};

/// A block of functions of the variables. Patterns are asked for once and may hold the same place several times: the
/// values then add up. Methods are not const, so that a function may keep what it computed for the latest x.
class VERNE_API Function {
 public:
  virtual ~Function() = default;
  virtual int rows() const = 0;
  /// What a row is, for people: "effort of elbow at 0.12 s".
  virtual std::string row_name(int row) const { return "row " + std::to_string(row); }
  virtual std::vector<Entry> jacobian_pattern() const = 0;
  /// Of the second derivatives of any combination of rows; lower triangle only (row >= column).
  virtual std::vector<Entry> hessian_pattern() const = 0;

  virtual void evaluate(std::span<const double> x, std::span<double> values) = 0;
  /// One value per entry of the pattern.
  virtual void jacobian(std::span<const double> x, std::span<double> entries) = 0;
  /// Of Σ multipliers[row] · row(x).
  virtual void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) = 0;
};

/// A run of variables.
struct VariableBlock {
  std::string name;
  Values initial, lower, upper;
  double scale = 1;  ///< the size that values typically have
  int first = 0;     ///< index of the first one in x; set by Problem
};

struct ConstraintBlock {
  std::string name;
  std::unique_ptr<Function> function;
  Values lower, upper;  ///< equal: an equation
  double scale = 1;     ///< the size that values typically have
  int first = 0;        ///< index of the first row in g(x); set by Problem
};

struct CostTerm {
  std::string name;
  std::unique_ptr<Function> function;  ///< one row
  double weight = 1;
};

/// Blocks put together. Patterns are merged when the first derivative is asked for; after that nothing may be added,
/// but bounds may move.
class VERNE_API Problem {
 public:
  /// These return the index of the first variable or row. Throw std::invalid_argument when sizes do not fit, a lower
  /// bound is above its upper bound, or a cost has more than one row.
  int add_variables(VariableBlock block);
  int add_constraint(ConstraintBlock block);
  void add_cost(CostTerm term);
  /// Of a block of constraints, by its index. A solve after that is faster than one of a new problem, as long as
  /// equations stay equations and limits limits. Throws std::invalid_argument as add_constraint() does.
  void move_bounds(std::size_t block, Values lower, Values upper);

  int variables() const { return variables_; }
  int constraints() const { return constraints_; }
  const std::vector<VariableBlock>& variable_blocks() const { return variable_blocks_; }
  const std::vector<ConstraintBlock>& constraint_blocks() const { return constraint_blocks_; }
  const std::vector<CostTerm>& costs() const { return costs_; }

  Values initial() const;
  /// Names for people: "duration[0]"; "effort limits: effort of elbow at 0.12 s".
  std::string variable_name(int variable) const;
  std::string constraint_name(int row) const;

  /// Where the merged derivatives may differ from zero, sorted by row, then column, each place once.
  const std::vector<Entry>& jacobian_pattern();
  const std::vector<Entry>& hessian_pattern();  ///< lower triangle

  double cost(std::span<const double> x);
  void gradient(std::span<const double> x, std::span<double> gradient);
  void constraints(std::span<const double> x, std::span<double> values);
  void jacobian(std::span<const double> x, std::span<double> entries);
  /// Of cost_factor · cost + multipliersᵀ g.
  void hessian(std::span<const double> x, double cost_factor, std::span<const double> multipliers,
               std::span<double> entries);

  /// What a solver found out about the structure, for its next solve of this problem.
  struct Memory;
  std::shared_ptr<Memory>& memory() { return memory_; }

 private:
  struct Merged;
  const Merged& merged();

  int variables_ = 0, constraints_ = 0;
  std::vector<VariableBlock> variable_blocks_;
  std::vector<ConstraintBlock> constraint_blocks_;
  std::vector<CostTerm> costs_;
  std::shared_ptr<Merged> merged_;  // incomplete here; belongs to this Problem alone
  std::shared_ptr<Memory> memory_;  // the same
};

}  // namespace verne::nlp
