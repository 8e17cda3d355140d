#include "io/urdf/visual.h"

#include <sstream>
#include <utility>

#include "io/number.h"
#include "io/urdf/constraints.h"

namespace verne {

namespace {

bool read_round_shape(const XmlElement& geometry, VisualSpec& visual) {
  const auto* cylinder = geometry.child("cylinder");
  const auto* found = cylinder ? cylinder : geometry.child("capsule");
  if (!found) return false;
  const XmlElement shape = geometry.inside(*found, {{"radius", "length"}, {}, {}});
  visual.shape = cylinder ? VisualSpec::Shape::cylinder : VisualSpec::Shape::capsule;
  visual.size = {shape.require_number("radius"), shape.require_number("length"), 0};
  return true;
}

bool read_urdf_shape(const XmlElement& geometry, VisualSpec& visual) {
  if (const auto* box = geometry.child("box")) {
    visual.shape = VisualSpec::Shape::box;
    visual.size = geometry.inside(*box, {{"size"}, {}, {}}).require_vector("size");
  } else if (const auto* sphere = geometry.child("sphere")) {
    visual.shape = VisualSpec::Shape::sphere;
    visual.size.x = geometry.inside(*sphere, {{"radius"}, {}, {}}).require_number("radius");
  } else if (const auto* mesh = geometry.child("mesh")) {
    const XmlElement file = geometry.inside(*mesh, {{"filename", "scale"}, {}, {}});
    visual.shape = VisualSpec::Shape::mesh;
    visual.mesh = file.require_word("filename");
    visual.size = file.vector("scale", {1, 1, 1});
  } else if (!read_round_shape(geometry, visual)) {
    geometry.warning("no shape that is understood");
    return false;
  }
  return true;
}

/// As a <visual> has to be for the model to be sound.
bool is_drawable(const VisualSpec& shape) {
  if (shape.shape == VisualSpec::Shape::mesh) return !shape.mesh.empty();
  return shape.size.x >= 0 && shape.size.y >= 0 && shape.size.z >= 0;
}

/// Red, green and blue of <color rgba="…">; nothing depends on it, and nothing is said.
std::optional<Vec3<double>> own_colour(const tinyxml2::XMLElement& material) {
  const auto* color = material.FirstChildElement("color");
  const char* const text = color ? color->Attribute("rgba") : nullptr;
  if (!text) return std::nullopt;
  std::istringstream words(text);
  Vec3<double> colour;
  for (int k = 0; k < 3; ++k) {
    std::string word;
    const auto value = words >> word ? parse_number(word) : std::nullopt;
    if (!value || !(*value >= 0 && *value <= 1)) return std::nullopt;
    colour[k] = *value;
  }
  return colour;
}

}  // namespace

std::optional<VisualSpec> read_urdf_visual(const tinyxml2::XMLElement& element, const std::string& place,
                                           Diagnostics& diagnostics, XmlLeftovers& leftovers) {
  Diagnostics of_picture;
  const XmlElement in(element, place + ": <" + element.Name() + ">", {{"name"}, {"origin", "geometry", "material"}, {}},
                      of_picture, leftovers);
  VisualSpec visual;
  visual.X_LV = urdf_origin(in);
  bool sound = false;
  if (const auto* found = in.require_child("geometry")) {
    sound = read_urdf_shape(in.inside(*found, {{}, {"box", "sphere", "cylinder", "capsule", "mesh"}, {}}), visual);
  }
  for (const Diagnostic& problem : of_picture.warnings()) diagnostics.warning(problem.line, problem.text);
  for (const Diagnostic& problem : of_picture.errors()) {
    diagnostics.warning(problem.line, problem.text + "; the shape is left out");
  }
  if (!sound || !of_picture.errors().empty()) return std::nullopt;
  return visual;
}

void UrdfMaterials::read(const tinyxml2::XMLElement& robot) {
  const auto define = [&](const tinyxml2::XMLElement& owner) {
    for (auto* m = owner.FirstChildElement("material"); m; m = m->NextSiblingElement("material")) {
      const char* const name = m->Attribute("name");
      if (const auto own = name ? own_colour(*m) : std::nullopt) colours_.emplace(name, *own);
    }
  };
  define(robot);
  for (auto* link = robot.FirstChildElement("link"); link; link = link->NextSiblingElement("link")) {
    for (auto* v = link->FirstChildElement("visual"); v; v = v->NextSiblingElement("visual")) define(*v);
  }
}

std::optional<Vec3<double>> UrdfMaterials::colour(const tinyxml2::XMLElement& visual) const {
  const auto* material = visual.FirstChildElement("material");
  if (!material) return std::nullopt;
  if (const auto own = own_colour(*material)) return own;
  const char* const name = material->Attribute("name");
  const auto known = colours_.find(name ? name : "");
  return known == colours_.end() ? std::nullopt : std::optional(known->second);
}

void add_urdf_collisions(const tinyxml2::XMLElement& element, LinkSpec& link) {
  Diagnostics unheard;  // programs add what they like to these
  XmlLeftovers unseen;
  for (auto* part = element.FirstChildElement("collision"); part; part = part->NextSiblingElement("collision")) {
    auto shape = read_urdf_visual(*part, "", unheard, unseen);
    if (shape && is_drawable(*shape)) link.collisions.push_back(std::move(*shape));
  }
}

}  // namespace verne
