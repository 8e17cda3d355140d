#include <cmath>

#include "io/number.h"
#include "io/yaml_link.h"

namespace verne {

namespace {

constexpr JointType kJointTypes[] = {JointType::fixed,   JointType::revolute,    JointType::prismatic,
                                     JointType::helical, JointType::cylindrical, JointType::universal,
                                     JointType::planar,  JointType::spherical,   JointType::free};

/// DH tables place one axis, along which or about which the joint moves; screws moreover say how.
bool fits(JointType type, Convention convention) {
  switch (type) {
    case JointType::fixed:
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::helical:
      return true;
    case JointType::cylindrical:
      return convention != Convention::screw;
    default:
      return convention == Convention::tree;
  }
}

JointType read_type(const YamlMap& map, Convention convention) {
  const YamlNode* node = map.require("type");
  if (!node) return JointType::fixed;
  const YamlReader reader = map.reader("type");
  const auto word = reader.word(*node);
  if (!word) return JointType::fixed;
  const auto type = joint_type_from(*word);
  if (!type) {
    std::vector<std::string> names;
    for (const JointType known : kJointTypes) names.emplace_back(to_string(known));
    reader.error(node->line, "unknown joint type " + in_quotes(*word) + suggestion(*word, names));
    return JointType::fixed;
  }
  if (!fits(*type, convention)) {
    reader.error(node->line, "a " + *word + " joint cannot be placed by convention " + to_string(convention));
  }
  return *type;
}

/// Calls `apply(reader, entry, dof)` for each degree of freedom with its entry of a list, or with the one value for
/// all.
template <class Apply>
void for_each_dof(const YamlMap& map, const char* key, std::vector<DofSpec>& dofs, Apply apply) {
  const YamlNode* node = map.find(key);
  if (!node) return;
  const YamlReader reader = map.reader(key);
  if (node->is_list() && node->items.size() != dofs.size()) {
    reader.expected("a number or a list of " + std::to_string(dofs.size()), *node);
    return;
  }
  for (std::size_t i = 0; i < dofs.size(); ++i) apply(reader, node->is_list() ? node->items[i] : *node, dofs[i]);
}

/// [lower, upper], each possibly infinite.
void read_range(const YamlReader& reader, const YamlNode& node, double& lower, double& upper) {
  if (!node.is_list() || node.items.size() != 2) return reader.expected("[lower, upper]", node);
  const auto low = reader.number(node.items[0], true), high = reader.number(node.items[1], true);
  if (low && high) lower = *low, upper = *high;
}

/// A size: x stands for [-x, x].
std::optional<double> read_bound(const YamlReader& reader, const YamlNode& node) {
  const auto bound = reader.number(node, true);
  if (!bound || *bound >= 0) return bound;
  reader.expected("a number that is not negative", node);
  return std::nullopt;
}

void read_position_limits(const YamlMap& map, std::vector<DofSpec>& dofs) {
  const auto apply = [](const YamlReader& reader, const YamlNode& node, DofSpec& dof) {
    read_range(reader, node, dof.lower, dof.upper);
  };
  const YamlNode* node = map.find("position");
  if (node && dofs.size() == 1) return apply(map.reader("position"), *node, dofs[0]);
  for_each_dof(map, "position", dofs, apply);
}

void read_effort_limits(const YamlMap& map, std::vector<DofSpec>& dofs) {
  const YamlNode* node = map.find("effort");
  if (!node) return;
  const YamlReader reader = map.reader("effort");
  if (!node->is_list()) {
    const auto bound = read_bound(reader, *node);
    for (DofSpec& dof : dofs) {
      if (bound) dof.effort_lower = -*bound, dof.effort_upper = *bound;
    }
  } else if (dofs.size() == 1) {
    read_range(reader, *node, dofs[0].effort_lower, dofs[0].effort_upper);
  } else {
    for_each_dof(map, "effort", dofs, [](const YamlReader& in, const YamlNode& entry, DofSpec& dof) {
      read_range(in, entry, dof.effort_lower, dof.effort_upper);
    });
  }
}

void read_limits(const YamlNode& node, const YamlReader& reader, std::vector<DofSpec>& dofs) {
  const YamlMap map(node, reader, {"position", "velocity", "effort"});
  read_position_limits(map, dofs);
  read_effort_limits(map, dofs);
  for_each_dof(map, "velocity", dofs, [](const YamlReader& in, const YamlNode& entry, DofSpec& dof) {
    dof.velocity = read_bound(in, entry).value_or(dof.velocity);
  });
}

/// A nonnegative-or-not plain number per degree of freedom; the signs are for build_model() to judge.
void read_dof_number(const YamlMap& map, const char* key, std::vector<DofSpec>& dofs, double DofSpec::*member) {
  for_each_dof(map, key, dofs, [member](const YamlReader& in, const YamlNode& entry, DofSpec& dof) {
    dof.*member = in.number(entry).value_or(0);
  });
}

void read_dofs(const YamlMap& map, JointSpec& joint) {
  const YamlNode* limits = map.find("limits");
  const YamlNode* friction = map.find("friction");
  const YamlNode* rotor = map.find("rotor_inertia");
  if (!limits && !friction && !rotor) return;
  joint.dofs.resize(static_cast<std::size_t>(velocity_count(joint.type)));
  if (joint.dofs.empty()) {
    map.reader().error(map.line(), "a fixed joint has no limits, friction or rotor inertia");
    return;
  }
  if (limits) read_limits(*limits, map.reader("limits"), joint.dofs);
  if (friction) {
    const YamlMap friction_map(*friction, map.reader("friction"), {"coulomb", "viscous", "width"});
    read_dof_number(friction_map, "coulomb", joint.dofs, &DofSpec::coulomb);
    read_dof_number(friction_map, "viscous", joint.dofs, &DofSpec::viscous);
    read_dof_number(friction_map, "width", joint.dofs, &DofSpec::friction_width);
  }
  read_dof_number(map, "rotor_inertia", joint.dofs, &DofSpec::rotor_inertia);
}

std::optional<MimicSpec> read_mimic(const YamlMap& joint_map) {
  const YamlNode* node = joint_map.find("mimic");
  if (!node) return std::nullopt;
  const YamlMap map(*node, joint_map.reader("mimic"), {"joint", "ratio", "offset"});
  map.require("joint");
  return MimicSpec{map.word("joint", ""), map.number("ratio", 1), map.number("offset", 0)};
}

/// Reports keys that mean nothing for this joint.
void check_axis_keys(const YamlMap& map, const JointSpec& joint, Convention convention) {
  const auto refuse = [&](const char* key, const std::string& why) {
    if (const YamlNode* node = map.find(key)) map.reader(key).error(node->line, why);
  };
  if (convention != Convention::tree) refuse("axis", std::string("given by convention ") + to_string(convention));
  if (joint.type != JointType::universal) refuse("axis2", "only a universal joint has a second axis");
  if (joint.type != JointType::helical) {
    refuse("pitch", "only a helical joint has a pitch");
  } else if (convention == Convention::screw) {
    refuse("pitch", "given by the screw");
  }
}

}  // namespace

const char* to_string(Convention convention) {
  switch (convention) {
    case Convention::dh:
      return "dh";
    case Convention::mdh:
      return "mdh";
    case Convention::screw:
      return "screw";
    case Convention::tree:
      break;
  }
  return "tree";
}

std::optional<Convention> convention_from(const std::string& word) {
  for (const auto convention : {Convention::dh, Convention::mdh, Convention::screw, Convention::tree}) {
    if (word == to_string(convention)) return convention;
  }
  return std::nullopt;
}

JointSpec read_joint(const YamlNode& node, const YamlReader& reader, Convention convention,
                     const std::string& default_name) {
  const YamlMap map(
      node, reader,
      {"name", "type", "axis", "axis2", "pitch", "limits", "friction", "rotor_inertia", "mimic", "actuated"});
  JointSpec joint;
  joint.line = node.line;
  joint.name = map.word("name", default_name);
  joint.type = read_type(map, convention);
  joint.axis = map.vector("axis", joint.axis);
  joint.axis2 = map.vector("axis2", joint.axis2);
  joint.pitch = map.number("pitch", 0);
  check_axis_keys(map, joint, convention);
  read_dofs(map, joint);
  joint.mimic = read_mimic(map);
  joint.actuated = map.flag("actuated", true);
  return joint;
}

}  // namespace verne
