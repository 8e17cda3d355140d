/// What quantities are computed with: the steps that they share, and where their numbers stand.
#pragma once

#include <vector>

#include "verne/quantities/evaluation.h"

namespace verne {

/// What is computed at once, for one or several quantities.
enum class QuantityStep {
  inverse_dynamics,
  forward_dynamics,
  bias,
  gravity,
  mass_matrix,
  inverse_mass_matrix,
  coriolis_matrix,
  centroidal_momentum_matrix,
  poses,
  motions,
  jacobians,
  whole_body,
  torque_derivatives,
  acceleration_derivatives,
  site_derivatives,
  centroidal_derivatives,
  regressor,
  none  ///< not of arrays
};

/// Derivatives of motions that are completed, by all that they may be given: zero in columns of what is found.
struct CompletedDerivatives {
  LaneArray q, v, a, tau, loads;
};

struct EvaluationParts {
  EvaluationParts(const System& of, int capacity, const BatchOptions& options);

  System system;
  Model model;
  SystemBatch states;
  Batch& batch;  ///< the states of the tree
  std::vector<WantedQuantity> wants;
  std::vector<std::vector<QuantityArray>> arrays;  ///< of each want
  LaneArray torques, accelerations, of_tree;       ///< found ones; those of `states` are given
  LaneArray given_a, given_tau;                    ///< what a motion is completed from
  CompletedDerivatives d_completed_tau, d_completed_a, d_completed_wrenches;
  LaneArray regressor;
  struct Jacobian {
    LaneArray J, rate;
  };
  std::vector<Jacobian> jacobians;            ///< of each want that is one
  std::vector<BatchSiteDerivatives> of_site;  ///< of each site
  BatchSiteDerivatives of_sites;              ///< all sites, one after the other
  BatchCentroidalDerivatives centroidal;
  std::vector<QuantityStep> steps;                  ///< each once
  int load_count = 0;                               ///< of all states together
  std::vector<std::vector<int>> loads_of;           ///< of each state
  std::function<void(Quantity, SystemBatch&)> own;  ///< in place of the kernels

  /// What was asked for, as arrays: with loads there are more of them.
  void make_arrays();
  void set_loads(std::span<const Loads<double>> lists);

  bool wants_any(Quantity quantity) const;
  /// Whether wrenches are those under tau: where nothing of the torques is wanted, and something of accelerations.
  bool wrenches_by_tau() const;
  /// Whether derivatives of wrenches are: those of trees are of the motion q, v, a.
  bool wrench_derivatives_by_tau() const;
  /// What computes a quantity, unless it is among the steps.
  void add_step(Quantity quantity);
  void run(QuantityStep step);
  /// All steps, of the motions that are completed from given accelerations and torques.
  void run_completed();

  int nv() const { return model.nv(); }
  int n() const { return system.nv(); }
  int m() const { return system.torques(); }
  int closures() const { return system.closures(); }
  int joints() const { return static_cast<int>(model.joints().size()); }
  int sites() const { return model.site_count(); }

  // Arrays, whose memory may come with the first computation.
  QuantityArray vector(const char* part, const LaneArray& rows, int size, int first = 0) const;
  QuantityArray number(const char* part, const LaneArray& rows, int row) const;
  /// By q, v, and a or tau, and by loads where there are any.
  std::vector<QuantityArray> of_dynamics(const BatchDerivatives& of, const LaneArray& by_loads, bool forward) const;
  std::vector<QuantityArray> of_wrenches(const BatchDerivatives& of, int items) const;
  /// By q, v, a and tau.
  std::vector<QuantityArray> of_completed(const CompletedDerivatives& of, int items, int height) const;
  /// Column-major in the rows.
  QuantityArray matrix(const char* part, const LaneArray& rows, int height, int width, int first = 0) const;
  /// Of each of so many items, which stand `apart` rows from one another.
  QuantityArray vectors(const char* part, const LaneArray& rows, int items, int apart, int size, int first = 0) const;
  QuantityArray matrices(const char* part, const LaneArray& rows, int items, int height, int width) const;
  /// Rows of a rotation matrix after one another.
  QuantityArray rotation(const char* part, const LaneArray& rows, int first) const;
  QuantityArray rotations(const char* part, const LaneArray& rows, int items, int apart, int first) const;

 private:
  QuantityArray array(const char* part, const LaneArray& rows, int first, std::vector<int> shape,
                      std::vector<int> strides) const;
  void run_inverse(bool wrenches);
  void run_forward(bool wrenches);
  void run_completed_derivatives();
  void run_torque_derivatives();
  void run_acceleration_derivatives();
  /// Has it computed by others, unless there are none.
  bool done_by_others(Quantity quantity) {
    if (own) own(quantity, states);
    return static_cast<bool>(own);
  }
  void run_jacobians();
  void run_sites();
};

/// A quantity as the library has it: what computes it, and its arrays.
struct QuantityEntry {
  QuantityInfo info;
  QuantityStep step;
  std::vector<QuantityArray> (*arrays)(const EvaluationParts& parts, const WantedQuantity& want, std::size_t place);
};
const QuantityEntry& entry_of(Quantity quantity);

}  // namespace verne
