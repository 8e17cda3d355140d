/// Lines of `verne eval` and states of `verne simulate`, as what moves takes them.
#pragma once

#include "verne/dynamics/data.h"
#include "verne/io/state_io.h"
#include "verne/structures/mechanism.h"

namespace verne::cli {

/// What lines hold: with loops independent coordinates, which when missing are those of home.
StateShape shape_of(const Mechanism& mechanism);

/// Of a line, in its order.
Loads<double> loads_of(const StateLine& line);

/// All coordinates of the tree that a line means. Throws InputError when its loops cannot be closed.
struct ClosedState {
  Values q, v;
  bool connected = true;  ///< what assemble() says of it
};
ClosedState closed_state(const Mechanism& mechanism, const StateLine& line);
/// What to tell where it is not.
inline constexpr const char* kNotConnected =
    "the mechanism cannot go straight from the guess, or from home, to these coordinates: it was closed on whatever "
    "branch was near; a nearer guess chooses one";

}  // namespace verne::cli
