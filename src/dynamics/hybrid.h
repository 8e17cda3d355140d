/// Dynamics of trees, some joints' accelerations and the torques of the others given (docs/theory/structures.md):
/// inverse and forward dynamics are its ends; between them lie elastic joints under rigid ones, robots whose base moves
/// as their joints make it (its torques are zero), and bases whose motion is prescribed.
///
///   const std::vector<int> driven{model.joint("shoulder"), model.joint("elbow")};
///   const GivenAccelerations given(model, driven);
///   hybrid_dynamics(model, data, given, q, v, a, tau);   // completes a and tau
#pragma once

#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/given_accelerations.h"

namespace verne {

/// Completes a motion: of `a` the given entries are read and the others found, of `tau` it is the other way round.
/// Linear in the number of joints, unless some are coupled.
template <class S>
VERNE_API void hybrid_dynamics(const Model& model, Data<S>& data, const GivenAccelerations& given, VectorIn<S> q,
                               VectorIn<S> v, VectorOut<S> a, VectorOut<S> tau, LoadsIn<S> loads = nullptr,
                               WrenchesOut<S> wrenches = nullptr);

/// The same with derivatives by q, by v and by what is given. Row k differentiates the unknown of joint velocity
/// k: tau_k if a_k is given, else a_k. Column k of the last is by what is given of it, and so is dx of `wrenches`.
template <class S>
VERNE_API void hybrid_dynamics_derivatives(const Model& model, Data<S>& data, const GivenAccelerations& given,
                                           VectorIn<S> q, VectorIn<S> v, VectorOut<S> a, VectorOut<S> tau,
                                           MatrixOut<S> dq, MatrixOut<S> dv, MatrixOut<S> dgiven,
                                           LoadsIn<S> loads = nullptr,
                                           WrenchDerivatives<std::type_identity_t<S>>* wrenches = nullptr);

/// Of what is found by force, moment and point of each load: nv x 9 a load; joint wrenches as in load_derivatives().
template <class S>
VERNE_API void hybrid_load_derivatives(const Model& model, Data<S>& data, const GivenAccelerations& given,
                                       VectorIn<S> q, const Loads<S>& loads, MatrixOut<S> dfound,
                                       WrenchesOut<S> wrenches = nullptr);

// The same with new results. ----------------------------------------------------------------------------------------

/// A completed motion: all accelerations, all torques, and the wrenches in the joints.
template <class S = double>
struct HybridMotion {
  Vector<S> a, tau;      ///< given and found entries together
  Matrix6X<S> wrenches;  ///< a column for every joint of the model
};
/// Entries of `a` and `tau` that are not given are not read.
template <class S>
HybridMotion<S> hybrid_motion(const Model& model, Data<S>& data, const GivenAccelerations& given, VectorIn<S> q,
                              VectorIn<S> v, VectorIn<S> a, VectorIn<S> tau,
                              const Loads<std::type_identity_t<S>>& loads = {}) {
  HybridMotion<S> out{a, tau, Matrix6X<S>(6, model.joints().size())};
  hybrid_dynamics(model, data, given, q, v, out.a, out.tau, &loads, &out.wrenches);
  return out;
}

/// A completed motion and its derivatives, nv x nv each: rows are of what is found, columns of `dgiven` of what is
/// given.
template <class S = double>
struct HybridDerivatives {
  /// Room for a model.
  explicit HybridDerivatives(const Model& model) : a(Vector<S>::Zero(model.nv())), tau(Vector<S>::Zero(model.nv())) {
    for (Matrix<S>* block : {&dq, &dv, &dgiven}) block->setZero(model.nv(), model.nv());
  }
  Vector<S> a, tau;          ///< the motion itself
  Matrix<S> dq, dv, dgiven;  ///< by q, by v, and by what is given
};
/// With a new result; entries of `a` and `tau` that are not given are not read.
template <class S>
HybridDerivatives<S> hybrid_dynamics_derivatives(const Model& model, Data<S>& data, const GivenAccelerations& given,
                                                 VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, VectorIn<S> tau,
                                                 const Loads<std::type_identity_t<S>>& loads = {}) {
  HybridDerivatives<S> out(model);
  out.a = a, out.tau = tau;
  hybrid_dynamics_derivatives(model, data, given, q, v, out.a, out.tau, out.dq, out.dv, out.dgiven, &loads);
  return out;
}
/// With a new result.
template <class S>
Matrix<S> hybrid_load_derivatives(const Model& model, Data<S>& data, const GivenAccelerations& given, VectorIn<S> q,
                                  const Loads<S>& loads) {
  Matrix<S> dfound(model.nv(), 9 * loads.size());
  hybrid_load_derivatives(model, data, given, q, loads, dfound);
  return dfound;
}

// Batches -----------------------------------------------------------------------------------------------------------

/// q, v, loads, the given entries of a and the others of tau → the rest of a and tau, and joint_wrenches when wanted
VERNE_API void hybrid_dynamics(const Model& model, Batch& batch, const GivenAccelerations& given,
                               bool want_wrenches = false);
/// The same with derivatives, nv² rows each, dx by what is given; `wrenches`, unless null: 6 nv rows a joint
VERNE_API void hybrid_dynamics_derivatives(const Model& model, Batch& batch, const GivenAccelerations& given,
                                           BatchDerivatives& found, BatchDerivatives* wrenches = nullptr);
/// 9 nv rows a load; `wrenches`, unless null: 54 rows per load a joint
VERNE_API void hybrid_load_derivatives(const Model& model, Batch& batch, const GivenAccelerations& given,
                                       LaneArray& dfound, LaneArray* wrenches = nullptr);

}  // namespace verne
