#include "motion/terms/limits/driven_size.h"

namespace verne {

namespace {

constexpr LimitKind kEffortRate{.name = "effort_rate"};

/// Of the size of an effort's derivative by time: docs/theory/motion.md, (16b).
class EffortRateLimit : public DrivenSizeLimit {
 public:
  EffortRateLimit()
      : DrivenSizeLimit(
            kEffortRate, "", "/s", 70,
            "size of dτ/dt, how fast a drive can change its effort; one limit for all means the joints that "
            "are driven. Efforts then have no jumps within a phase; they may begin and end at any value",
            &LimitsSpec::effort_rate) {}
  std::vector<EffortLimit> rates(const Task& task) const override { return limited(task); }
  bool bounds_haste(const LimitsSpec& limits, std::size_t i) const override { return is_set(limits, i); }
};

}  // namespace

const JointLimit& effort_rate_limit() {
  static const EffortRateLimit kLimit;
  return kLimit;
}

}  // namespace verne
