/// Which joints that follow others (mimic) motions of mechanisms can have.
#pragma once

#include <optional>
#include <string>

#include "verne/model/model.h"

namespace verne {

/// The first of two joints of one coupling that lie on the ways to the ends of a loop: there a freedom is no longer one
/// axis, as LoopReactions takes it. Where both ends are carried by all of them it does not matter.
std::optional<std::string> coupled_within_loop(const Model& model);

}  // namespace verne
