/// SYMORO's model files, `.par`: tables of modified Denavit-Hartenberg parameters, with closed loops.
#pragma once

#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/base/export.h"
#include "verne/model/spec.h"

namespace verne {

/// Ant, Sigma, Mu, gamma, B, Alpha, d, Theta, R of every frame, XX ... M of every link, IA, FS, FV where they are
/// given, and G. Numbers and expressions; symbols only where a joint's variable stands (t1, th1, r1). Links and joints
/// are called link1, joint1 and so on. Problems go to `diagnostics`.
VERNE_API ModelSpec read_par(const std::string& text, const std::string& file, Diagnostics& diagnostics);

/// A column for every body that moves; what is fixed to it counts with it. What the format cannot say and what does not
/// change the motion is added to `not_expressed`, when given. Throws InputError for joints that it does not have, and
/// for coupled ones.
VERNE_API std::string write_par(const ModelSpec& spec, std::vector<std::string>* not_expressed = nullptr);

}  // namespace verne
