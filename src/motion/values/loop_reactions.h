/// What closed loops do to the tree that they are cut from, at many states: the reactions in the cut joints hold what
/// the freedoms without a drive do not, and drives feel the rest; of more drives than it takes, each its share.
/// docs/theory/loop-motion.md, (1) to (19).
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "base/decompositions.h"
#include "motion/curve/dof_pairs.h"
#include "motion/curve/lane_columns.h"
#include "motion/terms/channels.h"
#include "motion/terms/tree_axes.h"
#include "structures/loop_equations.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/structures/mechanism.h"

namespace verne {

class LoopReactions {
 public:
  using Wrench = Eigen::Matrix<double, 6, 1>;  ///< force, moment about the world's origin; world axes

  /// `weights`: of the efforts of all freedoms, where drives share. `wrenches`: of joints of the tree and, behind
  /// these, of loops.
  LoopReactions(const Mechanism& mechanism, const std::vector<double>& weights,
                const std::vector<WrenchChannel>& wrenches, int count);

  /// Torques of the tree and poses must be there, and the axes where the batch is.
  void evaluate(TreeAxes& axes, Batch& batch);
  /// (3) What a drive gives; zero for other freedoms.
  double effort(int node, int dof) const;
  /// (4) What the loops add to the wrenches that were asked for, six rows each, one column a state.
  const Eigen::MatrixXd& wrenches() const { return added_; }

  /// (6) The reactions' derivatives, from those of the tree's torques.
  void differentiate(const BatchDerivatives& dtau);
  /// (7) Writes those of effort(): by q, v and a, nv entries each.
  void effort_gradient(int node, int dof, double* out) const;
  /// (8) Those of wrenches() at a state: a row each, by (q, v, a).
  const Eigen::MatrixXd& wrench_gradients(int node);

  /// Multipliers of efforts (nv) and of wrenches(), one behind the other.
  struct Multipliers {
    const double* efforts;
    const double* wrenches;
  };
  /// (10), (18) What they come to as multipliers of the tree's torques.
  const Eigen::VectorXd& tree_multipliers(int node, const Multipliers& multipliers);
  /// (11), (19) Adds all second derivatives but those of the tree's torques to the arrays of NodeCurvature, for the
  /// multipliers that tree_multipliers() was called with.
  void add_curvature(int node, const Multipliers& multipliers, const DofPairs& pairs, double* curvature);

 private:
  static constexpr int kPoseEntries = 12, kAxisEntries = 6;
  static constexpr int kParts = 4;  // of LoopPart
  /// A link at all states: its pose, and the axes that move it, each for a unit of its freedom: velocity of the world's
  /// origin, angular.
  struct Site {
    int site = -1;
    std::vector<TreeAxis> axes;
    std::vector<LanePick> pose_rows, axis_rows;
    Eigen::MatrixXd pose, twists;
  };
  struct Frame {
    int site = -1;  // in sites_; −1: the world
    Transform<double> X_LF = Transform<double>::identity();
  };
  /// (1) Axes that move one end and not the other: those of a, then those of b, outwards each.
  struct Loop {
    Frame a, b;
    std::vector<int> dofs;   // of each; one stands here more than once where joints follow others
    std::vector<int> place;  // of each, in the axes of its site
    int on_a = 0;
    int first = 0;  // of its independent equations
    std::vector<LoopEquation> equations;
    bool parts[kParts] = {};  // that equations use
    double sign(int k) const { return k < on_a ? 1 : -1; }
    int size() const { return static_cast<int>(dofs.size()); }
  };
  /// A wrench that was asked for, in a frame that axes first to end of a loop move.
  struct Bearing {
    Frame frame;
    struct Part {
      int loop;
      double sign;
      int first, end;
    };
    std::vector<Part> parts;
  };
  struct Axis {
    Vec3<double> linear, angular;
  };
  static constexpr int kComponents = 6;  // of a wrench
  using Vectors = std::array<Vec3<double>, kParts>;
  /// A loop at a state: axes of a, then for each LoopPart what is fixed in b, and the axes of freedoms.
  struct Geometry {
    Vectors u, y;
    std::vector<Axis> axes;
  };
  /// Derivatives of a loop's wrench by its axes, and by pairs of them.
  struct Slopes {
    Wrench value;
    std::vector<Wrench> by;
    std::vector<Wrench> by_pair;  // k·size + l, k ≤ l
  };
  struct State {
    Eigen::MatrixXd J, inverse;        // of J_P, or where drives share of the matrix of (15)
    Eigen::MatrixXd K, lambda_z, y_z;  // (5); by (q, v, a)
    Eigen::VectorXd lambda, w;
    Eigen::VectorXd y, eta;  // where drives share: (14), (18)
  };

  int site_of(const Model& model, int link, int count);
  Frame frame_of(const Model& model, const LoopEnd& end, int count);
  void add_loop(const Mechanism& mechanism, int loop, int count);
  void add_bearing(const Model& model, int wrench, int count);
  Transform<double> pose(int node, const Frame& frame) const;
  void look_at(int node, const Loop& loop);
  Vectors pull(const Loop& loop, const double* lambda) const;
  Vectors unit_pull(const Loop& loop, int equation) const;
  static Wrench joined(const Loop& loop, const Vectors& U, const Vectors& y, bool force);
  Vectors turned(const Loop& loop, const Vectors& U, int k) const;
  Vectors moved(const Loop& loop, int k) const;
  void find_slopes(const Loop& loop, const Vectors& U, bool pairs, Slopes& slopes);
  void invert_balance(State& state);
  void share_out(int node);
  void add_stiffness(const Loop& loop, const Eigen::VectorXd& lambda, Eigen::MatrixXd& K);
  void add_row_slopes(const Loop& loop, const Eigen::VectorXd& w, Eigen::MatrixXd& slopes);
  void differentiate_shares(int node);
  Axis twist(int node, const Bearing& bearing, const double* components) const;
  Axis carried(int k, const Axis& twist) const;
  static double power(const Axis& axis, const Wrench& wrench);
  void take_third_derivatives(const Loop& loop, const Eigen::VectorXd& lambda, const Eigen::VectorXd& w);
  void add_bearing_curvature(int node, const Bearing& bearing, const double* multipliers);

  Mechanism mechanism_;
  int nv_, rank_;
  std::vector<int> drives_, passive_;  // freedoms
  std::vector<char> driven_;           // of each freedom
  std::vector<double> weights_;        // of each freedom
  bool shared_;                        // more drives than it takes
  std::vector<Site> sites_;
  std::vector<Loop> loops_;
  std::vector<Bearing> bearings_;
  std::vector<LanePick> tau_rows_, dtau_rows_;
  Eigen::MatrixXd tau_, dtau_[3];  // of the tree, one column a state
  Eigen::MatrixXd added_;
  std::vector<State> states_;
  // Of one state or loop
  Geometry at_;
  Slopes slopes_, unit_slopes_;
  Lu<double> lu_;
  Eigen::MatrixXd balance_, right_z_, unknowns_z_, by_lambda_, stiffness_, cross_, of_posture_, gradients_;
  Eigen::VectorXd right_, unknowns_;
};

}  // namespace verne
