/// The parts of a task file. Each function reads one of them, reports what is wrong with line and key, and goes on.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/yaml_map.h"
#include "verne/motion/task.h"

namespace verne {

/// The most that tasks may ask for: far more than any machine needs, and far from where numbers lose their sense.
inline constexpr double kLongestDuration = 1e6, kShortestDuration = 1e-6;  ///< s
inline constexpr double kLargestDistance = 1e6;                            ///< m
inline constexpr double kLargestWeight = 1e12;

/// What a number of a degree of freedom measures; decides its unit.
enum class Quantity { position, velocity, acceleration, jerk, effort };

/// The degrees of freedom of a model as a task names them.
class TaskJoints {
 public:
  explicit TaskJoints(const Model& model);

  const Model& model() const { return *model_; }
  std::size_t count() const { return angular_.size(); }
  const std::string& name(std::size_t dof) const { return model_->dof_names()[dof]; }
  bool actuated(std::size_t dof) const { return actuated_[dof]; }
  /// "rad/s", "m/s", "N m", ...
  std::string unit(std::size_t dof, Quantity quantity) const;

  /// What a name stands for: all degrees of freedom of a joint, one of them (`base.x`), or those whose names begin as
  /// in `hip_*`. Reports a name that is
  /// unknown, or of a joint that has no freedom of its own.
  std::vector<std::size_t> dofs(const std::string& name, int line, const YamlReader& reader) const;
  /// The joint of this name, those that close loops behind those of the tree; its load is what the task asks about.
  std::vector<std::size_t> joints(const std::string& name, int line, const YamlReader& reader) const;
  /// For each of them, whether it moves.
  std::vector<bool> moving_joints() const;

 private:
  const Model* model_;
  std::vector<bool> angular_, actuated_;
};

/// Reads one value for a degree of freedom; false after reporting a mistake.
using ReadValue = std::function<bool(const YamlReader& reader, const YamlNode& node, std::size_t dof)>;

/// Calls `read` for each degree of freedom that `node` gives a value: {joint: value}, a list of all, or one for all.
void for_each_value(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints, const ReadValue& read);

/// What a name stands for, by a function that throws InputError where it stands for nothing; reports that.
std::optional<int> find_named(const YamlNode& node, const YamlReader& reader,
                              const std::function<int(const std::string& name)>& find);

/// [lower, upper] in a unit; reports lower > upper.
std::optional<Interval> read_range(const YamlNode& node, const YamlReader& reader, const std::string& unit);

/// A number, `free` or {between: [lower, upper]}.
std::optional<Interval> read_value(const YamlNode& node, const YamlReader& reader, const std::string& unit);

/// The value of `key` when it is a number that `sound` accepts; `expected` says what those are.
double number_where(const YamlMap& map, const char* key, double otherwise, bool (*sound)(double), const char* expected,
                    const std::string& unit = "");
/// Reports the value of `key` when it is larger than `most`: a slip rather than a wish.
double at_most(double most, const YamlMap& map, const char* key, double value);
double positive_number(const YamlMap& map, const char* key, double otherwise, double most,
                       const std::string& unit = "");
double nonnegative_number(const YamlMap& map, const char* key, double otherwise, double most,
                          const std::string& unit = "");
int integer_between(const YamlMap& map, const char* key, int otherwise, int lowest, int highest);

/// Whether `node` is the word `word`.
bool is_word(const YamlNode& node, const char* word);

// task_reader_settings.cpp
CurveSpec read_curve(const YamlMap& top);
DurationSpec read_duration(const YamlMap& top);
/// As seconds or as a part of the whole motion's.
DurationSpec read_phase_duration(const YamlMap& phase, const DurationSpec& whole);
RefineSpec read_refine(const YamlMap& top);
SolverSpec read_solver(const YamlMap& top);
StartsSpec read_starts(const YamlMap& top);
std::optional<SweepSpec> read_sweep(const YamlMap& top, const std::map<std::string, double>& parameters);
/// What is wrong with a file that the guess comes from is added to `problems`.
void read_guess(const YamlMap& top, const TaskJoints& joints, const std::string& folder, const TaskFiles& files,
                std::vector<Diagnostic>& problems, Task& task);
/// At most as many as give a solution file that can be read again.
int read_samples(const YamlMap& top, const Model& model);

// task_reader_states.cpp
/// Without freedoms that are held.
std::optional<PeriodicSpec> read_periodic(const YamlMap& subject_to, const TaskJoints& joints,
                                          const std::vector<std::optional<double>>& held);
/// At rest where no velocity is given; but free where the motion repeats.
StateSpec read_end_state(const YamlMap& subject_to, const char* key, const TaskJoints& joints,
                         const std::optional<PeriodicSpec>& periodic);
std::vector<ViaSpec> read_via(const YamlMap& subject_to, const TaskJoints& joints);

/// A state that is free in all that it does not say.
StateSpec read_free_state(const YamlMap& map, const char* key, const TaskJoints& joints);

// task_reader_limits.cpp
/// The limits that the model has.
LimitsSpec model_limits(const TaskJoints& joints);
/// Those of `map`, and `otherwise` where it has none.
LimitsSpec read_limits(const YamlMap& map, const TaskJoints& joints, const LimitsSpec& otherwise);

// task_reader_costs.cpp
/// When the task's limits are known.
void read_costs(const YamlMap& top, const TaskJoints& joints, Task& task);

// task_reader_space.cpp
/// The link or frame that `frame` names.
int read_site(const YamlMap& map, const Model& model);
/// A point of contact of the model; reports a name that is unknown.
std::optional<ContactPoint> find_contact(const std::string& name, int line, const YamlReader& reader,
                                         const Model& model);
std::vector<FrameGoalSpec> read_frames(const YamlMap& subject_to, const TaskJoints& joints);
std::vector<SwingTogetherSpec> read_swings(const YamlMap& subject_to, const TaskJoints& joints);
std::vector<LoadSpec> read_loads(const YamlMap& subject_to, const TaskJoints& joints);

// task_reader_phases.cpp
/// The model with the bodies under `payloads` as parts of its links.
Model with_payloads(const YamlMap& map, const Model& model);
/// `loose`: the model without the contacts that are held all the way.
std::vector<PhaseSpec> read_phases(const YamlMap& top, const Task& task, const Model& loose);

// task_reader_ground.cpp
/// `otherwise` where the map has no ground.
std::optional<GroundSpec> read_ground(const YamlMap& map, const Model& model,
                                      const std::optional<GroundSpec>& otherwise);
/// The model with the contacts of `contacts` held, as loops to the world where its home has them; what is said of them.
Model with_contacts(const YamlMap& map, const Model& model, std::vector<HeldContactSpec>& held);
/// Corners of what surrounds the named contacts at zero, against the clock as seen from where `up` points to.
std::vector<ContactPoint> read_hull(const YamlNode& node, const YamlReader& reader, const Model& model,
                                    const Vec3<double>& up);
/// Freedoms without a drive that carry all supports need no effort where there is ground: docs/theory/gait.md, (2).
/// Where contacts bear what they like, that is what they have to be in balance with, (18).
void release_root(Task& task, const YamlMap& top);
/// One entry per velocity; none where nothing is held.
std::vector<std::optional<double>> read_held(const YamlMap& top, const TaskJoints& joints);
/// One entry per velocity; none where nothing is said.
std::vector<double> read_effort_weights(const YamlMap& top, const TaskJoints& joints);
/// What does not move needs no limits of motion.
void release_held(const std::vector<std::optional<double>>& held, LimitsSpec& limits);

// task_reader_obstacles.cpp
std::vector<KeepOutSpec> read_keep_out(const YamlMap& subject_to, const TaskJoints& joints);

// task_reader_check.cpp
/// Reports parts of the task that contradict each other.
void check_task(const Task& task, const TaskJoints& joints, const YamlMap& top);

}  // namespace verne
