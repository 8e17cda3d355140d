/// Shapes of SDF files. Nothing depends on pictures: what is wrong with one is a warning, and it is left out.
#include <filesystem>

#include "io/number.h"
#include "io/sdf/contents.h"

namespace verne {

namespace {

const XmlNames kSdfShapes{{},
                          {"box", "sphere", "cylinder", "capsule", "mesh"},
                          {"empty", "plane", "heightmap", "image", "polyline", "ellipsoid", "cone"}};

/// As the model's file could name it: a path relative to an included file is whole.
std::string mesh_name(const std::string& uri, const SdfFile& file) {
  if (file.first || uri.empty() || uri.find("://") != std::string::npos) return uri;
  return (std::filesystem::path(file.path).parent_path() / uri).lexically_normal().string();
}

bool read_round(const XmlElement& geometry, VisualSpec& visual) {
  const auto* cylinder = geometry.child("cylinder");
  const auto* found = cylinder ? cylinder : geometry.child("capsule");
  if (!found) return false;
  const XmlElement shape = geometry.inside(*found, {{}, {"radius", "length"}, {}});
  visual.shape = cylinder ? VisualSpec::Shape::cylinder : VisualSpec::Shape::capsule;
  visual.size = {sdf_number(shape, "radius", 1), sdf_number(shape, "length", 1), 0};
  return true;
}

bool read_geometry(const XmlElement& geometry, const SdfFile& file, VisualSpec& visual) {
  if (const auto* box = geometry.child("box")) {
    visual.shape = VisualSpec::Shape::box;
    visual.size = sdf_vector(geometry.inside(*box, {{}, {"size"}, {}}), "size", {1, 1, 1});
  } else if (const auto* sphere = geometry.child("sphere")) {
    visual.shape = VisualSpec::Shape::sphere;
    visual.size.x = sdf_number(geometry.inside(*sphere, {{}, {"radius"}, {}}), "radius", 1);
  } else if (const auto* mesh = geometry.child("mesh")) {
    const XmlElement of = geometry.inside(*mesh, {{}, {"uri", "scale"}, {"submesh"}});
    visual.shape = VisualSpec::Shape::mesh;
    visual.mesh = mesh_name(sdf_text(of, "uri"), file);
    visual.size = sdf_vector(of, "scale", {1, 1, 1});
  } else if (!read_round(geometry, visual)) {
    return false;
  }
  const Vec3<double>& size = visual.size;
  return visual.shape == VisualSpec::Shape::mesh ? !visual.mesh.empty() : size.x >= 0 && size.y >= 0 && size.z >= 0;
}

/// Red, green and blue of <diffuse>, else of <ambient>; nothing is said of what is no colour.
std::optional<Vec3<double>> own_material(const XmlElement& shape) {
  const auto* material = shape.xml().FirstChildElement("material");
  if (!material) return std::nullopt;
  Diagnostics unheard;
  XmlLeftovers unseen;
  for (const char* name : {"diffuse", "ambient"}) {
    const auto* found = material->FirstChildElement(name);
    if (!found) continue;
    for (const std::size_t count : {4U, 3U}) {
      Diagnostics problems;
      const XmlElement element(*found, "", {{}, {}, {}}, problems, unseen);
      const std::vector<double> c = sdf_numbers(element, std::vector<double>(count));
      bool is_colour = problems.errors().empty();
      for (std::size_t k = 0; k < 3; ++k) is_colour = is_colour && c[k] >= 0 && c[k] <= 1;
      if (is_colour) return Vec3<double>{c[0], c[1], c[2]};
    }
  }
  return std::nullopt;
}

void read_shape(const tinyxml2::XMLElement& element, const XmlElement& link, SdfFile& file,
                std::vector<VisualSpec>& shapes, std::vector<SdfPose>& places) {
  Diagnostics of_picture;
  const XmlElement in(element, link.place() + ": <" + element.Name() + ">",
                      {{"name"},
                       {"pose", "geometry", "material"},
                       {"cast_shadows", "laser_retro", "transparency", "plugin", "surface", "max_contacts", "meta",
                        "visibility_flags", "origin", "density"}},
                      of_picture, file.leftovers);
  VisualSpec visual;
  const SdfPose place = sdf_pose(in);
  const auto* geometry = in.require_child("geometry");
  const bool sound = geometry && read_geometry(in.inside(*geometry, kSdfShapes), file, visual);
  visual.colour = own_material(in);
  for (const Diagnostic& problem : of_picture.warnings()) file.diagnostics.warning(problem.line, problem.text);
  for (const Diagnostic& problem : of_picture.errors()) {
    file.diagnostics.warning(problem.line, problem.text + "; the shape is left out");
  }
  if (!sound || !of_picture.errors().empty()) return;
  shapes.push_back(std::move(visual));
  places.push_back(place);
}

}  // namespace

void read_sdf_shapes(const XmlElement& element, SdfLink& link) {
  SdfFile& file = link.scope->file();
  for (auto* at = element.xml().FirstChildElement(); at; at = at->NextSiblingElement()) {
    const std::string tag = at->Name();
    if (tag == "visual") read_shape(*at, element, file, link.spec.visuals, link.visual_places);
    if (tag == "collision") read_shape(*at, element, file, link.spec.collisions, link.collision_places);
  }
}

}  // namespace verne
