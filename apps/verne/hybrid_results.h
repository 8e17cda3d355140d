/// `verne eval --given`: motions of which some joints' accelerations are given and the torques of the others.
#pragma once

#include <string>
#include <vector>

#include "dynamics/hybrid.h"
#include "verne/io/json_writer.h"
#include "wants.h"

namespace verne::cli {

/// From `acceleration=JOINT,JOINT,...`. Throws InputError with every joint that cannot be given.
GivenAccelerations parse_given(const std::string& text, const Model& model);

class HybridResults {
 public:
  HybridResults(const Model& model, GivenAccelerations given) : model_(model), given_(std::move(given)) {}

  /// Completes batch.a and batch.tau, with the wrenches and derivatives that are wanted.
  void compute(Batch& batch, const std::vector<Want>& wants);
  /// Whether a derivative is one of those below, which depend on what is given.
  static bool has(Quantity quantity);
  /// d_tau, d_acceleration or d_joint_wrenches of state k, whose loads are in `slots` of the batch.
  void append(Quantity quantity, int k, const std::vector<int>& slots, JsonWriter& json) const;

 private:
  enum class By { q, v, a, tau };
  double entry_of(bool torque, By by, int i, int j, int k) const;
  void append_dynamics(bool torque, int k, const std::vector<int>& slots, JsonWriter& json) const;
  void append_wrenches(int k, JsonWriter& json) const;

  Model model_;
  GivenAccelerations given_;
  BatchDerivatives found_, wrenches_;
  LaneArray loads_;
};

}  // namespace verne::cli
