/// Configurations live on a manifold: steps, differences and samples. Tangent vectors have nv entries.
#pragma once

#include <random>

#include "verne/base/export.h"
#include "verne/dynamics/data.h"

namespace verne {

/// q ⊕ v: where constant velocity v leads in unit time. Quaternions come out normalised.
template <class S>
VERNE_API void integrate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorOut<S> out);

/// v with q0 ⊕ v = q1, turning the shorter way.
template <class S>
VERNE_API void difference(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1, VectorOut<S> v);

/// q0 ⊕ t (q1 ⊖ q0)
template <class S>
VERNE_API void interpolate(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1, std::type_identity_t<S> t,
                           VectorOut<S> out);

/// Zeros and unit quaternions.
VERNE_API void neutral_configuration(const Model& model, VectorOut<double> q);

/// Uniform within the limits where both are finite; else within ±π (angles) or ±1 m; uniform rotations.
VERNE_API void random_configuration(const Model& model, std::mt19937_64& generator, VectorOut<double> q);

/// Throws InputError when q has a wrong length, is not finite or has a quaternion that is not of unit length within
/// 1e-6; `out` is q with its quaternions normalised, and may be q itself.
VERNE_API void checked_configuration(const Model& model, VectorIn<double> q, VectorOut<double> out);

// The same with new results. ----------------------------------------------------------------------------------------

/// The same with a new result.
///@{
inline Eigen::VectorXd neutral_configuration(const Model& model) {
  Eigen::VectorXd q(model.nq());
  neutral_configuration(model, q);
  return q;
}
inline Eigen::VectorXd random_configuration(const Model& model, std::mt19937_64& generator) {
  Eigen::VectorXd q(model.nq());
  random_configuration(model, generator, q);
  return q;
}
inline Eigen::VectorXd checked_configuration(const Model& model, const Eigen::VectorXd& q) {
  Eigen::VectorXd out(q.size());
  checked_configuration(model, q, out);
  return out;
}
///@}
/// The same with a new result.
///@{
template <class S>
Vector<S> integrate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v) {
  Vector<S> out(model.nq());
  integrate(model, data, q, v, out);
  return out;
}
template <class S>
Vector<S> difference(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1) {
  Vector<S> v(model.nv());
  difference(model, data, q0, q1, v);
  return v;
}
template <class S>
Vector<S> interpolate(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1, std::type_identity_t<S> t) {
  Vector<S> out(model.nq());
  interpolate(model, data, q0, q1, t, out);
  return out;
}
///@}

}  // namespace verne
