/// The axes about which an inertia has no products.
#pragma once

#include "verne/base/small_matrix.h"

namespace verne {

/// Of an inertia: R diag(moments) Rᵀ.
struct PrincipalAxes {
  Vec3<double> moments;
  Mat3<double> R = Mat3<double>::identity();
};

PrincipalAxes principal_axes(const Sym3<double>& I);

}  // namespace verne
