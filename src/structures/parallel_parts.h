/// What a platform on legs is made of, as its kernels know it (docs/theory/loops.md, section 7).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "structures/branch_tree.h"
#include "structures/kernels/leg_plan.h"
#include "structures/mechanism_parts.h"
#include "structures/parallel_robot.h"
#include "verne/dynamics/batch.h"

namespace verne {

struct ParallelRobot::Parts {
  explicit Parts(const Mechanism& mechanism);
  /// Finds platform and legs. Returns whether the mechanism is made so.
  bool recognise();

  MechanismData<double> closed;
  const Mechanism::Contents& c;
  const Model& model;
  const ClosingTable& kernels;
  const int lanes;

  LegPlan plan{};
  LaneArray scratch;
  std::vector<double> torques, found;

  struct Leg {
    std::unique_ptr<BranchTree> branch;
    std::vector<int> loops;          ///< that close it
    std::vector<int> equations;      ///< of these
    std::vector<int> solved, spare;  ///< among them: those that tell its velocities, in order, and those that are left
    Eigen::MatrixXd G;               ///< its velocities along the platform's, at the reference
    int pack = -1, lane = -1;
  };
  std::unique_ptr<BranchTree> platform;
  std::vector<Leg> legs;

 private:
  /// Memory of a LegPack.
  struct Pack {
    std::vector<int> legs, columns, first_q, first_v, slider_rows;
    std::vector<int> position;  ///< of each equation of a leg, −1: not used
    std::vector<double> root, used, pivot_scales, slider_axes;
    std::optional<SliderLeg> slider;
    std::vector<std::vector<double>> poses;
    std::vector<std::vector<LegReach>> reaches;
    std::vector<LegLoop> loops;
    std::vector<ClosingRow> rows;
  };
  /// An equation of a leg that holds the platform, one of its `spare`.
  struct Constraint {
    int leg, equation;
  };

  bool split_into_branches();
  bool put_into_packs();
  bool joins(const Leg& leg, const Pack& pack) const;
  bool choose_constraints();
  void list_lanes(Pack& pack);
  void list_loops(Pack& pack);
  LegEnd end_of(Pack& pack, std::size_t loop, bool of_leg);
  void list_platform_rows();
  Eigen::MatrixXd K_at_reference() const;
  void order_platform_rows();
  bool ends_in_ball(const Pack& pack) const;
  void find_slider(Pack& pack) const;
  void put_plan();
  const LoopLayout::Loop& loop_of(int index) const { return c.layout.loops[static_cast<std::size_t>(index)]; }
  bool leg_is_a(const Leg& leg, int loop) const;
  int body_of(const LoopLayout::End& end) const;
  Eigen::MatrixXd rows_along(const Leg& leg, const BranchTree& branch) const;

  Eigen::MatrixXd J_;  ///< at the reference
  std::vector<Pack> packs_;
  std::vector<LegPack> pack_plans_;
  std::vector<Constraint> constraints_;
  std::vector<PlatformRow> platform_rows_;
  std::vector<int> places_;
  std::vector<double> usual_pivots_;
};

}  // namespace verne
