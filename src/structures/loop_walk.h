/// From one closed configuration to another, by closed ones in between.
#pragma once

#include "structures/mechanism_contents.h"

namespace verne {

/// Radians, or lengths: what one step leads any coordinate on, by its prediction.
inline constexpr double kLongestWalk = 0.25;
/// The part of a step by which closing may change what was predicted: more means a bend that is too sharp for it.
inline constexpr double kMostBend = 0.25;
/// What rounding leaves of a closed configuration.
inline constexpr double kStanding = 1e-9;

/// Closes the loops at q, whose independent coordinates are held, and leads these from there straight to those of
/// `goal`, in steps that are short enough for the others to follow smoothly (docs/theory/loops.md, section 2). Returns
/// whether it gets there: q is then the closed configuration, else it is lost.
bool walk_to(const Mechanism::Contents& mechanism, Data<double>& data, LoopSystem<double>& system,
             const Eigen::VectorXd& goal, Eigen::Ref<Eigen::VectorXd> q);

}  // namespace verne
