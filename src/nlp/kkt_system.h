/// The linear system of an interior-point step,
///
///   [ H + diag(d)   Jᵀ ] [ dx ]   [ r_x ]
///   [ J       −diag(c) ] [ dy ] = [ r_y ]     with d, c ≥ 0,
///
/// in memory and time that grow with the length of the motion, not with its square. Rows with c > 0 (inequalities) are
/// eliminated first and leave H + diag(d) + Jᵀ diag(1/c) J; rows that stay (equations, c = 0; long rows that few
/// others resemble) get a small −γ beside −c, which makes the matrix quasi-definite even where equations repeat each
/// other. What that changes, iterative refinement takes back. docs/theory/optimization.md
#pragma once

#include <Eigen/Core>
#include <vector>

#include "nlp/bordered_band.h"
#include "nlp/elimination_order.h"

namespace verne::nlp {

/// A sparse matrix: its pattern, row by row with columns that ascend; entries are kept elsewhere.
using SparseRows = IndexLists;

class KktSystem {
 public:
  /// `hessian`: lower triangle. `equation`: of each row, whether it may have c = 0.
  KktSystem(int variables, std::vector<Entry> hessian, SparseRows jacobian, const std::vector<char>& equation);

  /// Whether it was made of these.
  bool is_of(int variables, const std::vector<Entry>& hessian, const SparseRows& jacobian,
             const std::vector<char>& equation) const;

  int variables() const { return variables_; }
  int rows() const { return jacobian_.count(); }
  /// Too large for memory: the structure is no band.
  bool too_large() const { return too_large_; }

  /// The order in which J is wanted, so that it needs not be moved: of each entry, its place row by row. Behind them
  /// there must be room for kRoom more.
  const std::vector<int>& jacobian_order() const { return jacobian_order_; }
  static constexpr std::size_t kRoom = kShortRow;
  /// Takes J, in that order; the reference must stay until the next one.
  void set_jacobian(const std::vector<double>& jacobian) { jacobian_values_ = jacobian.data(); }
  /// Takes the rest of what factor() and solve() will use; the references must stay until then.
  void set(const std::vector<double>& hessian, const Eigen::VectorXd& diagonal, const Eigen::VectorXd& compliance,
           double regularization);
  /// With `shift` added to the diagonal and −`regularization` to the rows that stay. Returns whether there are as many
  /// positive pivots as variables: only then is the step one of descent.
  bool factor(double shift);
  /// What solve() refines: enough to tell how far a step would go.
  void solve_roughly(const Eigen::VectorXd& r_x, const Eigen::VectorXd& r_y, Eigen::VectorXd& dx, Eigen::VectorXd& dy);
  /// Returns whether the residual, relative to the right side, is small.
  bool solve(const Eigen::VectorXd& r_x, const Eigen::VectorXd& r_y, Eigen::VectorXd& dx, Eigen::VectorXd& dy);

  /// J dx of what was found last.
  const Eigen::VectorXd& along() const { return along_; }
  /// out += Jᵀ y
  void add_transposed_product(const Eigen::VectorXd& y, Eigen::VectorXd& out);

 private:
  /// Rows that meet the same variables and are eliminated together.
  struct Group {
    std::vector<int> rows;
    std::vector<int> entry;     // of a row, sorted by position: its place in the row
    std::vector<int> variable;  // of that entry
    std::vector<int> position;  // of the variables, ascending
    std::size_t first;          // of its entries, row by row
  };
  void find_structure();
  bool stays(int row, const std::vector<std::vector<int>>& hessian_rows, std::size_t alike) const;
  void assemble();
  void add_group(const Group& group);
  /// Calls with each entry of the rows that stay: its row, column and value.
  template <class Call>
  void for_staying(const Call& call) const;
  /// out = J x
  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& out);
  double size_of(const Eigen::VectorXd& r_x, const Eigen::VectorXd& r_y) const;
  double residual(const Eigen::VectorXd& r_x, const Eigen::VectorXd& r_y, const Eigen::VectorXd& dx,
                  const Eigen::VectorXd& dy);

  int variables_;
  std::vector<Entry> hessian_pattern_;
  SparseRows jacobian_;
  std::vector<char> equation_;
  bool too_large_ = false;

  std::vector<int> position_;               // of variables, then of rows that stay
  std::vector<int> staying_;                // rows
  std::vector<char> stays_;                 // by row
  std::vector<std::size_t> hessian_slot_;   // of each entry
  std::vector<std::size_t> diagonal_slot_;  // of each variable, then of each row that stays
  std::vector<std::size_t> row_slot_;       // of the entries of rows that stay, one after the other
  std::vector<Group> groups_;
  std::vector<int> jacobian_order_;  // entries of the groups, then of rows that stay
  std::size_t first_staying_ = 0;    // of these

  BorderedBand band_;
  std::vector<double> assembled_, shifted_;  // as band_.values()
  std::vector<double> right_, sum_;          // of a group: its rows times −1/c; the product with them, and some room

  const double* hessian_ = nullptr;
  const double* jacobian_values_ = nullptr;
  const Eigen::VectorXd* diagonal_ = nullptr;
  const Eigen::VectorXd* compliance_ = nullptr;
  double shift_ = 0, regularization_ = 0;
  Eigen::VectorXd stiffness_;                 // 1/(c + γ) of rows that are eliminated; of others zero
  Eigen::VectorXd share_;                     // 1/(1 + c): of a row's residual that counts
  Eigen::VectorXd gathered_, gathered_rows_;  // of a group: variables, rows
  Eigen::VectorXd along_, unknowns_, row_part_, left_x_, left_y_, more_x_, best_x_, best_y_, best_along_;
};

}  // namespace verne::nlp
