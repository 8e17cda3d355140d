/// The kernels of one instruction set as a table of functions on raw arrays.
///
/// T is the type in memory (double, or complex for derivative tests); a value of a lane kernel is `lanes` consecutive
/// T. Matrices are column-major; `ld` is the distance between columns, in values. `scratch` has scratch_size() values.
/// Included by files for every instruction set: no standard library here.
#pragma once

#include "model/tree.h"
#include "verne/dynamics/load_site.h"
#include "verne/dynamics/parameter_columns.h"

namespace verne {

/// States of the model; null stands for zero (v, a, tau). A load has nine values: force, moment, point.
template <class T>
struct Inputs {
  const T* q = nullptr;
  const T* v = nullptr;
  const T* a = nullptr;
  const T* tau = nullptr;
  int load_count = 0;
  const LoadSite* load_sites = nullptr;
  const T* load_values = nullptr;
};

/// Derivatives with respect to q, v and a third thing (a, or tau): nv x nv matrices with leading dimension ld, or for
/// joint wrenches 6 x nv blocks one after the other (ld not used), of all joints or of those that are listed. Null dq:
/// not wanted.
template <class T>
struct Blocks {
  T* dq = nullptr;
  T* dv = nullptr;
  T* dx = nullptr;
  long ld = 0;
  bool zeros = false;  // entries of freedoms that do not support each other are zero already
  const int* joints = nullptr;
  int joint_count = 0;
  T* operator[](int k) const { return k == 0 ? dq : k == 1 ? dv : dx; }
};

/// Multipliers of the second derivatives: nv of the torques, six a joint of the joint wrenches; either may be null.
template <class T>
struct Weights {
  const T* lambda = nullptr;
  const T* mu = nullptr;
};

/// Derivatives of one site (6 x nv blocks; J is also those of velocity to v and of acceleration to a).
template <class T>
struct SiteBlocks {
  T *J, *velocity_dq, *acceleration_dq, *acceleration_dv;
  T* operator[](int k) const { return k == 0 ? J : k == 1 ? velocity_dq : k == 2 ? acceleration_dq : acceleration_dv; }
};

/// Derivatives of the centre of mass (3 x nv), of the momentum and of its rate (6 x nv).
template <class T>
struct CentroidalBlocks {
  T *com_dq, *momentum_dq, *momentum_dv, *rate_dq, *rate_dv;
  T* operator[](int k) const {
    return k == 0 ? com_dq : k == 1 ? momentum_dq : k == 2 ? momentum_dv : k == 3 ? rate_dq : rate_dv;
  }
};

/// Linear dependence: tau is nv x columns with leading dimension nv, wrenches 6 x columns a joint; null: not wanted.
template <class T>
struct LinearBlocks {
  T* tau = nullptr;
  T* wrenches = nullptr;
};

/// Blocks of the Hessian with respect to (q, v, a); those of va and aa vanish. Rows: the first letter.
template <class T>
struct SecondBlocks {
  T *qq, *qv, *qa, *vv;
  long ld;
  bool zeros = false;  // as in Blocks
  T* operator[](int k) const { return k == 0 ? qq : k == 1 ? qv : k == 2 ? qa : vv; }
};

/// What control_terms() writes: M (leading dimension ld) and bias; a site's Jacobian (6 x nv), J̇ v and pose. With a
/// null M poses and Jacobians only; without `zeros` a Jacobian's columns of velocities that do not move the site are
/// not written.
template <class T>
struct ControlBlocks {
  const int* sites;
  int site_count;
  T* M;
  long ld;
  T *bias, *J, *drift, *poses;
  bool zeros = true;
};

template <class T>
struct KernelTable {
  const char* name;
  int lanes;
  /// tau, and joint wrenches (6 a joint) unless null
  void (*inverse_dynamics)(const Tree&, const Inputs<T>&, T* tau, T* wrenches, T* scratch);
  void (*gravity_torques)(const Tree&, const Inputs<T>&, T* tau, T* scratch);
  void (*forward_dynamics)(const Tree&, const Inputs<T>&, T* a, T* wrenches, T* scratch);
  /// Completes `a` and `tau`: of in.a what `given` flags (one char a velocity of the model) is read, of in.tau the
  /// rest.
  void (*hybrid_dynamics)(const Tree&, const Inputs<T>&, const char* given, T* a, T* tau, T* wrenches, T* scratch);
  void (*mass_matrix)(const Tree&, const Inputs<T>&, T* M, int ld, T* scratch);
  void (*inverse_mass_matrix)(const Tree&, const Inputs<T>&, T* inverse, int ld, T* scratch);
  void (*coriolis_matrix)(const Tree&, const Inputs<T>&, T* C, int ld, T* scratch);
  /// poses (12 a site), velocities and accelerations (6 a site); each may be null
  void (*kinematics)(const Tree&, const Inputs<T>&, T* poses, T* velocities, T* accelerations, T* scratch);
  /// J and, unless null, its rate (6 x nv)
  void (*jacobian)(const Tree&, const Inputs<T>&, int site, T* J, T* rate, int ld, T* scratch);
  void (*control_terms)(const Tree&, const Inputs<T>&, const ControlBlocks<T>& out, T* scratch);
  /// 17 values: kinetic, potential; linear, angular momentum; centre of mass, its velocity and acceleration
  void (*whole_body)(const Tree&, const Inputs<T>&, T* out, T* scratch);
  void (*centroidal_momentum_matrix)(const Tree&, const Inputs<T>&, T* A, int ld, T* scratch);
  /// q ⊕ v, and v with q0 ⊕ v = q1; both in coordinates of the model
  void (*integrate)(const Tree&, const T* q, const T* v, T* out);
  void (*difference)(const Tree&, const T* q0, const T* q1, T* v);
  /// ∂τ/∂q, ∂τ/∂v, ∂τ/∂a and those of the joint wrenches
  void (*inverse_dynamics_derivatives)(const Tree&, const Inputs<T>&, const Blocks<T>& tau, const Blocks<T>& wrenches,
                                       T* scratch);
  /// a, ∂a/∂q, ∂a/∂v, ∂a/∂τ and those of the joint wrenches
  void (*forward_dynamics_derivatives)(const Tree&, const Inputs<T>&, T* a, const Blocks<T>& da,
                                       const Blocks<T>& wrenches, T* scratch);
  /// a, tau, and derivatives of what of them is found by q, v and what is given
  void (*hybrid_dynamics_derivatives)(const Tree&, const Inputs<T>&, const char* given, T* a, T* tau,
                                      const Blocks<T>& found, const Blocks<T>& wrenches, T* scratch);
  /// of λᵀτ + Σ μᵀW
  void (*hessian)(const Tree&, const Inputs<T>&, const Weights<T>&, const SecondBlocks<T>& out, T* scratch);
  /// Derivatives of the motion of a point of a site (three values, site axes; null: its origin).
  void (*site_derivatives)(const Tree&, const Inputs<T>&, int site, const T* point, const SiteBlocks<T>& out,
                           T* scratch);
  void (*centroidal_derivatives)(const Tree&, const Inputs<T>&, const CentroidalBlocks<T>& out, T* scratch);
  /// Columns: ten a link, then coulomb, viscous and rotor inertia of each tree velocity, as far as wanted.
  void (*regressor)(const Tree&, const Inputs<T>&, const ParameterColumns&, const LinearBlocks<T>& out, T* scratch);
  /// Columns: nine a load (force, moment, point).
  void (*load_derivatives)(const Tree&, const Inputs<T>&, const LinearBlocks<T>& out, T* scratch);
  /// The same of what hybrid dynamics finds in place of tau, of forward dynamics where `given` is null.
  void (*hybrid_load_derivatives)(const Tree&, const Inputs<T>&, const char* given, const LinearBlocks<T>& out,
                                  T* scratch);
  void (*hessian_product)(const Tree&, const Inputs<T>&, const Weights<T>&, const T* x, T* y, T* scratch);
};

/// Values of scratch memory that any kernel may use.
inline long scratch_size(const Tree& tree) {
  const long n = tree.body_count, nv = tree.nv, nq = tree.nq;
  return 648 * n + 12 * nv * nv + 192 * nv + 8 * nq + 256;
}

}  // namespace verne
