/// Where links and frames are and how they move.
#pragma once

#include "verne/base/export.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Poses, velocities and accelerations of all sites of a model: its links, then its named frames (Model::site).
template <class S = double>
struct Kinematics {
  /// Room for all sites of a model.
  explicit Kinematics(const Model& model) {
    const int n = model.site_count();
    poses.setZero(12, n);
    velocities.setZero(6, n);
    accelerations.setZero(6, n);
  }

  Eigen::Matrix<S, 12, Eigen::Dynamic> poses;  ///< position, then rotation matrix by rows
  Matrix6X<S> velocities;                      ///< of the origin and angular, world axes
  Matrix6X<S> accelerations;                   ///< of the origin (classical, without gravity) and angular, world axes

  /// Position of a site's origin in the world.
  Eigen::Matrix<S, 3, 1> position(int site) const { return poses.template block<3, 1>(0, site); }
  /// World from site.
  Eigen::Matrix<S, 3, 3> rotation(int site) const {
    return Eigen::Map<const Eigen::Matrix<S, 3, 3, Eigen::RowMajor>>(poses.col(site).data() + 3);
  }
};

/// Positions only.
template <class S>
VERNE_API void forward_kinematics(const Model& model, Data<S>& data, VectorIn<S> q, Kinematics<S>& out);
/// Positions, velocities and accelerations.
template <class S>
VERNE_API void forward_kinematics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                  Kinematics<S>& out);

/// J (6 x nv) with J v = (velocity of the site's origin; angular velocity), world axes.
template <class S>
VERNE_API void jacobian(const Model& model, Data<S>& data, VectorIn<S> q, int site, Matrix6XOut<S> J);
/// J and its time derivative, so that J a + J_rate v is the acceleration of the site.
template <class S>
VERNE_API void jacobian_and_rate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, int site,
                                 Matrix6XOut<S> J, Matrix6XOut<S> J_rate);

// The same with new results. ----------------------------------------------------------------------------------------

/// Positions of all sites.
template <class S>
Kinematics<S> forward_kinematics(const Model& model, Data<S>& data, VectorIn<S> q) {
  Kinematics<S> out(model);
  forward_kinematics(model, data, q, out);
  return out;
}
/// Positions, velocities and accelerations of all sites.
template <class S>
Kinematics<S> forward_kinematics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a) {
  Kinematics<S> out(model);
  forward_kinematics(model, data, q, v, a, out);
  return out;
}
/// The Jacobian of a site.
template <class S>
Matrix6X<S> jacobian(const Model& model, Data<S>& data, VectorIn<S> q, int site) {
  Matrix6X<S> J(6, model.nv());
  jacobian(model, data, q, site, J);
  return J;
}
/// A Jacobian and its time derivative.
template <class S = double>
struct JacobianAndRate {
  Matrix6X<S> J, rate;  ///< 6 x nv each
};
/// The Jacobian of a site and its time derivative.
template <class S>
JacobianAndRate<S> jacobian_and_rate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, int site) {
  JacobianAndRate<S> out{Matrix6X<S>(6, model.nv()), Matrix6X<S>(6, model.nv())};
  jacobian_and_rate(model, data, q, v, site, out.J, out.rate);
  return out;
}

}  // namespace verne
