/// Denavit-Hartenberg parameters, classic and modified, as rigid transforms.
#pragma once

#include "verne/base/export.h"
#include "verne/spatial/transform.h"

namespace verne {

/// Classic: link frame at the far end of the link.
struct DhParameters {
  double a = 0, alpha = 0, d = 0, theta = 0;  ///< m and rad
};

/// Modified, as Khalil and Kleinfinger (1986) extend it to trees: link frame on the link's own joint. `gamma` and `b`
/// are zero except where a link has several children.
struct MdhParameters {
  double gamma = 0, b = 0, alpha = 0, d = 0, theta = 0, r = 0;  ///< m and rad
};

/// Rz(theta) Tz(d) Tx(a) Rx(alpha)
VERNE_API Transform<double> dh_transform(const DhParameters& table);

/// Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r)
VERNE_API Transform<double> mdh_transform(const MdhParameters& table);
/// The parameters of any pose; b = 0 for parallel axes, gamma = 0 for coincident ones.
VERNE_API MdhParameters mdh_parameters_of(const Transform<double>& X);

}  // namespace verne
