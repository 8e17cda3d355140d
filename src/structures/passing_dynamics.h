/// Dynamics of a mechanism wherever a motion may lead: also where the independent coordinates do not tell the others,
/// and through singular configurations (docs/theory/loops.md, section 9).
#pragma once

#include "structures/closed_hybrid.h"

namespace verne {

/// As hybrid_dynamics() of a mechanism, of `tau` the given entries and those of actuators alone count. Throws
/// InputError where some motion has no inertia, or loops tie given joints to each other.
VERNE_API void passing_dynamics(const Mechanism& mechanism, MechanismData<double>& data,
                                const GivenAccelerations& given, VectorIn<double> q, VectorIn<double> v,
                                VectorOut<double> a, VectorOut<double> tau, LoadsIn<double> loads,
                                WrenchesOut<double> loop_wrenches, WrenchesOut<double> joint_wrenches);

/// Whether the last project_state() ended in a configuration that is nearly singular (HeldDirections).
VERNE_API bool nearly_singular(MechanismData<double>& data);

}  // namespace verne
