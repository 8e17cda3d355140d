/// Limits of how tired muscles are after all repetitions.
#include "motion/terms/limits/driven_size.h"

namespace verne {

extern const LimitKind kFatigueLimit;
constinit const LimitKind kFatigueLimit{.name = "fatigue"};

namespace {

/// Imposed on the motion as a whole: program/fatigue_rows.h.
class FatigueLimit : public DrivenSizeLimit {
 public:
  FatigueLimit()
      : DrivenSizeLimit(
            kFatigueLimit, "", "", 79,
            "the part of its strength, which is the limit of effort, that a person's joint may have lost "
            "after all repetitions (`repeat`), in either direction; one limit for all means the joints that "
            "are driven") {}

  void read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
            LimitsSpec& limits) const override {
    if (is_word(node, "none")) return;
    if (!node.is_scalar() && !node.is_map()) return reader.expected("none, one limit for all or {joint: limit}", node);
    for_each_value(node, reader, joints, [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
      const auto part = in.number(value);
      const bool sound = part && *part > 0 && *part < 1;
      if (part && !sound) in.expected("a part of the strength, between 0 and 1", value);
      const bool strong = joints.actuated(dof) && limits.effort[dof].upper - limits.effort[dof].lower < kInfinity;
      if (!strong && node.is_map()) in.error(value.line, "the joint has no limit of effort, which is its strength");
      if (sound && strong) limits.sizes[kind().name][dof] = *part;
      return sound;
    });
  }
  bool bounds_haste(const LimitsSpec& limits, std::size_t i) const override { return is_set(limits, i); }
};

}  // namespace

const JointLimit& fatigue_limit() {
  static const FatigueLimit kLimit;
  return kLimit;
}

}  // namespace verne
