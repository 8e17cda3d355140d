/// Where links and frames are and how they move.
#pragma once

#include "verne/dynamics/data.h"

namespace verne {

/// Poses, velocities and accelerations of all sites of a model: its links, then its named frames (Model::site).
template <class S = double>
struct Kinematics {
  explicit Kinematics(const Model& model);

  Eigen::Matrix<S, 12, Eigen::Dynamic> poses;  ///< position, then rotation matrix by rows
  Matrix6X<S> velocities;                      ///< of the origin and angular, world axes
  Matrix6X<S> accelerations;                   ///< of the origin (classical, without gravity) and angular, world axes

  Eigen::Matrix<S, 3, 1> position(int site) const { return poses.template block<3, 1>(0, site); }
  /// World from site.
  Eigen::Matrix<S, 3, 3> rotation(int site) const {
    return Eigen::Map<const Eigen::Matrix<S, 3, 3, Eigen::RowMajor>>(poses.col(site).data() + 3);
  }
};

/// Positions only.
template <class S>
void forward_kinematics(const Model& model, Data<S>& data, VectorIn<S> q, Kinematics<S>& out);
/// Positions, velocities and accelerations.
template <class S>
void forward_kinematics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                        Kinematics<S>& out);

/// J (6 x nv) with J v = (velocity of the site's origin; angular velocity), world axes.
template <class S>
void jacobian(const Model& model, Data<S>& data, VectorIn<S> q, int site, Matrix6XOut<S> J);
/// J and its time derivative, so that J a + J_rate v is the acceleration of the site.
template <class S>
void jacobian_and_rate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, int site, Matrix6XOut<S> J,
                       Matrix6XOut<S> J_rate);

}  // namespace verne
