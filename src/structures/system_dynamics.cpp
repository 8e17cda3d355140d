// Torques, accelerations and matrices of one state of a system.
#include <algorithm>

#include "dynamics/hybrid.h"
#include "structures/closed_hybrid.h"
#include "structures/system_parts.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

/// Where wrenches go; null unless they are wanted.
struct WrenchPlaces {
  WrenchPlaces(const System& system, SystemData::Parts& p, bool wanted) {
    p.loops.resize(6, wanted ? system.closures() : 0);
    p.joints.resize(6, wanted ? static_cast<Eigen::Index>(system.model().joints().size()) : 0);
    if (wanted) loops = &p.loops, joints = &p.joints;
  }
  Matrix6X<double>*loops = nullptr, *joints = nullptr;
};

SystemDynamics results(const SystemData::Parts& p) {
  return {view_of(p.tau), view_of(p.a), matrix_view_of(p.loops), matrix_view_of(p.joints)};
}

/// The wrenches of what legs gave, unless they are not wanted. False where only the general method will do.
bool put_wrenches(SystemData::Parts& p, VectorIn<double> q, VectorIn<double> v, const Loads<double>* loads,
                  const WrenchPlaces& wrenches) {
  if (!wrenches.loops) return true;
  MechanismData<double>::Parts& closed = p.closed().parts();
  return closed.sparse->reactions(closed.data, q, v, p.a, p.tau, loads, wrenches.loops, wrenches.joints);
}

/// Forces along independent coordinates, at independent accelerations of zero.
void put_forces(const System::Contents& c, SystemData::Parts& p, VectorIn<double> q, const Eigen::VectorXd& v,
                Eigen::VectorXd& forces) {
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(c.mechanism.mobility());
  Eigen::VectorXd all_v(c.model.nv()), all_a(c.model.nv());
  closed_motion(c.mechanism, p.closed(), q, v, none, all_v, all_a);
  forces.resize(none.size());
  generalized_forces(c.mechanism, p.closed(), q, all_v, all_a, forces);
}

}  // namespace

TreeState assemble(const System& system, SystemData& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                   std::span<const double> guess) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  require_size("assemble", "q", system.nq(), q.size());
  require_size("assemble", "v", system.nv(), v.size());
  require_size("assemble", "a", system.nv(), a.size());
  bool connected = true;
  if (c.closed()) {
    const Values& home = c.mechanism.home();
    const Eigen::Map<const Eigen::VectorXd> from(guess.empty() ? home.data() : guess.data(),
                                                 guess.empty() ? home.size() : static_cast<Eigen::Index>(guess.size()));
    p.q.resize(c.model.nq());
    connected = assemble<double>(c.mechanism, p.closed(), q, from, p.q);
    Eigen::VectorXd all_v(c.model.nv()), all_a(c.model.nv());
    closed_motion<double>(c.mechanism, p.closed(), p.q, v, a, all_v, all_a);
    p.v = all_v, p.a = all_a;
  } else {
    p.q = q, p.v = v, p.a = a;
  }
  return {view_of(p.q), view_of(p.v), view_of(p.a), connected};
}

MatrixView closed_jacobian(const System& system, SystemData& data, VectorIn<double> q) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  p.jacobian.setIdentity(c.model.nv(), system.nv());
  if (c.closed()) closed_jacobian<double>(c.mechanism, p.closed(), q, p.jacobian);
  return matrix_view_of(p.jacobian);
}

DeterminedWrenches determined_wrenches(const System& system, SystemData& data, VectorIn<double> q) {
  const System::Contents& c = system.contents();
  if (c.joined()) return determined_wrenches(c.mechanism, *data.parts().held, c.contacts, q);
  constexpr std::array<bool, 6> kAll{true, true, true, true, true, true};
  return {{}, std::vector(c.model.joints().size(), kAll)};
}

SystemDynamics inverse_dynamics(const System& system, SystemData& data, VectorIn<double> q, VectorIn<double> v,
                                VectorIn<double> a, const DynamicsOptions& options) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  const WrenchPlaces wrenches(system, p, options.wrenches);
  p.a = a;  // which may be the memory of a former result
  if (!c.joined()) {
    p.tau.resize(c.model.nv());
    inverse_dynamics<double>(c.model, p.tree, q, v, p.a, p.tau, options.loads, wrenches.joints);
    return results(p);
  }
  const std::optional<Values> weights = actuator_weights(c, options.weights);
  const Values* const weighing = weights ? &*weights : nullptr;
  if (!c.contacts.empty()) {
    inverse_dynamics(c.mechanism, *p.held, c.contacts, q, v, p.a, p.tree_tau, options.loads, wrenches.loops,
                     wrenches.joints, weighing);
    keep_motors(c, p.tree_tau, p.tau);
    return results(p);
  }
  p.tau.resize(c.motors());
  const bool by_legs = p.legs && !weighing;
  if (by_legs) inverse_dynamics(*p.legs, q, v, p.a, p.tau, options.loads);
  if (!by_legs || !put_wrenches(p, q, v, options.loads, wrenches)) {
    inverse_dynamics<double>(c.mechanism, p.closed(), q, v, p.a, p.tau, options.loads, wrenches.loops, wrenches.joints,
                             weighing);
  }
  return results(p);
}

SystemDynamics forward_dynamics(const System& system, SystemData& data, VectorIn<double> q, VectorIn<double> v,
                                VectorIn<double> tau, const DynamicsOptions& options, std::span<const double> given_a) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  require_size("forward_dynamics", "tau", system.torques(), tau.size());
  const WrenchPlaces wrenches(system, p, options.wrenches);
  p.tau = tau;
  p.a.resize(c.model.nv());
  if (c.given) {
    require_size("forward_dynamics", "given accelerations", c.model.nv(), static_cast<Eigen::Index>(given_a.size()));
    std::ranges::copy(given_a, p.a.begin());
    p.tree_tau = all_torques(c, tau);
    if (c.closed()) {
      hybrid_dynamics(c.mechanism, p.closed(), *c.given, q, v, p.a, p.tree_tau, options.loads, wrenches.loops,
                      wrenches.joints);
    } else {
      hybrid_dynamics<double>(c.model, p.tree, *c.given, q, v, p.a, p.tree_tau, options.loads, wrenches.joints);
    }
    keep_motors(c, p.tree_tau, p.tau);
  } else if (!c.joined()) {
    forward_dynamics<double>(c.model, p.tree, q, v, p.tau, p.a, options.loads, wrenches.joints);
  } else if (c.contacts.empty()) {
    if (p.legs) forward_dynamics(*p.legs, q, v, p.tau, p.a, options.loads);
    if (!p.legs || !put_wrenches(p, q, v, options.loads, wrenches)) {
      forward_dynamics<double>(c.mechanism, p.closed(), q, v, p.tau, p.a, options.loads, wrenches.loops,
                               wrenches.joints);
    }
  } else {
    forward_dynamics(c.mechanism, *p.held, c.contacts, q, v, all_torques(c, tau), p.a, options.loads, wrenches.loops,
                     wrenches.joints);
  }
  return results(p);
}

VectorView bias_torques(const System& system, SystemData& data, VectorIn<double> q, VectorIn<double> v) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  if (c.closed()) {
    require_size("bias_torques", "v", c.model.nv(), v.size());
    Eigen::VectorXd free(system.nv());
    for (Eigen::Index k = 0; k < free.size(); ++k) free[k] = v[c.mechanism.independent()[static_cast<std::size_t>(k)]];
    put_forces(c, p, q, free, p.bias);
  } else {
    p.bias.resize(c.model.nv());
    bias_torques<double>(c.model, p.tree, q, v, p.bias);
  }
  return view_of(p.bias);
}

VectorView gravity_torques(const System& system, SystemData& data, VectorIn<double> q) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  if (c.closed()) {
    put_forces(c, p, q, Eigen::VectorXd::Zero(system.nv()), p.gravity);
  } else {
    p.gravity.resize(c.model.nv());
    gravity_torques<double>(c.model, p.tree, q, p.gravity);
  }
  return view_of(p.gravity);
}

MatrixView mass_matrix(const System& system, SystemData& data, VectorIn<double> q) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  p.mass.resize(system.nv(), system.nv());
  if (c.closed()) {
    mass_matrix<double>(c.mechanism, p.closed(), q, p.mass);
  } else {
    mass_matrix<double>(c.model, p.tree, q, p.mass);
  }
  return matrix_view_of(p.mass);
}

MatrixView null_space_torques(const System& system, SystemData& data, VectorIn<double> q) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  if (!c.joined()) {
    p.stresses.resize(c.model.nv(), 0);
    return matrix_view_of(p.stresses);
  }
  const Table basis = null_space_torques(c.mechanism, *p.held, c.contacts, q);
  p.stresses.setZero(system.torques(), basis.cols());
  for (int k = 0; k < c.motors(); ++k) {
    const int row = c.closed() ? k : c.mechanism.actuated()[static_cast<std::size_t>(k)];
    p.stresses.row(row) = basis.eigen().row(k);
  }
  return matrix_view_of(p.stresses);
}

}  // namespace verne
