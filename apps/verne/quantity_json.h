/// Quantities of states as JSON, whichever they are.
#pragma once

#include "verne/io/json_writer.h"
#include "verne/quantities/evaluation.h"

namespace verne::cli {

/// What was asked for at place `want`, of a state of the last compute(): arrays by rows, under the names of parts,
/// under those of joints, links and frames, or loops. Rows of wrenches that nothing determines are null.
void append_quantity(const Evaluation& evaluation, std::size_t want, int state, JsonWriter& json);

/// What no arrays are known of, at a configuration of the tree: undetermined, null_space_torques.
void append_special(Quantity quantity, const System& system, SystemData& data, VectorIn<double> q, JsonWriter& json);

}  // namespace verne::cli
