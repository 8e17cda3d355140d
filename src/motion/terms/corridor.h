/// Planes between shapes at places of a motion: shapes of links stay on their side of them. For one solve; the next one
/// has planes of its own, along what was found. docs/theory/clearance.md, section 3.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "motion/terms/node_term.h"
#include "verne/base/small_matrix.h"

namespace verne {

/// n · (x − y) ≥ least for all corners x of a shape, and y of another one; where the other one stands still, y = 0.
struct SeparatingPlane {
  int link = 0;                       ///< that carries x
  std::vector<Vec3<double>> corners;  ///< x, in link axes
  int other = -1;                     ///< the link that carries y; -1: nothing moves there
  std::vector<Vec3<double>> others;   ///< y, in its axes
  Vec3<double> normal;                ///< n, in the world, of length one
  double least = 0;                   ///< m
  std::string of;                     ///< for messages: "link5 from shelf"
};

/// What holds at one place of a motion.
struct CorridorPlace {
  std::size_t stage = 0;  ///< phase; 0 where there are none
  double at = 0;          ///< fraction of its time
  std::vector<SeparatingPlane> planes;
};

struct Corridor {
  std::vector<CorridorPlace> places;
};

}  // namespace verne
