/// Which components of wrenches nothing tells (docs/theory/loops.md, section 4), in words and as JSON.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "verne/io/json_writer.h"
#include "verne/motion/task.h"

namespace verne {

/// The mechanism of a task, or those of its phases: other contacts may be held in each.
std::vector<Mechanism> mechanisms_of(const Task& task);

/// Of the wrenches of joints and of loops, by name: whether the motion tells each component, in all phases in which
/// there is such a wrench.
struct Determined {
  explicit Determined(const std::vector<Mechanism>& phases);

  using Wrench = std::pair<std::string, std::array<bool, 6>>;
  std::vector<Wrench> joints, loops;
};

/// "undetermined": {…} of a solution.
void append_undetermined(JsonWriter& json, const Determined& determined);

/// Lines of a summary: `fz, mx, my of crank_joint, coupler_joint, closing`, joints with the same components together.
/// Empty where all is told.
std::string undetermined_text(const std::vector<Mechanism>& phases);

}  // namespace verne
