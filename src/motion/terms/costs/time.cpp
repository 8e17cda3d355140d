#include "motion/terms/costs/cost_type.h"

namespace verne {

extern const CostType kTimeCost{
    .kind = CostKind::time,
    .name = "time",
    .integrand = "1",
    .value = CostType::Value::duration,
};

}  // namespace verne
