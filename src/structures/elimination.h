/// In which order the dependent velocities of a mechanism are eliminated, so that a sparse Jacobian stays sparse.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "structures/kernels/closing_plan.h"
#include "structures/mechanism_contents.h"

namespace verne {

class LoopClusterFinder;

/// A ClosingPlan and its memory.
class Elimination {
 public:
  explicit Elimination(const Mechanism::Contents& mechanism);
  Elimination(const Elimination&) = delete;  // the plan points into it
  ~Elimination();
  const ClosingPlan& plan() const { return plan_; }

 private:
  using Pattern = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>;

  void list_loops(const Mechanism::Contents& mechanism);
  void list_checks(const Mechanism::Contents& mechanism);
  void choose_order(const Mechanism::Contents& mechanism);
  void list_steps();
  void list_pairs(const Model& model);
  void list_spans();

  Pattern reach_;   ///< independent equations x velocities: what may be there
  Pattern filled_;  ///< independent equations x dependent velocities, and what elimination adds
  std::vector<int> row_order_, column_order_;
  Eigen::MatrixXi value_of_;  ///< of (equation, velocity of the tree), −1: none

  ClosingPlan plan_{};
  std::vector<int> dependent_, independent_, actuated_, targets_, updates_;
  std::vector<double> pivots_;
  std::vector<ClosingLoop> loops_;
  std::vector<ClosingRow> rows_;
  std::vector<ClosingReach> reaches_;
  std::vector<ClosingCheck> checks_;
  std::vector<ClosingStep> steps_;
  std::vector<ClosingEntry> lower_, upper_, side_;
  std::vector<ClosingPair> pairs_;
  std::vector<ClosingSpan> spans_;
  std::vector<int> reached_, first_reached_, first_side_;
  std::unique_ptr<LoopClusterFinder> clusters_;
};

/// As the kernels know an equation, and a frame on one of `sites`.
ClosingRow closing_row(const LoopEquation& equation, int position);
/// Whether an equation is about directions, too, not about the distance alone.
bool has_directions(const LoopEquation& equation);
ClosingEnd closing_end(int slot, const Transform<double>& X_LF);
/// The same on the body that a link is part of, −1 is the world.
ClosingEnd end_on_body(const Model& model, int link, const Transform<double>& X_LF);
/// The velocity nearest to a link among those that move it, −1: none; and for each velocity the one before it on the
/// way to the root. Where joints are coupled each is behind all others.
int last_velocity(const Model& model, int link);
std::vector<int> velocity_parents(const Model& model);

}  // namespace verne
