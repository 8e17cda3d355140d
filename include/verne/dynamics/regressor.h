/// What torques and joint wrenches of a tree depend on linearly: inertial parameters, friction, rotors; and loads.
#pragma once

#include "verne/base/export.h"
#include "verne/dynamics/data.h"
#include "verne/dynamics/parameter_columns.h"

namespace verne {

/// Ten parameters a link of Model::links(): mass, m c (x y z), inertia about the link's origin (xx xy xz yy yz zz), all
/// in link axes; then coulomb, viscous and rotor inertia of every velocity of the tree (with coupled joints, each
/// counts). `columns` takes less of them, in the same order.
VERNE_API int parameter_count(const Model& model, const ParameterColumns& columns = {});
/// Writes the parameters that the model has, π.
VERNE_API void parameters(const Model& model, VectorOut<double> values, const ParameterColumns& columns = {});
/// The parameters that the model has, π.
inline Eigen::VectorXd parameters(const Model& model, const ParameterColumns& columns = {}) {
  Eigen::VectorXd values(parameter_count(model, columns));
  parameters(model, values, columns);
  return values;
}

/// Y (nv x parameter_count) with tau = Y π; and unless null W = wrenches π, where joint j has the block of
/// parameter_count columns that starts at j * parameter_count. The wrenches, through fixed joints too, need every link.
template <class S>
VERNE_API void regressor(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, MatrixOut<S> Y,
                         WrenchesOut<S> wrenches = nullptr, const ParameterColumns& columns = {});

/// Derivatives of tau (nv x 9 per load) with respect to force, moment and point of each load, and unless null of the
/// joint wrenches (6 x 9 per load, joint after joint). Loads that depend on the state enter by the chain rule.
template <class S>
VERNE_API void load_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads,
                                MatrixOut<S> dtau, WrenchesOut<S> wrenches = nullptr);
/// The same of forward dynamics: of the accelerations at given tau, and of the joint wrenches that go with them.
template <class S>
VERNE_API void forward_load_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads,
                                        MatrixOut<S> da, WrenchesOut<S> wrenches = nullptr);

// The same with new results. ----------------------------------------------------------------------------------------

/// Y alone.
template <class S>
Matrix<S> regressor(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                    const ParameterColumns& columns = {}) {
  Matrix<S> Y(model.nv(), parameter_count(model, columns));
  regressor(model, data, q, v, a, Y, nullptr, columns);
  return Y;
}
/// Of the torques.
template <class S>
Matrix<S> load_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads) {
  Matrix<S> dtau(model.nv(), 9 * loads.size());
  load_derivatives(model, data, q, loads, dtau);
  return dtau;
}
/// Of the accelerations at given tau.
template <class S>
Matrix<S> forward_load_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads) {
  Matrix<S> da(model.nv(), 9 * loads.size());
  forward_load_derivatives(model, data, q, loads, da);
  return da;
}

}  // namespace verne
