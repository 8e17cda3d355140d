#include "dynamics/singular.h"

#include <algorithm>

namespace verne {

void refuse_singular(const char* function, const Model& model, std::span<const int> joints) {
  std::vector<Diagnostic> problems;
  for (const PlausibilityWarning& warning : model.plausibility_warnings()) {
    const auto is_it = [&](int joint) {
      return model.joints()[static_cast<std::size_t>(joint)].spec.name == warning.name;
    };
    if (warning.kind != PlausibilityKind::nothing_to_move || std::ranges::none_of(joints, is_it)) continue;
    problems.push_back(warning.problem);
    problems.back().text = std::string(function) + ": the mass matrix is singular: " + problems.back().text;
  }
  if (problems.empty() && !joints.empty()) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(joints.front())];
    problems.push_back({model.spec().file, joint.spec.line,
                        std::string(function) + ": the mass matrix is singular: joint '" + joint.spec.name +
                            "' carries no inertia in the tree without its loops"});
  }
  throw InputError(std::move(problems));
}

}  // namespace verne
