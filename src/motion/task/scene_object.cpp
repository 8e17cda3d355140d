#include "motion/task/scene_object.h"

#include <algorithm>

#include "io/yaml/link.h"
#include "motion/terms/reading.h"

namespace verne {

namespace {

/// Of a body that is the same everywhere, about its middle, for a mass of one.
Sym3<double> inertia_of(const VisualSpec& shape) {
  const Vec3<double> s = shape.size;
  const double r = s.x * s.x, l = s.y * s.y;
  switch (shape.shape) {
    case VisualSpec::Shape::box:
      return {(s.y * s.y + s.z * s.z) / 12, 0, 0, (s.x * s.x + s.z * s.z) / 12, 0, (s.x * s.x + s.y * s.y) / 12};
    case VisualSpec::Shape::sphere:
      return {0.4 * r, 0, 0, 0.4 * r, 0, 0.4 * r};
    default:  // lies along z; the caps of a capsule as its cylinder
      return {r / 4 + l / 12, 0, 0, r / 4 + l / 12, 0, r / 2};
  }
}

bool is_of_body(const YamlEntry& entry) {
  return entry.key == "mass" || entry.key == "com" || entry.key == "inertia" || entry.key == "about";
}

}  // namespace

const YamlEntry* entry_named(const YamlNode& map, const std::string& key) {
  const auto found = std::ranges::find_if(map.entries, [&](const YamlEntry& entry) { return entry.key == key; });
  return found == map.entries.end() ? nullptr : &*found;
}

std::optional<HeldObject> take_scene_object(YamlNode& task, const std::string& name) {
  for (YamlEntry& scene : task.entries) {
    if (scene.key != "scene") continue;
    for (YamlEntry& objects : scene.value.entries) {
      if (objects.key != "objects") continue;
      const auto found =
          std::ranges::find_if(objects.value.entries, [&](const YamlEntry& entry) { return entry.key == name; });
      if (found == objects.value.entries.end()) continue;
      HeldObject held{found->key, found->line, found->value};
      objects.value.entries.erase(found);
      return held;
    }
  }
  return std::nullopt;
}

void fit_shapes(const ModelSpec& model, LinkSpec& object) {
  const auto has_own = [](const LinkSpec& link) { return !link.collisions.empty(); };
  if (std::ranges::none_of(model.links, has_own)) object.collisions.clear();
}

void refuse_object(const YamlMap& task, const YamlNode& name, const YamlReader& reader) {
  std::vector<std::string> known;
  const YamlNode* const scene = task.find("scene");
  const YamlEntry* const objects = scene ? entry_named(*scene, "objects") : nullptr;
  if (objects) {
    for (const YamlEntry& object : objects->value.entries) known.push_back(object.key);
  }
  reader.error(name.line, "there is no object " + in_quotes(name.text) + " under `scene: objects` of this file" +
                              suggestion(name.text, known));
}

std::optional<Holder> find_holder(const YamlNode& node, const YamlReader& reader, const Model& model) {
  const auto site = find_site(node, reader, model);
  if (!site) return std::nullopt;
  const auto links = static_cast<int>(model.links().size());
  if (*site < links) return Holder{model.spec().links[*site].name};
  const FrameSpec& frame = model.frames()[*site - links];
  return Holder{frame.link, frame.X_LF};
}

void leave_masses_out(YamlNode& task) {
  for (YamlEntry& scene : task.entries) {
    if (scene.key != "scene") continue;
    for (YamlEntry& objects : scene.value.entries) {
      if (objects.key != "objects") continue;
      for (YamlEntry& object : objects.value.entries) std::erase_if(object.value.entries, is_of_body);
    }
  }
}

SceneObject read_scene_object(const HeldObject& held, const YamlReader& in) {
  SceneObject object;
  object.link.name = object.link.joint.name = held.name;
  YamlNode shape = held.node, body{YamlNode::Kind::map, held.line, "", {}, {}};
  std::ranges::copy_if(shape.entries, std::back_inserter(body.entries), is_of_body);
  std::erase_if(shape.entries, is_of_body);
  const YamlReader reader = in.at("scene: objects").inside(held.name);
  if (!held.node.is_map()) {
    reader.expected("one shape with a mass, as something is held", held.node);
    return object;
  }
  VisualSpec visual = read_shape(shape, reader);
  if (visual.shape == VisualSpec::Shape::mesh)
    reader.error(held.line, "what is held is a box, sphere, cylinder or capsule");
  if (entry_named(shape, "pose")) object.stands = visual.X_LV;
  visual.X_LV = Transform<double>::identity();
  const YamlMap map(body, reader, {"mass", "com", "inertia", "about"});
  const YamlNode* mass = map.require("mass");
  read_inertial(map, object.link);
  if (mass && !(object.link.mass > 0)) map.reader("mass").expected("a positive mass", *mass);
  if (!map.find("inertia")) {
    const Sym3<double> unit = inertia_of(visual);
    const double m = object.link.mass;
    object.link.inertia = {m * unit.xx, 0, 0, m * unit.yy, 0, m * unit.zz};
  }
  object.link.has_inertial = true;
  object.link.visuals = object.link.collisions = {visual};
  return object;
}

}  // namespace verne
