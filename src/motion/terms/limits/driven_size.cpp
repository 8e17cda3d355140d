#include "motion/terms/limits/driven_size.h"

namespace verne {

DrivenSizeLimit::DrivenSizeLimit(const LimitKind& kind, std::string unit, std::string per, int suspicion,
                                 std::string about, Member sizes)
    : JointLimit(
          kind,
          either({word("none"), positive(kInfinity, unit + per), verne::entries(positive(kInfinity, unit + per))}),
          std::move(about), "none"),
      unit_(std::move(unit)),
      per_(std::move(per)),
      suspicion_(suspicion),
      member_(sizes) {}

void DrivenSizeLimit::set_default(const TaskJoints& joints, LimitsSpec& limits) const {
  own_sizes(limits).assign(joints.count(), kInfinity);
}

/// One for all joints that are driven, or {joint: limit}.
void DrivenSizeLimit::read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
                           LimitsSpec& limits) const {
  if (is_word(node, "none")) return;
  if (!node.is_scalar() && !node.is_map()) return reader.expected("none, one limit for all or {joint: limit}", node);
  for_each_value(node, reader, joints, [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
    const auto size =
        in.number(value, false, unit_.empty() ? joints.unit(dof, NodeQuantity::effort) + per_ : unit_ + per_);
    if (size && !(*size > 0)) in.expected("a positive number", value);
    if (!joints.actuated(dof) && node.is_map()) {
      in.error(value.line, "the joint is not actuated: its effort is zero");
    }
    if (size && *size > 0 && joints.actuated(dof)) own_sizes(limits)[dof] = *size;
    return size && *size > 0;
  });
}

const std::vector<double>& DrivenSizeLimit::sizes(const LimitsSpec& limits) const {
  static const std::vector<double> kNone;
  if (member_) return limits.*member_;
  const auto found = limits.sizes.find(kind().name);
  return found == limits.sizes.end() ? kNone : found->second;
}

std::vector<double>& DrivenSizeLimit::own_sizes(LimitsSpec& limits) const {
  return member_ ? limits.*member_ : limits.sizes[kind().name];
}

std::vector<EffortLimit> DrivenSizeLimit::limited(const Task& task) const {
  const std::vector<double>& all = sizes(task.limits);
  std::vector<EffortLimit> found;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    if (all[i] >= kInfinity) continue;
    const std::string unit = unit_.empty() ? effort_unit(task.model, i) : unit_;
    found.push_back({{kind(), std::string(task.model.dof_names()[i]), unit + per_}, i, all[i]});
  }
  return found;
}

}  // namespace verne
