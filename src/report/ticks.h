/// Round numbers for axes.
#pragma once

#include <string>
#include <vector>

namespace verne {

/// The multiples of 1, 2 or 5 times a power of ten that lie between two ends, about `count` of them.
std::vector<double> ticks(double low, double high, int count);

/// A tick as people write it: no more digits than needed, a true minus sign.
std::string tick_label(double value, double step);

}  // namespace verne
