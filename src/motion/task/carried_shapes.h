/// Shapes of what phases hold: with the link that holds it, and standing before and after.
#pragma once

#include <string>
#include <vector>

#include "motion/task/task_shapes.h"
#include "structures/collisions.h"

namespace verne {

/// Smaller by so much on every side, which is less than least_size().
ConvexBody thinner(ConvexBody body, double by);
double least_size(const ConvexBody& body);

/// Adds them to `bodies`, which are links and what stands around, and what has to touch to `allowed`. What something
/// stands on is kept apart from it to half a millimetre while it is held. Returns what is to be said of that.
std::vector<std::string> add_carried(const std::vector<CarriedObject>& carried, const Task& task, double margin,
                                     std::vector<CollisionBody>& bodies, AllowedPairs& allowed);

}  // namespace verne
