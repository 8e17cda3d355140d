/// Limits of efforts of a person's hips, knees and ankles that fall with angle and speed.
#include "ergonomics/strength.h"

#include "motion/terms/limits/joint_limit.h"
#include "verne/base/dual.h"

namespace verne {

namespace {

constexpr LimitKind kStrength{.name = "strength", .known_from = 3};

const Schema& strength_schema() {
  static const Schema kSchema{{{"sex", words({"male", "female"}), "of the people who were measured", "`male`"},
                               {"age", words({"18-25", "55-65", "over 65"}), "of these, years", "18-25"}}};
  return kSchema;
}

/// A group as one number.
double code_of(const StrengthGroup& group) {
  return group.age + (group.female ? 3 : 0);
}
StrengthGroup group_of(double code) {
  return {code >= 3, static_cast<int>(code) % 3};
}

/// τ ≤ τ_most · part(q, v), or the same for the muscles that turn the joint the other way. Reported as the effort that
/// would be needed at the best angle and at rest. Inputs: τ, q, v.
class StrengthTerm : public LimitTerm {
 public:
  StrengthTerm(LimitName name, std::vector<int> inputs, const StrengthShape& shape, double sign, double most)
      : LimitTerm(std::move(name), std::move(inputs)), shape_(shape), sign_(sign), most_(most), imposed_(most) {}

  void value(const double* u, double* rows) const override { rows[0] = row(u[0], u[1], u[2]); }
  void jacobian(const double* u, double* J) const override {
    using D = Dual<double>;
    J[0] = sign_;
    J[1] = row(D(u[0]), D(u[1], 1.0), D(u[2])).slope;
    J[2] = row(D(u[0]), D(u[1]), D(u[2], 1.0)).slope;
  }
  void hessian(const double* u, const double* multipliers, double* H) const override {
    using D = Dual<double>;
    using DD = Dual<D>;
    constexpr int kSize = 3;
    for (int i = 1; i < kSize; ++i) {
      for (int k = 1; k < kSize; ++k) {
        const auto seeded = [&](int n) { return DD(D(u[n], n == i ? 1.0 : 0.0), D(n == k ? 1.0 : 0.0)); };
        H[kSize * i + k] += multipliers[0] * row(DD(D(u[0])), seeded(1), seeded(2)).slope.slope;
      }
    }
  }
  Interval bounds(int) const override { return {-kInfinity, 0}; }
  double measured(const double* u) const override { return u[0] / strength_part(shape_, u[1], sign_ * u[2]); }
  Interval measured_bounds() const override {
    return sign_ > 0 ? Interval{-kInfinity, most_} : Interval{-most_, kInfinity};
  }
  bool tightens_as_a_whole() const override { return true; }
  void tighten(double fraction) override { imposed_ = most_ * (1 - fraction); }

 private:
  template <class S>
  S row(const S& effort, const S& angle, const S& velocity) const {
    return effort * S(sign_) - strength_part(shape_, angle, velocity * S(sign_)) * S(imposed_);
  }

  const StrengthShape& shape_;
  double sign_, most_, imposed_;
};

/// LimitsSpec::sizes have the group for each freedom that the table knows.
class StrengthLimit : public JointLimit {
 public:
  StrengthLimit()
      : JointLimit(kStrength, either({word("none"), map(strength_schema())}),
                   "the limits of effort of a person's `hip_flexion_*`, `knee_flexion_*` and `ankle_dorsiflexion_*` "
                   "hold at the best angle and at rest, and fall with angle and speed as measured",
                   "none") {}

  void set_default(const TaskJoints& joints, LimitsSpec& limits) const override {
    limits.sizes[kind().name].assign(joints.count(), kInfinity);
  }
  void read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
            LimitsSpec& limits) const override {
    if (is_word(node, "none")) return set_default(joints, limits);
    const TaskMap map(node, reader, strength_schema());
    const StrengthGroup group{map.word_of("sex", 0) == 1, map.word_of("age", 0)};
    bool any = false;
    for (std::size_t i = 0; i < joints.count(); ++i) {
      if (!strength_shape(joints.name(i).c_str(), true, group) || !joints.actuated(i)) continue;
      limits.sizes[kind().name][i] = code_of(group);
      any = true;
    }
    if (!any)
      reader.error(node.line,
                   "is of a person, and the model has no hip_flexion_…, knee_flexion_… or ankle_dorsiflexion_…");
  }
  std::size_t entries(const LimitsSpec& limits) const override { return sizes(limits).size(); }
  bool is_set(const LimitsSpec& limits, std::size_t i) const override { return sizes(limits)[i] < kInfinity; }
  void drop(LimitsSpec& limits, std::size_t i) const override { limits.sizes[kind().name][i] = kInfinity; }

  void add(const Task& task, ChannelLayout& channels, bool equations, LimitTerms& terms) const override {
    const std::vector<double>& all = sizes(task.limits);
    for (int i = 0; i < static_cast<int>(all.size()) && !equations; ++i) {
      if (all[i] >= kInfinity) continue;
      const std::string name(task.model.dof_names()[i]);
      const Interval& effort = task.limits.effort[i];
      for (const bool flexion : {true, false}) {
        const double most = flexion ? effort.upper : -effort.lower;
        if (most >= kInfinity) continue;
        terms.push_back(std::make_unique<StrengthTerm>(LimitName{kind(), name, effort_unit(task.model, i)},
                                                       std::vector{channels.tau(i), channels.q(i), channels.v(i)},
                                                       *strength_shape(name.c_str(), flexion, group_of(all[i])),
                                                       flexion ? 1.0 : -1.0, most));
      }
    }
  }
  bool bounds_haste(const LimitsSpec& limits, std::size_t i) const override { return is_set(limits, i); }
  int suspicion() const override { return 88; }

 private:
  const std::vector<double>& sizes(const LimitsSpec& limits) const {
    static const std::vector<double> kNone;
    const auto found = limits.sizes.find(kind().name);
    return found == limits.sizes.end() ? kNone : found->second;
  }
};

}  // namespace

const JointLimit& strength_limit() {
  static const StrengthLimit kLimit;
  return kLimit;
}

}  // namespace verne
