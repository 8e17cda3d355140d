#include "motion/task/scene_object.h"

#include <algorithm>
#include <filesystem>

#include "io/number.h"
#include "io/yaml/link.h"
#include "motion/terms/reading.h"
#include "verne/io/json_writer.h"
#include "verne/spatial/inertia.h"

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

std::optional<SceneFile> scene_file_of(const YamlNode& task, const std::string& folder, const TaskFiles& files) {
  const YamlEntry* const scene = entry_named(task, "scene");
  if (!scene || !scene->value.is_scalar() || !files.read) return std::nullopt;
  SceneFile file{(std::filesystem::path(folder) / scene->value.text).lexically_normal().string(), {}};
  Diagnostics diagnostics(file.path);
  try {
    file.root = parse_yaml(files.read(file.path), diagnostics);
  } catch (const InputError&) {  // who reads the scene says so
    return std::nullopt;
  }
  if (!diagnostics.errors().empty() || !entry_named(file.root, "objects")) return std::nullopt;
  return file;
}

std::optional<HeldObject> take_scene_object(YamlNode& task, const std::optional<SceneFile>& file,
                                            const std::string& name) {
  for (YamlEntry& scene : task.entries) {
    if (scene.key != "scene") continue;
    for (YamlEntry& objects : scene.value.entries) {
      if (objects.key != "objects") continue;
      const auto found = std::ranges::find(objects.value.entries, name, &YamlEntry::key);
      if (found == objects.value.entries.end()) continue;
      HeldObject held{found->key, found->line, found->value};
      objects.value.entries.erase(found);
      return held;
    }
  }
  const YamlEntry* const objects = file ? entry_named(file->root, "objects") : entry_named(task, kHeldObjects);
  const YamlEntry* const object = objects ? entry_named(objects->value, name) : nullptr;
  if (!object) return std::nullopt;
  return HeldObject{name, object->line, object->value, file ? file->path : ""};
}

namespace {

/// A node in the form that programs write.
void append_node(std::string& text, const YamlNode& node) {
  const char* separator = "";
  if (node.is_map()) {
    text += "{";
    for (const YamlEntry& entry : node.entries) {
      text += separator, append_quoted(text, entry.key), text += ": ", append_node(text, entry.value);
      separator = ", ";
    }
    text += "}";
  } else if (node.is_list()) {
    text += "[";
    for (const YamlNode& item : node.items) text += separator, append_node(text, item), separator = ", ";
    text += "]";
  } else {
    append_quoted(text, node.text);
  }
}

}  // namespace

std::string entry_of(const std::vector<HeldObject>& held) {
  YamlNode objects{YamlNode::Kind::map, 0, "", {}, {}};
  for (const HeldObject& object : held) {
    if (!object.file.empty()) objects.entries.push_back({object.name, object.line, object.node});
  }
  if (objects.entries.empty()) return "";
  std::string text = std::string(kHeldObjects) + ": ";
  append_node(text, objects);
  return text;
}

void fit_shapes(const ModelSpec& model, LinkSpec& object) {
  const auto has_own = [](const LinkSpec& link) { return !link.collisions.empty(); };
  if (std::ranges::none_of(model.links, has_own)) object.collisions.clear();
}

void refuse_object(const YamlMap& task, const YamlNode& name, const YamlReader& reader) {
  std::vector<std::string> known;
  const YamlNode* const scene = task.find("scene");
  if (scene && scene->is_scalar()) {
    reader.error(name.line, "there is no object " + in_quotes(name.text) + " in " + in_quotes(scene->text) +
                                ", or that is of MoveIt, whose files know no masses: write it under `scene: objects`");
    return;
  }
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

namespace {

/// One shape of an object, about its own middle; its pose is that of the file.
struct ObjectPart {
  VisualSpec shape;
  LinkSpec body;
};
ObjectPart read_part(const YamlNode& node, const YamlReader& reader, bool alone) {
  ObjectPart part;
  YamlNode shape = node, inertial{YamlNode::Kind::map, node.line, "", {}, {}};
  std::ranges::copy_if(shape.entries, std::back_inserter(inertial.entries), is_of_body);
  std::erase_if(shape.entries, is_of_body);
  if (!node.is_map()) {
    reader.expected("a shape with a mass, as something is held, or a list of them", node);
    return part;
  }
  part.shape = read_shape(shape, reader);
  if (part.shape.shape == VisualSpec::Shape::mesh)
    reader.error(node.line, "what is held is made of boxes, spheres, cylinders and capsules");
  const YamlMap map(inertial, reader, {"mass", "com", "inertia", "about"});
  const YamlNode* const mass = alone ? map.require("mass") : map.find("mass");
  read_inertial(map, part.body);
  if (mass && !(part.body.mass > 0)) map.reader("mass").expected("a positive mass", *mass);
  if (map.find("inertia")) return part;
  const Sym3<double> unit = inertia_of(part.shape);
  const double m = part.body.mass;
  part.body.inertia = {m * unit.xx, 0, 0, m * unit.yy, 0, m * unit.zz};
  return part;
}

SceneObject read_parts(const HeldObject& held, const YamlReader& reader) {
  SceneObject object;
  LinkSpec& link = object.link;
  link.name = link.joint.name = held.name;
  link.has_inertial = true;
  const bool alone = !held.node.is_list();
  std::vector<ObjectPart> parts;
  for (const YamlNode& node : alone ? std::vector<YamlNode>{held.node} : held.node.items) {
    parts.push_back(read_part(node, reader, alone));
    const bool stands = node.is_map() && entry_named(node, "pose");
    if (stands && !object.stands) object.stands = parts.front().shape.X_LV;
  }
  if (alone) {
    link.mass = parts[0].body.mass, link.com = parts[0].body.com, link.inertia = parts[0].body.inertia;
    parts[0].shape.X_LV = Transform<double>::identity();
    link.visuals = {parts[0].shape};
  } else {
    RigidInertia<double> sum = inertia_from_com(0.0, Vec3<double>{0, 0, 0}, Sym3<double>{0, 0, 0, 0, 0, 0});
    for (ObjectPart& part : parts) {  // in the axes of the first
      part.shape.X_LV = inverse(object.stands.value_or(Transform<double>::identity())) * part.shape.X_LV;
      sum += part.shape.X_LV * inertia_from_com(part.body.mass, part.body.com, part.body.inertia);
      link.visuals.push_back(part.shape);
    }
    if (!(sum.mass > 0)) {
      reader.error(held.line, "mass is missing: at least one shape of what is held has one");
      return object;
    }
    link.mass = sum.mass, link.com = sum.mc * (1 / sum.mass);
    link.inertia = sum.I + steiner(sum.mc * -1.0, link.com);
  }
  link.collisions = link.visuals;
  return object;
}

}  // namespace

SceneObject read_scene_object(const HeldObject& held, const YamlReader& in) {
  if (held.file.empty()) return read_parts(held, in.at("scene: objects").inside(held.name));
  Diagnostics diagnostics(held.file);
  SceneObject object = read_parts(held, YamlReader("objects", diagnostics).inside(held.name));
  diagnostics.throw_if_errors();
  return object;
}

}  // namespace verne
