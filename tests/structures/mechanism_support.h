/// Mechanisms for tests, and an oracle for their equations that is written in another way.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "structures/closed_derivatives.h"
#include "support/compare.h"
#include "support/complex_step.h"
#include "support/paths.h"
#include "support/states.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {

inline Model shipped_model(const std::string& name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

/// A closed state of a mechanism.
struct ClosedState {
  Eigen::VectorXd q, v, a, tau;            ///< of the tree; tau of the actuators
  Eigen::VectorXd free_q, free_v, free_a;  ///< the independent ones
};

/// Home, moved along the independent velocities by about `size`, or less where that is out of reach: a random mechanism
/// may stand near the end of its branch.
inline ClosedState closed_state(const Mechanism& mechanism, std::mt19937_64& rng, double size) {
  const Model& model = mechanism.model();
  MechanismData<double> data(mechanism);
  Data<double> tree(model);
  const Eigen::VectorXd home = mechanism.home().eigen();
  Eigen::VectorXd step = Eigen::VectorXd::Zero(model.nv());
  for (const int k : mechanism.independent()) step[k] = random_number(rng, -size, size);
  ClosedState s;
  s.free_q.resize(mechanism.nq());
  s.q.resize(model.nq()), s.v.resize(model.nv()), s.a.resize(model.nv());
  const auto closes = [&] {
    const Eigen::VectorXd moved = integrate(model, tree, home, step);
    for (int k = 0; k < mechanism.nq(); ++k) s.free_q[k] = moved[mechanism.independent_positions()[std::size_t(k)]];
    try {
      assemble(mechanism, data, s.free_q, home, s.q);
    } catch (const InputError&) {
      return false;
    }
    return true;
  };
  for (int k = 0; !closes(); ++k) {
    if (k == 20) throw std::logic_error("no closed state near home");
    step /= 4;
  }
  s.free_v = random_values(rng, mechanism.mobility(), 1);
  s.free_a = random_values(rng, mechanism.mobility(), 2);
  s.tau = random_values(rng, int(mechanism.actuated().size()), 2);
  closed_motion(mechanism, data, s.q, s.free_v, s.free_a, s.v, s.a);
  return s;
}

/// Frames of the loops in the world, from poses of links.
template <class S>
struct WorldFrame {
  Eigen::Matrix<S, 3, 3> R;
  Eigen::Matrix<S, 3, 1> p, v, omega;
};
template <class S>
WorldFrame<S> world_frame(const Model& model, const Kinematics<S>& k, const LoopEnd& end) {
  using M = Eigen::Matrix<S, 3, 3>;
  using V = Eigen::Matrix<S, 3, 1>;
  const Eigen::Matrix3d R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(end.X_LF.R.m);
  const Eigen::Vector3d p(end.X_LF.p.x, end.X_LF.p.y, end.X_LF.p.z);
  if (end.link == "world") return {R.cast<S>(), p.cast<S>(), V::Zero(), V::Zero()};
  const int site = model.link(end.link);
  const M R_WL = k.rotation(site);
  const V r = R_WL * p.cast<S>(), omega = k.velocities.col(site).tail(3);
  const V spin(omega[1] * r[2] - omega[2] * r[1], omega[2] * r[0] - omega[0] * r[2], omega[0] * r[1] - omega[1] * r[0]);
  return {R_WL * R.cast<S>(), k.position(site) + r, k.velocities.col(site).head(3) + spin, omega};
}

/// Rates at which a loop opens, from the definitions of docs/model-format.md: dot products of world vectors.
template <class S>
Vector<S> opening_rates(const Model& model, Data<S>& data, const Vector<S>& q, const Vector<S>& v) {
  const Kinematics<S> k = forward_kinematics(model, data, q, v, Vector<S>(Vector<S>::Zero(v.size())));
  std::vector<S> rates;
  for (const LoopSpec& loop : model.loops()) {
    const WorldFrame<S> a = world_frame(model, k, loop.a), b = world_frame(model, k, loop.b);
    using V = Eigen::Matrix<S, 3, 1>;
    const auto cross = [](const V& x, const V& y) {
      return V(x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]);
    };
    const auto dot = [](const V& x, const V& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; };
    const V apart = a.p - b.p, apart_rate = a.v - b.v;
    // d/dt of (p_a − p_b)·a_i, and of the cosine between axis i of a and axis j of b
    const auto distance = [&](int i) {
      const V axis = a.R.col(i);
      rates.push_back(dot(apart_rate, axis) + dot(apart, cross(a.omega, axis)));
    };
    const auto cosine = [&](int i, int j) {
      const V x = a.R.col(i), y = b.R.col(j);
      return dot(cross(a.omega, x), y) + dot(x, cross(b.omega, y));
    };
    const auto turn = [&](int i, int j) { rates.push_back((cosine(j, i) - cosine(i, j)) * 0.5); };
    using T = LoopType;
    const T type = loop.type;
    if (type != T::planar) distance(0), distance(1);
    if (type == T::revolute || type == T::universal || type == T::spherical || type == T::rigid || type == T::planar)
      distance(2);
    if (type == T::revolute || type == T::prismatic || type == T::cylindrical || type == T::planar)
      rates.push_back(cosine(0, 2)), rates.push_back(cosine(1, 2));
    if (type == T::universal) rates.push_back(cosine(0, 1));
    if (type == T::rigid) turn(1, 2), turn(2, 0);
    if (type == T::rigid || type == T::prismatic) turn(0, 1);
  }
  return Eigen::Map<const Vector<S>>(rates.data(), Eigen::Index(rates.size()));
}

/// J v = 0 and J a + drift = 0 of all loops.
struct Openings {
  Eigen::MatrixXd J;
  Eigen::VectorXd drift;
};
inline Openings openings(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Data<double> data(model);
  Data<std::complex<double>> complex_data(model);
  Openings out;
  const Eigen::Index n = model.nv();
  out.drift = derivative(opening_rates<std::complex<double>>(
      model, complex_data, stepped_configuration(model, complex_data, q, v), v.cast<std::complex<double>>()));
  out.J.resize(out.drift.size(), n);
  for (Eigen::Index k = 0; k < n; ++k) {
    out.J.col(k) = opening_rates<double>(model, data, q, Eigen::VectorXd(Eigen::VectorXd::Unit(n, k)));
  }
  return out;
}

/// Accelerations by Lagrange's multipliers on all equations: M a + h = B tau + Jᵀ λ, J a = −drift.
inline Eigen::VectorXd lagrange_accelerations(const Mechanism& mechanism, const ClosedState& s,
                                              const Loads<double>& loads = {}) {
  const Model& model = mechanism.model();
  Data<double> data(model);
  const Openings c = openings(model, s.q, s.v);
  const Eigen::Index n = model.nv(), m = c.J.rows();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = mass_matrix(model, data, s.q);
  K.topRightCorner(n, m) = -c.J.transpose();
  K.bottomLeftCorner(m, n) = c.J;
  Eigen::VectorXd right(n + m);
  right << -inverse_dynamics(model, data, s.q, s.v, Eigen::VectorXd(Eigen::VectorXd::Zero(n)), loads), -c.drift;
  for (Eigen::Index k = 0; k < s.tau.size(); ++k) right[mechanism.actuated()[std::size_t(k)]] += s.tau[k];
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(1e-10);
  return solver.compute(K).solve(right).head(n);
}

}  // namespace verne::test
