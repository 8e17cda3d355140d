/// Computes what is wanted for a number of states at once and writes it as JSON Lines.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "closed_results.h"
#include "derivative_results.h"
#include "hybrid_results.h"
#include "verne/codegen/compile.h"
#include "verne/dynamics/batch.h"
#include "verne/io/json_writer.h"
#include "verne/io/state_io.h"
#include "wants.h"

namespace verne::cli {

class Evaluator {
 public:
  /// For at most `capacity` states at a time. With `given` everything is of the motion that hybrid dynamics completes.
  /// With `compiled`, which has all that is wanted, its code computes it.
  Evaluator(const Model& model, std::vector<Want> wants, const std::optional<GivenAccelerations>& given,
            std::optional<CompiledModel> compiled, int capacity, int threads);

  /// Computes all that is wanted. Results do not depend on which states come together. Of a mechanism the states are
  /// those of its tree, and `closed` has what is known of it (or of contacts) beyond the tree, for as long as results
  /// are asked for.
  void compute(std::span<const StateLine> states, std::span<const ClosedResults> closed = {});
  /// Appends the results of state k of the last compute(): one JSON object and a line end. Returns the keys of those
  /// that are not all finite numbers.
  std::vector<std::string> append(int k, JsonWriter& json, std::string& lines) const;

 private:
  struct JacobianOf {
    int site;
    LaneArray J, rate;
  };

  bool wants(Quantity quantity) const;
  void set_loads(std::span<const StateLine> states);
  void compute_motion();
  void compute_matrices();
  void compute_compiled(std::span<const StateLine> states);
  void complete_motions(std::span<const StateLine> states);
  void set_torques(std::span<const StateLine> states);
  void compute_dynamics(std::span<const StateLine> states);
  const JacobianOf& jacobian_of(int site) const;
  bool is_of_mechanism(Quantity quantity, int k) const;

  void append_value(const Want& want, int k, JsonWriter& json) const;
  void append_wrenches(int k, JsonWriter& json) const;
  void append_poses(int k, JsonWriter& json) const;
  void append_pose(int site, int k, JsonWriter& json) const;
  void append_motions(const LaneArray& motions, int k, JsonWriter& json) const;

  Model model_;
  std::optional<CompiledModel> compiled_;
  std::vector<Want> wants_;
  std::span<const ClosedResults> closed_;
  Batch batch_;
  LaneArray torques_;  ///< results of inverse dynamics, apart from the given torques in batch_.tau
  std::vector<JacobianOf> jacobians_;
  DerivativeResults derivatives_;
  std::optional<HybridResults> hybrid_;
  std::vector<Want> other_wants_;        ///< all but those that hybrid_ or closed_ have
  std::vector<std::vector<int>> slots_;  ///< for every state the slots of its loads, in its own order
  bool loaded_ = false;
};

}  // namespace verne::cli
