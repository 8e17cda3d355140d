/// What `verne eval` answers for mechanisms with closed loops, beyond what their trees know.
#pragma once

#include <optional>
#include <vector>

#include "closed_states.h"
#include "structures/closed_derivatives.h"
#include "structures/closed_hybrid.h"
#include "structures/contact_derivatives.h"
#include "verne/io/json_writer.h"
#include "verne/io/state_io.h"
#include "verne/structures/system.h"
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

/// Throws InputError with every joint whose acceleration lines about a mechanism cannot give, or whose torque they
/// cannot tell, and with what is not known of motions that are given in part.
void require_given(const Mechanism& mechanism, const GivenAccelerations& given, const std::vector<Want>& wants);

/// The results of one state.
struct ClosedResults : TreeState {
  void append(Quantity quantity, const Model& model, JsonWriter& json) const;

  std::vector<int> contacts;  ///< that are held
  DeterminedWrenches determined;
  Values tau, acceleration, bias, gravity;
  Eigen::MatrixXd mass_matrix, loop_wrenches, joint_wrenches, null_space_torques;
  /// Of torques or accelerations by q, v, what is given beside them, and loads (nine columns each).
  struct Derivatives {
    Eigen::MatrixXd dq, dv, dx, by_loads;
  };
  Derivatives d_tau, d_acceleration;
  /// Of wrenches, one beside the other: of the torques' motion, or of that under tau.
  struct WrenchBlocks {
    Eigen::MatrixXd dq, dv, dx;
  };
  WrenchBlocks d_joint_wrenches, d_loop_wrenches;
  bool wrenches_by_tau = false;

 private:
  void append_derivatives(const Derivatives& of, const char* input, JsonWriter& json) const;
  template <class Name>
  void append_wrench_derivatives(const WrenchBlocks& of, const Name& name, std::size_t count, JsonWriter& json) const;
};

/// Closes states, holds contacts and computes what is wanted of them; one for each thread.
class ClosedSolver {
 public:
  /// With accelerations given everything is of the motion that hybrid dynamics completes.
  ClosedSolver(const System& system, std::vector<Want> wants);
  /// Makes the line one about the tree. Throws InputError when it cannot be closed or has no answer. Of a tree only
  /// what contacts bring about is computed. `known` is what is known of the line already.
  ClosedResults solve(StateLine& line, const std::optional<ClosedStates::Line>& known);

 private:
  bool wants(Quantity quantity) const;
  bool wants_wrench_derivatives() const;
  /// The motion that is given in part, and what it takes.
  void complete(const StateLine& line, const Loads<double>& loads, bool wrenches, ClosedResults& out);
  /// Whether derivatives of wrenches are those under tau: as of the wrenches, if of both models only that is wanted.
  bool wrenches_by_tau() const;
  void solve_held_derivatives(const StateLine& line, const Loads<double>& loads, ClosedResults& out);
  void solve_held(const StateLine& line, const Loads<double>& loads, ClosedResults& out);
  void solve_motion(const StateLine& line, const std::optional<ClosedStates::Line>& known, const Loads<double>& loads,
                    bool wrenches, ClosedResults& out);
  void solve_inverse(const StateLine& line, const Loads<double>& loads, bool wrenches, bool derivatives,
                     ClosedResults& out);
  void solve_forward(const StateLine& line, const Loads<double>& loads, bool wrenches, ClosedResults& out);
  void keep_wrench_derivatives(const LoopWrenchDerivatives& loops, const JointWrenchDerivatives& joints,
                               ClosedResults& out) const;
  Eigen::VectorXd independent(const Eigen::VectorXd& all) const;
  /// Weights of the actuators' torques, if a line has some.
  std::optional<Values> actuator_weights(const StateLine& line) const;
  /// tau of a line for all velocities of the tree.
  Eigen::VectorXd tree_torques(const StateLine& line) const;

  Mechanism mechanism_;
  std::vector<Want> wants_;
  std::optional<GivenAccelerations> given_;
  MechanismData<double> data_;
  ContactData contact_data_;
};

}  // namespace verne::cli
