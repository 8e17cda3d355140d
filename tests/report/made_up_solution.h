/// Solution files for tests of what shows them: a smooth made-up motion, with everything else computed from it.
#pragma once

#include <string>

#include "verne/model/model.h"

namespace verne::test {

struct MadeUpMotion {
  int frames = 200;
  double duration = 1;
  double amplitude = 1;  ///< scales the motion
  std::string task = "made_up";
  std::string status = "solved";
  bool gap = false;  ///< two torques are not numbers
};

/// A solution.json of a model whose joints have one coordinate each: a human (a model with contacts) walks, anything
/// else goes from rest to rest. Efforts, wrenches, poses and energies belong to the motion; what a solver would add
/// (multipliers, convergence) is invented.
std::string made_up_solution(const Model& model, const MadeUpMotion& motion = {});

/// A front.json of `count` rows whose folders are 00, 01, ...
std::string made_up_front(int count);

}  // namespace verne::test
