/// What parts of task files are made of: joints by name, numbers within bounds, intervals, links and frames. Each
/// function reads one value, reports what is wrong with line and key, and goes on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/yaml/map.h"
#include "motion/terms/node_term.h"
#include "verne/motion/task.h"

namespace verne {

/// The most that tasks may ask for: far more than any machine needs, and far from where numbers lose their sense.
inline constexpr double kLongestDuration = 1e6, kShortestDuration = 1e-6;  ///< s
inline constexpr double kLargestDistance = 1e6;                            ///< m
inline constexpr double kLargestWeight = 1e12;

/// The degrees of freedom of a model as a task names them.
class TaskJoints {
 public:
  /// Lists of values may leave out what is `held`.
  explicit TaskJoints(const Model& model, const std::vector<std::optional<double>>& held = {});

  const Model& model() const { return *model_; }
  std::size_t count() const { return angular_.size(); }
  const std::string& name(std::size_t dof) const { return model_->dof_names()[dof]; }
  bool actuated(std::size_t dof) const { return actuated_[dof]; }
  /// "rad/s", "m/s", "N m", ...
  std::string unit(std::size_t dof, NodeQuantity quantity) const;

  /// What a name stands for: all degrees of freedom of a joint, one of them (`base.x`), or those whose names
  /// begin and end as in `hip_*` or `spine*_flexion`. Reports a name that is
  /// unknown, or of a joint that has no freedom of its own.
  std::vector<std::size_t> dofs(const std::string& name, int line, const YamlReader& reader) const;
  /// The joint of this name, those that close loops behind those of the tree; its load is what the task asks about.
  std::vector<std::size_t> joints(const std::string& name, int line, const YamlReader& reader) const;
  /// For each of them, whether it moves.
  std::vector<bool> moving_joints() const;
  /// Those that are not held.
  const std::vector<std::size_t>& free() const { return free_; }

 private:
  const Model* model_;
  std::vector<bool> angular_, actuated_;
  std::vector<std::size_t> free_;
};

/// Reads one value for a degree of freedom; false after reporting a mistake.
using ReadValue = std::function<bool(const YamlReader& reader, const YamlNode& node, std::size_t dof)>;

/// Calls `read` for each degree of freedom that `node` gives a value: {joint: value}, a list of all, or of all that are
/// not held, or one for all.
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

/// The link or frame that a name stands for; reports a name that is unknown.
std::optional<int> find_site(const YamlNode& node, const YamlReader& reader, const Model& model);
/// The link or frame that `frame` names.
int read_site(const YamlMap& map, const Model& model);
/// A point of contact of the model; reports a name that is unknown.
std::optional<ContactPoint> find_contact(const std::string& name, int line, const YamlReader& reader,
                                         const Model& model);

}  // namespace verne
