/// Exact derivatives of the dynamics while contacts are held (docs/theory/loops.md, section 6).
///
/// Along the independent coordinates, which without loops are all of the tree; in the tangent space. Contacts are held
/// as contacts.h says, at velocities that they need not allow.
#pragma once

#include "verne/structures/closed_derivatives.h"
#include "verne/structures/contacts.h"

namespace verne {

/// All accelerations a of the tree, and the derivatives of the independent ones: mobility x mobility to q and v,
/// mobility x nv to tau; unless null those of the wrenches of loops and contacts and of joints under tau.
VERNE_API void forward_dynamics_derivatives(const Mechanism& mechanism, ContactData& data,
                                            std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v,
                                            VectorIn<double> tau, VectorOut<double> a, MatrixOut<double> da_dq,
                                            MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                            LoadsIn<double> loads = nullptr,
                                            LoopWrenchDerivatives* loop_wrenches = nullptr,
                                            JointWrenchDerivatives* joint_wrenches = nullptr);

/// Of the least tau that gives a motion, nv x mobility each, and unless null of the wrenches of loops and contacts and
/// of joints under it. Throws InputError where actuators and contacts can give only some motions.
VERNE_API void inverse_dynamics_derivatives(const Mechanism& mechanism, ContactData& data,
                                            std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v,
                                            VectorIn<double> a, MatrixOut<double> dtau_dq, MatrixOut<double> dtau_dv,
                                            MatrixOut<double> dtau_da, LoadsIn<double> loads = nullptr,
                                            LoopWrenchDerivatives* loop_wrenches = nullptr,
                                            JointWrenchDerivatives* joint_wrenches = nullptr,
                                            const Values* weights = nullptr);

/// By force, moment and point of each load: of that tau (nv x 9 per load), and of the independent accelerations under
/// tau (mobility x 9 per load).
VERNE_API void load_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                VectorIn<double> q, const Loads<double>& loads, MatrixOut<double> dtau,
                                const Values* weights = nullptr);
VERNE_API void forward_load_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                        VectorIn<double> q, const Loads<double>& loads, MatrixOut<double> da);

}  // namespace verne
