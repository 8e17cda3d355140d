/// What `verne eval` answers for mechanisms with closed loops, beyond what their trees know.
#pragma once

#include <vector>

#include "verne/io/json_writer.h"
#include "verne/io/state_io.h"
#include "verne/structures/closed_derivatives.h"
#include "wants.h"

namespace verne::cli {

/// Whether a quantity of a mechanism is found here, not by the tree in its closed configuration.
bool is_closed_result(Quantity quantity);

/// What lines about a mechanism hold: its independent coordinates, which when missing are those of home.
StateShape closed_shape(const Mechanism& mechanism);

/// The results of one state.
struct ClosedResults {
  void append(Quantity quantity, const Model& model, JsonWriter& json) const;

  Values q, v, a;  ///< of the tree
  Values tau, acceleration, bias, gravity;
  Eigen::MatrixXd mass_matrix, loop_wrenches, joint_wrenches;
  Eigen::MatrixXd tau_dq, tau_dv, tau_da, acceleration_dq, acceleration_dv, acceleration_dtau;
};

/// Closes states and computes what is wanted of them; one for each thread.
class ClosedSolver {
 public:
  ClosedSolver(const Mechanism& mechanism, std::vector<Want> wants);
  /// Makes the line one about the tree. Throws InputError when it cannot be closed or has no answer.
  ClosedResults solve(StateLine& line);

 private:
  bool wants(Quantity quantity) const;
  void close(const StateLine& line, ClosedResults& out);
  void solve_inverse(const Loads<double>& loads, bool wrenches, ClosedResults& out);
  void solve_forward(const StateLine& line, const Loads<double>& loads, bool wrenches, ClosedResults& out);
  Eigen::VectorXd independent(const Eigen::VectorXd& all) const;

  Mechanism mechanism_;
  std::vector<Want> wants_;
  MechanismData<double> data_;
};

}  // namespace verne::cli
