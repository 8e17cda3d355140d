/// The parameters that the torques of a model depend on: which have no effect, and which act together.
///
/// Parameters are those of the bodies that move, each a link with all that is fixed to it (M, MX, MY, MZ, XX, XY, XZ,
/// YY, YZ, ZZ in the frame in which its joint moves about or along z, about its origin), and the rotors IA of every
/// velocity of the tree. See docs/codegen.md.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// A base parameter: a parameter that is kept, and what is added to it.
struct BaseParameter {
  std::string parameter;                               ///< "XX(forearm)", "IA(elbow)"
  std::vector<std::pair<double, std::string>> others;  ///< factor and parameter
};

/// The base parameters of a model, and what they leave out.
struct BaseParameters {
  std::vector<BaseParameter> base;          ///< those that are kept, in the order of the bodies
  std::vector<std::string> without_effect;  ///< parameters that the torques do not depend on
  /// How many base parameters there are.
  int count() const { return static_cast<int>(base.size()); }
};

/// By the rules of closed form, from the geometry alone. Loops are taken as open.
VERNE_API BaseParameters base_parameters(const Model& model);

/// By the rank of the regressor at random states, closed ones where the model has loops: every joint kind, coupled
/// joints too. Of parameters that act together the ones that Khalil keeps are kept.
VERNE_API BaseParameters numerical_base_parameters(const Model& model);

/// The same model with base parameters: torques, mass matrix and accelerations stay as they are, whereas wrenches,
/// momentum and centre of mass are those of no real body any more.
VERNE_API ModelSpec with_base_parameters(const Model& model);

}  // namespace verne
