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
/// Eigen's vector as a span to write.
inline std::span<double> view(Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// A place in a sparse matrix.
struct Entry {
  int row = 0, column = 0;  ///< counted from 0
  /// Whether row and column are the same.
  bool operator==(const Entry&) const = default;
};

/// A block of functions of the variables. Patterns are asked for once and may hold the same place several times: the
/// values then add up. Methods are not const, so that a function may keep what it computed for the latest x.
class VERNE_API Function {
 public:
  virtual ~Function() = default;
  /// Number of functions in the block.
  virtual int rows() const = 0;
  /// What a row is, for people: "effort of elbow at 0.12 s".
  virtual std::string row_name(int row) const { return "row " + std::to_string(row); }
  /// Where first derivatives may differ from zero.
  virtual std::vector<Entry> jacobian_pattern() const = 0;
  /// Of the second derivatives of any combination of rows; lower triangle only (row >= column).
  virtual std::vector<Entry> hessian_pattern() const = 0;

  /// Writes one value per row.
  virtual void evaluate(std::span<const double> x, std::span<double> values) = 0;
  /// One value per entry of the pattern.
  virtual void jacobian(std::span<const double> x, std::span<double> entries) = 0;
  /// Of Σ multipliers[row] · row(x).
  virtual void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) = 0;
};

/// A run of variables.
struct VariableBlock {
  std::string name;              ///< for messages: "duration"
  Values initial, lower, upper;  ///< one entry for each variable
  double scale = 1;              ///< the size that values typically have
  int first = 0;                 ///< index of the first one in x; set by Problem
};

/// A run of constraints from one block of functions.
struct ConstraintBlock {
  std::string name;                    ///< for messages: "effort limits"
  std::unique_ptr<Function> function;  ///< its rows
  Values lower, upper;                 ///< equal: an equation
  double scale = 1;                    ///< the size that values typically have
  int first = 0;                       ///< index of the first row in g(x); set by Problem
};

/// One term of the cost.
struct CostTerm {
  std::string name;                    ///< for messages and reports
  std::unique_ptr<Function> function;  ///< one row
  double weight = 1;                   ///< by which it is multiplied
};

/// Blocks put together. Patterns are merged when the first derivative is asked for; after that nothing may be added,
/// but bounds may move.
class VERNE_API Problem {
 public:
  /// These return the index of the first variable or row. Throw std::invalid_argument when sizes do not fit, a lower
  /// bound is above its upper bound, or a cost has more than one row.
  int add_variables(VariableBlock block);
  /// Adds rows; returns the index of the first.
  int add_constraint(ConstraintBlock block);
  /// Adds a term to the cost.
  void add_cost(CostTerm term);
  /// Of a block of constraints, by its index. A solve after that is faster than one of a new problem, as long as
  /// equations stay equations and limits limits. Throws std::invalid_argument as add_constraint() does.
  void move_bounds(std::size_t block, Values lower, Values upper);

  /// Gives a cost, by its index, another weight. Throws std::invalid_argument where there is none.
  void weigh_cost(std::size_t cost, double weight);

  /// Costs and constraints are evaluated by so many threads at a time, each function by one: they must not share
  /// memory that they write to. Sums are put together in the order of adding: results have the same bytes for any
  /// number.
  void use_threads(int threads);

  /// Number of variables: entries of x.
  int variables() const { return variables_; }
  /// Number of constraints: rows of g(x).
  int constraints() const { return constraints_; }
  /// The variables, as they were added.
  const std::vector<VariableBlock>& variable_blocks() const { return variable_blocks_; }
  /// The constraints, as they were added.
  const std::vector<ConstraintBlock>& constraint_blocks() const { return constraint_blocks_; }
  /// The terms of the cost, as they were added.
  const std::vector<CostTerm>& costs() const { return costs_; }

  /// The initial values of all variables.
  Values initial() const;
  /// Names for people: "duration[0]"; "effort limits: effort of elbow at 0.12 s".
  std::string variable_name(int variable) const;
  /// "effort limits: effort of elbow at 0.12 s"
  std::string constraint_name(int row) const;

  /// Where the merged derivatives may differ from zero, sorted by row, then column, each place once.
  const std::vector<Entry>& jacobian_pattern();
  const std::vector<Entry>& hessian_pattern();  ///< lower triangle

  /// Σ weight · cost(x).
  double cost(std::span<const double> x);
  /// Its gradient, an entry for each variable.
  void gradient(std::span<const double> x, std::span<double> gradient);
  /// g(x), an entry for each row.
  void constraints(std::span<const double> x, std::span<double> values);
  /// One value per entry of jacobian_pattern().
  void jacobian(std::span<const double> x, std::span<double> entries);
  /// Of cost_factor · cost + multipliersᵀ g.
  void hessian(std::span<const double> x, double cost_factor, std::span<const double> multipliers,
               std::span<double> entries);

  /// What a solver found out about the structure, for its next solve of this problem.
  struct Memory;
  /// For solvers: what they keep from solve to solve.
  std::shared_ptr<Memory>& memory() { return memory_; }

 private:
  struct Merged;
  const Merged& merged();
  struct Threads;
  /// job(k) for all k below `count`, shared among the threads.
  template <class Job>
  void for_each(std::size_t count, const Job& job);

  int variables_ = 0, constraints_ = 0;
  std::vector<VariableBlock> variable_blocks_;
  std::vector<ConstraintBlock> constraint_blocks_;
  std::vector<CostTerm> costs_;
  std::shared_ptr<Merged> merged_;  // incomplete here; belongs to this Problem alone
  std::shared_ptr<Memory> memory_;  // the same
  std::shared_ptr<Threads> threads_;
};

}  // namespace verne::nlp
