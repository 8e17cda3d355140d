#include <algorithm>
#include <cmath>

#include "io/file_kind.h"
#include "io/number.h"
#include "io/yaml/link.h"
#include "io/yaml/parameters.h"
#include "verne/io/model_io.h"

namespace verne {

namespace {

constexpr char kFormat[] = "verne-model/1";

/// `link 'arm'`, or `link 3` when it has no name to call it by.
YamlReader reader_of(const char* what, const YamlNode& node, std::size_t index, const YamlReader& file) {
  for (const YamlEntry& entry : node.entries) {
    if (entry.key == "name" && entry.value.is_scalar()) {
      return file.at(std::string(what) + " " + in_quotes(entry.value.text));
    }
  }
  return file.at(std::string(what) + " " + std::to_string(index + 1));
}

void check_format(const YamlMap& top) {
  const YamlNode* node = top.require("format");
  if (node && !(node->is_scalar() && node->text == kFormat)) top.reader("format").expected(in_quotes(kFormat), *node);
}

std::optional<Convention> read_convention(const YamlMap& top) {
  const YamlNode* node = top.require("convention");
  if (!node) return std::nullopt;
  const auto convention = convention_from(node->text);  // only a scalar has text
  if (!convention) top.reader("convention").expected("dh, mdh, screw or tree", *node);
  return convention;
}

/// The short forms `base: free` and `base: {type: free, joint: NAME}`.
JointSpec simple_base_joint(const YamlReader& reader, const YamlNode* type, const std::string& name, int line) {
  JointSpec joint;
  joint.name = name;
  joint.line = line;
  if (!type) return joint;
  const JointType known = joint_type_from(type->text).value_or(JointType::revolute);  // only a scalar has text
  if (known == JointType::fixed || known == JointType::free || known == JointType::planar) {
    joint.type = known;
    joint.actuated = known == JointType::fixed;  // nothing drives what is not held
  } else {
    reader.expected("fixed, free or planar", *type);
  }
  return joint;
}

/// The joint of a base that is given as a map: of a simple type, or spelled out like the joint of any link.
JointSpec read_base_joint(const YamlMap& map) {
  const YamlNode* joint = map.find("joint");
  const YamlNode* type = map.find("type");
  if (joint && joint->is_map()) {
    if (type) map.reader("type").error(type->line, "the joint has a type already");
    return read_joint(*joint, map.reader("joint"), Convention::tree, "root_joint");
  }
  return simple_base_joint(map.reader("type"), type, map.word("joint", "root_joint"), map.line());
}

/// The root link. Without `base:` it is a fixed, massless link called base.
LinkSpec read_base(const YamlMap& top) {
  LinkSpec base;
  base.name = "base";
  base.line = top.line();
  const YamlNode* node = top.find("base");
  if (node) base.line = node->line;
  if (!node || !node->is_map()) {
    base.joint = simple_base_joint(top.reader("base"), node, "root_joint", base.line);
    return base;
  }
  const YamlMap map(
      *node, top.reader("base"),
      {"type", "name", "joint", "pose", "frame", "mass", "com", "first_moment", "inertia", "about", "visuals"});
  base.name = map.word("name", base.name);
  base.joint = read_base_joint(map);
  base.X_PJ = map.pose("pose");
  base.X_JL = map.pose("frame");
  read_inertial(map, base);
  base.visuals = read_visuals(map);
  return base;
}

LinkSpec read_link(const YamlNode& node, const YamlReader& reader, Convention convention, const std::string& previous,
                   std::optional<Transmission>& transmission) {
  const YamlMap map(node, reader,
                    {"name", "parent", "joint", "mass", "com", "first_moment", "inertia", "about", "visuals", "dh",
                     "mdh", "screw", "home", "pose", "frame"});
  LinkSpec link;
  link.line = node.line;
  map.require("name");
  link.name = map.word("name", "");
  link.parent = map.word("parent", previous);
  if (const YamlNode* joint = map.require("joint")) {
    link.joint = read_joint(*joint, map.reader("joint"), convention, link.name + "_joint", &transmission);
  }
  read_placement(map, convention, link);
  read_inertial(map, link);
  link.visuals = read_visuals(map);
  return link;
}

void read_links(const YamlMap& top, Convention convention, ModelSpec& spec) {
  top.require("links");
  const auto& items = top.items("links");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlReader reader = reader_of("link", items[i], i, top.reader());
    std::optional<Transmission> transmission;
    LinkSpec link = read_link(items[i], reader, convention, spec.links.back().name, transmission);
    if (link.parent.empty()) reader.error(link.line, "parent: is empty");
    if (transmission) spec.links.push_back(split_off_motor(*transmission, convention == Convention::screw, link));
    spec.links.push_back(std::move(link));
  }
  if (convention == Convention::screw) relate_to_parents(spec.links);
}

void read_frames(const YamlMap& top, Convention convention, ModelSpec& spec) {
  const auto& items = top.items("frames");
  std::vector<std::string> keys = {"name", "link", "pose"};
  if (convention == Convention::mdh) keys.emplace_back("mdh");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], reader_of("frame", items[i], i, top.reader()), keys);
    FrameSpec frame;
    frame.line = map.line();
    map.require("name");
    map.require("link");
    frame.name = map.word("name", "");
    frame.link = map.word("link", "");
    frame.X_LF = map.pose("pose");
    if (const YamlNode* table = convention == Convention::mdh ? map.find("mdh") : nullptr) {
      if (map.find("pose")) map.reader("mdh").error(table->line, "give either pose or mdh, not both");
      frame.X_LF = read_mdh(*table, map.reader("mdh"));
    }
    spec.frames.push_back(std::move(frame));
  }
}

void read_contacts(const YamlMap& top, ModelSpec& spec) {
  const auto& items = top.items("contacts");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], reader_of("contact", items[i], i, top.reader()),
                      {"name", "link", "type", "point", "pose"});
    map.require("name");
    map.require("link");
    const Transform<double> X_LC = map.pose("pose");
    if (const YamlNode* point = map.find("point"); point && map.find("pose")) {
      map.reader("point").error(point->line, "give either point or pose, not both");
    }
    ContactType type = ContactType::point;
    if (const YamlNode* word = map.find("type")) {
      const auto known = contact_type_from(word->text);  // only a scalar has text
      if (!known) map.reader("type").expected("point, line or rigid", *word);
      type = known.value_or(type);
    }
    spec.contacts.push_back(
        {map.word("name", ""), map.word("link", ""), map.vector("point", X_LC.p), map.line(), type, X_LC.R});
  }
}

MirrorSpec read_mirror(const YamlMap& top) {
  const YamlMap map(*top.find("mirror"), top.reader("mirror"), {"across", "endings"});
  MirrorSpec mirror;
  mirror.line = map.line();
  map.require("endings");
  mirror.across = map.vector("across", mirror.across);
  const double length = std::sqrt(dot(mirror.across, mirror.across));
  if (length == 0) map.reader("across").error(map.line(), "expected a direction");
  const auto& endings = map.items("endings");
  if (endings.size() != 2) map.reader("endings").error(map.line(), "expected two endings of names, as [_r, _l]");
  for (std::size_t i = 0; i < 2 && endings.size() == 2; ++i) {
    mirror.endings[i] = map.reader("endings").word(endings[i]).value_or("");
  }
  mirror.across = mirror.across * (1 / length);
  return mirror;
}

}  // namespace

ModelSpec read_yaml(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  return read_yaml_with({}, text, file, diagnostics);
}

ModelSpec read_yaml_with(const std::map<std::string, double>& parameters, const std::string& text,
                         const std::string& file, Diagnostics& diagnostics) {
  ModelSpec spec;
  spec.file = file;
  const std::size_t errors_before = diagnostics.errors().size();
  const YamlNode root = parse_yaml(text, diagnostics);
  if (root.kind == YamlNode::Kind::null && diagnostics.errors().size() > errors_before) return spec;
  if (is_another_kind(root, kFormat, diagnostics)) return spec;

  std::map<std::string, double> values;
  const YamlMap top(root, YamlReader("", diagnostics, &values),
                    {"format", "name", "source", "parameters", "convention", "gravity", "base", "links", "frames",
                     "contacts", "loops", "home", "independent", "mirror"});
  if (!root.is_map()) return spec;
  check_format(top);
  read_parameters(top, parameters, values);
  spec.name = top.word("name", "");
  spec.source = top.word("source", "");
  spec.gravity = top.vector("gravity", spec.gravity);
  spec.links.push_back(read_base(top));
  // Without a convention the keys of links cannot be judged: one message, not one for each link.
  if (const auto convention = read_convention(top)) {
    read_links(top, *convention, spec);
    read_frames(top, *convention, spec);
  }
  read_contacts(top, spec);
  read_loops(top, spec);
  if (top.find("mirror")) spec.mirror = read_mirror(top);
  return spec;
}

}  // namespace verne
