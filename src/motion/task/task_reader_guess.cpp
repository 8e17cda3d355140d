#include <filesystem>

#include "base/regular_file.h"
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
      const auto value = in.number(entry, false, joints.unit(dof, Quantity::position));
      columns(static_cast<Eigen::Index>(dof), static_cast<Eigen::Index>(k)) = value.value_or(0);
      return value.has_value();
    });
  }
  return columns;
}

std::optional<KnownMotion> read_motion_file(const YamlMap& map, const Model& model, const std::string& folder,
                                            const TaskFiles& files, std::vector<Diagnostic>& problems) {
  const YamlNode& node = *map.find("from");
  const auto written = map.reader("from").word(node);
  if (!written) return std::nullopt;
  const std::string path = (std::filesystem::path(folder) / *written).lexically_normal().string();
  try {
    return read_known_motion(files.read(path), path, model);
  } catch (const InputError& error) {
    map.reader("from").error(node.line, in_quotes(*written) + " cannot be used");
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
  const bool through = map.find("through"), from = map.find("from");
  if (through == from) map.reader().error(map.line(), "expected either through or from");
  if (through) task.guess = read_postures(map, joints);
  if (from) task.guess_motion = read_motion_file(map, joints.model(), folder, files, problems);
}

}  // namespace verne
