/// Configurations live on a manifold: steps, differences and samples. Tangent vectors have nv entries.
#pragma once

#include <random>

#include "verne/dynamics/data.h"

namespace verne {

/// q ⊕ v: where constant velocity v leads in unit time. Quaternions come out normalised.
template <class S>
void integrate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorOut<S> out);

/// v with q0 ⊕ v = q1, turning the shorter way.
template <class S>
void difference(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1, VectorOut<S> v);

/// q0 ⊕ t (q1 ⊖ q0)
template <class S>
void interpolate(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1, std::type_identity_t<S> t,
                 VectorOut<S> out);

/// Zeros and unit quaternions.
Eigen::VectorXd neutral_configuration(const Model& model);

/// Uniform within the limits where both are finite; else within ±π (angles) or ±1 m; uniform rotations.
Eigen::VectorXd random_configuration(const Model& model, std::mt19937_64& generator);

/// Throws InputError when q has a wrong length, is not finite or has a quaternion that is not of unit length within
/// 1e-6; returns q with its quaternions normalised.
Eigen::VectorXd checked_configuration(const Model& model, const Eigen::VectorXd& q);

}  // namespace verne
