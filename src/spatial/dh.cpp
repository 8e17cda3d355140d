#include "verne/spatial/dh.h"

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

}  // namespace verne
