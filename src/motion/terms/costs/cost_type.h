/// A kind of costs: all that is known of it is in its file and asked for here. cost_types.cpp lists them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "motion/terms/channels.h"
#include "motion/terms/node_term.h"
#include "motion/terms/reading.h"
#include "motion/terms/schema.h"

namespace verne {

/// What curves have to have for something to make sense.
enum class Needs { nothing, acceleration, jerk, efforts };

/// What a cost is read from.
struct CostReading {
  const TaskMap& map;
  const TaskJoints& joints;
  const LimitsSpec& limits;  ///< of the task
};

using CostTerms = std::vector<std::unique_ptr<NodeTerm>>;

struct CostType {
  /// An integral over time of terms; the duration; the largest effort; a term at the start or the end; what many
  /// repetitions leave of muscles.
  enum class Value { integral, duration, peak, at_end, fatigue };

  const char* name = "";
  const char* integrand = "";  ///< as docs/tasks.md has it
  Schema keys{};               ///< beside its weight
  Value value = Value::integral;
  /// |x| in it is minimized as a smooth function, and reported as it is.
  bool smoothed = false;
  /// Its scale has an entry for each joint, and one for each that closes a loop, not for each freedom.
  bool of_joints = false;
  /// It is of how fast efforts change.
  bool of_effort_rates = false;
  /// It grows with the accelerations of the freedoms that it counts, so that time cannot shrink to nothing.
  bool bounds_haste = false;
  Needs (*needs)(const CostSpec& cost) = [](const CostSpec&) { return Needs::nothing; };
  /// Whether a freedom that could move in many ways at the same cost cannot, as this cost looks at it.
  bool (*determines)(const CostSpec& cost, int dof) = [](const CostSpec&, int) { return false; };
  void (*read)(const CostReading& from, CostSpec& cost) = [](const CostReading&, CostSpec&) {};
  /// The terms of its integral, in a phase.
  void (*add)(const Task& phase, const CostSpec& cost, ChannelLayout& channels,
              CostTerms& terms) = [](const Task&, const CostSpec&, ChannelLayout&, CostTerms&) {};
};

/// Those that task files may have, in the order of the docs.
std::span<const CostType* const> costs_in_files();
/// Of any cost.
inline const CostType& type_of(const CostSpec& cost) {
  return *cost.type;
}
inline bool is_time(const CostSpec& cost) {
  return type_of(cost).value == CostType::Value::duration;
}
inline bool is_peak(const CostSpec& cost) {
  return type_of(cost).value == CostType::Value::peak;
}
/// Whether it has kinks, which are smoothed while it is minimized.
inline bool is_smoothed(const CostSpec& cost) {
  return type_of(cost).smoothed;
}
/// Whether some of the cost is of a kind.
bool has_cost(const Task& task, bool (*of_kind)(const CostSpec& cost));

// For several of them:

/// Calls make(i) for each entry that counts.
template <class Make>
void for_each_scaled(const CostSpec& cost, Make&& make) {
  for (int i = 0; i < static_cast<int>(cost.scale.size()); ++i) {
    if (cost.scale[i] != 0) make(i);
  }
}
inline bool counts_freedom(const CostSpec& cost, int dof) {
  return cost.scale[dof] > 0;
}
inline Needs needs_efforts(const CostSpec&) {
  return Needs::efforts;
}
/// `joints: [a, b]` or `{a: 1, b: 0.5}`: a factor for each freedom, 1 without the key.
Key joints_key();
std::vector<double> read_freedom_factors(const CostReading& from);
std::vector<double> read_joint_factors(const CostReading& from);
/// The same for efforts: with `normalize`, each counts relative to its limit, to that power. A passive joint has none.
void read_effort_factors(const CostReading& from, int power, CostSpec& cost);
/// Factors alone; all driven joints that count have to have a limit of effort.
void read_limited_factors(const CostReading& from, CostSpec& cost);

}  // namespace verne
