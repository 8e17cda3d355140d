/// A state whose numbers may use parameters.
#pragma once

#include "io/yaml/map.h"
#include "verne/io/state_io.h"
#include "verne/structures/system.h"

namespace verne {

/// What a state of a system has: with loops the independent coordinates, and where they are at home.
StateShape shape_of(const System& system);

/// {q: [...], v: [...], a: [...], tau: [...]}, and with loops `guess`; what is missing is zero (of q, home), and
/// quaternions have length one. That state when there is no such key.
StateLine read_state(const YamlMap& map, const char* key, const System& system);

/// The configuration and velocity of the tree in this state. Throws InputError where its loops cannot be closed, or not
/// on the way from the guess.
void take_tree_state(const System& system, const StateLine& state, std::vector<double>& q, std::vector<double>& v);

}  // namespace verne
