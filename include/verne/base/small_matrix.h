/// 3-vectors, 3x3 matrices and symmetric 3x3 matrices over any scalar S, as plain structs.
///
/// They replace Eigen's small types inside kernels: no alignment that depends on compiler flags, no weak symbols of
/// another library in files built for wider instruction sets, and products that never conjugate (complex step).
/// Model constants are `double` and states are S: mixed products give the state's scalar.
#pragma once

#include "verne/base/isa.h"

namespace verne {
inline namespace VERNE_ISA {

/// The scalar of a product of scalars A and B: double, a model's, gives way to the other.
template <class A, class B>
struct ProductType {
  /// The scalar.
  using type = A;
};
/// With a constant of the model on the left.
template <class B>
struct ProductType<double, B> {
  /// The scalar.
  using type = B;
};
/// Short for ProductType<A, B>::type.
template <class A, class B>
using Product = typename ProductType<A, B>::type;

/// A vector in three dimensions.
template <class S>
struct Vec3 {
  S x, y, z;  ///< coordinates

  /// All entries zero.
  VERNE_INLINE static Vec3 zero() { return {S(0), S(0), S(0)}; }
  /// From three numbers in memory.
  VERNE_INLINE static Vec3 load(const S* p) { return {p[0], p[1], p[2]}; }
  /// Writes three numbers to memory.
  VERNE_INLINE void store(S* p) const { p[0] = x, p[1] = y, p[2] = z; }
  /// Entry i, 0 to 2.
  VERNE_INLINE const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  /// Entry i, 0 to 2, to write.
  VERNE_INLINE S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  /// Adds b.
  VERNE_INLINE Vec3& operator+=(const Vec3& b) { return x = x + b.x, y = y + b.y, z = z + b.z, *this; }
  /// Subtracts b.
  VERNE_INLINE Vec3& operator-=(const Vec3& b) { return x = x - b.x, y = y - b.y, z = z - b.z, *this; }
};

/// Sum.
template <class A, class B>
VERNE_INLINE Vec3<Product<A, B>> operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
/// Difference.
template <class A, class B>
VERNE_INLINE Vec3<Product<A, B>> operator-(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
/// The opposite vector.
template <class A>
VERNE_INLINE Vec3<A> operator-(const Vec3<A>& a) {
  return {-a.x, -a.y, -a.z};
}
/// A vector times a number.
template <class A, class B>
VERNE_INLINE Vec3<Product<A, B>> operator*(const Vec3<A>& a, const B& s) {
  return {a.x * s, a.y * s, a.z * s};
}
/// Inner product, without conjugation.
template <class A, class B>
VERNE_INLINE Product<A, B> dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// Cross product.
template <class A, class B>
VERNE_INLINE Vec3<Product<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Row-major 3x3 matrix.
template <class S>
struct Mat3 {
  S m[9];  ///< rows one after the other

  /// The unit matrix.
  VERNE_INLINE static Mat3 identity() { return {{S(1), S(0), S(0), S(0), S(1), S(0), S(0), S(0), S(1)}}; }
  /// All entries zero.
  VERNE_INLINE static Mat3 zero() { return {{S(0), S(0), S(0), S(0), S(0), S(0), S(0), S(0), S(0)}}; }
  /// From its columns.
  VERNE_INLINE static Mat3 columns(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& c) {
    return {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
  }
  /// Row i, column j, 0 to 2.
  VERNE_INLINE const S& operator()(int i, int j) const { return m[3 * i + j]; }
  /// Row i, column j, 0 to 2, to write.
  VERNE_INLINE S& operator()(int i, int j) { return m[3 * i + j]; }
  /// Column j.
  VERNE_INLINE Vec3<S> column(int j) const { return {m[j], m[3 + j], m[6 + j]}; }
  /// Adds b.
  VERNE_INLINE Mat3& operator+=(const Mat3& b) {
    for (int k = 0; k < 9; ++k) m[k] = m[k] + b.m[k];
    return *this;
  }
};

/// Matrix times vector.
template <class A, class B>
VERNE_INLINE Vec3<Product<A, B>> operator*(const Mat3<A>& M, const Vec3<B>& v) {
  return {M.m[0] * v.x + M.m[1] * v.y + M.m[2] * v.z, M.m[3] * v.x + M.m[4] * v.y + M.m[5] * v.z,
          M.m[6] * v.x + M.m[7] * v.y + M.m[8] * v.z};
}
/// Mᵀ v
template <class A, class B>
VERNE_INLINE Vec3<Product<A, B>> transpose_times(const Mat3<A>& M, const Vec3<B>& v) {
  return {M.m[0] * v.x + M.m[3] * v.y + M.m[6] * v.z, M.m[1] * v.x + M.m[4] * v.y + M.m[7] * v.z,
          M.m[2] * v.x + M.m[5] * v.y + M.m[8] * v.z};
}
/// Matrix times matrix.
template <class A, class B>
VERNE_INLINE Mat3<Product<A, B>> operator*(const Mat3<A>& M, const Mat3<B>& N) {
  return Mat3<Product<A, B>>::columns(M * N.column(0), M * N.column(1), M * N.column(2));
}
/// Mᵀ
template <class S>
VERNE_INLINE Mat3<S> transpose(const Mat3<S>& M) {
  return {{M.m[0], M.m[3], M.m[6], M.m[1], M.m[4], M.m[7], M.m[2], M.m[5], M.m[8]}};
}

/// Symmetric 3x3 matrix; the order of the entries is xx, xy, xz, yy, yz, zz everywhere in the library.
template <class S>
struct Sym3 {
  S xx, xy, xz, yy, yz, zz;  ///< the upper triangle

  /// All entries zero.
  VERNE_INLINE static Sym3 zero() { return {S(0), S(0), S(0), S(0), S(0), S(0)}; }
  /// Adds b.
  VERNE_INLINE Sym3& operator+=(const Sym3& b) {
    xx = xx + b.xx, xy = xy + b.xy, xz = xz + b.xz, yy = yy + b.yy, yz = yz + b.yz, zz = zz + b.zz;
    return *this;
  }
};

/// Sum.
template <class A, class B>
VERNE_INLINE Sym3<Product<A, B>> operator+(const Sym3<A>& a, const Sym3<B>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
/// Matrix times vector.
template <class A, class B>
VERNE_INLINE Vec3<Product<A, B>> operator*(const Sym3<A>& M, const Vec3<B>& v) {
  return {M.xx * v.x + M.xy * v.y + M.xz * v.z, M.xy * v.x + M.yy * v.y + M.yz * v.z,
          M.xz * v.x + M.yz * v.y + M.zz * v.z};
}

/// R M Rᵀ
template <class A, class B>
VERNE_INLINE Sym3<Product<A, B>> rotate(const Mat3<A>& R, const Sym3<B>& M) {
  using S = Product<A, B>;
  const Vec3<S> a = M * Vec3<A>{R.m[0], R.m[1], R.m[2]};  // columns of M Rᵀ
  const Vec3<S> b = M * Vec3<A>{R.m[3], R.m[4], R.m[5]};
  const Vec3<S> c = M * Vec3<A>{R.m[6], R.m[7], R.m[8]};
  return {R.m[0] * a.x + R.m[1] * a.y + R.m[2] * a.z, R.m[0] * b.x + R.m[1] * b.y + R.m[2] * b.z,
          R.m[0] * c.x + R.m[1] * c.y + R.m[2] * c.z, R.m[3] * b.x + R.m[4] * b.y + R.m[5] * b.z,
          R.m[3] * c.x + R.m[4] * c.y + R.m[5] * c.z, R.m[6] * c.x + R.m[7] * c.y + R.m[8] * c.z};
}

}  // namespace VERNE_ISA
}  // namespace verne
