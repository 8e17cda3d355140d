/// Derivatives of the dynamics as results instead of outputs, and by complex step, to compare with.
#pragma once

#include <limits>

#include "support/complex_step.h"
#include "verne/dynamics/derivatives.h"

namespace verne::test {

/// With respect to q, v and a third argument (a or tau), one column per velocity.
struct Derivatives {
  Eigen::MatrixXd dq, dv, dx;
};

/// Those of f(q, v, x), a function from and to complex vectors, at a real point.
template <class F>
Derivatives stepped_derivatives(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                const Eigen::VectorXd& x, F&& f) {
  Data<Complex> data(model);
  const ComplexVector q0 = q.cast<Complex>(), v0 = v.cast<Complex>(), x0 = x.cast<Complex>();
  const Eigen::Index rows = f(q0, v0, x0).size(), n = model.nv();
  Derivatives out{Eigen::MatrixXd(rows, n), Eigen::MatrixXd(rows, n), Eigen::MatrixXd(rows, n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k);
    out.dq.col(k) = derivative(f(stepped_configuration(model, data, q, unit), v0, x0));
    out.dv.col(k) = derivative(f(q0, stepped(v, unit), x0));
    out.dx.col(k) = derivative(f(q0, v0, stepped(x, unit)));
  }
  return out;
}

inline Loads<Complex> complex_loads(const Loads<double>& loads) {
  using Vector3 = Eigen::Vector3cd;
  Loads<Complex> out;
  for (int k = 0; k < loads.size(); ++k) {
    const auto part = [&](int i) -> Vector3 {
      return Eigen::Map<const Eigen::Vector3d>(loads.values() + 9 * k + 3 * i).cast<Complex>();
    };
    out.add({loads.sites()[k].site, part(0), part(1), part(2), loads.sites()[k].world_point ? At::world : At::link});
  }
  return out;
}

/// First derivatives of torques or accelerations and of all joint wrenches; starts as NaN.
template <class S>
struct DynamicsDerivatives {
  explicit DynamicsDerivatives(const Model& model) : wrenches(model) {
    const S nan(std::numeric_limits<double>::quiet_NaN());
    for (Matrix<S>* block : {&dq, &dv, &dx}) block->setConstant(model.nv(), model.nv(), nan);
    for (Matrix6X<S>* block : {&wrenches.dq, &wrenches.dv, &wrenches.dx}) block->setConstant(nan);
  }
  Matrix<S> dq, dv, dx;
  WrenchDerivatives<S> wrenches;
};

template <class S>
DynamicsDerivatives<S> inverse_derivatives_of(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                              VectorIn<S> a, LoadsIn<S> loads = nullptr) {
  DynamicsDerivatives<S> out(model);
  inverse_dynamics_derivatives(model, data, q, v, a, out.dq, out.dv, out.dx, loads, &out.wrenches);
  return out;
}
template <class S>
DynamicsDerivatives<S> forward_derivatives_of(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                              VectorIn<S> tau, LoadsIn<S> loads = nullptr) {
  DynamicsDerivatives<S> out(model);
  Vector<S> a(model.nv());
  forward_dynamics_derivatives(model, data, q, v, tau, a, out.dq, out.dv, out.dx, loads, &out.wrenches);
  return out;
}

}  // namespace verne::test
