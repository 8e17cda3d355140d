/// Scenes in our own format: objects, and who may touch what.
#include <algorithm>
#include <set>

#include "io/number.h"
#include "io/scene/scene.h"
#include "io/yaml/link.h"
#include "verne/base/error.h"

namespace verne {

namespace {

const YamlEntry* entry_named(const YamlNode& map, const std::string& key) {
  const auto found = std::ranges::find_if(map.entries, [&](const YamlEntry& entry) { return entry.key == key; });
  return found == map.entries.end() ? nullptr : &*found;
}

/// `octomap: {file: …}` and `voxels: {file: …, resolution: …}`, with a pose.
SceneShape read_map(const YamlNode& node, const YamlReader& reader, SceneShape::Kind kind) {
  const bool voxels = kind == SceneShape::Kind::voxels;
  const char* const key = voxels ? "voxels" : "octomap";
  const YamlMap map(node, reader, {"pose", key});
  SceneShape found;
  found.kind = kind;
  found.shape.shape = VisualSpec::Shape::mesh, found.shape.size = {1, 1, 1};
  found.shape.X_LV = map.pose("pose");
  const std::vector<std::string> of_voxels{"file", "resolution", "origin", "occupied"}, of_octomap{"file"};
  const YamlMap file(*map.find(key), map.reader(key), voxels ? of_voxels : of_octomap);
  if (file.require("file")) found.shape.mesh = file.word("file", "");
  if (!voxels) return found;
  const YamlNode* const resolution = file.require("resolution");
  found.resolution = file.number("resolution", 1, "m");
  if (resolution && !(found.resolution > 0)) file.reader("resolution").expected("a positive length", *resolution);
  found.origin = file.vector("origin", {0, 0, 0}, "m");
  found.occupied = file.number("occupied", 0.5);
  return found;
}

SceneShape read_object(YamlNode node, const YamlReader& reader) {
  std::erase_if(node.entries, [](const YamlEntry& entry) {  // of what is held; here it stands
    return entry.key == "mass" || entry.key == "com" || entry.key == "inertia" || entry.key == "about";
  });
  if (entry_named(node, "octomap")) return read_map(node, reader, SceneShape::Kind::octomap);
  if (entry_named(node, "voxels")) return read_map(node, reader, SceneShape::Kind::voxels);
  SceneShape found;
  if (const YamlEntry* const as = entry_named(node, "as")) {
    const YamlReader in = reader.inside("as");
    const std::string word = in.word(as->value).value_or("surface");
    if (!entry_named(node, "mesh")) {
      in.error(as->line, "is of meshes");
    } else if (word == "hull") {
      found.kind = SceneShape::Kind::hull;
    } else if (word != "surface") {
      in.expected("surface or hull", as->value);
    }
    std::erase_if(node.entries, [](const YamlEntry& entry) { return entry.key == "as"; });
  }
  const std::size_t errors_before = reader.diagnostics().errors().size();
  found.shape = read_shape(node, reader);
  const std::string problem = reader.diagnostics().errors().size() == errors_before ? size_problem(found.shape) : "";
  if (!problem.empty()) reader.error(node.line, problem);
  return found;
}

void read_allowed(const YamlMap& top, Scene& scene) {
  const YamlReader reader = top.reader("allowed_contacts");
  for (const YamlNode& item : top.items("allowed_contacts")) {
    if (!item.is_list() || item.items.size() != 2) {
      reader.expected("two names of links or objects, as in [hand, table]", item);
      continue;
    }
    const auto a = reader.word(item.items[0]), b = reader.word(item.items[1]);
    if (a && b) scene.allowed.push_back({*a, *b, item.line});
  }
}

bool is_pattern(const std::string& name) {
  return name.find_first_of("*?") != std::string::npos;
}

/// `*` stands for any letters, `?` for one.
bool matches(const std::string& pattern, const std::string& name) {
  std::size_t p = 0, n = 0, star = std::string::npos, after = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == name[n] && pattern[p] != '*'))) {
      ++p, ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++, after = n;
    } else if (star != std::string::npos) {
      p = star + 1, n = ++after;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string::npos;
}

}  // namespace

// As MoveIt has it: an entry counts; where there is none, what is said of one name and not denied for the other.
bool ContactMatrix::allows(const std::string& a, const std::string& b) const {
  const auto at = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  const std::size_t row = at(a), column = at(b);
  if (row < names.size() && column < names.size()) return enabled[row][column];
  const auto first = otherwise.find(a), second = otherwise.find(b);
  if (first == otherwise.end() && second == otherwise.end()) return false;
  return (first == otherwise.end() || first->second) && (second == otherwise.end() || second->second);
}

std::string size_problem(const VisualSpec& shape) {
  const bool box = shape.shape == VisualSpec::Shape::box, sphere = shape.shape == VisualSpec::Shape::sphere;
  if (shape.shape == VisualSpec::Shape::mesh) {
    const bool some = shape.size.x != 0 && shape.size.y != 0 && shape.size.z != 0;
    return some ? "" : "the scale of a mesh is not to be zero";
  }
  const double least = sphere ? shape.size.x
                       : box  ? std::min({shape.size.x, shape.size.y, shape.size.z})
                              : std::min(shape.size.x, shape.size.y);
  const bool line = shape.shape == VisualSpec::Shape::capsule && shape.size.x > 0 && shape.size.y == 0;
  return least > 0 || line ? "" : "the size of a shape is to be positive";
}

Scene read_scene(const YamlNode& map, const YamlReader& in) {
  Scene scene;
  scene.file = in.diagnostics().file();
  const YamlMap top(map, in, {"format", "objects", "margin", "allowed_contacts", "link_meshes"});
  scene.margin = top.number("margin", 0, "m");
  if (scene.margin < 0) top.reader("margin").expected("a length that is not negative", *top.find("margin"));
  read_allowed(top, scene);
  if (const YamlNode* const meshes = top.find("link_meshes")) {
    const std::string as = top.word("link_meshes", "hulls");
    scene.capsules = as == "capsules";
    if (as != "hulls" && as != "capsules") top.reader("link_meshes").expected("hulls or capsules", *meshes);
  }
  const YamlNode* const objects = top.require("objects");
  if (!objects) return scene;
  if (!objects->is_map()) top.reader("objects").expected("{name: shape}", *objects);
  for (const YamlEntry& entry : objects->entries) {
    const YamlReader reader = top.reader("objects").inside(entry.key);
    const auto add = [&](const YamlNode& node) {
      SceneShape shape = read_object(node, reader);
      shape.object = entry.key, shape.line = entry.line;
      scene.shapes.push_back(std::move(shape));
    };
    if (entry.value.is_list()) {
      for (const YamlNode& item : entry.value.items) add(item);
    } else {
      add(entry.value);
    }
  }
  return scene;
}

std::vector<std::pair<std::string, std::string>> allowed_pairs(const Scene& scene,
                                                               const std::vector<std::string>& links) {
  std::vector<std::string> names = links;
  for (const SceneShape& shape : scene.shapes) {
    if (std::ranges::find(names, shape.object) == names.end()) names.push_back(shape.object);
  }
  std::vector<Diagnostic> problems;
  const auto named = [&](const std::string& name, int line) {
    std::vector<std::string> found;
    std::ranges::copy_if(names, std::back_inserter(found), [&](const std::string& one) { return matches(name, one); });
    if (found.empty()) {
      problems.push_back({scene.file, line,
                          "allowed_contacts: no link or object " +
                              (is_pattern(name) ? "is like " + in_quotes(name)
                                                : "is called " + in_quotes(name) + suggestion(name, names))});
    }
    return found;
  };
  std::set<std::pair<std::string, std::string>> pairs;
  for (const AllowedContact& contact : scene.allowed) {
    const std::vector<std::string> first = named(contact.a, contact.line), second = named(contact.b, contact.line);
    for (const std::string& a : first) {
      for (const std::string& b : second) {
        if (a != b) pairs.insert(std::minmax(a, b));
      }
    }
  }
  const std::vector<std::string>& of_matrix = scene.matrix.names;
  const auto in_matrix = [&](const std::string& name) { return std::ranges::find(of_matrix, name) != of_matrix.end(); };
  if (!of_matrix.empty() && std::ranges::none_of(links, in_matrix)) {
    problems.push_back({scene.file, scene.matrix.line,
                        "allowed_collision_matrix: is of another robot: the model has "
                        "none of its links"});
  }
  for (std::size_t i = 0; i < names.size() && !scene.matrix.names.empty(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (scene.matrix.allows(names[i], names[j])) pairs.insert(std::minmax(names[i], names[j]));
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return {pairs.begin(), pairs.end()};
}

}  // namespace verne
