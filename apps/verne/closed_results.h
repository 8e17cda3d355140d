/// What `verne eval` answers for mechanisms with closed loops, beyond what their trees know.
#pragma once

#include <vector>

#include "verne/io/json_writer.h"
#include "verne/io/state_io.h"
#include "verne/structures/closed_derivatives.h"
#include "verne/structures/contact_derivatives.h"
#include "wants.h"

namespace verne::cli {

/// Whether a quantity of a mechanism is found here, not by the tree in its closed configuration.
bool is_closed_result(Quantity quantity);
/// The same for a tree some of whose contacts are held, or are not.
bool is_contact_result(Quantity quantity, bool held);

/// What lines about a mechanism hold: its independent coordinates, which when missing are those of home.
StateShape closed_shape(const Mechanism& mechanism);

/// All coordinates of the tree that a line about a mechanism means. Throws InputError when it cannot be closed.
struct TreeState {
  Values q, v, a;
  bool connected = true;  ///< what assemble() says of it
};
/// What to tell where it is not.
inline constexpr const char* kNotConnected =
    "the mechanism cannot go straight from the guess, or from home, to these coordinates: it was closed on whatever "
    "branch was near; a nearer guess chooses one";
TreeState close_line(const Mechanism& mechanism, MechanismData<double>& data, const StateLine& line);

/// The results of one state.
struct ClosedResults : TreeState {
  void append(Quantity quantity, const Model& model, JsonWriter& json) const;

  std::vector<int> contacts;  ///< that are held
  DeterminedWrenches determined;
  Values tau, acceleration, bias, gravity;
  Eigen::MatrixXd mass_matrix, loop_wrenches, joint_wrenches;
  Eigen::MatrixXd tau_dq, tau_dv, tau_da, acceleration_dq, acceleration_dv, acceleration_dtau;
  Eigen::MatrixXd wrenches_dq, wrenches_dv, wrenches_da;  ///< of joints, one beside the other
};

/// Closes states, holds contacts and computes what is wanted of them; one for each thread.
class ClosedSolver {
 public:
  ClosedSolver(const Mechanism& mechanism, std::vector<Want> wants);
  /// Makes the line one about the tree. Throws InputError when it cannot be closed or has no answer. Of a tree only
  /// what contacts bring about is computed.
  ClosedResults solve(StateLine& line);

 private:
  bool wants(Quantity quantity) const;
  bool wants_inverse_derivatives() const;
  void solve_held(const StateLine& line, const Loads<double>& loads, ClosedResults& out);
  void solve_inverse(const Loads<double>& loads, bool wrenches, ClosedResults& out);
  void solve_forward(const StateLine& line, const Loads<double>& loads, bool wrenches, ClosedResults& out);
  Eigen::VectorXd independent(const Eigen::VectorXd& all) const;

  Mechanism mechanism_;
  std::vector<Want> wants_;
  MechanismData<double> data_;
  ContactData contact_data_;
};

}  // namespace verne::cli
