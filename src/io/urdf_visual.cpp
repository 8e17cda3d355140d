#include "io/urdf_visual.h"

#include <cstring>
#include <utility>

#include "io/urdf_constraints.h"

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

}  // namespace

std::optional<VisualSpec> read_urdf_visual(const tinyxml2::XMLElement& element, const std::string& place,
                                           Diagnostics& diagnostics, XmlLeftovers& leftovers) {
  Diagnostics of_picture;
  const XmlElement in(element, place + ": <" + element.Name() + ">", {{"name"}, {"origin", "geometry"}, {"material"}},
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

bool urdf_visuals_have_shapes(const tinyxml2::XMLElement& link) {
  for (auto* visual = link.FirstChildElement("visual"); visual; visual = visual->NextSiblingElement("visual")) {
    const auto* geometry = visual->FirstChildElement("geometry");
    const auto* shape = geometry ? geometry->FirstChildElement() : nullptr;
    if (shape && std::strcmp(shape->Name(), "mesh") != 0) return true;
  }
  return false;
}

void add_urdf_collisions(const tinyxml2::XMLElement& element, LinkSpec& link) {
  Diagnostics unheard;  // programs add what they like to these
  XmlLeftovers unseen;
  for (auto* part = element.FirstChildElement("collision"); part; part = part->NextSiblingElement("collision")) {
    auto shape = read_urdf_visual(*part, "", unheard, unseen);
    if (shape && shape->shape != VisualSpec::Shape::mesh) link.visuals.push_back(std::move(*shape));
  }
}

}  // namespace verne
