#include <array>

#include "motion/terms/limits/joint_limit.h"

namespace verne {

// Each in its own file
const JointLimit& position_limit();
const JointLimit& velocity_limit();
const JointLimit& acceleration_limit();
const JointLimit& jerk_limit();
const JointLimit& effort_limit();
const JointLimit& torque_speed_limit();
const JointLimit& strength_limit();
const JointLimit& power_limit();
const JointLimit& joint_force_limit();
const JointLimit& joint_moment_limit();
const JointLimit& compression_limit();
const JointLimit& shear_limit();
const JointLimit& effort_rms_limit();
const JointLimit& effort_rate_limit();
const JointLimit& fatigue_limit();

std::span<const JointLimit* const> joint_limits() {
  static const std::array kAll{&position_limit(),    &velocity_limit(),     &acceleration_limit(), &jerk_limit(),
                               &effort_limit(),      &torque_speed_limit(), &strength_limit(),     &power_limit(),
                               &joint_force_limit(), &joint_moment_limit(), &compression_limit(),  &shear_limit(),
                               &effort_rms_limit(),  &effort_rate_limit(),  &fatigue_limit()};
  return kAll;
}

std::string JointLimit::name_of_entry(const Model& model, std::size_t entry) const {
  return of_bearings() ? bearing_name(model, entry) : std::string(model.dof_names()[entry]);
}

bool JointLimit::is_set_anywhere(const LimitsSpec& limits) const {
  for (std::size_t i = 0; i < entries(limits); ++i) {
    if (is_set(limits, i)) return true;
  }
  return false;
}

std::vector<EffortLimit> mean_limits(const Task& task) {
  std::vector<EffortLimit> all;
  for (const JointLimit* limit : joint_limits()) {
    for (EffortLimit& mean : limit->means(task)) all.push_back(std::move(mean));
  }
  return all;
}

std::vector<EffortLimit> rate_limits(const Task& task) {
  std::vector<EffortLimit> all;
  for (const JointLimit* limit : joint_limits()) {
    for (EffortLimit& rate : limit->rates(task)) all.push_back(std::move(rate));
  }
  return all;
}

}  // namespace verne
