/// A kind of limits of joints, a key of `limits` in task files: all that is known of it is in its file and asked for
/// here. joint_limits.cpp lists them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motion/terms/costs/cost_type.h"
#include "motion/terms/task_terms.h"

namespace verne {

class JointLimit {
 public:
  /// `about`: what is limited, and `otherwise`: what holds when nothing is said, as docs/tasks.md has them.
  JointLimit(const LimitKind& kind, Form form, std::string about, std::string otherwise)
      : kind_(&kind), key_{kind.name, std::move(form), std::move(about), std::move(otherwise)} {}
  virtual ~JointLimit() = default;
  JointLimit(const JointLimit&) = delete;
  JointLimit& operator=(const JointLimit&) = delete;

  const LimitKind& kind() const { return *kind_; }
  const Key& key() const { return key_; }

  /// What holds when a task says nothing.
  virtual void set_default(const TaskJoints& joints, LimitsSpec& limits) const = 0;
  virtual void read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
                    LimitsSpec& limits) const = 0;

  /// How many entries it has: one per freedom or, `of_bearings`, one per joint and joint that closes a loop.
  virtual std::size_t entries(const LimitsSpec& limits) const = 0;
  virtual bool of_bearings() const { return false; }
  virtual bool is_set(const LimitsSpec& limits, std::size_t entry) const = 0;
  virtual void drop(LimitsSpec& limits, std::size_t entry) const = 0;
  /// What an entry is of, as reports have it.
  virtual std::string name_of_entry(const Model& model, std::size_t entry) const;
  /// Of those of bearings, the first of the three components of a wrench that are limited.
  virtual int first_component() const { return 0; }
  /// Entries for a model with other loops.
  virtual void fit_to(const Model&, const Model&, LimitsSpec&) const {}
  bool is_set_anywhere(const LimitsSpec& limits) const;

  /// Its terms along a motion: equations or inequalities.
  virtual void add(const Task&, ChannelLayout&, bool, LimitTerms&) const {}
  /// What is limited of efforts as a mean over a phase, or by the rate of their change.
  virtual std::vector<EffortLimit> means(const Task&) const { return {}; }
  virtual std::vector<EffortLimit> rates(const Task&) const { return {}; }

  virtual Needs needs() const { return Needs::efforts; }
  /// Whether it keeps the shortest time of a freedom's motion from being zero.
  virtual bool bounds_haste(const LimitsSpec&, std::size_t) const { return false; }
  /// How likely motions cannot meet it: the least likely are the first to be tried without, in search of what
  /// conflicts.
  virtual int suspicion() const = 0;

 private:
  const LimitKind* kind_;
  Key key_;
};

/// All, in the order of reports.
std::span<const JointLimit* const> joint_limits();

}  // namespace verne
