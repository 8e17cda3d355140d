/// The table of kernels for a scalar S that lies in memory as T's. Instantiated by a file for each scalar
/// (table_*.cpp), since compiling them takes minutes.
#pragma once

#include "dynamics/kernels/derivative_algorithms.h"

#define VERNE_STRING_(x) #x
#define VERNE_STRING(x) VERNE_STRING_(x)

namespace verne {
inline namespace VERNE_ISA {

template <class S, class T>
S* as(T* p) {
  return reinterpret_cast<S*>(p);
}

/// Scratch memory, as large as every kernel is promised.
template <class S, class T>
Scratch<S> room(const Tree& tree, T* memory) {
  return Scratch<S>(as<S>(memory), scratch_size(tree));
}

template <class S, class T>
Inputs<S> as(const Inputs<T>& in) {
  return {as<const S>(in.q), as<const S>(in.v), as<const S>(in.a),          as<const S>(in.tau),
          in.load_count,     in.load_sites,     as<const S>(in.load_values)};
}

template <class S, class T>
Blocks<S> as(const Blocks<T>& blocks) {
  return {as<S>(blocks.dq), as<S>(blocks.dv), as<S>(blocks.dx),  blocks.ld,
          blocks.zeros,     blocks.joints,    blocks.joint_count};
}

template <class S, class T>
constexpr KernelTable<T> make_table() {
  using A = Algorithms<S>;
  using D = DerivativeAlgorithms<S>;
  using In = const Inputs<T>&;
  return {
      VERNE_STRING(VERNE_ISA),
      static_cast<int>(sizeof(S) / sizeof(T)),
      [](const Tree& t, In in, T* tau, T* w, T* m) {
        A::inverse_dynamics(t, as<S>(in), as<S>(tau), as<S>(w), room<S>(t, m));
      },
      [](const Tree& t, In in, T* tau, T* m) { A::gravity_torques(t, as<S>(in), as<S>(tau), room<S>(t, m)); },
      [](const Tree& t, In in, T* a, T* w, T* m) {
        A::forward_dynamics(t, as<S>(in), as<S>(a), as<S>(w), room<S>(t, m));
      },
      [](const Tree& t, In in, const char* given, T* a, T* tau, T* w, T* m) {
        A::hybrid_dynamics(t, as<S>(in), {given}, as<S>(a), as<S>(tau), as<S>(w), room<S>(t, m));
      },
      [](const Tree& t, In in, T* M, int ld, T* m) { A::mass_matrix(t, as<S>(in), as<S>(M), ld, room<S>(t, m)); },
      [](const Tree& t, In in, T* M, int ld, T* m) {
        A::inverse_mass_matrix(t, as<S>(in), as<S>(M), ld, room<S>(t, m));
      },
      [](const Tree& t, In in, T* C, int ld, T* m) { A::coriolis_matrix(t, as<S>(in), as<S>(C), ld, room<S>(t, m)); },
      [](const Tree& t, In in, T* p, T* v, T* a, T* m) {
        A::kinematics(t, as<S>(in), as<S>(p), as<S>(v), as<S>(a), room<S>(t, m));
      },
      [](const Tree& t, In in, int site, T* J, T* rate, int ld, T* m) {
        A::jacobian(t, as<S>(in), site, as<S>(J), as<S>(rate), ld, room<S>(t, m));
      },
      [](const Tree& t, In in, const ControlBlocks<T>& o, T* m) {
        A::control_terms(t, as<S>(in),
                         {o.sites, o.site_count, as<S>(o.M), o.ld, as<S>(o.bias), as<S>(o.J), as<S>(o.drift),
                          as<S>(o.poses), o.zeros},
                         room<S>(t, m));
      },
      [](const Tree& t, In in, T* out, T* m) { A::whole_body(t, as<S>(in), as<S>(out), room<S>(t, m)); },
      [](const Tree& t, In in, T* out, int ld, T* m) {
        A::centroidal_momentum_matrix(t, as<S>(in), as<S>(out), ld, room<S>(t, m));
      },
      [](const Tree& t, const T* q, const T* v, T* out) {
        A::integrate(t, as<const S>(q), as<const S>(v), as<S>(out));
      },
      [](const Tree& t, const T* q0, const T* q1, T* v) {
        A::difference(t, as<const S>(q0), as<const S>(q1), as<S>(v));
      },
      [](const Tree& t, In in, const Blocks<T>& tau, const Blocks<T>& w, T* m) {
        D::inverse_dynamics(t, as<S>(in), as<S>(tau), as<S>(w), room<S>(t, m));
      },
      [](const Tree& t, In in, T* a, const Blocks<T>& da, const Blocks<T>& w, T* m) {
        D::forward_dynamics(t, as<S>(in), as<S>(a), as<S>(da), as<S>(w), room<S>(t, m));
      },
      [](const Tree& t, In in, const char* given, T* a, T* tau, const Blocks<T>& found, const Blocks<T>& w, T* m) {
        D::hybrid_dynamics(t, as<S>(in), {given}, as<S>(a), as<S>(tau), as<S>(found), as<S>(w), room<S>(t, m));
      },
      [](const Tree& t, In in, const Weights<T>& w, const SecondBlocks<T>& out, T* m) {
        D::hessian(t, as<S>(in), {as<const S>(w.lambda), as<const S>(w.mu)},
                   {as<S>(out.qq), as<S>(out.qv), as<S>(out.qa), as<S>(out.vv), out.ld, out.zeros}, room<S>(t, m));
      },
      [](const Tree& t, In in, int site, const T* point, const SiteBlocks<T>& out, T* m) {
        D::site_derivatives(
            t, as<S>(in), site, as<const S>(point),
            {as<S>(out.J), as<S>(out.velocity_dq), as<S>(out.acceleration_dq), as<S>(out.acceleration_dv)},
            room<S>(t, m));
      },
      [](const Tree& t, In in, const CentroidalBlocks<T>& o, T* m) {
        D::centroidal_derivatives(
            t, as<S>(in),
            {as<S>(o.com_dq), as<S>(o.momentum_dq), as<S>(o.momentum_dv), as<S>(o.rate_dq), as<S>(o.rate_dv)},
            room<S>(t, m));
      },
      [](const Tree& t, In in, const ParameterColumns& columns, const LinearBlocks<T>& out, T* m) {
        D::regressor(t, as<S>(in), columns, {as<S>(out.tau), as<S>(out.wrenches)}, room<S>(t, m));
      },
      [](const Tree& t, In in, const LinearBlocks<T>& out, T* m) {
        D::load_derivatives(t, as<S>(in), {as<S>(out.tau), as<S>(out.wrenches)}, room<S>(t, m));
      },
      [](const Tree& t, In in, const char* given, const LinearBlocks<T>& out, T* m) {
        D::hybrid_load_derivatives(t, as<S>(in), {given}, {as<S>(out.tau), as<S>(out.wrenches)}, room<S>(t, m));
      },
      [](const Tree& t, In in, const Weights<T>& w, const T* x, T* y, T* m) {
        D::hessian_product(t, as<S>(in), {as<const S>(w.lambda), as<const S>(w.mu)}, as<const S>(x), as<S>(y),
                           room<S>(t, m));
      },
  };
}

}  // namespace VERNE_ISA
}  // namespace verne
