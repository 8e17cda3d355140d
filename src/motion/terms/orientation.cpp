// The rotation from the goal to the frame is the matrix M = Σ_k r_k g_kᵀ, linear in u. Its unit quaternion p = (x, y,
// z, s) satisfies 4 p pᵀ = K(M) with K linear in M, so that column c of K, divided by 2 √K_cc, is p: smooth in u, and
// well conditioned for the column with the largest K_cc ≥ 1. With s ≥ 0 the rotation vector is
//   φ = h(s) (x, y, z),   h(s) = 2 arccos(s) / √(1 − s²),
// and h is analytical for s > −1: nothing is singular from 0° to 180°, both included.
#include "motion/terms/orientation.h"

#include <Eigen/Core>
#include <array>

namespace verne {

namespace {

constexpr double kLargestAngle = 150 * M_PI / 180;
constexpr int kScalar = 3;  // index of s

using Row9 = Eigen::Matrix<double, 1, 9>;

/// K(row, column) = constant + Σ slopes_ab M_ab
struct KEntry {
  double constant = 0;
  Mat3<double> slopes{};
};

KEntry k_entry(int row, int column) {
  KEntry entry;
  const auto slope = [&](int a, int b) -> double& { return entry.slopes(a, b); };
  if (row == column) {
    entry.constant = 1;
    for (int a = 0; a < 3; ++a) slope(a, a) = row == kScalar || row == a ? 1 : -1;
  } else if (row == kScalar || column == kScalar) {
    const int axis = std::min(row, column), next = (axis + 1) % 3, last = (axis + 2) % 3;
    slope(last, next) = 1, slope(next, last) = -1;
  } else {
    slope(row, column) = slope(column, row) = 1;
  }
  return entry;
}

/// The best column a of K with its derivatives by u, and m = ±1 / (2 √a_c), so that p = m a has s ≥ 0.
struct BestColumn {
  int chosen = kScalar;
  Eigen::Vector4d a;
  Eigen::Matrix<double, 4, 9> A;
  double m = 0, m1 = 0, m2 = 0;  // and its derivatives by a_c

  BestColumn(const Mat3<double>& goal, const double* u) {
    Eigen::Matrix3d M = Eigen::Matrix3d::Zero(), G;
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> g = goal.column(k);
      G.col(k) << g.x, g.y, g.z;
      M += Eigen::Map<const Eigen::Vector3d>(u + 3 * k) * G.col(k).transpose();
    }
    const auto evaluate = [&](const KEntry& entry) {
      return entry.constant +
             (M.array() * Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(entry.slopes.m).array()).sum();
    };
    double largest = 0;
    for (int c = 0; c < 4; ++c) {
      const double diagonal = evaluate(k_entry(c, c));
      if (diagonal > largest) largest = diagonal, chosen = c;
    }
    for (int row = 0; row < 4; ++row) {
      const KEntry entry = k_entry(row, chosen);
      a[row] = evaluate(entry);
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> slopes(entry.slopes.m);
      for (int k = 0; k < 3; ++k) A.block<1, 3>(row, 3 * k) = (slopes * G.col(k)).transpose();
    }
    m = (a[kScalar] < 0 ? -0.5 : 0.5) / std::sqrt(a[chosen]);
    m1 = -m / (2 * a[chosen]), m2 = 3 * m / (4 * a[chosen] * a[chosen]);
  }

  /// Value, gradient and second derivatives of weights · p.
  double value(const Eigen::Vector4d& weights) const { return m * weights.dot(a); }
  Row9 gradient(const Eigen::Vector4d& weights) const {
    return m * weights.transpose() * A + m1 * weights.dot(a) * A.row(chosen);
  }
  Eigen::Matrix<double, 9, 9> hessian(const Eigen::Vector4d& weights) const {
    const Row9 B = weights.transpose() * A, C = A.row(chosen);
    return m1 * (B.transpose() * C + C.transpose() * B) + m2 * weights.dot(a) * C.transpose() * C;
  }
};

/// h and its first two derivatives. From the differential equation (1 − s²) h' = s h − 2, and near s = 1, where that is
/// 0 / 0, by the series in x = 1 − s that solves it: h = 2 Σ c_n xⁿ, c_0 = 1, c_n+1 / c_n = (n + 1) / (2 n + 3).
std::array<double, 3> angle_over_sine(double s) {
  const double x = 1 - s;
  if (x > 0.25) {
    const double w = 1 - s * s, h = 2 * std::acos(s) / std::sqrt(w), h1 = (s * h - 2) / w;
    return {h, h1, (h + 3 * s * h1) / w};
  }
  static constexpr std::array<double, 24> kSeries = [] {  // terms fall by a factor of 8 at least
    std::array<double, 24> c{2};
    for (std::size_t n = 0; n + 1 < c.size(); ++n) c[n + 1] = c[n] * static_cast<double>(n + 1) / (2.0 * n + 3);
    return c;
  }();
  double h = 0, dx = 0, half_dxx = 0;
  for (std::size_t n = kSeries.size(); n-- > 0;) {  // Horner's scheme
    half_dxx = half_dxx * x + dx;
    dx = dx * x + h;
    h = h * x + kSeries[n];
  }
  return {h, -dx, 2 * half_dxx};
}

}  // namespace

void OrientationEquation::value(const double* u, double* rows) const {
  const BestColumn column(goal_, u);
  const Eigen::Vector4d p = column.m * column.a;
  const double h = angle_over_sine(p[kScalar])[0];
  for (int i = 0; i < 3; ++i) rows[i] = h * p[i];
  rows[3] = cosine_between(goal_, u);
}

void OrientationEquation::jacobian(const double* u, double* J) const {
  const BestColumn column(goal_, u);
  const Eigen::Vector4d scalar = Eigen::Vector4d::Unit(kScalar);
  const auto [h, h1, h2] = angle_over_sine(column.value(scalar));
  Eigen::Map<Eigen::Matrix<double, 4, 9, Eigen::RowMajor>> rows(J);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector4d axis = Eigen::Vector4d::Unit(i);
    rows.row(i) = h1 * column.value(axis) * column.gradient(scalar) + h * column.gradient(axis);
  }
  for (int k = 0; k < 3; ++k) (goal_.column(k) * 0.5).store(J + 27 + 3 * k);
}

void OrientationEquation::hessian(const double* u, const double* multipliers, double* H) const {
  const BestColumn column(goal_, u);
  const Eigen::Vector4d scalar = Eigen::Vector4d::Unit(kScalar);
  const Eigen::Vector4d mu(multipliers[0], multipliers[1], multipliers[2], 0);
  const auto [h, h1, h2] = angle_over_sine(column.value(scalar));
  const Row9 ds = column.gradient(scalar), dp = column.gradient(mu);
  const double p = column.value(mu);
  Eigen::Map<Eigen::Matrix<double, 9, 9>>(H) += h2 * p * ds.transpose() * ds +
                                                h1 * (ds.transpose() * dp + dp.transpose() * ds) +
                                                h1 * p * column.hessian(scalar) + h * column.hessian(mu);
}

Interval OrientationEquation::bounds(int row) const {
  return row < 3 ? Interval{0, 0} : Interval{std::cos(kLargestAngle), kInfinity};
}

double OrientationEquation::measured(const double* u) const {
  double rows[4];
  value(u, rows);
  return std::sqrt(rows[0] * rows[0] + rows[1] * rows[1] + rows[2] * rows[2]);
}

}  // namespace verne
