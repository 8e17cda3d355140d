/// A Verne model as MuJoCo's XML (MJCF).
#pragma once

#include <optional>
#include <string>

#include "verne/model/model.h"

namespace verne::peers {

/// Bodies, masses, joints, rotor inertias and springs; no shapes, limits or friction. Links that are fixed to each
/// other are one MuJoCo body, whose frame is the child-side joint frame of the first; the coordinates come in the same
/// order as in `model`. Massless links that carry one other link, which MuJoCo refuses, become further joints of that
/// link's body.
/// Nothing when MuJoCo has no such thing: helical or coupled joints, rotor inertia that differs within a spherical
/// joint or sits on a free one.
std::optional<std::string> to_mjcf(const Model& model);

}  // namespace verne::peers
