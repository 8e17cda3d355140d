#include "motion/terms/costs/cost_type.h"

namespace verne {

extern const CostType kTimeCost{
    .name = "time",
    .integrand = "1",
    .value = CostType::Value::duration,
};

}  // namespace verne
