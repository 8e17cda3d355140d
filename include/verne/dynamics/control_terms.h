/// What a controller asks for at every tick, in one call.
#pragma once

#include <span>

#include "verne/dynamics/batch.h"
#include "verne/dynamics/data.h"

namespace verne {

/// The mass matrix and the bias torques, and for each of `sites` (Model::site) its pose, its Jacobian and the part of
/// its acceleration that velocities alone cause, J̇ v: all from one pass over the kinematics. The same up to rounding as
/// mass_matrix(), bias_torques(), forward_kinematics() and jacobian(), which together walk the tree many times.
///
/// With s sites `J` is 6 x (nv s), one Jacobian beside the other, `drift` 6 x s and `poses` 12 x s (position, then
/// rotation matrix by rows), all of them whole matrices.
template <class S>
void control_terms(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, std::span<const int> sites,
                   MatrixOut<S> M, VectorOut<S> bias, Matrix6XOut<S> J, Matrix6XOut<S> drift,
                   Eigen::Ref<Eigen::Matrix<std::type_identity_t<S>, 12, Eigen::Dynamic>> poses);

/// The same for batches: q, v → arrays whose rows are the entries of the above, column-major.
struct BatchControlTerms {
  LaneArray mass_matrix, bias, jacobians, drifts, poses;
};
void control_terms(const Model& model, Batch& batch, std::span<const int> sites, BatchControlTerms& out);

}  // namespace verne
