#include "motion/terms/task_loads.h"

namespace verne {

Loads<double> loads_of(const Task& task) {
  const auto vector = [](const Vec3<double>& v) { return Vector3<double>(v.x, v.y, v.z); };
  Loads<double> loads;
  for (const LoadSpec& load : task.loads) {
    loads.add({load.site, vector(load.force), vector(load.moment), vector(load.point), At::link});
  }
  return loads;
}

}  // namespace verne
