#include "base/products.h"

#include <gtest/gtest.h>

namespace verne::test {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// As it is defined.
template <class A, class B>
Eigen::MatrixXd by_definition(const A& a, const B& b) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      for (Eigen::Index k = 0; k < a.cols(); ++k) out(i, j) += a(i, k) * b(k, j);
    }
  }
  return out;
}

/// Into matrices of both orders and parts of them; set, added and subtracted.
template <class A, class B>
void expect_product(const A& a, const B& b) {
  const Eigen::MatrixXd expected = by_definition(a, b), before = Eigen::MatrixXd::Random(a.rows(), b.cols());
  const double tolerance = 1e-14 * static_cast<double>(a.cols() + 1);
  const auto expect = [&](const auto& found, const Eigen::MatrixXd& wanted) {
    EXPECT_TRUE((found - wanted).isZero(tolerance));
  };
  const auto check_into = [&](auto&& out) {
    out.noalias() = a * b;
    expect(out, expected);
    out = before, out.noalias() += a * b;
    expect(out, before + expected);
    out = before, out -= -2 * a * b;
    expect(out, before + 2 * expected);
  };
  Eigen::MatrixXd by_columns(a.rows(), b.cols()), around = Eigen::MatrixXd::Constant(a.rows() + 2, b.cols() + 2, 7);
  RowMajor by_rows(a.rows(), b.cols());
  check_into(by_columns), check_into(by_rows), check_into(by_columns.transpose());
  check_into(around.block(1, 1, a.rows(), b.cols()));
  around.block(1, 1, a.rows(), b.cols()).setConstant(7);
  EXPECT_EQ(around, Eigen::MatrixXd::Constant(a.rows() + 2, b.cols() + 2, 7)) << "nothing else is written to";
}

TEST(Products, OfMatricesAsTheyLieInMemory) {
  for (const int rows : {0, 1, 2, 9, 40}) {
    for (const int depth : {0, 1, 5, 33}) {
      for (const int columns : {0, 1, 3, 21}) {
        const Eigen::MatrixXd whole = Eigen::MatrixXd::Random(50, 50);
        const Eigen::MatrixXd a = whole.topLeftCorner(rows, depth), b = whole.bottomRightCorner(depth, columns);
        const Eigen::MatrixXd at = a.transpose(), bt = b.transpose();
        const RowMajor ar = a, br = b;
        expect_product(a, b), expect_product(at.transpose(), b), expect_product(a, bt.transpose());
        expect_product(at.transpose(), bt.transpose()), expect_product(ar, b), expect_product(a, br);
        expect_product(whole.block(3, 2, rows, depth), whole.block(1, 7, columns, depth).transpose());
        expect_product(a - 3 * a, b + b);
      }
    }
  }
}

TEST(Products, OfVectorsThatHaveGaps) {
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(12, 7), X = Eigen::MatrixXd::Random(9, 7);
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(5, 12);
  Y.row(2).noalias() = X.row(4) * A.transpose();
  Y.row(3).transpose() -= A * X.row(1).transpose();
  Eigen::VectorXd y = A * X.row(4).transpose();
  EXPECT_LE((Y.row(2).transpose() - y).norm(), 1e-14);
  EXPECT_LE((Y.row(2) - by_definition(X.row(4), A.transpose())).norm(), 1e-14);
  EXPECT_LE((Y.row(3) + by_definition(X.row(1), A.transpose())).norm(), 1e-14);
  EXPECT_EQ(Y.topRows(2).norm() + Y.row(4).norm(), 0);
}

TEST(Products, MayBeOfWhatTheyAreAssignedTo) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Random(30, 30);
  const Eigen::MatrixXd expected = by_definition(a.transpose(), a);
  a = a.transpose() * a;
  EXPECT_LE((a - expected).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace verne::test
