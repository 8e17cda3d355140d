/// How a file of MuJoCo's format is to be read: its <compiler>, and the places that depend on it.
#pragma once

#include <string>
#include <vector>

#include "io/mjcf/element.h"
#include "verne/spatial/transform.h"

namespace verne {

/// <compiler>: how the rest is to be read.
struct MjcfCompiler {
  bool degrees = true, auto_limits = true, balance = false;
  std::string euler = "xyz", from_geoms = "auto", mesh_folder, texture_folder;
  bool strip_paths = false, exact_meshes = false;
  double bound_mass = 0, bound_inertia = 0, total_mass = -1;
  double groups[2] = {0, 5};  ///< of shapes that have mass

  /// What the element says takes the place of what was said before.
  void read(const MjcfElement& element);

  double angle(double value) const;
  /// quat, axisangle, euler, xyaxes or zaxis.
  Mat3<double> orientation(const MjcfElement& element) const;
  Transform<double> pose(const MjcfElement& element) const;
  /// By three angles as they are written, in the order of `eulerseq`.
  Mat3<double> euler_rotation(const std::vector<double>& angles) const;

 private:
  Mat3<double> turned_by(const std::string& form, const MjcfElement& element) const;
};

/// The smallest rotation that takes the z axis there.
Mat3<double> shortest_turn_of_z(const Vec3<double>& to);

}  // namespace verne
