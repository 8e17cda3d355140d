#include "motion/terms/ground_limits.h"

namespace verne {

namespace {

constexpr int kF = 0, kM = 3, kA = 6, kB = 9, kInputs = 12;

struct Inputs12 {
  explicit Inputs12(const double* u)
      : F(Vec3<double>::load(u + kF)),
        M(Vec3<double>::load(u + kM)),
        a(Vec3<double>::load(u + kA)),
        b(Vec3<double>::load(u + kB)) {}
  Vec3<double> F, M, a, b;
};

/// X with X y = x × y
Mat3<double> crossing(const Vec3<double>& x) {
  Mat3<double> X;
  const double rows[9] = {0, -x.z, x.y, x.z, 0, -x.x, -x.y, x.x, 0};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) X(i, k) = rows[3 * i + k];
  }
  return X;
}

Mat3<double> scaling(double factor) {
  Mat3<double> X = Mat3<double>::identity();
  for (int i = 0; i < 3; ++i) X(i, i) = factor;
  return X;
}

/// Second derivatives between inputs from `row` and from `column` on, and the other way round.
void add_block(double* H, int row, int column, const Mat3<double>& X, double factor) {
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      H[kInputs * (row + i) + column + k] += factor * X(i, k);
      H[kInputs * (column + k) + row + i] += factor * X(i, k);
    }
  }
}

}  // namespace

Vec3<double> PressureSide::direction(const Vec3<double>& edge) const {
  return (end_ ? cross(up_, edge) : edge) * (1 / length_);
}

double PressureSide::moment(const double* u) const {
  const Inputs12 in(u);
  const Vec3<double>& at = end_ ? in.b : in.a;
  return dot(in.M - cross(at, in.F), direction(in.b - in.a));
}

void PressureSide::value(const double* u, double* rows) const {
  rows[0] = (moment(u) + imposed_ * dot(Inputs12(u).F, up_)) / weight_;
}

double PressureSide::measured(const double* u) const {
  const Inputs12 in(u);
  const Vec3<double> edge = in.b - in.a;
  return moment(u) * length_ / (std::sqrt(dot(edge, edge)) * dot(in.F, up_));
}

void PressureSide::jacobian(const double* u, double* J) const {
  const Inputs12 in(u);
  const Vec3<double>& at = end_ ? in.b : in.a;
  const Vec3<double> d = direction(in.b - in.a), about = in.M - cross(at, in.F);
  const double scale = 1 / weight_;
  const Vec3<double> by_edge = (end_ ? cross(about, up_) : about) * (scale / length_);
  ((cross(at, d) + up_ * imposed_) * scale).store(J + kF);
  (d * scale).store(J + kM);
  (by_edge * -1.0).store(J + kA);
  by_edge.store(J + kB);
  double* const J_at = J + (end_ ? kB : kA);
  (Vec3<double>::load(J_at) - cross(in.F, d) * scale).store(J_at);
}

void PressureSide::hessian(const double* u, const double* multipliers, double* H) const {
  const Inputs12 in(u);
  const Vec3<double>& at = end_ ? in.b : in.a;
  const int c = end_ ? kB : kA;
  const double scale = multipliers[0] / weight_;
  const Mat3<double> B = end_ ? crossing(up_ * (1 / length_)) : scaling(1 / length_);
  const Mat3<double> by_force = crossing(at) * B, by_point = crossing(in.F) * B;
  for (const auto& [column, sign] : {std::pair(kB, 1.0), std::pair(kA, -1.0)}) {
    add_block(H, kM, column, B, sign * scale);
    add_block(H, kF, column, by_force, sign * scale);
    add_block(H, c, column, by_point, -sign * scale);
  }
  add_block(H, kF, c, crossing(direction(in.b - in.a)), -scale);
}

}  // namespace verne
