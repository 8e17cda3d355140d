/// Traces of mechanisms: trees whose loops are closed, or whose contacts are held, with the order of elimination that
/// kernels have (docs/theory/loops.md, sections 8 and 10).
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "codegen/trace.h"
#include "verne/structures/mechanism.h"

namespace verne::codegen {

/// What the code is of: a model's mechanism with contacts that are held, which are its last loops.
struct ClosedSubject {
  Model open;                 ///< with contacts in place of these loops
  std::vector<int> contacts;  ///< of it
  Mechanism mechanism;
};

/// The mechanism of a model with these contacts held. Throws InputError where names are unknown, where joints follow
/// others, or where the loops' independent coordinates cease to tell the rest within the limits of their joints.
ClosedSubject closed_subject(const Model& model, const std::vector<std::string>& contacts);

/// Throws InputError for what is not known of mechanisms.
Trace trace_closed(const ClosedSubject& subject, const Want& want);

/// A state for tests: a closed configuration near home and a motion that the loops allow; where contacts are held at
/// rest, anywhere. q, v, a of the tree, tau of the motors.
struct ClosedTestState {
  Eigen::VectorXd q, v, a, tau;
};
ClosedTestState closed_test_state(const ClosedSubject& subject, unsigned seed);

/// A quantity as the library computes it, contacts by articulated bodies: an array for each output, column-major, but
/// for the last, which is the quality.
std::vector<std::vector<double>> closed_reference(const ClosedSubject& subject, const Want& want,
                                                  const ClosedTestState& state);

}  // namespace verne::codegen
