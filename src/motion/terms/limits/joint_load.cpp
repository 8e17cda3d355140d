/// Limits of the force and the moment in a joint.
#include "motion/terms/limits/joint_load.h"

#include "motion/curve/phases.h"
#include "motion/terms/limits/joint_limit.h"

namespace verne {

namespace {

constexpr LimitKind kJointForce{.name = "joint_force", .known_from = 3};
constexpr LimitKind kJointMoment{.name = "joint_moment", .known_from = 3};

Form load_form(const std::string& unit) {
  const Form size = positive(std::numeric_limits<double>::infinity(), unit);
  return either({word("none"), size, entries(size)});
}

/// Of three components of the wrench of a joint of the tree, or of one that closes a loop.
class JointLoadLimit : public JointLimit {
 public:
  using Member = std::vector<double> LimitsSpec::*;
  JointLoadLimit(const LimitKind& kind, Member sizes, int first_component, const char* unit, int suspicion,
                 std::string about)
      : JointLimit(kind, load_form(unit), std::move(about), "none"),
        sizes_(sizes),
        first_component_(first_component),
        unit_(unit),
        suspicion_(suspicion) {}

  void set_default(const TaskJoints& joints, LimitsSpec& limits) const override {
    (limits.*sizes_).assign(joints.moving_joints().size(), kInfinity);
  }

  /// One for all joints that move, or {joint: limit}.
  void read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
            LimitsSpec& limits) const override {
    if (is_word(node, "none")) return;
    std::vector<double>& sizes = limits.*sizes_;
    if (!node.is_map()) {
      const double size = read_size(node, reader);
      const std::vector<bool> moving = joints.moving_joints();
      for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = moving[i] ? size : kInfinity;
      return;
    }
    for (const YamlEntry& entry : node.entries) {
      for (const std::size_t i : joints.joints(entry.key, entry.line, reader)) {
        sizes[i] = read_size(entry.value, reader.inside(entry.key));
      }
    }
  }

  std::size_t entries(const LimitsSpec& limits) const override { return (limits.*sizes_).size(); }
  bool of_bearings() const override { return true; }
  bool is_set(const LimitsSpec& limits, std::size_t i) const override { return (limits.*sizes_)[i] < kInfinity; }
  void drop(LimitsSpec& limits, std::size_t i) const override { (limits.*sizes_)[i] = kInfinity; }
  int first_component() const override { return first_component_; }
  void fit_to(const Model& model, const Model& before, LimitsSpec& limits) const override {
    limits.*sizes_ = with_loops_of(model, before, std::move(limits.*sizes_), kInfinity);
  }

  void add(const Task& task, ChannelLayout& channels, bool equations, LimitTerms& terms) const override {
    const std::vector<double>& sizes = task.limits.*sizes_;
    for (int j = 0; j < static_cast<int>(sizes.size()) && !equations; ++j) {
      if (sizes[j] >= kInfinity) continue;
      terms.push_back(std::make_unique<NormLimit>(LimitName{kind(), bearing_name(task.model, j), unit_in_reports()},
                                                  channels.wrench(j) + first_component_, sizes[j]));
    }
  }
  int suspicion() const override { return suspicion_; }

 private:
  const char* unit_in_reports() const { return first_component_ == 0 ? "N" : "N·m"; }
  double read_size(const YamlNode& node, const YamlReader& reader) const {
    const auto size = reader.number(node, true, unit_);
    if (size && *size > 0) return *size;
    if (size) reader.expected("a positive number", node);
    return kInfinity;
  }

  Member sizes_;
  int first_component_;
  const char* unit_;
  int suspicion_;
};

}  // namespace

const JointLimit& joint_force_limit() {
  static const JointLoadLimit kLimit(
      kJointForce, &LimitsSpec::joint_force, 0, "N", 40,
      "size of the force through a joint, also one that closes a loop, at its frame; one "
      "limit for all means the moving joints, fixed ones are named");
  return kLimit;
}
const JointLimit& joint_moment_limit() {
  static const JointLoadLimit kLimit(kJointMoment, &LimitsSpec::joint_moment, 3, "N m", 30,
                                     "size of the moment through a joint, as for `joint_force`");
  return kLimit;
}

}  // namespace verne
