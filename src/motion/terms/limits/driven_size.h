/// Limits with one positive number for each freedom that is driven.
#pragma once

#include "motion/terms/limits/joint_limit.h"

namespace verne {

/// Who derives from it says what is limited: terms, means or rates. Its sizes are LimitsSpec::sizes, under its name,
/// unless they have a member of their own.
class DrivenSizeLimit : public JointLimit {
 public:
  using Member = std::vector<double> LimitsSpec::*;
  /// `unit`: of the sizes; "": that of the effort, and then `per`.
  DrivenSizeLimit(const LimitKind& kind, std::string unit, std::string per, int suspicion, std::string about,
                  Member sizes = nullptr);

  void set_default(const TaskJoints& joints, LimitsSpec& limits) const override;
  void read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
            LimitsSpec& limits) const override;
  std::size_t entries(const LimitsSpec& limits) const override { return sizes(limits).size(); }
  bool is_set(const LimitsSpec& limits, std::size_t i) const override { return sizes(limits)[i] < kInfinity; }
  void drop(LimitsSpec& limits, std::size_t i) const override { own_sizes(limits)[i] = kInfinity; }
  int suspicion() const override { return suspicion_; }

 protected:
  const std::vector<double>& sizes(const LimitsSpec& limits) const;
  /// Those of the task, with their names.
  std::vector<EffortLimit> limited(const Task& task) const;

 private:
  std::vector<double>& own_sizes(LimitsSpec& limits) const;

  std::string unit_, per_;
  int suspicion_;
  Member member_;
};

}  // namespace verne
