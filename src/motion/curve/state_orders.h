/// How many derivatives by time make the state at a place of a curve.
#pragma once

namespace verne {

/// z = (q, v, a, jerk).
inline constexpr int kStateOrders = 4;

}  // namespace verne
