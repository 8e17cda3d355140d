#include "verne/spatial/rotation.h"

#include <cmath>
#include <limits>

namespace verne {

Mat3<double> rotation_x(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{1, 0, 0, 0, c, -s, 0, s, c}};
}

Mat3<double> rotation_y(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{c, 0, s, 0, 1, 0, -s, 0, c}};
}

Mat3<double> rotation_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{c, -s, 0, s, c, 0, 0, 0, 1}};
}

Mat3<double> rotation_about(const Vec3<double>& axis, double angle) {
  // Rodrigues: R = c 1 + s [axis] + (1 - c) axis axisᵀ, with 1 - c = 2 sin²(angle/2) so that tiny angles keep digits.
  const double c = std::cos(angle), s = std::sin(angle), half = std::sin(angle / 2), d = 2 * half * half;
  const auto& [x, y, z] = axis;
  return {{c + d * x * x, d * x * y - s * z, d * x * z + s * y, d * x * y + s * z, c + d * y * y, d * y * z - s * x,
           d * x * z - s * y, d * y * z + s * x, c + d * z * z}};
}

Vec3<double> rotation_vector_of(const Mat3<double>& R) {
  const auto [x, y, z, w] = quaternion_of(R);
  const double half_sine = std::sqrt(x * x + y * y + z * z);
  // As the angle vanishes, angle / sin(angle/2) tends to 2.
  const double scale = half_sine > 0 ? 2 * std::atan2(half_sine, w) / half_sine : 2;
  return {scale * x, scale * y, scale * z};
}

Mat3<double> rotation_rpy(const Vec3<double>& rpy) {
  return rotation_z(rpy.z) * rotation_y(rpy.y) * rotation_x(rpy.x);
}

Vec3<double> rpy_of(const Mat3<double>& R) {
  // The yaw may be arbitrary when the pitch is ±pi/2. Pitch and roll are therefore read from Rz(-yaw) R = Ry Rx, which
  // makes up for whatever yaw was taken.
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const double c = std::cos(yaw), s = std::sin(yaw);
  const double pitch = std::atan2(-R(2, 0), c * R(0, 0) + s * R(1, 0));
  const double roll = std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1));
  return {roll, pitch, yaw};
}

Mat3<double> rotation_from_quaternion(double x, double y, double z, double w) {
  // Scaled by the largest entry first, so that the squares neither overflow nor vanish.
  const double largest = std::fmax(std::fmax(std::fabs(x), std::fabs(y)), std::fmax(std::fabs(z), std::fabs(w)));
  x /= largest, y /= largest, z /= largest, w /= largest;
  const double s = 2 / (x * x + y * y + z * z + w * w);
  return {{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w), s * (x * y + z * w),
           1 - s * (x * x + z * z), s * (y * z - x * w), s * (x * z - y * w), s * (y * z + x * w),
           1 - s * (x * x + y * y)}};
}

std::array<double, 4> quaternion_of(const Mat3<double>& R) {
  // R gives all products of two entries. Those with the largest entry are divided by it, which never cancels
  // (S. W. Shepperd, Quaternion from rotation matrix, Journal of Guidance and Control 1 (1978) 223-224).
  const double trace = R(0, 0) + R(1, 1) + R(2, 2);
  int largest = 3;
  for (int i = 0; i < 3; ++i) {
    if (R(i, i) > (largest == 3 ? trace : R(largest, largest))) largest = i;
  }
  std::array<double, 4> q;
  if (largest == 3) {
    q = {R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1), 1 + trace};
  } else {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + 2 * R(i, i) - trace;
    q[j] = R(j, i) + R(i, j);
    q[k] = R(k, i) + R(i, k);
    q[3] = R(k, j) - R(j, k);
  }
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double scale = q[3] < 0 ? -1 / length : 1 / length;
  for (double& entry : q) entry *= scale;
  return q;
}

Mat3<double> frame_with_z_along(const Vec3<double>& axis) {
  const Vec3<double> z = normalized(axis);
  int main = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::fabs(z[i]) >= std::fabs(z[main])) main = i;
  }
  // Crossing with the axis before the main one (cyclically) is far from degenerate and gives 1 for z itself.
  Vec3<double> before = Vec3<double>::zero();
  before[(main + 2) % 3] = 1;
  const Vec3<double> x = normalized(cross(before, z));
  Mat3<double> A = Mat3<double>::columns(x, cross(z, x), z);
  for (double& entry : A.m) entry += 0.0;  // no -0
  return A;
}

double orthonormality_error(const Mat3<double>& R) {
  const Mat3<double> product = transpose(R) * R;
  double largest = 0;
  for (int i = 0; i < 9; ++i) {
    const double entry = std::fabs(product.m[i] - (i % 4 == 0 ? 1 : 0));
    if (!(entry <= largest)) largest = entry;
    if (std::isnan(largest)) return largest;
  }
  const double determinant = dot(cross(R.column(0), R.column(1)), R.column(2));
  return determinant < 0 ? std::numeric_limits<double>::infinity() : largest;
}

double norm(const Vec3<double>& v) {
  return std::hypot(v.x, v.y, v.z);
}

Vec3<double> normalized(const Vec3<double>& v) {
  const double length = norm(v);
  return {v.x / length, v.y / length, v.z / length};
}

}  // namespace verne
