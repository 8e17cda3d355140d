#include "structures/passing_dynamics.h"

#include <algorithm>

#include "structures/held_directions.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

/// Accelerations by independent coordinates lose the square of the condition number: a millionth part of rounding is
/// what an integrator does not feel.
constexpr double kWellConditioned = 1 / kNearSingular;

/// By singular directions in place of independent coordinates.
void balance_directions(MechanismData<double>::Parts& p, const GivenAccelerations& given, VectorIn<double> q,
                        VectorIn<double> v, VectorOut<double> a, VectorOut<double> tau, LoadsIn<double> loads,
                        WrenchesOut<double> loop_wrenches, WrenchesOut<double> joint_wrenches) {
  std::vector<int> free;
  Eigen::VectorXd motion = Eigen::VectorXd::Zero(p.model.nv()), needed(p.model.nv());
  for (int k = 0; k < p.model.nv(); ++k) {
    if (given[k]) {
      motion[k] = a[k];
    } else {
      free.push_back(k);
    }
  }
  p.system.evaluate(p.model, p.data, q, v);
  if (!p.system.J.allFinite()) throw InputError("the configuration is not finite");
  using Equations = HeldDirections::Equations;
  const bool wrenches = loop_wrenches || joint_wrenches;
  const HeldDirections held(p, free, wrenches ? Equations::all : Equations::independent);
  inverse_dynamics<double>(p.model, p.data, q, v, motion, needed, loads);
  const auto [x, lambda] = held.balance(tau - needed, -p.system.drift - p.system.J * motion);
  if (!x.allFinite()) {
    throw InputError("some motion of the mechanism has no inertia: its acceleration is not known");
  }
  motion += x;
  if (free.size() < static_cast<std::size_t>(motion.size())) {
    const Eigen::VectorXd torques = needed + p.system.terms.M * x - p.system.J.transpose() * lambda;
    for (Eigen::Index k = 0; k < motion.size(); ++k) {
      if (given[static_cast<int>(k)]) tau[k] = torques[k];
    }
  }
  if (wrenches) {
    p.lambda = lambda;
    p.write_wrenches(q, v, motion, loads, loop_wrenches, joint_wrenches);
  }
  a = motion;
}

}  // namespace

bool nearly_singular(MechanismData<double>& data) {
  return data.parts().nearly_singular;
}

void passing_dynamics(const Mechanism& mechanism, MechanismData<double>& data, const GivenAccelerations& given,
                      VectorIn<double> q, VectorIn<double> v, VectorOut<double> a, VectorOut<double> tau,
                      LoadsIn<double> loads, WrenchesOut<double> loop_wrenches, WrenchesOut<double> joint_wrenches) {
  auto& p = data.parts();
  const Eigen::VectorXd motors = tau(p.c.actuated);
  const bool motors_alone = std::ranges::none_of(given.flags(), [](char flag) { return flag != 0; }) &&
                            (tau.array() != 0).count() == (motors.array() != 0).count();
  const bool wrenches = loop_wrenches || joint_wrenches;
  if (motors_alone && !wrenches && p.sparse->forward(p.data, q, v, motors, loads, a)) return;
  if (!p.told(q, v, kWellConditioned)) {
    balance_directions(p, given, q, v, a, tau, loads, loop_wrenches, joint_wrenches);
  } else if (motors_alone) {
    forward_dynamics<double>(mechanism, data, q, v, motors, a, loads, loop_wrenches, joint_wrenches);
  } else {
    hybrid_dynamics(mechanism, data, given, q, v, a, tau, loads, loop_wrenches, joint_wrenches);
  }
}

}  // namespace verne
