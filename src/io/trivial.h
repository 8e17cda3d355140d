/// Small questions that readers and writers ask. Comparisons are exact, as a value that is off by rounding must be
/// kept.
#pragma once

#include <algorithm>

#include "verne/model/spec.h"
#include "verne/spatial/transform.h"

namespace verne {

inline bool is_zero(const Vec3<double>& v) {
  return v.x == 0 && v.y == 0 && v.z == 0;
}

inline bool is_identity(const Mat3<double>& R) {
  const Mat3<double> I = Mat3<double>::identity();
  return std::equal(R.m, R.m + 9, I.m);
}

inline bool is_identity(const Transform<double>& X) {
  return is_identity(X.R) && is_zero(X.p);
}

inline bool weighs_nothing(const LinkSpec& link) {
  const Sym3<double>& I = link.inertia;
  return link.mass == 0 && I.xx == 0 && I.yy == 0 && I.zz == 0;
}

/// Whether `axis` means something for joints of this type.
inline bool has_axis(JointType type) {
  return type != JointType::fixed && type != JointType::spherical && type != JointType::free;
}

}  // namespace verne
