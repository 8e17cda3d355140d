/// The sparse elimination of batches (docs/theory/loops.md, section 8) for one state.
#pragma once

#include <vector>

#include "dynamics/call.h"
#include "structures/elimination.h"
#include "structures/kernels/closed_blocks.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Memory for one thread. Where a pivot is too small for the order that was chosen, functions return false, and nothing
/// is written: such a state is for the general method.
class SingleClosing {
 public:
  explicit SingleClosing(const Mechanism::Contents& mechanism);

  /// tau of the actuators, which are as many as the mobility or more.
  bool inverse(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, LoadsIn<double> loads,
               VectorOut<double> tau);
  /// All accelerations of the tree under tau of the actuators.
  bool forward(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, LoadsIn<double> loads,
               VectorOut<double> a);
  /// Wrenches of loops and of joints, unless null, of a motion under tau of the actuators; where equations repeat
  /// others those of least norm, but not beside coupled joints.
  bool reactions(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, VectorIn<double> tau,
                 LoadsIn<double> loads, WrenchesOut<double> of_loops, WrenchesOut<double> of_joints);
  /// As forward(), with the derivatives of the independent accelerations, and of what is wanted beside; for trees
  /// without coupled joints.
  bool forward_derivatives(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                           LoadsIn<double> loads, VectorOut<double> a, const ClosedBlocks<double>& out);
  /// Derivatives of the torques of a motion; only where the actuated velocities are the independent ones, too.
  bool inverse_derivatives(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                           LoadsIn<double> loads, const ClosedBlocks<double>& out);

 private:
  /// Accelerations into `found_`, and the terms and factors that lead there. Returns the quality.
  double solve_forward(Call<double>& call, Data<double>& data, VectorIn<double> v, VectorIn<double> tau, bool loaded);
  /// What follows from solve_forward(), at accelerations `a`; tau null: of torques.
  void put_derivatives(Call<double>& call, Data<double>& data, const double* a, const double* tau,
                       const ClosedBlocks<double>& out);
  /// Whether loops are local, so that articulated clusters are quicker.
  bool by_clusters() const;
  /// Whether the result, which is in `found_`, may be used.
  bool put(double quality, VectorOut<double> out) const;

  const Mechanism::Contents& c_;
  Elimination elimination_;
  const ClosingTable& kernels_;
  std::vector<double> M_, torques_, poses_, J_, drifts_, found_, scratch_, derivative_memory_, cluster_memory_;
  std::vector<double> wrenches_, load_values_, none_;
  std::vector<LoadSite> load_sites_;
  ClosingTerms terms_;
};

/// The links on which the kernels' reactions() put loads, in their order.
void put_load_sites(const LoopLayout& layout, std::vector<LoadSite>& sites);

}  // namespace verne
