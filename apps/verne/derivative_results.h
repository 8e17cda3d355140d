/// The derivatives among what `verne eval` can be asked for.
#pragma once

#include <vector>

#include "verne/dynamics/batch_derivatives.h"
#include "verne/io/json_writer.h"
#include "wants.h"

namespace verne::cli {

class DerivativeResults {
 public:
  explicit DerivativeResults(const Model& model) : model_(model) {}

  /// All but those of forward dynamics, at the batch's q, v, a and loads.
  void compute(Batch& batch, const std::vector<Want>& wants);
  /// Those of forward dynamics, at q, v, tau and loads; overwrites batch.a.
  void compute_forward(Batch& batch);

  /// The value of one derivative for state k, whose loads are in `slots` of the batch.
  void append(Quantity quantity, int k, const std::vector<int>& slots, JsonWriter& json) const;

 private:
  void append_wrenches(int k, JsonWriter& json) const;
  void append_sites(Quantity quantity, int k, JsonWriter& json) const;

  Model model_;
  BatchDerivatives tau_, wrenches_, acceleration_;
  LaneArray tau_loads_, acceleration_loads_, regressor_;
  std::vector<BatchSiteDerivatives> sites_;
  BatchCentroidalDerivatives centroidal_;
};

}  // namespace verne::cli
