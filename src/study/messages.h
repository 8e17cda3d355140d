/// What goes to who computes a point, and what comes back.
#pragma once

#include "verne/study/study.h"

namespace verne {

/// A point to compute.
struct PointOrder {
  int point = 0;
  std::vector<double> values;
  std::string start;  ///< motion of another point, or empty
  bool motion_wanted = false;
  double keep_below = 0;
};
std::string packed(const PointOrder& order);
PointOrder unpack_order(std::string_view bytes);

std::string packed(const PointResult& result);
PointResult unpack_result(std::string_view bytes);

}  // namespace verne
