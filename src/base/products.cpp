#include "base/products.h"

namespace verne {

namespace {

constexpr int kByColumns = Eigen::ColMajor, kByRows = Eigen::RowMajor;

template <int order>
ProductOperand<order> operand(const Strided<const double>& x) {
  return {x.data, x.rows, x.columns, Eigen::OuterStride<>(order == kByRows ? x.row_step : x.column_step)};
}

template <int order_a, int order_b>
void put_matrix(const Strided<double>& out, bool add, double factor, const Strided<const double>& a,
                const Strided<const double>& b) {
  Eigen::Map<Eigen::MatrixXd, Eigen::Unaligned, Eigen::OuterStride<>> to(out.data, out.rows, out.columns,
                                                                         Eigen::OuterStride<>(out.column_step));
  if (add) {
    to.noalias() += operand<order_a>(a) * (factor * operand<order_b>(b));
  } else {
    to.noalias() = operand<order_a>(a) * (factor * operand<order_b>(b));
  }
}

template <int order_a>
void add_vector(const Strided<double>& out, double factor, const Strided<const double>& a,
                const Strided<const double>& b) {
  using Steps = Eigen::InnerStride<>;
  if (out.row_step == 1 && b.row_step == 1) {
    Eigen::Map<Eigen::VectorXd> to(out.data, out.rows);
    to.noalias() += operand<order_a>(a) * (factor * Eigen::Map<const Eigen::VectorXd>(b.data, b.rows));
  } else {
    Eigen::Map<Eigen::VectorXd, Eigen::Unaligned, Steps> to(out.data, out.rows, Steps(out.row_step));
    const Eigen::Map<const Eigen::VectorXd, Eigen::Unaligned, Steps> by(b.data, b.rows, Steps(b.row_step));
    to.noalias() += operand<order_a>(a) * (factor * by);
  }
}

}  // namespace

void multiply(Strided<double> out, bool add, double factor, Strided<const double> a, Strided<const double> b) {
  if (out.rows == 0 || out.columns == 0) return;
  if (out.columns > 1 && (out.rows == 1 || out.column_step == 1)) {
    return multiply(out.transposed(), add, factor, b.transposed(), a.transposed());
  }
  const bool a_by_columns = a.row_step == 1, b_by_columns = b.row_step == 1;
  if (out.columns == 1) {
    if (!add) {
      for (Eigen::Index i = 0; i < out.rows; ++i) out.data[i * out.row_step] = 0;
    }
    if (a.columns == 0) return;
    return a_by_columns ? add_vector<kByColumns>(out, factor, a, b) : add_vector<kByRows>(out, factor, a, b);
  }
  if (a_by_columns) {
    b_by_columns ? put_matrix<kByColumns, kByColumns>(out, add, factor, a, b)
                 : put_matrix<kByColumns, kByRows>(out, add, factor, a, b);
  } else {
    b_by_columns ? put_matrix<kByRows, kByColumns>(out, add, factor, a, b)
                 : put_matrix<kByRows, kByRows>(out, add, factor, a, b);
  }
}

}  // namespace verne
