/// Eigen's products of matrices and vectors of doubles, compiled once instead of for every pair of expressions that is
/// multiplied somewhere: they were a third of the time to compile `structures`. `a * b` is written as ever and computed
/// by the same kernels; only blocks, transposes and maps become one type before.
///
/// Part of the precompiled headers (VerneTargets.cmake), so that all files agree on it. Small matrices of fixed size
/// and other scalars are multiplied where they are written.
#pragma once

#include <Eigen/Core>
#include <type_traits>

namespace verne {

/// Numbers that lie in memory with constant steps.
template <class Number>
struct Strided {
  Number* data;
  Eigen::Index rows, columns, row_step, column_step;

  Strided transposed() const { return {data, columns, rows, column_step, row_step}; }
};

/// out = factor a b, or with `add` more by that. Out is not a part of a or b.
void multiply(Strided<double> out, bool add, double factor, Strided<const double> a, Strided<const double> b);

/// What multiply() itself leaves to Eigen.
template <int order>
using ProductOperand = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, order>, Eigen::Unaligned,
                                  Eigen::OuterStride<>>;

/// How Eigen is told to evaluate a product: by multiply().
template <class A, class B>
struct ProductByCall {
  template <class Out>
  static void evalTo(Out& out, const A& a, const B& b) {
    call(out, false, 1, a, b);
  }
  template <class Out>
  static void addTo(Out& out, const A& a, const B& b) {
    call(out, true, 1, a, b);
  }
  template <class Out>
  static void subTo(Out& out, const A& a, const B& b) {
    call(out, true, -1, a, b);
  }
  template <class Out>
  static void scaleAndAddTo(Out& out, const A& a, const B& b, double factor) {
    call(out, true, factor, a, b);
  }

 private:
  template <class X>
  using Traits = Eigen::internal::blas_traits<X>;
  template <class X>  // the operand without signs and factors; evaluated where it is an expression
  using Stored = typename Eigen::internal::add_const_on_value_type<typename Traits<X>::DirectLinearAccessType>::type;

  template <class Number, class X>
  static Strided<Number> strided(X& x) {
    return {x.data(), x.rows(), x.cols(), x.rowStride(), x.colStride()};
  }

  template <class Out>
  static void call(Out& out, bool add, double factor, const A& a, const B& b) {
    static_assert(Out::IsVectorAtCompileTime || Out::InnerStrideAtCompileTime == 1);
    Stored<A> stored_a = Traits<A>::extract(a);
    Stored<B> stored_b = Traits<B>::extract(b);
    factor *= Traits<A>::extractScalarFactor(a) * Traits<B>::extractScalarFactor(b);
    multiply(strided<double>(out), add, factor, strided<const double>(stored_a), strided<const double>(stored_b));
  }
};

template <class A, class B>
concept MultipliedByCall = std::is_same_v<typename A::Scalar, double> && std::is_same_v<typename B::Scalar, double> &&
                           !std::is_same_v<A, ProductOperand<Eigen::ColMajor>> &&
                           !std::is_same_v<A, ProductOperand<Eigen::RowMajor>>;

}  // namespace verne

namespace Eigen::internal {

template <class A, class B>
requires verne::MultipliedByCall<A, B>
struct generic_product_impl<A, B, DenseShape, DenseShape, GemmProduct> : verne::ProductByCall<A, B> {
};

template <class A, class B>
requires verne::MultipliedByCall<A, B>
struct generic_product_impl<A, B, DenseShape, DenseShape, GemvProduct> : verne::ProductByCall<A, B> {
};

}  // namespace Eigen::internal
