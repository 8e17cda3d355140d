#include "motion/task/scene_obstacles.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "io/number.h"
#include "io/scene.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// The value of a key, made where it is missing.
YamlNode& value_at(YamlNode& map, const char* key, YamlNode::Kind kind, int line) {
  for (YamlEntry& entry : map.entries) {
    if (entry.key == key) return entry.value;
  }
  map.entries.push_back({key, line, {kind, line, "", {}, {}}});
  return map.entries.back().value;
}

/// Nodes as they would stand in a file, all on one line.
class Writer {
 public:
  explicit Writer(int line) : line_(line) {}

  YamlNode word(const std::string& text) const { return {YamlNode::Kind::scalar, line_, text, {}, {}}; }
  YamlNode number(double value) const { return word(format_number(value)); }
  YamlNode list(std::initializer_list<double> values) const {
    YamlNode node{YamlNode::Kind::list, line_, "", {}, {}};
    for (const double value : values) node.items.push_back(number(value));
    return node;
  }
  YamlNode vector(const Vec3<double>& v) const { return list({v.x, v.y, v.z}); }
  YamlNode map(std::initializer_list<std::pair<const char*, YamlNode>> entries) const {
    YamlNode node{YamlNode::Kind::map, line_, "", {}, {}};
    for (const auto& [key, value] : entries) node.entries.push_back({key, line_, value});
    return node;
  }

 private:
  int line_;
};

/// Spheres, capsules and boxes as they are; cylinders by the box around them.
std::pair<const char*, YamlNode> obstacle(const VisualSpec& shape, const Writer& write) {
  const Transform<double>& X = shape.X_LV;
  const double radius = shape.size.x, length = shape.size.y;
  if (shape.shape == VisualSpec::Shape::sphere) {
    return {"sphere", write.map({{"center", write.vector(X.p)}, {"radius", write.number(radius)}})};
  }
  if (shape.shape == VisualSpec::Shape::capsule) {
    const Vec3<double> half = X.R.column(2) * (length / 2);
    return {"capsule", write.map({{"from", write.vector(X.p - half)},
                                  {"to", write.vector(X.p + half)},
                                  {"radius", write.number(radius)}})};
  }
  const bool box = shape.shape == VisualSpec::Shape::box;
  const auto q = quaternion_of(X.R);
  return {"box", write.map({{"center", write.vector(X.p)},
                            {"size", write.vector(box ? shape.size : Vec3<double>{2 * radius, 2 * radius, length})},
                            {"quaternion", write.list({q[0], q[1], q[2], q[3]})}})};
}

Scene scene_of(const YamlNode& node, const std::string& folder, const TaskFiles* files, const YamlReader& reader,
               std::vector<Diagnostic>& problems) {
  if (node.is_map()) return read_scene(node, reader);
  const auto written = reader.word(node);
  if (!written || !files) return {};
  const std::string path = (std::filesystem::path(folder) / *written).lexically_normal().string();
  try {
    return read_scene(files->read(path), path);
  } catch (const InputError& error) {
    reader.error(node.line, in_quotes(*written) + " cannot be used");
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
  return {};
}

}  // namespace

void put_scene(YamlNode& task, const std::string& folder, const TaskFiles* files, const YamlReader& reader,
               std::vector<Diagnostic>& problems) {
  const auto found = std::ranges::find_if(task.entries, [](const YamlEntry& entry) { return entry.key == "scene"; });
  if (found == task.entries.end()) return;
  const int line = found->line;
  const std::size_t errors_before = reader.diagnostics().errors().size();
  const Scene scene = scene_of(found->value, folder, files, reader.inside("scene"), problems);
  if (scene.shapes.empty() || reader.diagnostics().errors().size() > errors_before) return;
  YamlNode& subject_to = value_at(task, "subject_to", YamlNode::Kind::map, line);
  if (!subject_to.is_map()) return;
  YamlNode& keep_out = value_at(subject_to, "keep_out", YamlNode::Kind::list, line);
  const Writer write(line);
  std::map<std::string, int> parts;
  for (const SceneShape& shape : scene.shapes) {
    const int part = ++parts[shape.object];
    const std::string name = part == 1 ? shape.object : shape.object + " " + std::to_string(part);
    keep_out.items.push_back(
        write.map({{"name", write.word(name)}, obstacle(shape.shape, write), {"margin", write.number(scene.margin)}}));
  }
}

}  // namespace verne
