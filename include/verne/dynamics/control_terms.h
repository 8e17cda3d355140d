/// What a controller asks for at every tick, in one call; of a tree, whose loops are not seen.
#pragma once

#include <span>
#include <vector>

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
VERNE_API void control_terms(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                             std::span<const int> sites, MatrixOut<S> M, VectorOut<S> bias, Matrix6XOut<S> J,
                             Matrix6XOut<S> drift,
                             Eigen::Ref<Eigen::Matrix<std::type_identity_t<S>, 12, Eigen::Dynamic>> poses);

/// The same with a result that is there already, so that nothing is allocated, or with a new one.
template <class S = double>
struct ControlTerms {
  /// Room for a model and these sites (Model::site).
  ControlTerms(const Model& model, std::span<const int> of) : sites(of.begin(), of.end()) {
    const int n = model.nv(), count = static_cast<int>(sites.size());
    M.setZero(n, n);
    bias.setZero(n);
    jacobians.setZero(6, n * count);
    drifts.setZero(6, count);
    poses.setZero(12, count);
  }
  /// Of the k-th site.
  auto jacobian(int k) const { return jacobians.middleCols(k * bias.size(), bias.size()); }
  /// Position of the k-th site in the world.
  Vector3<S> position(int k) const { return poses.template block<3, 1>(0, k); }
  /// World from the k-th site.
  Eigen::Matrix<S, 3, 3> rotation(int k) const {
    return Eigen::Map<const Eigen::Matrix<S, 3, 3, Eigen::RowMajor>>(poses.col(k).data() + 3);
  }

  std::vector<int> sites;                      ///< whose motion is wanted (Model::site)
  Matrix<S> M;                                 ///< the mass matrix
  Vector<S> bias;                              ///< torques at a = 0
  Matrix6X<S> jacobians, drifts;               ///< one beside the other, 6 x nv each; one column each
  Eigen::Matrix<S, 12, Eigen::Dynamic> poses;  ///< position, then rotation matrix by rows, one column each
};
/// Writes to a result that is there already.
template <class S>
void control_terms(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, ControlTerms<S>& out) {
  control_terms(model, data, q, v, out.sites, out.M, out.bias, out.jacobians, out.drifts, out.poses);
}
/// The same with a new result.
template <class S>
ControlTerms<S> control_terms(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                              std::span<const int> sites) {
  ControlTerms<S> out(model, sites);
  control_terms(model, data, q, v, out);
  return out;
}

/// The same for batches: q, v → arrays whose rows are the entries of the above, column-major.
struct BatchControlTerms {
  LaneArray mass_matrix, bias, jacobians, drifts, poses;  ///< as in ControlTerms
};
/// q, v → all arrays of `out`, for all states.
VERNE_API void control_terms(const Model& model, Batch& batch, std::span<const int> sites, BatchControlTerms& out);

}  // namespace verne
