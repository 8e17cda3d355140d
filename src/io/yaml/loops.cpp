/// Closed loops of a Verne YAML model: the joints that close them, and where to look for a closed configuration.
#include "io/number.h"
#include "io/yaml/link.h"

namespace verne {

namespace {

LoopEnd read_end(const YamlMap& loop, const char* key) {
  const YamlNode* node = loop.require(key);
  if (!node) return {};
  const YamlMap map(*node, loop.reader(key), {"link", "pose"});
  map.require("link");
  return {map.word("link", ""), map.pose("pose")};
}

LoopSpec read_loop(const YamlNode& node, std::size_t index, const YamlReader& file) {
  std::string place = "loop " + std::to_string(index + 1);
  for (const YamlEntry& entry : node.entries) {
    if (entry.key == "name" && entry.value.is_scalar()) place = "loop " + in_quotes(entry.value.text);
  }
  const YamlMap map(node, file.at(place), {"name", "type", "a", "b"});
  LoopSpec loop;
  loop.line = map.line();
  map.require("name");
  loop.name = map.word("name", "");
  if (const YamlNode* type = map.require("type")) {
    const auto known = loop_type_from(type->text);  // only a scalar has text
    if (known) {
      loop.type = *known;
    } else {
      map.reader("type").expected(
          "revolute, prismatic, cylindrical, planar, point_on_line, universal, spherical or rigid", *type);
    }
  }
  loop.a = read_end(map, "a");
  loop.b = read_end(map, "b");
  return loop;
}

/// `joint: number`, or a list for a joint of several coordinates.
HomeSpec read_home(const YamlEntry& entry, const YamlReader& reader) {
  HomeSpec home{entry.key, {}, entry.line};
  const std::vector<YamlNode> alone{entry.value};
  for (const YamlNode& item : entry.value.is_list() ? entry.value.items : alone) {
    home.q.push_back(reader.inside(entry.key).number(item, false, "rad").value_or(0));
  }
  return home;
}

}  // namespace

void read_loops(const YamlMap& top, ModelSpec& spec) {
  const auto& items = top.items("loops");
  for (std::size_t i = 0; i < items.size(); ++i) {
    spec.loops.push_back(read_loop(items[i], i, top.reader()));
  }
  if (const YamlNode* home = top.find("home")) {
    if (!home->is_map()) top.reader("home").expected("a map from joints to positions", *home);
    for (const YamlEntry& entry : home->entries) spec.home.push_back(read_home(entry, top.reader("home")));
  }
  if (const YamlNode* independent = top.find("independent")) spec.independent_line = independent->line;
  for (const YamlNode& item : top.items("independent")) {
    if (const auto joint = top.reader("independent").word(item)) spec.independent.push_back(*joint);
  }
}

}  // namespace verne
