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
  int site = 0;                                                  ///< Model::site
  bool world_point = false;                                      ///< the point is fixed in the world, not in the site
  Vec3<double> point{0, 0, 0}, force{0, 0, 0}, moment{0, 0, 0};  ///< metres, N and N m
};

/// One state as a line gives it.
struct StateLine {
  std::vector<double> q, v, a, tau;  ///< all finite; quaternions in q have length one
  std::vector<LoadLine> loads;       ///< in the order of the line
  std::vector<double> guess;    ///< of a mechanism: where to look for its tree's configuration; empty when not given
  bool of_tree = false;         ///< of a mechanism: q, v, a are those of its tree
  std::vector<int> contacts;    ///< that are held: indices of Model::contacts()
  std::vector<double> weights;  ///< positive, one for each entry of tau; empty when not given
};

/// What the arrays of a line hold.
struct StateShape {
  std::vector<double> q;  ///< what a missing q stands for, of the right size
  /// A quaternion among the coordinates.
  struct Quaternion {
    int index;          ///< where it begins in q
    std::string joint;  ///< that it belongs to
  };
  std::vector<Quaternion> quaternions;  ///< all of the model
  int velocities = 0, torques = 0;      ///< lengths of v and a, and of tau
  bool mechanism = false;               ///< a line may have `guess` and `tree`
};
/// Of a model without loops: zeros with unit quaternions, as many velocities and torques as the model has.
VERNE_API StateShape state_shape(const Model& model);

/// Reads `{"q":[...], "v":[...], "a":[...], "tau":[...], "loads":[{"frame","point","at","force","moment"}]}`, and of a
/// model with contacts `"contacts":[names]`, with either of contacts and loops `"weights":[...]`. A missing q is zero
/// with unit quaternions, other missing arrays are zero. A quaternion within 1e-6 of unit length is normalised.
/// Anything else throws InputError with file, line and key.
VERNE_API StateLine parse_state(const std::string& line, const Model& model, const std::string& file, int line_number);
/// The same for a line of another shape. Instead of q, v, a a line of a mechanism may have `"tree": {"q", "v", "a"}`,
/// and beside them `guess`.
VERNE_API StateLine parse_state(const std::string& line, const Model& model, const StateShape& shape,
                                const std::string& file, int line_number);

}  // namespace verne
