/// Derivatives of what a graph computes, as more nodes of the same graph.
#pragma once

#include <unordered_map>
#include <vector>

#include "codegen/graph.h"

namespace verne::codegen {

/// Rates of change along one direction: what is not named here has the rate that follows from its operands, and inputs
/// have none.
using Rates = std::unordered_map<int, Term>;

/// Of `outputs`. The chain rule runs forwards, so that what several outputs share is differentiated once.
std::vector<Term> rates_of(Graph& graph, const std::vector<Term>& outputs, const Rates& given);

}  // namespace verne::codegen
