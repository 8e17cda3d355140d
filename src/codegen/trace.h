/// What the arithmetic of a quantity is: a graph, what it reads, and what it gives.
#pragma once

#include <string>
#include <vector>

#include "codegen/traced_model.h"
#include "verne/model/model.h"
#include "verne/quantities/quantities.h"

namespace verne::codegen {

/// A quantity as it is asked for; of poses and Jacobians with the link or frame.
struct Want {
  Quantity quantity = Quantity::tau;
  std::string name;  ///< of the function, without the model's: "tau", "jacobian_hand"
  int site = -1;
};

/// Throws InputError for what is not known as code, or not of this model.
Want parse_want(const std::string& word, const Model& model);

struct TracedInput {
  std::string name;
  int size = 0;
};

/// A matrix; vectors have one column.
struct TracedOutput {
  std::string name;
  int rows = 0, columns = 1;
  std::vector<Term> values;  ///< row-major
};

struct Trace {
  Want want;
  Graph graph;
  std::vector<TracedInput> inputs;  ///< the index is that of Op::input
  std::vector<TracedOutput> outputs;
  std::vector<Symbol> symbols;
};

Trace trace(const Model& model, const Want& want, const ParameterOptions& options);

}  // namespace verne::codegen
