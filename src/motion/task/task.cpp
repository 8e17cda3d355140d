#include "verne/motion/task.h"

namespace verne {

std::vector<double> SweepSpec::values() const {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / (count - 1) : 0;
    values.push_back((1 - share) * start + share * stop);  // exact at both ends
  }
  return values;
}

}  // namespace verne
