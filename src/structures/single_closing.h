/// The sparse elimination of batches (docs/theory/loops.md, section 8) for one state.
#pragma once

#include <vector>

#include "structures/elimination.h"
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

 private:
  /// Whether the result, which is in `found_`, may be used.
  bool put(double quality, VectorOut<double> out) const;

  const Mechanism::Contents& c_;
  Elimination elimination_;
  const ClosingTable& kernels_;
  std::vector<double> M_, torques_, poses_, J_, drifts_, found_, scratch_;
  ClosingTerms terms_;
};

}  // namespace verne
