#include <cmath>

#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"

namespace verne {

namespace {

WhenSpec read_when(const YamlMap& map) {
  const YamlNode* node = map.find("at");
  if (!node || is_word(*node, "end")) return {false, 1};
  if (is_word(*node, "start")) return {false, 0};
  if (is_word(*node, "path")) return {true, 1};
  const double at = number_where(
      map, "at", 1, [](double x) { return x >= 0 && x <= 1; }, "start, end, path or a fraction of the duration");
  return {false, at};
}

/// Empty without the key.
std::vector<Interval> read_coordinates(const YamlMap& map, const char* key, const char* unit) {
  const YamlNode* node = map.find(key);
  if (!node) return {};
  std::vector<Interval> box(3);
  if (!node->is_list() || node->items.size() != 3) {
    map.reader(key).expected("[x, y, z] in the world, each a number, free or {between: [lower, upper]}", *node);
    return box;
  }
  for (std::size_t k = 0; k < 3; ++k) box[k] = read_value(node->items[k], map.reader(key), unit).value_or(Interval{});
  return box;
}

/// A direction as a vector of length one.
Vec3<double> read_direction(const YamlMap& map, const char* key) {
  const Vec3<double> given = map.vector(key, {0, 0, 1});
  const double length = std::sqrt(dot(given, given));
  if (length > 0) return given * (1 / length);
  map.reader(key).expected("a direction, which is not zero", *map.find(key));
  return {0, 0, 1};
}

std::optional<AxisSpec> read_axis(const YamlMap& map) {
  if (!map.find("axis") && !map.find("points")) return std::nullopt;
  for (const char* key : {"axis", "points"}) map.require(key);
  return AxisSpec{read_direction(map, "axis"), read_direction(map, "points")};
}

/// One tolerance, in m or rad, whose unit has to follow from the rest of the entry.
void read_tolerance(const YamlMap& map, bool placed, bool turned, FrameGoalSpec& frame) {
  const YamlNode* node = map.find("tolerance");
  if (!node) return;
  if (placed == turned) {
    map.reader().error(map.line(), placed ? "the tolerance is of either position or orientation: write two entries"
                                          : "a velocity has no tolerance: use {between: [lower, upper]}");
  } else if (placed) {
    frame.position_tolerance = nonnegative_number(map, "tolerance", 0, kLargestDistance, "m");
  } else {
    frame.angle_tolerance = nonnegative_number(map, "tolerance", 0, M_PI, "rad");
  }
}

/// `contact` in place of `frame` and `point`.
void read_contact_point(const YamlMap& map, const Model& model, FrameGoalSpec& frame) {
  for (const char* key : {"frame", "point"}) {
    if (map.find(key)) map.reader(key).error(map.line(), "a contact has one already");
  }
  const auto name = map.reader("contact").word(*map.find("contact"));
  if (!name) return;
  if (const auto contact = find_contact(*name, map.find("contact")->line, map.reader("contact"), model)) {
    frame.site = contact->site, frame.point = contact->point, frame.contact = *name;
  }
}

FrameGoalSpec read_frame(const YamlMap& map, const Model& model) {
  FrameGoalSpec frame;
  frame.line = map.line();
  if (map.find("contact")) {
    read_contact_point(map, model, frame);
  } else {
    frame.site = read_site(map, model);
    frame.point = map.vector("point", frame.point, "m");
  }
  frame.when = read_when(map);
  frame.position = read_coordinates(map, "position", "m");
  frame.velocity = read_coordinates(map, "velocity", "m/s");
  frame.per_second = map.vector("per_second", frame.per_second, "m/s");
  frame.axis = read_axis(map);
  if (const YamlNode* orientation = map.find("orientation")) {
    frame.orientation = YamlMap(*orientation, map.reader("orientation"), rotation_schema().names()).rotation();
  }
  const bool placed = !frame.position.empty(), turned = frame.orientation || frame.axis;
  if (!placed && !turned && frame.velocity.empty()) {
    map.reader().error(map.line(), "expected position, orientation, axis or velocity");
  }
  if (frame.orientation && frame.axis) {
    map.reader().error(map.line(), "an orientation says where every axis points: expected one of both");
  }
  read_tolerance(map, placed, turned, frame);
  if (map.find("per_second") && !placed)
    map.reader("per_second").error(map.line(), "expected a position, which moves on");
  return frame;
}

/// [end, start]
std::optional<SwingTogetherSpec::Limb> read_limb(const YamlNode& node, const YamlReader& reader, const Model& model) {
  if (!node.is_list() || node.items.size() != 2) {
    reader.expected("[end, start], links or frames", node);
    return std::nullopt;
  }
  const auto end = find_site(node.items[0], reader, model), start = find_site(node.items[1], reader, model);
  if (!end || !start) return std::nullopt;
  return SwingTogetherSpec::Limb{*end, *start};
}

SwingTogetherSpec read_swing(const YamlMap& map, const Model& model) {
  SwingTogetherSpec swing;
  map.require("limbs");
  const auto& limbs = map.items("limbs");
  if (map.find("limbs") && limbs.size() != 2) {
    map.reader("limbs").error(map.line(), "expected two, found " + std::to_string(limbs.size()));
  } else if (map.find("limbs")) {
    swing.first = read_limb(limbs[0], map.reader("limbs"), model).value_or(swing.first);
    swing.second = read_limb(limbs[1], map.reader("limbs"), model).value_or(swing.second);
  }
  if (map.require("along")) swing.along = read_direction(map, "along");
  swing.slack = positive_number(map, "slack", swing.slack, kLargestDistance, "m");
  return swing;
}

}  // namespace

std::vector<SwingTogetherSpec> read_swings(const YamlMap& subject_to, const TaskJoints& joints) {
  std::vector<SwingTogetherSpec> swings;
  const auto& items = subject_to.items("swing_together");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], subject_to.reader("swing_together").inside(std::to_string(i + 1)),
                      swing_together_schema().names());
    swings.push_back(read_swing(map, joints.model()));
  }
  return swings;
}

std::vector<LoadSpec> read_loads(const YamlMap& subject_to, const TaskJoints& joints) {
  std::vector<LoadSpec> loads;
  const auto& items = subject_to.items("loads");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], subject_to.reader("loads").inside(std::to_string(i + 1)), load_schema().names());
    if (!map.find("force") && !map.find("moment")) map.reader().error(map.line(), "expected force or moment");
    loads.push_back({read_site(map, joints.model()), map.vector("force", {0, 0, 0}, "N"),
                     map.vector("moment", {0, 0, 0}, "N m"), map.vector("point", {0, 0, 0}, "m")});
  }
  return loads;
}

std::vector<FrameGoalSpec> read_frames(const YamlMap& subject_to, const TaskJoints& joints) {
  std::vector<FrameGoalSpec> frames;
  const auto& items = subject_to.items("frames");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], subject_to.reader("frames").inside(std::to_string(i + 1)), frame_schema().names());
    frames.push_back(read_frame(map, joints.model()));
  }
  return frames;
}

}  // namespace verne
