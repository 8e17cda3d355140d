#include <algorithm>
#include <cmath>

#include "io/yaml/link.h"
#include "verne/spatial/inertia.h"

namespace verne {

namespace {

constexpr double kSymmetryTolerance = 1e-9;

std::optional<Sym3<double>> read_inertia_rows(const YamlNode& node, const YamlReader& reader) {
  Mat3<double> M = Mat3<double>::zero();
  for (int i = 0; i < 3; ++i) {
    const auto row = reader.vector(node.items[static_cast<std::size_t>(i)]);
    if (!row) return std::nullopt;
    row->store(&M(i, 0));
  }
  double largest = 0, asymmetry = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      largest = std::max(largest, std::abs(M(i, j)));
      asymmetry = std::max(asymmetry, std::abs(M(i, j) - M(j, i)));
    }
  }
  if (asymmetry > kSymmetryTolerance * largest) reader.error(node.line, "the matrix is not symmetric");
  return Sym3<double>{M(0, 0), M(0, 1), M(0, 2), M(1, 1), M(1, 2), M(2, 2)};
}

/// [ixx, iyy, izz], [ixx, iyy, izz, ixy, ixz, iyz] or three rows.
std::optional<Sym3<double>> read_inertia(const YamlNode& node, const YamlReader& reader) {
  const std::size_t count = node.items.size();
  if (!node.is_list() || (count != 3 && count != 6)) {
    reader.expected("3 or 6 numbers or 3 rows of 3 numbers", node);
    return std::nullopt;
  }
  if (count == 3 && node.items[0].is_list()) return read_inertia_rows(node, reader);
  auto values = reader.numbers(node, count);
  if (!values) return std::nullopt;
  values->resize(6, 0.0);
  const std::vector<double>& i = *values;
  return Sym3<double>{i[0], i[3], i[4], i[1], i[5], i[2]};
}

/// Whether the inertia is given about the origin of the link frame.
bool read_about_origin(const YamlMap& map) {
  const std::string about = map.word("about", "com");
  if (about != "com" && about != "origin") map.reader("about").expected("com or origin", *map.find("about"));
  return about == "origin";
}

struct Shape {
  const char* name;
  VisualSpec::Shape kind;
  std::vector<std::string> keys;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> kShapes = {
      {"capsule", VisualSpec::Shape::capsule, {"radius", "length"}},
      {"box", VisualSpec::Shape::box, {"size"}},
      {"sphere", VisualSpec::Shape::sphere, {"radius"}},
      {"cylinder", VisualSpec::Shape::cylinder, {"radius", "length"}},
      {"mesh", VisualSpec::Shape::mesh, {"file", "scale"}},
  };
  return kShapes;
}

void read_shape(const YamlNode& node, const YamlReader& reader, const Shape& shape, VisualSpec& visual) {
  const YamlMap map(node, reader, shape.keys);
  visual.shape = shape.kind;
  if (shape.kind == VisualSpec::Shape::mesh) {
    map.require("file");
    visual.mesh = map.word("file", "");
    visual.size = map.vector("scale", {1, 1, 1});
    return;
  }
  for (const std::string& key : shape.keys) map.require(key.c_str());
  if (shape.kind == VisualSpec::Shape::box) {
    visual.size = map.vector("size", {0, 0, 0});
  } else {
    visual.size = {map.number("radius", 0), shape.kind == VisualSpec::Shape::sphere ? 0 : map.number("length", 0), 0};
  }
}

}  // namespace

VisualSpec read_shape(const YamlNode& node, const YamlReader& reader) {
  std::vector<std::string> keys = {"pose"};
  for (const Shape& shape : shapes()) keys.emplace_back(shape.name);
  const YamlMap map(node, reader, keys);
  VisualSpec visual;
  visual.X_LV = map.pose("pose");
  int count = 0;
  for (const Shape& shape : shapes()) {
    const YamlNode* found = map.find(shape.name);
    if (!found) continue;
    ++count;
    read_shape(*found, map.reader(shape.name), shape, visual);
  }
  if (count != 1 && node.is_map()) {
    reader.error(node.line, "expected one of capsule, box, sphere, cylinder, mesh, found " + std::to_string(count));
  }
  return visual;
}

void read_inertial(const YamlMap& map, LinkSpec& link) {
  const YamlNode* const first_moment = map.find("first_moment");
  link.has_inertial = map.find("mass") || map.find("com") || map.find("inertia") || first_moment;
  link.mass = map.number("mass", 0);
  link.com = map.vector("com", {0, 0, 0});
  const bool about_origin = read_about_origin(map);
  const YamlNode* inertia = map.find("inertia");
  if (first_moment) {
    link.first_moment = map.vector("first_moment", {0, 0, 0});
    if (map.find("com")) map.reader("first_moment").error(first_moment->line, "give com or first_moment, not both");
    if (inertia && !about_origin) {
      map.reader("first_moment").error(first_moment->line, "needs `about: origin`, as there is no centre of mass");
    }
  }
  if (!inertia) return;
  link.inertia = read_inertia(*inertia, map.reader("inertia")).value_or(link.inertia);
  if (about_origin && !first_moment) link.inertia += steiner(link.com * -link.mass, link.com);
}

std::vector<VisualSpec> read_visuals(const YamlMap& map) {
  std::vector<VisualSpec> visuals;
  for (const YamlNode& item : map.items("visuals")) visuals.push_back(read_shape(item, map.reader("visuals")));
  return visuals;
}

}  // namespace verne
