#include "motion/terms/limits/driven_size.h"

namespace verne {

namespace {

constexpr LimitKind kEffortRms{.name = "effort_rms"};

/// Of the root of an effort's mean square: docs/theory/motion.md, (16a).
class EffortRmsLimit : public DrivenSizeLimit {
 public:
  EffortRmsLimit()
      : DrivenSizeLimit(kEffortRms, "", "", 80,
                        "root of the mean square of τ over the motion (or over each phase), which heats a drive; one "
                        "limit for all means the joints that are driven",
                        &LimitsSpec::effort_rms) {}
  std::vector<EffortLimit> means(const Task& task) const override { return limited(task); }
  bool bounds_haste(const LimitsSpec& limits, std::size_t i) const override { return is_set(limits, i); }
};

}  // namespace

const JointLimit& effort_rms_limit() {
  static const EffortRmsLimit kLimit;
  return kLimit;
}

}  // namespace verne
