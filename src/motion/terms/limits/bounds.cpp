/// Bounds of a freedom's position, its derivatives and its effort.
#include "motion/terms/channel_limit.h"
#include "motion/terms/limits/joint_limit.h"

namespace verne {

namespace {

Form bounds_form(const std::string& word) {
  const Form one = either({number(), list(number(), 2, 2), verne::word("none"), verne::word("model")});
  return either({verne::word(word), one, entries(one), list(one)});
}

/// lower ≤ u ≤ upper for one quantity of each freedom.
class BoundsLimit : public JointLimit {
 public:
  using Member = std::vector<Interval> LimitsSpec::*;
  BoundsLimit(const LimitKind& kind, Member bounds, Needs needs, int suspicion, std::string about,
              std::string otherwise)
      : JointLimit(kind, bounds_form("model"), std::move(about), std::move(otherwise)),
        bounds_(bounds),
        needs_(needs),
        suspicion_(suspicion) {}

  void set_default(const TaskJoints& joints, LimitsSpec& limits) const override {
    (limits.*bounds_).clear();
    for (std::size_t i = 0; i < joints.count(); ++i) (limits.*bounds_).push_back(of_model(joints, i));
  }

  void read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
            LimitsSpec& limits) const override {
    if (is_word(node, "model")) return;
    // Two numbers might be bounds of all or a limit for each of two joints.
    const bool is_unclear = node.is_list() && node.items.size() == 2 && node.items[0].is_scalar();
    if (is_unclear || node.kind == YamlNode::Kind::null) {
      reader.expected("model, none, one limit for all or {joint: limit}", node);
      return;
    }
    for_each_value(node, reader, joints, [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
      const auto limit = read_bounds(value, in, joints.unit(dof, quantity()));
      const bool passive = quantity() == NodeQuantity::effort && !joints.actuated(dof);
      if (passive && node.is_map()) in.error(value.line, "the joint is not actuated: its effort is zero");
      if (limit && !passive) (limits.*bounds_)[dof] = *limit;
      return limit.has_value();
    });
  }

  std::size_t entries(const LimitsSpec& limits) const override { return (limits.*bounds_).size(); }
  bool is_set(const LimitsSpec& limits, std::size_t i) const override { return (limits.*bounds_)[i].bounded(); }
  void drop(LimitsSpec& limits, std::size_t i) const override { (limits.*bounds_)[i] = {}; }

  void add(const Task& task, ChannelLayout& channels, bool equations, LimitTerms& terms) const override {
    add_bounds(task.model, quantity(), task.limits.*bounds_, channels, equations, terms);
  }

  Needs needs() const override { return needs_; }
  bool bounds_haste(const LimitsSpec& limits, std::size_t i) const override {
    const Interval& x = (limits.*bounds_)[i];
    const bool finite = x.lower > -kInfinity && x.upper < kInfinity;
    return finite && quantity() != NodeQuantity::position && quantity() != NodeQuantity::velocity;
  }
  int suspicion() const override { return suspicion_; }

 private:
  NodeQuantity quantity() const { return *kind().quantity; }

  Interval of_model(const TaskJoints& joints, std::size_t i) const {
    const DofSpec& dof = joints.model().dofs()[i];
    if (quantity() == NodeQuantity::position) return {dof.lower, dof.upper};
    if (quantity() == NodeQuantity::velocity) return {-dof.velocity, dof.velocity};
    if (quantity() == NodeQuantity::effort && joints.actuated(i)) return {dof.effort_lower, dof.effort_upper};
    return quantity() == NodeQuantity::effort ? Interval{0, 0} : Interval{};
  }

  /// x stands for [-x, x]; [lower, upper] may be given for any quantity, and must be for positions.
  std::optional<Interval> read_bounds(const YamlNode& node, const YamlReader& reader, const std::string& unit) const {
    if (is_word(node, "none")) return Interval{};
    if (quantity() == NodeQuantity::position || node.is_list()) return read_range(node, reader, unit);
    const auto size = reader.number(node, true, unit);
    if (size && *size >= 0) return Interval{-*size, *size};
    if (size) reader.expected("a limit that is not negative", node);
    return std::nullopt;
  }

  Member bounds_;
  Needs needs_;
  int suspicion_;
};

}  // namespace

const LimitKind& kind_of(NodeQuantity quantity) {
  static constexpr LimitKind kKinds[] = {{.name = "position", .quantity = NodeQuantity::position, .of_posture = true},
                                         {.name = "velocity", .quantity = NodeQuantity::velocity},
                                         {.name = "acceleration", .quantity = NodeQuantity::acceleration},
                                         {.name = "jerk", .quantity = NodeQuantity::jerk},
                                         {.name = "effort", .quantity = NodeQuantity::effort, .known_from = 3}};
  return kKinds[static_cast<int>(quantity)];
}

void add_bounds(const Model& model, NodeQuantity quantity, const std::vector<Interval>& bounds, ChannelLayout& channels,
                bool equations, LimitTerms& terms) {
  constexpr const char* kPer[] = {"", "/s", "/s²", "/s³"};
  for (int i = 0; i < static_cast<int>(bounds.size()); ++i) {
    if (!bounds[i].bounded() || bounds[i].fixed() != equations) continue;
    const bool effort = quantity == NodeQuantity::effort;
    const int order = static_cast<int>(quantity);
    const std::string unit = effort ? effort_unit(model, i) : position_unit(model, i) + std::string(kPer[order]);
    const int channel = effort ? channels.tau(i) : order * channels.nv() + i;
    terms.push_back(std::make_unique<ChannelLimit>(
        LimitName{kind_of(quantity), std::string(model.dof_names()[i]), unit}, channel, bounds[i]));
  }
}

const JointLimit& position_limit() {
  static const BoundsLimit kLimit(kind_of(NodeQuantity::position), &LimitsSpec::position, Needs::nothing, 60, "q",
                                  "`model`: the model's");
  return kLimit;
}
const JointLimit& velocity_limit() {
  static const BoundsLimit kLimit(kind_of(NodeQuantity::velocity), &LimitsSpec::velocity, Needs::nothing, 50,
                                  "q's rate", "`model`");
  return kLimit;
}
const JointLimit& acceleration_limit() {
  static const BoundsLimit kLimit(kind_of(NodeQuantity::acceleration), &LimitsSpec::acceleration, Needs::acceleration,
                                  20, "the rate of that", "none");
  return kLimit;
}
const JointLimit& jerk_limit() {
  static const BoundsLimit kLimit(kind_of(NodeQuantity::jerk), &LimitsSpec::jerk, Needs::jerk, 10, "the rate of that",
                                  "none");
  return kLimit;
}
const JointLimit& effort_limit() {
  static const BoundsLimit kLimit(kind_of(NodeQuantity::effort), &LimitsSpec::effort, Needs::efforts, 100, "τ",
                                  "`model`");
  return kLimit;
}

}  // namespace verne
