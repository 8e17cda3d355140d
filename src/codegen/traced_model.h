/// A model as the traced recursions walk it: geometry as numbers, parameters as numbers or as symbols.
#pragma once

#include <string>
#include <vector>

#include "codegen/grouping.h"
#include "codegen/traced.h"

namespace verne::codegen {

/// The arrays that a trace reads.
enum Array : int { kPositions, kVelocities, kThird, kParameters };

struct ParameterOptions {
  bool grouped = true;    ///< base parameters in place of the bodies' own
  bool symbolic = false;  ///< inputs in place of constants, but for exact zeros
};

/// A parameter that is an input.
struct Symbol {
  std::string name;  ///< SYMORO's: XX1 ... M1 of body 1, IA1, FS1, FV1 of velocity 1
  std::string unit;
  double value;
};

struct TracedModel {
  /// Needs a Tracing. What is zero but for rounding becomes zero.
  TracedModel(const Tree& source, const ParameterOptions& options);
  TracedModel(const TracedModel&) = delete;
  TracedModel& operator=(const TracedModel&) = delete;

  std::vector<TreeBody> bodies;
  Tree tree;  ///< refers to `bodies`; inertias in it are those of the source
  std::vector<RigidInertia<Traced>> inertias;
  std::vector<Traced> rotors, coulomb, viscous;
  std::vector<Symbol> symbols;
};

}  // namespace verne::codegen
