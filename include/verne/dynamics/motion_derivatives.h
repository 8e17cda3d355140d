/// Derivatives of how links, the centre of mass and the momentum move. Tangent-space derivatives, see derivatives.h.
#pragma once

#include "verne/base/export.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Of the pose (position; rotation vector in world axes), velocity and acceleration (linear; angular) of a site or of a
/// point fixed in it: 6 x nv each.
template <class S = double>
struct SiteDerivatives {
  /// Room for a model.
  explicit SiteDerivatives(const Model& model) {
    for (Matrix6X<S>* block : {&J, &velocity_dq, &acceleration_dq, &acceleration_dv}) block->setZero(6, model.nv());
  }
  Matrix6X<S> J;  ///< of the pose to q, and so of the velocity to v and of the acceleration to a
  Matrix6X<S> velocity_dq, acceleration_dq, acceleration_dv;  ///< 6 x nv each
};

/// `point` is in the axes of the site, from its origin.
template <class S>
VERNE_API void site_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                int site, SiteDerivatives<S>& out,
                                const Eigen::Matrix<std::type_identity_t<S>, 3, 1>* point = nullptr);

/// Of the centre of mass, the momentum (linear; angular about the centre of mass) and its time derivative. Velocity and
/// acceleration of the centre of mass are linear momentum and its rate over the mass.
template <class S = double>
struct CentroidalDerivatives {
  /// Room for a model.
  explicit CentroidalDerivatives(const Model& model) {
    com_dq.setZero(3, model.nv());
    for (Matrix6X<S>* block : {&momentum_dq, &momentum_dv, &rate_dq, &rate_dv}) block->setZero(6, model.nv());
  }
  Eigen::Matrix<S, 3, Eigen::Dynamic> com_dq;  ///< of the centre of mass, 3 x nv
  Matrix6X<S> momentum_dq;                     ///< 6 x nv
  Matrix6X<S> momentum_dv;                     ///< also that of the rate to a
  Matrix6X<S> rate_dq, rate_dv;                ///< of the time derivative of the momentum
};

/// Writes to a result that is there already.
template <class S>
VERNE_API void centroidal_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                      CentroidalDerivatives<S>& out);

// The same with new results. ----------------------------------------------------------------------------------------

/// Of the origin of a site (Model::site), with a new result.
template <class S>
SiteDerivatives<S> site_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                    int site) {
  SiteDerivatives<S> out(model);
  site_derivatives(model, data, q, v, a, site, out);
  return out;
}
/// With a new result.
template <class S>
CentroidalDerivatives<S> centroidal_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                                VectorIn<S> a) {
  CentroidalDerivatives<S> out(model);
  centroidal_derivatives(model, data, q, v, a, out);
  return out;
}

}  // namespace verne
