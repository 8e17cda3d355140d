/// Which bodies loops tie together, so that kernels may take them as one joint (docs/theory/loops.md, section 10).
#pragma once

#include <vector>

#include "structures/kernels/closing_plan.h"
#include "structures/mechanism_contents.h"

namespace verne {

/// A ClusterPlan and its memory, for trees without coupled joints.
class LoopClusterFinder {
 public:
  /// `plan` has the elimination.
  LoopClusterFinder(const Mechanism::Contents& mechanism, const ClosingPlan& plan);
  LoopClusterFinder(const LoopClusterFinder&) = delete;  // the plan points into it
  const ClusterPlan& plan() const { return plan_; }

 private:
  void unite_bodies(const Mechanism::Contents& mechanism);
  void list_clusters(const Mechanism::Contents& mechanism, const ClosingPlan& plan);
  void list_spares(const Mechanism::Contents& mechanism);
  int root_of(int body) const;

  ClusterPlan plan_{};
  std::vector<int> joined_;        ///< each body's way to one that stands for its cluster
  std::vector<int> body_of_loop_;  ///< one that its loop moves, −1: none
  std::vector<LoopCluster> clusters_;
  std::vector<int> bodies_, free_, steps_, loops_, cluster_of_, step_of_, G_row_, first_D_;
  std::vector<SpareRow> spares_;
};

}  // namespace verne
