/// Rigid transforms and rotations.
#pragma once

#include "verne/base/small_matrix.h"

namespace verne {
inline namespace VERNE_ISA {

/// Pose X_AB of frame B in frame A: a point p_B of B has coordinates R p_B + p in A.
template <class S>
struct Transform {
  Mat3<S> R;  ///< turns coordinates in B into coordinates in A
  Vec3<S> p;  ///< origin of B, in A

  /// The pose of a frame in itself.
  VERNE_INLINE static Transform identity() { return {Mat3<S>::identity(), Vec3<S>::zero()}; }
};

/// X_AC = X_AB X_BC
template <class A, class B>
VERNE_INLINE Transform<Product<A, B>> operator*(const Transform<A>& X, const Transform<B>& Y) {
  return {X.R * Y.R, X.R * Y.p + X.p};
}
/// A point of B in the coordinates of A, given X_AB.
template <class A, class B>
VERNE_INLINE Vec3<Product<A, B>> operator*(const Transform<A>& X, const Vec3<B>& p) {
  return X.R * p + X.p;
}
/// X_BA, given X_AB.
template <class S>
VERNE_INLINE Transform<S> inverse(const Transform<S>& X) {
  return {transpose(X.R), -transpose_times(X.R, X.p)};
}

}  // namespace VERNE_ISA
}  // namespace verne
