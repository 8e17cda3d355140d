#include "motion/task_reader.h"

namespace verne {

namespace {

WhenTask read_when(const YamlMap& map) {
  const YamlNode* node = map.find("at");
  if (!node || is_word(*node, "end")) return {false, 1};
  if (is_word(*node, "start")) return {false, 0};
  if (is_word(*node, "path")) return {true, 1};
  const double at = number_where(
      map, "at", 1, [](double x) { return x >= 0 && x <= 1; }, "start, end, path or a fraction of the duration");
  return {false, at};
}

std::vector<Interval> read_position(const YamlMap& map, double tolerance) {
  const YamlNode& node = *map.find("position");
  const YamlReader reader = map.reader("position");
  std::vector<Interval> box(3);
  if (!node.is_list() || node.items.size() != 3) {
    reader.expected("[x, y, z] in the world, each a number or free", node);
    return box;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (is_word(node.items[k], "free")) continue;
    const double value = reader.number(node.items[k], false, "m").value_or(0);
    box[k] = {value - tolerance, value + tolerance};
  }
  return box;
}

FrameTask read_frame(const YamlMap& map, const Model& model) {
  FrameTask frame;
  frame.line = map.line();
  frame.site = read_site(map, model);
  frame.point = map.vector("point", frame.point, "m");
  frame.when = read_when(map);
  const YamlNode* orientation = map.find("orientation");
  const bool placed = map.find("position");
  const double tolerance = nonnegative_number(map, "tolerance", 0, kLargestDistance, orientation ? "rad" : "m");
  if (!placed && !orientation) map.reader().error(map.line(), "expected position or orientation");
  if (placed && orientation && map.find("tolerance")) {
    map.reader().error(map.line(), "the tolerance is of either position or orientation: write two entries");
  }
  if (placed) frame.position = read_position(map, tolerance);
  if (orientation) {
    frame.orientation = YamlMap(*orientation, map.reader("orientation"), {"rpy", "quaternion"}).rotation();
    frame.orientation_tolerance = tolerance;
  }
  return frame;
}

}  // namespace

int read_site(const YamlMap& map, const Model& model) {
  const YamlNode* node = map.require("frame");
  const auto name = node ? map.reader("frame").word(*node) : std::nullopt;
  if (!name) return 0;
  try {
    return model.site(*name);
  } catch (const InputError& error) {
    map.reader("frame").error(node->line, error.problems()[0].text);
  }
  return 0;
}

std::vector<FrameTask> read_frames(const YamlMap& subject_to, const TaskJoints& joints) {
  std::vector<FrameTask> frames;
  const auto& items = subject_to.items("frames");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], subject_to.reader("frames").inside(std::to_string(i + 1)),
                      {"frame", "point", "at", "position", "orientation", "tolerance"});
    frames.push_back(read_frame(map, joints.model()));
  }
  return frames;
}

}  // namespace verne
