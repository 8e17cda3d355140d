/// Limits of what drives give and take: −P ≤ τ v ≤ P.
#include "motion/terms/limits/driven_size.h"

namespace verne {

namespace {

constexpr LimitKind kPower{.name = "power", .known_from = 3};

class PowerTerm : public LimitTerm {
 public:
  PowerTerm(LimitName name, int effort, int velocity, double limit)
      : LimitTerm(std::move(name), {effort, velocity}), limit_(limit) {}

  void value(const double* u, double* rows) const override { rows[0] = measured(u); }
  void jacobian(const double* u, double* J) const override { J[0] = u[1], J[1] = u[0]; }
  void hessian(const double*, const double* multipliers, double* H) const override {
    H[1] += multipliers[0], H[2] += multipliers[0];
  }
  Interval bounds(int) const override { return measured_bounds(); }
  double measured(const double* u) const override { return u[0] * u[1]; }
  Interval measured_bounds() const override { return {-limit_, limit_}; }

 private:
  double limit_;
};

class PowerLimit : public DrivenSizeLimit {
 public:
  PowerLimit()
      : DrivenSizeLimit(kPower, "W", "", 75,
                        "size of τ v, the power that a drive gives or takes; one limit for all means the joints that "
                        "are driven") {}

  void add(const Task& task, ChannelLayout& channels, bool equations, LimitTerms& terms) const override {
    if (equations) return;
    for (const EffortLimit& limit : limited(task)) {
      terms.push_back(
          std::make_unique<PowerTerm>(limit.name, channels.tau(limit.dof), channels.v(limit.dof), limit.limit));
    }
  }
  bool bounds_haste(const LimitsSpec& limits, std::size_t i) const override { return is_set(limits, i); }
};

}  // namespace

const JointLimit& power_limit() {
  static const PowerLimit kLimit;
  return kLimit;
}

}  // namespace verne
