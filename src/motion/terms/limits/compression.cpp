/// Limits of what joints of a person bear with their muscles: along the bone and across it.
#include "motion/terms/limits/compression.h"

#include "motion/curve/phases.h"
#include "motion/terms/limits/joint_limit.h"
#include "motion/terms/muscled_joints.h"

namespace verne {

namespace {

constexpr LimitKind kCompression{.name = "compression", .known_from = 3};
constexpr LimitKind kShear{.name = "shear", .known_from = 3};

/// Sizes are LimitsSpec::sizes under its name, an entry for each joint and joint that closes a loop.
class MuscledLimit : public JointLimit {
 public:
  MuscledLimit(const LimitKind& kind, int suspicion, std::string about)
      : JointLimit(kind, either({word("none"), entries_form()}), std::move(about), "none"), suspicion_(suspicion) {}

  void set_default(const TaskJoints& joints, LimitsSpec& limits) const override {
    limits.sizes[kind().name].assign(joints.moving_joints().size(), kInfinity);
  }
  void read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
            LimitsSpec& limits) const override {
    if (is_word(node, "none")) return;
    if (!node.is_map()) return reader.expected("none or {l5s1: limit, …}", node);
    for (const YamlEntry& entry : node.entries) {
      const auto joint = find_muscled_joint(entry.key, entry.line, reader, joints.model());
      const auto size = reader.inside(entry.key).number(entry.value, true, "N");
      if (size && !(*size > 0)) reader.inside(entry.key).expected("a positive number", entry.value);
      if (joint && size && *size > 0) limits.sizes[kind().name][*joint] = *size;
    }
  }
  std::size_t entries(const LimitsSpec& limits) const override { return sizes(limits).size(); }
  bool of_bearings() const override { return true; }
  bool is_set(const LimitsSpec& limits, std::size_t i) const override { return sizes(limits)[i] < kInfinity; }
  std::string name_of_entry(const Model& model, std::size_t entry) const override {
    return muscles_of(model, entry)->name;
  }
  void drop(LimitsSpec& limits, std::size_t i) const override { limits.sizes[kind().name][i] = kInfinity; }
  void fit_to(const Model& model, const Model& before, LimitsSpec& limits) const override {
    std::vector<double>& own = limits.sizes[kind().name];
    own = with_loops_of(model, before, std::move(own), kInfinity);
  }
  void add(const Task& task, ChannelLayout& channels, bool equations, LimitTerms& terms) const override {
    const std::vector<double>& all = sizes(task.limits);
    for (std::size_t j = 0; j < all.size() && !equations; ++j) {
      const JointMuscles* const muscles = all[j] < kInfinity ? muscles_of(task.model, j) : nullptr;
      if (!muscles) continue;
      const LimitName name(kind(), muscles->name, "N");
      const int first = channels.wrench(static_cast<int>(j));
      if (&kind() == &kShear) {
        terms.push_back(std::make_unique<ShearLimit>(name, first, all[j]));
      } else {
        terms.push_back(std::make_unique<CompressionLimit>(name, *muscles, first, all[j]));
      }
    }
  }
  int suspicion() const override { return suspicion_; }

 private:
  static Form entries_form() { return verne::entries(positive(kInfinity, "N")); }
  const std::vector<double>& sizes(const LimitsSpec& limits) const {
    static const std::vector<double> kNone;
    const auto found = limits.sizes.find(kind().name);
    return found == limits.sizes.end() ? kNone : found->second;
  }
  int suspicion_;
};

}  // namespace

const JointLimit& compression_limit() {
  static const MuscledLimit kLimit(kCompression, 39,
                                   "what a joint of a person bears along its bone with the pull of its muscles: "
                                   "`l5s1`, `hip_r`, `hip_l`, `knee_r`, `knee_l`");
  return kLimit;
}
const JointLimit& shear_limit() {
  static const MuscledLimit kLimit(kShear, 38, "the same across the bone");
  return kLimit;
}

}  // namespace verne
