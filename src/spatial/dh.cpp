#include "verne/spatial/dh.h"

#include <cmath>

#include "verne/spatial/rotation.h"

namespace verne {

Transform<double> dh_transform(const DhParameters& table) {
  const Transform<double> about_z{rotation_z(table.theta), {0, 0, table.d}};
  const Transform<double> about_x{rotation_x(table.alpha), {table.a, 0, 0}};
  return about_z * about_x;
}

Transform<double> mdh_transform(const MdhParameters& table) {
  const Transform<double> branch{rotation_z(table.gamma), {0, 0, table.b}};
  const Transform<double> about_x{rotation_x(table.alpha), {table.d, 0, 0}};
  const Transform<double> about_z{rotation_z(table.theta), {0, 0, table.r}};
  return branch * about_x * about_z;
}

MdhParameters mdh_parameters_of(const Transform<double>& X) {
  // Sines below this are rounding: the axes count as parallel. Lengths likewise, relative to their own size.
  constexpr double kRounding = 1e-14;
  MdhParameters out;
  const Vec3<double> z = X.R.column(2);
  const double sine = std::hypot(z.x, z.y);
  if (sine < kRounding) {
    out.alpha = z.z > 0 ? 0 : M_PI;
    out.d = std::hypot(X.p.x, X.p.y);
    if (out.d < kRounding * std::abs(X.p.z)) out.d = 0;
    out.gamma = out.d == 0 ? 0 : std::atan2(X.p.y, X.p.x);
    out.r = z.z > 0 ? X.p.z : -X.p.z;
  } else {
    // z_j = (sin γ sin α, −cos γ sin α, cos α), and p = b z_i + d x + r z_j with x = (cos γ, sin γ, 0).
    out.alpha = std::atan2(sine, z.z);
    out.gamma = std::atan2(z.x, -z.y);
    out.d = X.p.x * std::cos(out.gamma) + X.p.y * std::sin(out.gamma);
    out.r = (X.p.x * z.x + X.p.y * z.y) / (sine * sine);
    out.b = X.p.z - out.r * z.z;
  }
  const Mat3<double> rest = transpose(rotation_z(out.gamma) * rotation_x(out.alpha)) * X.R;
  out.theta = std::atan2(rest(1, 0), rest(0, 0));
  return out;
}

}  // namespace verne
