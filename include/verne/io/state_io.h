/// States as lines of JSON, the input of `verne eval`.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"
#include "verne/model/model.h"

namespace verne {

/// A force and a moment on a link or named frame, in world axes, at a point fixed in it or in the world.
struct LoadLine {
  int site = 0;  ///< Model::site
  bool world_point = false;
  Vec3<double> point{0, 0, 0}, force{0, 0, 0}, moment{0, 0, 0};
};

struct StateLine {
  std::vector<double> q, v, a, tau;  ///< nq, nv, nv, nv entries, all finite; quaternions in q have length one
  std::vector<LoadLine> loads;
};

/// Reads `{"q":[...], "v":[...], "a":[...], "tau":[...], "loads":[{"link","point","at","force","moment"}]}`.
/// A missing q is zero with unit quaternions, other missing arrays are zero. A quaternion within 1e-6 of unit length is
/// normalised. Anything else throws InputError with file, line and key.
VERNE_API StateLine parse_state(const std::string& line, const Model& model, const std::string& file, int line_number);

}  // namespace verne
