#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/regular_file.h"
#include "io/csv.h"
#include "io/number.h"
#include "motion/task/solution_reader.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"

namespace verne {

namespace {

std::optional<Table> read_postures(const YamlMap& map, const TaskJoints& joints) {
  const YamlNode* list = map.find("through");
  const auto& postures = map.items("through");
  if (!list->is_list()) return std::nullopt;
  if (postures.size() < 2) map.reader("through").error(list->line, "expected at least two postures");
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(joints.count()), static_cast<Eigen::Index>(postures.size()));
  columns.setZero();
  for (std::size_t k = 0; k < postures.size(); ++k) {
    const YamlReader reader = map.reader("through").inside("posture " + std::to_string(k + 1));
    if (!postures[k].is_list() && !postures[k].is_map()) {
      reader.expected("a list of " + std::to_string(joints.count()) + " numbers, or {joint: value}", postures[k]);
      continue;
    }
    for_each_value(postures[k], reader, joints, [&](const YamlReader& in, const YamlNode& entry, std::size_t dof) {
      const auto value = in.number(entry, false, joints.unit(dof, NodeQuantity::position));
      columns(static_cast<Eigen::Index>(dof), static_cast<Eigen::Index>(k)) = value.value_or(0);
      return value.has_value();
    });
  }
  return columns;
}

/// A table with a column for each joint that it knows, and a posture in each record.
Table read_path(const std::string& text, const std::string& file, const TaskJoints& joints) {
  const auto fail = [&](int line, const std::string& why) { throw InputError({Diagnostic{file, line, why}}); };
  CsvReader reader(text, file);
  const std::vector<std::string> names = csv_header(reader, file);
  const std::vector<std::string> all(joints.model().dof_names().begin(), joints.model().dof_names().end());
  std::vector<Eigen::Index> dofs;
  for (const std::string& name : names) {
    const auto found = std::find(all.begin(), all.end(), name);
    if (found == all.end()) fail(reader.line(), "there is no joint " + in_quotes(name) + suggestion(name, all));
    dofs.push_back(found - all.begin());
  }
  std::vector<Eigen::VectorXd> postures;
  for (std::vector<std::string> cells; reader.next(cells);) {
    if (cells.size() != names.size()) {
      fail(reader.line(), "expected " + std::to_string(names.size()) + " cells, found " + std::to_string(cells.size()));
    }
    postures.push_back(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(joints.count())));
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const auto value = parse_number(cells[k]);
      if (!value || !std::isfinite(*value))
        fail(reader.line(), names[k] + ": expected a number, found " + in_quotes(cells[k]));
      postures.back()[dofs[k]] = *value;
    }
  }
  if (postures.size() < 2) fail(0, "expected at least two postures");
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(joints.count()), static_cast<Eigen::Index>(postures.size()));
  for (std::size_t k = 0; k < postures.size(); ++k) columns.col(static_cast<Eigen::Index>(k)) = postures[k];
  return columns;
}

/// What `read` makes of the file that a key names: its text, and its path for messages.
template <class Read>
auto from_file(const YamlMap& map, const char* key, const std::string& folder, const TaskFiles& files,
               std::vector<Diagnostic>& problems, const Read& read)
    -> std::optional<decltype(read(std::string(), std::string()))> {
  const YamlNode& node = *map.find(key);
  const auto written = map.reader(key).word(node);
  if (!written) return std::nullopt;
  const std::string path = (std::filesystem::path(folder) / *written).lexically_normal().string();
  try {
    return read(files.read(path), path);
  } catch (const InputError& error) {
    map.reader(key).error(node.line, in_quotes(*written) + " cannot be used");
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
  return std::nullopt;
}

}  // namespace

void read_guess(const YamlMap& top, const TaskJoints& joints, const std::string& folder, const TaskFiles& files,
                std::vector<Diagnostic>& problems, Task& task) {
  const YamlNode* node = top.find("guess");
  if (!node) return;
  const YamlMap map(*node, top.reader("guess"), guess_schema().names());
  const bool through = map.find("through"), path = map.find("path"), from = map.find("from");
  if (through + path + from != 1) map.reader().error(map.line(), "expected one of through, path and from");
  if (through) task.guess = read_postures(map, joints);
  if (path) {
    task.guess = from_file(map, "path", folder, files, problems, [&](const std::string& text, const std::string& file) {
      return read_path(text, file, joints);
    });
  }
  if (from) {
    const auto read = [&](const std::string& text, const std::string& file) {
      return read_known_motion(text, file, joints.model());
    };
    task.guess_motion = from_file(map, "from", folder, files, problems, read);
  }
}

}  // namespace verne
