/// Vectors and matrices of six, as the documents write them: two 3-vectors one above the other, 3x3 blocks.
///
/// Which half is linear and which angular is each document's own choice: Khalil and Nasser put the linear half on top,
/// the Lie algebra notes the angular one. Nothing here conjugates, so that complex steps pass through.
#pragma once

#include <complex>

#include "verne/base/small_matrix.h"

namespace verne::formulations {

template <class S>
struct Vec6 {
  Vec3<S> top, bottom;

  static Vec6 zero() { return {Vec3<S>::zero(), Vec3<S>::zero()}; }
  const S& operator[](int i) const { return i < 3 ? top[i] : bottom[i - 3]; }
  S& operator[](int i) { return i < 3 ? top[i] : bottom[i - 3]; }
  Vec6& operator+=(const Vec6& b) { return top += b.top, bottom += b.bottom, *this; }
  Vec6& operator-=(const Vec6& b) { return top -= b.top, bottom -= b.bottom, *this; }
};

template <class S>
Vec6<S> operator+(const Vec6<S>& a, const Vec6<S>& b) {
  return {a.top + b.top, a.bottom + b.bottom};
}
template <class S>
Vec6<S> operator-(const Vec6<S>& a, const Vec6<S>& b) {
  return {a.top - b.top, a.bottom - b.bottom};
}
template <class S>
Vec6<S> operator-(const Vec6<S>& a) {
  return {-a.top, -a.bottom};
}
template <class S>
Vec6<S> operator*(const Vec6<S>& a, const S& s) {
  return {a.top * s, a.bottom * s};
}
template <class S>
S dot(const Vec6<S>& a, const Vec6<S>& b) {
  return dot(a.top, b.top) + dot(a.bottom, b.bottom);
}

/// The same numbers as a state's scalar.
template <class S>
Vec3<S> cast(const Vec3<double>& v) {
  return {S(v.x), S(v.y), S(v.z)};
}
template <class S>
Vec6<S> cast(const Vec6<double>& v) {
  return {cast<S>(v.top), cast<S>(v.bottom)};
}
template <class S>
Mat3<S> full(const Sym3<S>& M) {
  return {{M.xx, M.xy, M.xz, M.xy, M.yy, M.yz, M.xz, M.yz, M.zz}};
}

/// [a] with [a] b = a × b
template <class S>
Mat3<S> skew(const Vec3<S>& a) {
  return {{S(0), -a.z, a.y, a.z, S(0), -a.x, -a.y, a.x, S(0)}};
}
template <class S>
Mat3<S> scaled_identity(const S& s) {
  return {{s, S(0), S(0), S(0), s, S(0), S(0), S(0), s}};
}
template <class S>
Mat3<S> operator+(const Mat3<S>& A, const Mat3<S>& B) {
  Mat3<S> C;
  for (int k = 0; k < 9; ++k) C.m[k] = A.m[k] + B.m[k];
  return C;
}
template <class S>
Mat3<S> operator-(const Mat3<S>& A, const Mat3<S>& B) {
  Mat3<S> C;
  for (int k = 0; k < 9; ++k) C.m[k] = A.m[k] - B.m[k];
  return C;
}
template <class S>
Mat3<S> operator-(const Mat3<S>& A) {
  Mat3<S> C;
  for (int k = 0; k < 9; ++k) C.m[k] = -A.m[k];
  return C;
}
template <class S>
Mat3<S> operator*(const Mat3<S>& A, const S& s) {
  Mat3<S> C;
  for (int k = 0; k < 9; ++k) C.m[k] = A.m[k] * s;
  return C;
}

/// Row-major 6x6 matrix.
template <class S>
struct Mat6 {
  S m[36];

  static Mat6 zero() {
    Mat6 M;
    for (S& entry : M.m) entry = S(0);
    return M;
  }
  static Mat6 identity() { return blocks(Mat3<S>::identity(), Mat3<S>::zero(), Mat3<S>::zero(), Mat3<S>::identity()); }
  static Mat6 blocks(const Mat3<S>& A, const Mat3<S>& B, const Mat3<S>& C, const Mat3<S>& D) {
    Mat6 M;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        M(i, j) = A(i, j), M(i, j + 3) = B(i, j), M(i + 3, j) = C(i, j), M(i + 3, j + 3) = D(i, j);
      }
    }
    return M;
  }
  const S& operator()(int i, int j) const { return m[6 * i + j]; }
  S& operator()(int i, int j) { return m[6 * i + j]; }
};

template <class S>
Mat6<S> operator+(const Mat6<S>& A, const Mat6<S>& B) {
  Mat6<S> C;
  for (int k = 0; k < 36; ++k) C.m[k] = A.m[k] + B.m[k];
  return C;
}
template <class S>
Mat6<S> operator-(const Mat6<S>& A, const Mat6<S>& B) {
  Mat6<S> C;
  for (int k = 0; k < 36; ++k) C.m[k] = A.m[k] - B.m[k];
  return C;
}
template <class S>
Mat6<S> operator*(const Mat6<S>& A, const S& s) {
  Mat6<S> C;
  for (int k = 0; k < 36; ++k) C.m[k] = A.m[k] * s;
  return C;
}
template <class S>
Mat6<S> operator*(const Mat6<S>& A, const Mat6<S>& B) {
  Mat6<S> C = Mat6<S>::zero();
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) {
      for (int j = 0; j < 6; ++j) C(i, j) = C(i, j) + A(i, k) * B(k, j);
    }
  }
  return C;
}
template <class S>
Vec6<S> operator*(const Mat6<S>& A, const Vec6<S>& x) {
  Vec6<S> y = Vec6<S>::zero();
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) y[i] = y[i] + A(i, k) * x[k];
  }
  return y;
}
template <class S>
Mat6<S> transpose(const Mat6<S>& A) {
  Mat6<S> T;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) T(j, i) = A(i, j);
  }
  return T;
}
/// A − a aᵀ / s for symmetric A.
template <class S>
Mat6<S> reduced(const Mat6<S>& A, const Vec6<S>& a, const S& s) {
  Mat6<S> M;
  for (int i = 0; i < 6; ++i) {
    const S factor = a[i] / s;
    for (int j = 0; j <= i; ++j) M(i, j) = M(j, i) = A(i, j) - factor * a[j];
  }
  return M;
}

}  // namespace verne::formulations
