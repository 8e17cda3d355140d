#include "dynamics/singular.h"

namespace verne {

void refuse_singular(const char* function, const Model& model) {
  std::vector<Problem> problems;
  for (const Doubt& doubt : model.doubts()) {
    if (doubt.kind != DoubtKind::nothing_to_move) continue;
    problems.push_back(doubt.problem);
    problems.back().text = std::string(function) + ": the mass matrix is singular: " + problems.back().text;
  }
  throw InputError(std::move(problems));
}

}  // namespace verne
