/// Random numbers and what is made of them, the same for the same generator: for models and states with nothing special
/// about them, here and in tests.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <random>

#include "verne/spatial/inertia.h"
#include "verne/spatial/rotation.h"
#include "verne/spatial/transform.h"

namespace verne::reproduce {

inline double random_number(std::mt19937_64& rng, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(rng);
}

inline Eigen::VectorXd random_values(std::mt19937_64& rng, int count, double size) {
  Eigen::VectorXd values(count);
  for (double& x : values) x = random_number(rng, -size, size);
  return values;
}

inline Vec3<double> random_vector(std::mt19937_64& rng, double size) {
  const double x = random_number(rng, -size, size), y = random_number(rng, -size, size);
  return {x, y, random_number(rng, -size, size)};
}

inline Mat3<double> random_rotation(std::mt19937_64& rng) {
  std::normal_distribution<double> normal;
  const double x = normal(rng), y = normal(rng), z = normal(rng);
  return rotation_from_quaternion(x, y, z, normal(rng));
}

inline Transform<double> random_pose(std::mt19937_64& rng, double distance) {
  const Mat3<double> R = random_rotation(rng);
  return {R, random_vector(rng, distance)};
}

/// Inertia about the centre of mass of some distribution of `mass` within about `size` of it.
inline Sym3<double> random_inertia(std::mt19937_64& rng, double mass, double size) {
  // Second moments along the principal axes; their sums in pairs obey the triangle inequality.
  const auto moment = [&] { return mass * size * size * random_number(rng, 0.05, 1) / 3; };
  const double x = moment(), y = moment(), z = moment();
  return rotate(random_rotation(rng), Sym3<double>{y + z, 0, 0, x + z, 0, x + y});
}

}  // namespace verne::reproduce
