/// Exact derivatives of the dynamics while contacts are held (docs/theory/loops.md, section 6).
///
/// Along the independent coordinates, which without loops are all of the tree; in the tangent space. Contacts are held
/// as contacts.h says, at velocities that they need not allow.
#pragma once

#include "structures/closed_derivatives.h"
#include "structures/contacts.h"

namespace verne {

/// All accelerations a of the tree, and the derivatives of the independent ones: mobility x mobility to q and v,
/// mobility x nv to tau; unless null those of the wrenches of loops and contacts and of joints under tau, and of all of
/// a.
VERNE_API void forward_dynamics_derivatives(
    const Mechanism& mechanism, ContactData& data, std::span<const int> contacts, VectorIn<double> q,
    VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a, MatrixOut<double> da_dq, MatrixOut<double> da_dv,
    MatrixOut<double> da_dtau, LoadsIn<double> loads = nullptr, LoopWrenchDerivatives* loop_wrenches = nullptr,
    JointWrenchDerivatives* joint_wrenches = nullptr, TreeAccelerationDerivatives* tree = nullptr);

/// Of the least tau that gives a motion, nv x mobility each, and unless null of the wrenches of loops and contacts and
/// of joints under it, and of the tree's accelerations. Throws InputError where actuators and contacts can give only
/// some motions.
VERNE_API void inverse_dynamics_derivatives(const Mechanism& mechanism, ContactData& data,
                                            std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v,
                                            VectorIn<double> a, MatrixOut<double> dtau_dq, MatrixOut<double> dtau_dv,
                                            MatrixOut<double> dtau_da, LoadsIn<double> loads = nullptr,
                                            LoopWrenchDerivatives* loop_wrenches = nullptr,
                                            JointWrenchDerivatives* joint_wrenches = nullptr,
                                            const Values* weights = nullptr,
                                            TreeAccelerationDerivatives* tree = nullptr);

/// By force, moment and point of each load: of that tau (nv x 9 per load), and of the independent accelerations under
/// tau (mobility x 9 per load).
VERNE_API void load_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                VectorIn<double> q, const Loads<double>& loads, MatrixOut<double> dtau,
                                const Values* weights = nullptr);
/// Of the independent accelerations under tau, mobility x 9 per load.
VERNE_API void forward_load_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                        VectorIn<double> q, const Loads<double>& loads, MatrixOut<double> da);

// The same with new results, for scripts and where allocation does not matter. -------------------------------------

/// With a new result.
inline ClosedTorqueDerivatives inverse_dynamics_derivatives(const Mechanism& mechanism, ContactData& data,
                                                            std::span<const int> contacts, VectorIn<double> q,
                                                            VectorIn<double> v, VectorIn<double> a,
                                                            const Loads<double>& loads = {},
                                                            const Values* weights = nullptr) {
  ClosedTorqueDerivatives out(mechanism, mechanism.model().nv(), contacts.size());
  inverse_dynamics_derivatives(mechanism, data, contacts, q, v, a, out.dq, out.dv, out.da, &loads, &out.loop_wrenches,
                               &out.joint_wrenches, weights);
  return out;
}
/// With a new result.
inline ClosedAccelerationDerivatives forward_dynamics_derivatives(const Mechanism& mechanism, ContactData& data,
                                                                  std::span<const int> contacts, VectorIn<double> q,
                                                                  VectorIn<double> v, VectorIn<double> tau,
                                                                  const Loads<double>& loads = {}) {
  ClosedAccelerationDerivatives out(mechanism, mechanism.model().nv(), contacts.size());
  forward_dynamics_derivatives(mechanism, data, contacts, q, v, tau, out.a, out.dq, out.dv, out.dtau, &loads,
                               &out.loop_wrenches, &out.joint_wrenches);
  return out;
}
/// Of the torques, with a new result.
inline Eigen::MatrixXd load_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                        VectorIn<double> q, const Loads<double>& loads,
                                        const Values* weights = nullptr) {
  Eigen::MatrixXd dtau(mechanism.model().nv(), 9 * loads.size());
  load_derivatives(mechanism, data, contacts, q, loads, dtau, weights);
  return dtau;
}
/// Of the independent accelerations under tau, with a new result.
inline Eigen::MatrixXd forward_load_derivatives(const Mechanism& mechanism, ContactData& data,
                                                std::span<const int> contacts, VectorIn<double> q,
                                                const Loads<double>& loads) {
  Eigen::MatrixXd da(mechanism.mobility(), 9 * loads.size());
  forward_load_derivatives(mechanism, data, contacts, q, loads, da);
  return da;
}

}  // namespace verne
