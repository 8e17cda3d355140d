#include <algorithm>
#include <cmath>

#include "io/number.h"
#include "model/names_text.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"

namespace verne {

namespace {

/// Of a link that has no shapes.
constexpr double kLinkRadius = 0.05;
constexpr std::size_t kMostNamed = 50;

/// A capsule along the z axis of a pose.
LinkCapsule capsule_along_z(int link, const Transform<double>& X_LV, double length, double radius) {
  return {link, X_LV * Vec3<double>{0, 0, -length / 2}, X_LV * Vec3<double>{0, 0, length / 2}, radius};
}

/// The capsule along the longest edge that contains the box.
LinkCapsule capsule_around_box(int link, const Transform<double>& X_LV, const Vec3<double>& size) {
  const int longest = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  Vec3<double> half{0, 0, 0};
  half[longest] = size[longest] / 2;
  const double a = size[(longest + 1) % 3], b = size[(longest + 2) % 3];
  return {link, X_LV * (half * -1.0), X_LV * half, std::sqrt(a * a + b * b) / 2};
}

std::optional<LinkCapsule> capsule_around(int link, const VisualSpec& visual) {
  switch (visual.shape) {
    case VisualSpec::Shape::capsule:
    case VisualSpec::Shape::cylinder:
      return capsule_along_z(link, visual.X_LV, visual.size.y, visual.size.x);
    case VisualSpec::Shape::sphere:
      return capsule_along_z(link, visual.X_LV, 0, visual.size.x);
    case VisualSpec::Shape::box:
      return capsule_around_box(link, visual.X_LV, visual.size);
    case VisualSpec::Shape::mesh:
      break;
  }
  return std::nullopt;
}

/// From the link's joint to those of its children, or to its centre of mass when it carries nothing.
std::vector<LinkCapsule> bones(const Model& model, int link) {
  const LinkSpec& spec = model.spec().links[static_cast<std::size_t>(link)];
  const Vec3<double> joint = inverse(spec.X_JL).p;
  std::vector<LinkCapsule> parts;
  for (const LinkSpec& child : model.spec().links) {
    if (child.parent == spec.name) parts.push_back({link, joint, child.X_PJ.p, kLinkRadius});
  }
  if (parts.empty()) parts.push_back({link, joint, spec.com, kLinkRadius});
  return parts;
}

/// What a zone keeps apart, and the links among it whose shape nobody has told.
struct ZoneParts {
  std::vector<LinkCapsule> capsules;
  std::vector<std::string> stand_ins;
};

void add_link(const Model& model, int link, ZoneParts& parts) {
  std::vector<LinkCapsule> found = capsules_of(model, link);
  if (found.empty()) {
    found = bones(model, link);
    parts.stand_ins.push_back(model.spec().links[static_cast<std::size_t>(link)].name);
  }
  parts.capsules.insert(parts.capsules.end(), found.begin(), found.end());
}

std::optional<int> find_link(const YamlNode& node, const YamlReader& reader, const Model& model) {
  return find_named(node, reader, [&](const std::string& name) { return model.link(name); });
}

void read_part(const YamlNode& item, const YamlReader& reader, const Model& model, ZoneParts& parts) {
  if (!item.is_map()) {
    if (const auto link = find_link(item, reader, model)) add_link(model, *link, parts);
    return;
  }
  const YamlMap map(item, reader, link_capsule_schema().names());
  for (const char* key : {"link", "from", "radius"}) map.require(key);
  const Vec3<double> from = map.vector("from", {0, 0, 0}, "m");
  const auto link = map.find("link") ? find_link(*map.find("link"), map.reader("link"), model) : std::nullopt;
  parts.capsules.push_back(
      {link.value_or(0), from, map.vector("to", from, "m"), positive_number(map, "radius", 1, kLargestDistance, "m")});
}

ZoneParts read_parts(const YamlMap& map, const char* key, const Model& model) {
  ZoneParts parts;
  for (const YamlNode& item : map.items(key)) read_part(item, map.reader(key), model, parts);
  return parts;
}

/// Whether two links keep their distance, or are joined and so touch.
bool rigid(const Model& model, int a, int b) {
  return model.links()[a].body == model.links()[b].body;
}
bool joined(const Model& model, int a, int b) {
  return rigid(model, a, b) || model.links()[a].parent == b || model.links()[b].parent == a;
}

/// All links that move, except for those that touch one of `against` anyway.
ZoneParts moving_parts(const Model& model, const std::vector<LinkCapsule>& against) {
  ZoneParts parts;
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
    const bool touches = std::any_of(against.begin(), against.end(),
                                     [&](const LinkCapsule& other) { return joined(model, i, other.link); });
    if (model.links()[i].body >= 0 && !touches) add_link(model, i, parts);
  }
  return parts;
}

/// Reports pairs of links whose distance no motion can change.
void check_apart(const YamlMap& map, const Model& model, const KeepOutSpec& zone) {
  for (const LinkCapsule& part : zone.parts) {
    for (const LinkCapsule& other : zone.against) {
      if (!rigid(model, part.link, other.link)) continue;
      map.reader("against").error(map.line(), in_quotes(model.links()[part.link].name) + " and " +
                                                  in_quotes(model.links()[other.link].name) +
                                                  " do not move against each other");
      return;
    }
  }
}

void read_box(const YamlMap& shape, ObstacleSpec& obstacle) {
  for (const char* key : {"center", "size"}) shape.require(key);
  const Vec3<double> size = shape.vector("size", {1, 1, 1}, "m");
  if (!(size.x > 0 && size.y > 0 && size.z > 0)) {
    shape.reader("size").expected("three positive numbers", *shape.find("size"));
  }
  obstacle.box = BoxSpec{{shape.rotation(), shape.vector("center", {0, 0, 0}, "m")}, size};
}

ObstacleSpec read_obstacle(const YamlMap& map, std::size_t index) {
  ObstacleSpec obstacle;
  obstacle.name = map.word("name", "obstacle " + std::to_string(index + 1));
  if (const YamlNode* sphere = map.find("sphere")) {
    const YamlMap shape(*sphere, map.reader("sphere"), sphere_schema().names());
    for (const char* key : {"center", "radius"}) shape.require(key);
    obstacle.from = obstacle.to = shape.vector("center", {0, 0, 0}, "m");
    obstacle.radius = positive_number(shape, "radius", 1, kLargestDistance, "m");
  }
  if (const YamlNode* capsule = map.find("capsule")) {
    const YamlMap shape(*capsule, map.reader("capsule"), capsule_schema().names());
    for (const char* key : {"from", "to", "radius"}) shape.require(key);
    obstacle.from = shape.vector("from", {0, 0, 0}, "m");
    obstacle.to = shape.vector("to", {0, 0, 0}, "m");
    obstacle.radius = positive_number(shape, "radius", 1, kLargestDistance, "m");
  }
  if (const YamlNode* box = map.find("box")) {
    read_box(YamlMap(*box, map.reader("box"), box_schema().names()), obstacle);
  }
  return obstacle;
}

/// Reports what is so slender that the distance to keep, in parts of which its length is looked at, is lost on it.
void check_slenderness(const YamlMap& map, const KeepOutSpec& zone) {
  constexpr double kMost = 1000;
  const auto length = [](const auto& segment) {
    const Vec3<double> d = segment.to - segment.from;
    return std::sqrt(dot(d, d));
  };
  double most = 0;  // lengths over distances to keep
  for (const LinkCapsule& part : zone.parts) {
    const double distance = part.radius + zone.margin;
    for (const LinkCapsule& other : zone.against) {
      most = std::max(most, length(other) / (distance + other.radius));
    }
    if (!zone.against.empty() || zone.obstacle.box) continue;
    most = std::max(most, length(zone.obstacle) / (distance + zone.obstacle.radius));
  }
  if (most <= kMost) return;
  map.reader().error(map.line(), "something is " + format_number(std::round(most)) +
                                     " times as long as its distance to keep: expected a radius or margin for which "
                                     "it is at most " +
                                     format_number(kMost));
}

void warn_of_stand_ins(const YamlMap& map, const std::vector<std::string>& links) {
  if (links.empty()) return;
  map.reader().diagnostics().warning(
      map.line(), group_text("keep_out: capsules of radius " + format_number(kLinkRadius) +
                                 " m from joint to joint stand in for links without a ball, box, cylinder or capsule "
                                 "among their shapes (meshes are not read)",
                             "link", links, kMostNamed));
}

KeepOutSpec read_zone(const YamlMap& map, std::size_t index, const Model& model) {
  KeepOutSpec zone;
  zone.line = map.line();
  int obstacles = 0;
  for (const char* key : {"sphere", "capsule", "box", "against"}) obstacles += map.find(key) != nullptr;
  if (obstacles != 1) map.reader().error(map.line(), "expected one of sphere, capsule, box and against");
  zone.obstacle = read_obstacle(map, index);
  ZoneParts against;
  if (map.find("against")) against = read_parts(map, "against", model);
  zone.against = std::move(against.capsules);
  ZoneParts parts = map.find("links") ? read_parts(map, "links", model) : moving_parts(model, zone.against);
  zone.parts = std::move(parts.capsules);
  parts.stand_ins.insert(parts.stand_ins.end(), against.stand_ins.begin(), against.stand_ins.end());
  warn_of_stand_ins(map, parts.stand_ins);
  zone.margin = nonnegative_number(map, "margin", 0, kLargestDistance, "m");
  check_apart(map, model, zone);
  check_slenderness(map, zone);
  return zone;
}

}  // namespace

std::vector<LinkCapsule> capsules_of(const Model& model, int link) {
  const LinkSpec& spec = model.spec().links[static_cast<std::size_t>(link)];
  std::vector<LinkCapsule> found;
  for (const std::vector<VisualSpec>* shapes : {&spec.visuals, &spec.collisions}) {
    if (!found.empty()) break;  // a mesh has no capsule: collision shapes tell of the extent then
    for (const VisualSpec& shape : *shapes) {
      if (const auto capsule = capsule_around(link, shape)) found.push_back(*capsule);
    }
  }
  return found;
}

std::vector<KeepOutSpec> read_keep_out(const YamlMap& subject_to, const TaskJoints& joints) {
  std::vector<KeepOutSpec> zones;
  const auto& items = subject_to.items("keep_out");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], subject_to.reader("keep_out").inside(std::to_string(i + 1)), keep_out_schema().names());
    zones.push_back(read_zone(map, i, joints.model()));
  }
  return zones;
}

}  // namespace verne
