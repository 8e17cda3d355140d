/// What a task keeps apart.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "structures/collisions.h"

namespace verne {

struct CollisionShapes {
  Collisions collisions;             ///< to be copied by whoever asks
  std::vector<std::string> notes{};  ///< which pairs are left out, and why
};

}  // namespace verne
