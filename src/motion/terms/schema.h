/// What parts of task files may hold: their keys, with the form of what these stand for. Readers take known keys, units
/// and bounds of numbers from here; docs/tasks.md and `verne predict --schema` say the same (task/task_schema.h).
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/yaml/map.h"

namespace verne {

struct Schema;

/// The form of a value.
struct Form {
  enum class Kind { anything, nothing, number, whole, flag, text, word, list, map, entries, either };
  Kind kind = Kind::anything;
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool above_least = false;        ///< of numbers: `least` itself will not do
  std::string unit{};              ///< of numbers
  std::string word{};              ///< the only one
  std::vector<Form> forms{};       ///< of items of a list (one), of entries by any name (one), alternatives
  const Schema* schema = nullptr;  ///< of a map with known keys
  int least_items = 0, most_items = std::numeric_limits<int>::max();
};

/// A key of a map.
struct Key {
  std::string name;
  Form form{};
  std::string meaning{};    ///< as docs/tasks.md has it, without links
  std::string otherwise{};  ///< what it is when missing; empty: nothing is said
  bool required = false;
};

/// A map with known keys.
struct Schema {
  std::vector<Key> keys;
  std::string title{};   ///< of parts that stand in several places
  bool one_key = false;  ///< an item has just one of the keys

  std::vector<std::string> names() const;
  const Key& operator[](const std::string& name) const;
};

Form anything();
/// A number, in a unit.
Form number(const std::string& unit = "");
/// One above `least`, and at most `most`.
Form positive(double most, const std::string& unit = "");
Form nonnegative(double most, const std::string& unit = "");
Form whole(int least, int most);
Form flag();
Form text();
Form word(const std::string& only);
Form words(const std::vector<std::string>& all);
Form list(Form item, int least = 0, int most = std::numeric_limits<int>::max());
/// x, y, z
Form vector(const std::string& unit = "");
Form map(const Schema& schema);
/// Names that the file chooses (joints, parameters), each with such a value.
Form entries(Form value);
Form either(std::vector<Form> forms);
/// For all joints, by name or in a list.
Form per_joint(const Form& value);

/// A map of a task file, whose numbers are within the bounds that its schema gives.
class TaskMap : public YamlMap {
 public:
  TaskMap(const YamlNode& node, YamlReader reader, const Schema& schema)
      : YamlMap(node, std::move(reader), schema.names()), schema_(&schema) {}

  double real(const char* key, double otherwise) const;
  int integer(const char* key, int otherwise) const;
  /// Which of its words a key has, counted from 0.
  int word_of(const char* key, int otherwise) const;

 private:
  const Schema* schema_;
};

}  // namespace verne
