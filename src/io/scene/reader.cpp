#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "io/number.h"
#include "io/scene/scene.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr char kSceneFormat[] = "verne-scene/1";

/// As files round them.
bool is_unit(const std::vector<double>& q) {
  return std::abs(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) - 1) < 1e-3;
}

bool is_vertex(double k, const Mesh& mesh) {
  return k >= 0 && k == std::floor(k) && k < static_cast<double>(mesh.vertex_count());
}

void put_mesh(Mesh mesh, SceneShape& shape) {
  mesh.parts = {{std::nullopt, mesh.triangle_count()}};
  shape.shape.shape = VisualSpec::Shape::mesh, shape.shape.size = {1, 1, 1};
  shape.mesh = std::make_shared<const Mesh>(std::move(mesh));
}

/// A list of booleans, as MoveIt's messages and others write it.
std::vector<bool> flags_of(const YamlNode& node, std::size_t count, const YamlReader& reader) {
  const YamlNode* const list = node.is_map() ? find_entry(node, "enabled") : &node;
  std::vector<bool> flags;
  for (const YamlNode& item : list ? list->items : std::vector<YamlNode>{}) {
    if (item.text != "true" && item.text != "false" && item.text != "0" && item.text != "1") {
      reader.expected("true or false", item);
    }
    flags.push_back(item.text == "true" || item.text == "1");
  }
  if (flags.size() == count) return flags;
  reader.error(node.line, "expected " + std::to_string(count) + " entries, as there are names, found " +
                              std::to_string(flags.size()));
  return std::vector<bool>(count);
}

ContactMatrix read_matrix(const YamlNode& node, Diagnostics& diagnostics) {
  const YamlReader reader("allowed_collision_matrix", diagnostics);
  ContactMatrix matrix;
  matrix.line = node.line;
  const auto words = [&](const char* key) {
    const YamlNode* const list = find_entry(node, key);
    std::vector<std::string> found;
    for (const YamlNode& item : list ? list->items : std::vector<YamlNode>{}) found.push_back(item.text);
    return found;
  };
  matrix.names = words("entry_names");
  const YamlNode* const rows = find_entry(node, "entry_values");
  if ((rows ? rows->items.size() : 0) != matrix.names.size()) {
    reader.error(node.line, "expected as many entry_values as entry_names");
    return {};
  }
  for (std::size_t k = 0; k < matrix.names.size(); ++k) {
    matrix.enabled.push_back(
        flags_of(rows->items[k], matrix.names.size(), reader.inside("entry_values").inside(matrix.names[k])));
  }
  const std::vector<std::string> others = words("default_entry_names");
  const YamlNode* const values = find_entry(node, "default_entry_values");
  if (others.empty() || !values) return matrix;
  const std::vector<bool> flags = flags_of(*values, others.size(), reader.inside("default_entry_values"));
  for (std::size_t k = 0; k < others.size(); ++k) matrix.otherwise[others[k]] = flags[k];
  return matrix;
}

/// MoveIt's PlanningScene as YAML: of its world the collision objects, and what may touch; all else is not of it.
class PlanningScene {
 public:
  explicit PlanningScene(Diagnostics& diagnostics) : reader_("world: collision_objects", diagnostics) {}

  Scene read(const YamlNode& objects) {
    for (const YamlNode& object : objects.items) read_object(object);
    return std::move(scene_);
  }

 private:
  void read_object(const YamlNode& object) {
    const YamlNode* const id = find_entry(object, "id");
    const std::string name = id ? id->text : std::to_string(scene_.shapes.size() + 1);
    const YamlReader reader = reader_.inside(in_quotes(name));
    const YamlNode* const planes = find_entry(object, "planes");
    if (planes && !planes->items.empty()) reader.error(planes->line, "planes are not understood here");
    const YamlNode* const header = find_entry(object, "header");
    const YamlNode* const frame = header ? find_entry(*header, "frame_id") : nullptr;
    const YamlNode* const place = find_entry(object, "pose");
    const Transform<double> X_WO = place ? pose(*place, reader) : Transform<double>::identity();
    for (const auto& [kind, placed_by] : {std::pair("primitives", "primitive_poses"), {"meshes", "mesh_poses"}}) {
      const YamlNode *const shapes = find_entry(object, kind), *const poses = find_entry(object, placed_by);
      if (!shapes) continue;
      if ((poses ? poses->items.size() : 0) != shapes->items.size()) {
        reader.error(object.line, "expected as many " + std::string(placed_by) + " as " + kind);
        continue;
      }
      for (std::size_t k = 0; k < shapes->items.size(); ++k) {
        SceneShape shape{name, {}, object.line};
        if (frame) shape.frame = frame->text;
        if (kind[0] == 'p') {
          shape.shape = primitive(shapes->items[k], reader);
        } else {
          put_mesh(mesh(shapes->items[k], reader), shape);
        }
        shape.shape.X_LV = X_WO * pose(poses->items[k], reader);
        scene_.shapes.push_back(std::move(shape));
      }
    }
  }

  /// As shape_msgs/Mesh.
  static Mesh mesh(const YamlNode& node, const YamlReader& reader) {
    Mesh found;
    const YamlNode *const vertices = find_entry(node, "vertices"), *const triangles = find_entry(node, "triangles");
    for (const YamlNode& vertex : vertices ? vertices->items : std::vector<YamlNode>{}) {
      for (const char* const axis : {"x", "y", "z"}) {
        const YamlNode* const value = find_entry(vertex, axis);
        const auto number = value ? reader.inside("vertices").number(*value) : std::nullopt;
        found.positions.push_back(static_cast<float>(number.value_or(0)));
      }
    }
    for (const YamlNode& triangle : triangles ? triangles->items : std::vector<YamlNode>{}) {
      const YamlNode* const corners = find_entry(triangle, "vertex_indices");
      const auto numbers = corners ? reader.inside("triangles").numbers(*corners, 3) : std::nullopt;
      for (const double k : numbers.value_or(std::vector<double>{0, 0, 0})) {
        if (!is_vertex(k, found)) return reader.error(triangle.line, "triangles: there is no such vertex"), Mesh{};
        found.triangles.push_back(static_cast<std::uint32_t>(k));
      }
    }
    if (found.triangles.empty()) reader.error(node.line, "a mesh has no triangles");
    return found;
  }

  /// Sizes in the order of shape_msgs/SolidPrimitive: heights come before radii.
  static VisualSpec primitive(const YamlNode& node, const YamlReader& reader) {
    const YamlNode *const type = find_entry(node, "type"), *const dimensions = find_entry(node, "dimensions");
    std::string kind = type ? type->text : "";
    for (const auto& [number, name] : {std::pair("1", "box"), {"2", "sphere"}, {"3", "cylinder"}}) {
      if (kind == number) kind = name;
    }
    VisualSpec shape;
    const auto sizes = [&](std::size_t count) {
      const YamlNode nothing{YamlNode::Kind::null, node.line, "", {}, {}};
      return reader.inside("dimensions")
          .numbers(dimensions ? *dimensions : nothing, count)
          .value_or(std::vector<double>(count, 1));
    };
    if (kind == "box") {
      shape.shape = VisualSpec::Shape::box, shape.size = Vec3<double>::load(sizes(3).data());
    } else if (kind == "sphere") {
      shape.shape = VisualSpec::Shape::sphere, shape.size.x = sizes(1)[0];
    } else if (kind == "cylinder") {
      const std::vector<double> size = sizes(2);
      shape.shape = VisualSpec::Shape::cylinder, shape.size = {size[1], size[0], 0};
    } else {
      reader.error(node.line, "type: expected box, sphere or cylinder, found " + in_quotes(kind));
      return shape;
    }
    if (const std::string problem = size_problem(shape); !problem.empty()) reader.error(node.line, problem);
    return shape;
  }

  /// A list, or a map as messages are printed.
  static std::optional<std::vector<double>> components(const YamlNode& node, const std::vector<const char*>& names,
                                                       const YamlReader& reader) {
    if (!node.is_map()) return reader.numbers(node, names.size());
    YamlNode list{YamlNode::Kind::list, node.line, "", {}, {}};
    for (const char* const name : names) {
      const YamlNode* const value = find_entry(node, name);
      if (value) list.items.push_back(*value);
    }
    return reader.numbers(list, names.size());
  }

  static Transform<double> pose(const YamlNode& node, const YamlReader& reader) {
    Transform<double> X = Transform<double>::identity();
    if (const YamlNode* const position = find_entry(node, "position")) {
      const auto p = components(*position, {"x", "y", "z"}, reader.inside("position"));
      if (p) X.p = Vec3<double>::load(p->data());
    }
    const YamlNode* const orientation = find_entry(node, "orientation");
    const auto q =
        orientation ? components(*orientation, {"x", "y", "z", "w"}, reader.inside("orientation")) : std::nullopt;
    if (!q) return X;
    if (!is_unit(*q)) {
      reader.inside("orientation").error(orientation->line, "expected a quaternion x y z w of length 1");
    } else {
      X.R = rotation_from_quaternion((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    }
    return X;
  }

  YamlReader reader_;
  Scene scene_;
};

/// What would be left out silently, as if nothing stood there.
void check_world(const YamlNode& node, Diagnostics& diagnostics) {
  const YamlMap world(node, YamlReader("world", diagnostics), {"collision_objects", "octomap"});
  const YamlNode* map = world.find("octomap");
  if (map) map = find_entry(*map, "octomap");
  const YamlNode* const data = map ? find_entry(*map, "data") : nullptr;
  if (data && !data->items.empty()) {
    world.reader("octomap").error(data->line,
                                  "is not read here: save it as a `.bt` file, an object of a scene of ours");
  }
}

Scene read_yaml_scene(const std::string& text, Diagnostics& diagnostics) {
  const YamlNode root = parse_yaml(text, diagnostics);
  diagnostics.throw_if_errors();
  if (const YamlNode* const world = find_entry(root, "world")) {
    check_world(*world, diagnostics);
    const YamlNode* const objects = find_entry(*world, "collision_objects");
    Scene scene = objects ? PlanningScene(diagnostics).read(*objects) : Scene{};
    if (const YamlNode* const matrix = find_entry(root, "allowed_collision_matrix")) {
      scene.matrix = read_matrix(*matrix, diagnostics);
    }
    return scene;
  }
  const YamlReader reader("", diagnostics);
  const YamlNode* const format = find_entry(root, "format");
  if (!format) reader.error(root.line, "format is missing");
  if (format && format->text != kSceneFormat) reader.inside("format").expected(in_quotes(kSceneFormat), *format);
  diagnostics.throw_if_errors();  // the keys of another file say nothing
  return read_scene(root, reader);
}

/// The text that MoveIt saves: a name, objects that begin with `*`, a dot. Newer versions give each object a pose and
/// named frames, too.
class MoveItScene {
 public:
  MoveItScene(const std::string& text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

  Scene read() {
    next();  // the scene's name
    while (next() && line_ != ".") {
      if (!line_.starts_with("* ") || line_.size() < 3) {
        fail("expected `* NAME` of an object, or `.` at the end, found " + in_quotes(line_));
      }
      read_object(line_.substr(2));
    }
    if (line_ != ".") fail("the file ends without `.`: it is cut off");
    return std::move(scene_);
  }

 private:
  bool next() {
    while (std::getline(text_, line_)) {
      ++number_;
      line_.erase(line_.find_last_not_of(" \t\r") + 1);
      if (!line_.empty()) return true;
    }
    line_.clear();
    return false;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError({Diagnostic{diagnostics_.file(), number_, why}});
  }

  std::vector<double> numbers() const {
    std::vector<double> values;
    std::istringstream words(line_);
    for (std::string word; words >> word;) {
      const auto value = parse_number(word);
      if (!value || !std::isfinite(*value)) fail("expected numbers, found " + in_quotes(line_));
      values.push_back(*value);
    }
    return values;
  }
  std::vector<double> next_numbers(std::size_t count, const std::string& what) {
    next();
    std::vector<double> values = numbers();
    if (values.size() != count) fail("expected " + what + ", found " + in_quotes(line_));
    return values;
  }
  int count_of(const std::vector<double>& values) const {
    constexpr double kMost = 1e6;
    if (values.size() != 1 || values[0] < 0 || values[0] > kMost || values[0] != std::floor(values[0])) {
      fail("expected a number of shapes, found " + in_quotes(line_));
    }
    return static_cast<int>(values[0]);
  }

  Transform<double> turned(const Vec3<double>& p) {
    const std::vector<double> q = next_numbers(4, "a quaternion x y z w");
    if (!is_unit(q)) {
      fail("expected a quaternion of length 1, found " + in_quotes(line_));
    }
    return {rotation_from_quaternion(q[0], q[1], q[2], q[3]), p};
  }
  Transform<double> pose() { return turned(Vec3<double>::load(next_numbers(3, "a position x y z").data())); }

  void read_object(const std::string& name) {
    if (!names_.insert(name).second) fail("there are two objects " + in_quotes(name));
    const int line = number_;
    next();
    std::vector<double> first = numbers();
    Transform<double> X_WO = Transform<double>::identity();
    const bool newer = first.size() == 3;
    if (newer) {
      X_WO = turned(Vec3<double>::load(first.data()));
      next(), first = numbers();
    }
    for (int left = count_of(first); left > 0; --left) {
      SceneShape shape = read_shape();
      shape.object = name, shape.line = line;
      shape.shape.X_LV = X_WO * pose();
      next_numbers(4, "a colour");
      scene_.shapes.push_back(std::move(shape));
    }
    if (!newer) return;
    next();
    for (int left = count_of(numbers()); left > 0; --left) next(), pose();  // a named frame
  }

  SceneShape read_shape() {
    next();
    const std::string kind = line_;
    SceneShape found;
    VisualSpec& shape = found.shape;
    if (kind == "box") {
      shape.shape = VisualSpec::Shape::box;
      shape.size = Vec3<double>::load(next_numbers(3, "three edges").data());
    } else if (kind == "sphere") {
      shape.shape = VisualSpec::Shape::sphere;
      shape.size.x = next_numbers(1, "a radius")[0];
    } else if (kind == "cylinder") {
      shape.shape = VisualSpec::Shape::cylinder;
      const std::vector<double> size = next_numbers(2, "a radius and a length");
      shape.size = {size[0], size[1], 0};
    } else if (kind == "mesh") {
      put_mesh(read_mesh_lines(), found);
    } else {
      fail("expected box, sphere, cylinder or mesh, found " + in_quotes(kind));
    }
    if (const std::string problem = size_problem(shape); !problem.empty()) fail(problem);
    return found;
  }

  /// How many vertices and triangles, and these, a line each.
  Mesh read_mesh_lines() {
    constexpr double kMost = 1e7;
    const std::vector<double> counts = next_numbers(2, "numbers of vertices and triangles");
    for (const double count : counts) {
      if (!(count > 0) || count > kMost || count != std::floor(count)) {
        fail("expected numbers of vertices and triangles, found " + in_quotes(line_));
      }
    }
    Mesh mesh;
    for (double left = counts[0]; left > 0; --left) {
      for (const double x : next_numbers(3, "a vertex x y z")) mesh.positions.push_back(static_cast<float>(x));
    }
    for (double left = counts[1]; left > 0; --left) {
      for (const double k : next_numbers(3, "three vertices of a triangle")) {
        if (!is_vertex(k, mesh)) fail("there is no such vertex: " + in_quotes(line_));
        mesh.triangles.push_back(static_cast<std::uint32_t>(k));
      }
    }
    return mesh;
  }

  std::istringstream text_;
  Diagnostics& diagnostics_;
  std::string line_;
  int number_ = 0;
  std::set<std::string> names_;
  Scene scene_;
};

/// Its second line begins an object, or ends the file.
bool is_moveit_scene(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (int k = 0; k < 2; ++k) std::getline(lines, line);
  return line.starts_with("* ") || line == ".";
}

}  // namespace

Scene read_scene(const std::string& text, const std::string& file) {
  Diagnostics diagnostics(file);
  Scene scene = is_moveit_scene(text) ? MoveItScene(text, diagnostics).read() : read_yaml_scene(text, diagnostics);
  diagnostics.throw_if_errors();
  scene.file = file;
  return scene;
}

}  // namespace verne
