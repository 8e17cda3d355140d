#include "nlp/kernels/panel_kernels.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

namespace verne::nlp {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// All remainders of registers, and fewer entries than one holds.
TEST(PanelKernels, ProductsOfRows) {
  for (int size = 1; size < 19; ++size) {
    for (const int count : {1, 2, 3, 4, 7, 12}) {
      const RowMajor rows = RowMajor::Random(count, size);
      const Eigen::VectorXd x = Eigen::VectorXd::Random(size);
      Eigen::VectorXd products = Eigen::VectorXd::Constant(count, NAN);
      panel_kernels().multiply_rows(rows.data(), count, size, x.data(), products.data());
      EXPECT_LT((products - rows * x).norm(), 1e-14 * size) << count << " x " << size;

      for (const int sets : {1, 3, 4, 9}) {  // four at a time, and what is left
        const Eigen::MatrixXd by_set = Eigen::MatrixXd::Random(count, sets), by_row = by_set.transpose();
        RowMajor sums = RowMajor::Constant(sets, size, NAN), same = sums;
        panel_kernels().combine_rows(rows.data(), count, size, {by_set.data(), 1, count, sets}, sums.data());
        panel_kernels().combine_rows(rows.data(), count, size, {by_row.data(), sets, 1, sets}, same.data());
        for (const RowMajor& result : {sums, same}) {  // which the compiler may round in another way each
          EXPECT_LT((result - by_set.transpose() * rows).norm(), 1e-14 * count * size * sets) << count << " x " << size;
        }
      }
    }
  }
}

TEST(PanelKernels, SquaresOfShortRows) {
  for (int size = 1; size <= kShortRow; ++size) {
    for (const int count : {1, 2, 5, 20}) {
      const RowMajor rows = RowMajor::Random(count, size);
      Eigen::VectorXd room = Eigen::VectorXd::Constant(count * size + kShortRow, NAN);  // what follows must not matter
      room.head(count * size) = Eigen::Map<const Eigen::VectorXd>(rows.data(), count * size);
      const Eigen::VectorXd weights = Eigen::VectorXd::Random(count);
      Eigen::VectorXd out = Eigen::VectorXd::Constant(size * size + kShortRow, NAN);
      panel_kernels().combine_squares(room.data(), count, size, weights.data(), out.data());
      const Eigen::MatrixXd expected = rows.transpose() * weights.asDiagonal() * rows;
      EXPECT_LT((Eigen::Map<Eigen::MatrixXd>(out.data(), size, size) - expected).norm(), 1e-14 * count * size);
    }
  }
}

/// Whole matrices, and triangles of which nothing above the diagonal is touched.
TEST(PanelKernels, SubtractsProducts) {
  for (int rows = 1; rows < 30; ++rows) {
    for (const int columns : {1, 3, 4, 9}) {
      for (const bool lower : {false, true}) {
        const int depth = 5, stride = rows + 2;
        const Eigen::MatrixXd A = Eigen::MatrixXd::Random(rows + 1, depth);  // strides may be longer than columns
        const RowMajor B = RowMajor::Random(columns, depth);
        Eigen::MatrixXd C = Eigen::MatrixXd::Random(stride, columns), expected = C;
        for (int j = 0; j < columns; ++j) {
          for (int i = lower ? j : 0; i < rows; ++i) expected(i, j) -= A.row(i).dot(B.row(j));
        }
        panel_kernels().subtract_product(C.data(), stride, rows, columns, A.data(), rows + 1, B.data(), depth, lower);
        EXPECT_LT((C - expected).norm(), 1e-14 * rows * columns) << rows << " x " << columns << ' ' << lower;
      }
    }
  }
}

}  // namespace
}  // namespace verne::nlp
