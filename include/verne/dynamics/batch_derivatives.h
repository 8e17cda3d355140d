/// Derivatives for batches: the same functions as for one state, results in arrays that get their memory at the first
/// call. Rows of a result are the entries of the single-state matrix, column-major.
#pragma once

#include <span>

#include "verne/base/export.h"
#include "verne/dynamics/batch.h"
#include "verne/dynamics/parameter_columns.h"

namespace verne {

/// With respect to q, v and a (inverse dynamics) or tau (forward dynamics).
struct BatchDerivatives {
  LaneArray dq, dv, dx;  ///< by q, by v, and by a or tau
};

/// q, v, a, loads → nv² rows each; `wrenches`, unless null: 6 nv rows a joint, of all joints or of those in `joints`
VERNE_API void inverse_dynamics_derivatives(const Model& model, Batch& batch, BatchDerivatives& tau,
                                            BatchDerivatives* wrenches = nullptr, std::span<const int> joints = {});
/// q, v, tau, loads → batch.a and its derivatives
VERNE_API void forward_dynamics_derivatives(const Model& model, Batch& batch, BatchDerivatives& a,
                                            BatchDerivatives* wrenches = nullptr);

/// Blocks nv x nv of the Hessian of λᵀtau + Σ μᵀW, or its product with a direction.
struct BatchSecondDerivatives {
  LaneArray qq, qv, qa, vv;  ///< the first letter counts rows
};
/// `lambda` has nv rows; `mu`, unless null, six a joint.
VERNE_API void inverse_dynamics_second_derivatives(const Model& model, Batch& batch, const LaneArray& lambda,
                                                   BatchSecondDerivatives& out, const LaneArray* mu = nullptr);
/// `x` and `y` have 3 nv rows: (q, v, a).
VERNE_API void inverse_dynamics_hessian_product(const Model& model, Batch& batch, const LaneArray& lambda,
                                                const LaneArray& x, LaneArray& y, const LaneArray* mu = nullptr);

/// 6 nv rows each, of the origin of a site.
struct BatchSiteDerivatives {
  LaneArray J, velocity_dq, acceleration_dq, acceleration_dv;  ///< as in SiteDerivatives
};
/// q, v, a → derivatives of the motion of a site (Model::site).
VERNE_API void site_derivatives(const Model& model, Batch& batch, int site, BatchSiteDerivatives& out);

/// Of the centre of mass (3 nv rows), and of the momentum and its rate (6 nv rows each).
struct BatchCentroidalDerivatives {
  LaneArray com_dq, momentum_dq, momentum_dv, rate_dq, rate_dv;  ///< as in CentroidalDerivatives
};
/// q, v, a → derivatives of centre of mass, momentum and its rate.
VERNE_API void centroidal_derivatives(const Model& model, Batch& batch, BatchCentroidalDerivatives& out);

/// nv * parameter_count rows; `wrenches`, unless null: 6 * parameter_count rows a joint
VERNE_API void regressor(const Model& model, Batch& batch, LaneArray& Y, LaneArray* wrenches = nullptr,
                         const ParameterColumns& columns = {});
/// 9 nv rows a load; `wrenches`, unless null: 54 rows per load a joint
VERNE_API void load_derivatives(const Model& model, Batch& batch, LaneArray& dtau, LaneArray* wrenches = nullptr);
/// The same of the accelerations at given tau
VERNE_API void forward_load_derivatives(const Model& model, Batch& batch, LaneArray& da, LaneArray* wrenches = nullptr);

}  // namespace verne
