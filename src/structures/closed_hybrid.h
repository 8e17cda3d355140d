/// Hybrid dynamics (dynamics/hybrid.h) of mechanisms with closed loops: docs/theory/structures.md.
#pragma once

#include "structures/closed_dynamics.h"
#include "verne/dynamics/given_accelerations.h"

namespace verne {

/// Completes a motion of the tree, at a closed state: of `a` the given entries are read and the others found as the
/// loops demand, of `tau` (both of all velocities of the tree) the given ones are found, which hold these
/// accelerations, and the others read. Throws InputError where the loops tie given joints to each other.
VERNE_API void hybrid_dynamics(const Mechanism& mechanism, MechanismData<double>& data, const GivenAccelerations& given,
                               VectorIn<double> q, VectorIn<double> v, VectorOut<double> a, VectorOut<double> tau,
                               LoadsIn<double> loads = nullptr, WrenchesOut<double> loop_wrenches = nullptr,
                               WrenchesOut<double> joint_wrenches = nullptr);

}  // namespace verne
