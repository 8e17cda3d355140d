#include <cmath>

#include "io/number.h"
#include "io/yaml/link.h"

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

/// Whether coordinate k is an angle; the others are distances.
bool is_angle(JointType type, std::size_t k) {
  switch (type) {
    case JointType::prismatic:
      return false;
    case JointType::cylindrical:
      return k == 1;
    case JointType::planar:
      return k == 2;
    case JointType::free:
      return k >= 3;
    default:
      return true;
  }
}

/// The unit of an angle or its rate, which may be given in degrees; no other number may.
std::string angle_unit(JointType type, std::size_t k) {
  return is_angle(type, k) ? "rad" : "";
}
std::string rate_unit(JointType type, std::size_t k) {
  return is_angle(type, k) ? "rad/s" : "";
}

/// Calls `apply(reader, entry, k)` for each degree of freedom with its entry of a list, or with the one value for all.
template <class Apply>
void for_each_dof(const YamlMap& map, const char* key, std::size_t count, Apply apply) {
  const YamlNode* node = map.find(key);
  if (!node) return;
  const YamlReader reader = map.reader(key);
  if (node->is_list() && node->items.size() != count) {
    reader.expected("a number or a list of " + std::to_string(count), *node);
    return;
  }
  for (std::size_t k = 0; k < count; ++k) apply(reader, node->is_list() ? node->items[k] : *node, k);
}

/// [lower, upper], each possibly infinite.
void read_range(const YamlReader& reader, const YamlNode& node, const std::string& unit, double& lower, double& upper) {
  if (!node.is_list() || node.items.size() != 2) return reader.expected("[lower, upper]", node);
  const auto low = reader.number(node.items[0], true, unit), high = reader.number(node.items[1], true, unit);
  if (low && high) lower = *low, upper = *high;
}

/// [lower, upper] for each degree of freedom; of one, without another pair of brackets.
void read_ranges(const YamlMap& map, const char* key, JointSpec& joint, double DofSpec::*lower,
                 double DofSpec::*upper) {
  const auto apply = [&](const YamlReader& reader, const YamlNode& node, std::size_t k) {
    DofSpec& dof = joint.dofs[k];
    read_range(reader, node, angle_unit(joint.type, k), dof.*lower, dof.*upper);
  };
  const YamlNode* node = map.find(key);
  if (node && joint.dofs.size() == 1) return apply(map.reader(key), *node, 0);
  for_each_dof(map, key, joint.dofs.size(), apply);
}

void read_effort_limits(const YamlMap& map, std::vector<DofSpec>& dofs) {
  const YamlNode* node = map.find("effort");
  if (!node) return;
  const YamlReader reader = map.reader("effort");
  const auto apply = [&](const YamlReader& in, const YamlNode& entry, std::size_t k) {
    read_range(in, entry, "", dofs[k].effort_lower, dofs[k].effort_upper);
  };
  if (!node->is_list()) {
    const auto bound = reader.number(*node, true);  // x stands for [-x, x]
    for (DofSpec& dof : dofs) {
      if (bound) dof.effort_lower = -*bound, dof.effort_upper = *bound;
    }
  } else if (dofs.size() == 1) {
    apply(reader, *node, 0);
  } else {
    for_each_dof(map, "effort", dofs.size(), apply);
  }
}

void read_limits(const YamlNode& node, const YamlReader& reader, JointSpec& joint) {
  const YamlMap map(node, reader, {"position", "velocity", "effort"});
  read_ranges(map, "position", joint, &DofSpec::lower, &DofSpec::upper);
  read_effort_limits(map, joint.dofs);
  for_each_dof(map, "velocity", joint.dofs.size(), [&](const YamlReader& in, const YamlNode& entry, std::size_t k) {
    DofSpec& dof = joint.dofs[k];
    dof.velocity = in.number(entry, true, rate_unit(joint.type, k)).value_or(dof.velocity);
  });
}

/// A nonnegative-or-not plain number per degree of freedom; the signs are for build_model() to judge.
void read_dof_number(const YamlMap& map, const char* key, std::vector<DofSpec>& dofs, double DofSpec::*member) {
  for_each_dof(map, key, dofs.size(), [&](const YamlReader& in, const YamlNode& entry, std::size_t k) {
    dofs[k].*member = in.number(entry).value_or(0);
  });
}

void read_friction(const YamlNode& node, const YamlReader& reader, JointSpec& joint) {
  const YamlMap map(node, reader, {"coulomb", "viscous", "width"});
  read_dof_number(map, "coulomb", joint.dofs, &DofSpec::coulomb);
  read_dof_number(map, "viscous", joint.dofs, &DofSpec::viscous);
  for_each_dof(map, "width", joint.dofs.size(), [&](const YamlReader& in, const YamlNode& entry, std::size_t k) {
    joint.dofs[k].friction_width = in.number(entry, false, rate_unit(joint.type, k)).value_or(0);
  });
}

/// A spring, stiffness (q − rest), for each degree of freedom.
void read_spring(const YamlMap& map, JointSpec& joint) {
  read_dof_number(map, "stiffness", joint.dofs, &DofSpec::stiffness);
  for_each_dof(map, "rest", joint.dofs.size(), [&](const YamlReader& in, const YamlNode& entry, std::size_t k) {
    joint.dofs[k].rest = in.number(entry, false, angle_unit(joint.type, k)).value_or(0);
  });
  const YamlNode* const rest = map.find("rest");
  if (rest && !map.find("stiffness")) map.reader("rest").error(rest->line, "means nothing without a stiffness");
}

void read_ligaments(const YamlNode& node, const YamlReader& reader, JointSpec& joint) {
  const YamlMap map(node, reader, {"slack", "stiffness"});
  map.require("slack");
  map.require("stiffness");
  read_ranges(map, "slack", joint, &DofSpec::slack_lower, &DofSpec::slack_upper);
  read_dof_number(map, "stiffness", joint.dofs, &DofSpec::ligament);
}

void read_dofs(const YamlMap& map, JointSpec& joint) {
  const YamlNode* limits = map.find("limits");
  const YamlNode* friction = map.find("friction");
  const YamlNode* ligaments = map.find("ligaments");
  const bool others = map.find("rotor_inertia") || map.find("stiffness") || map.find("rest");
  if (!limits && !friction && !ligaments && !others) return;
  joint.dofs.resize(static_cast<std::size_t>(velocity_count(joint.type)));
  if (joint.dofs.empty()) {
    map.reader().error(map.line(), "a fixed joint has no limits, friction, rotor inertia, stiffness or ligaments");
    return;
  }
  if (limits) read_limits(*limits, map.reader("limits"), joint);
  if (friction) read_friction(*friction, map.reader("friction"), joint);
  read_dof_number(map, "rotor_inertia", joint.dofs, &DofSpec::rotor_inertia);
  read_spring(map, joint);
  if (ligaments) read_ligaments(*ligaments, map.reader("ligaments"), joint);
}

std::optional<MimicSpec> read_mimic(const YamlMap& joint_map, JointType type) {
  const YamlNode* node = joint_map.find("mimic");
  if (!node) return std::nullopt;
  const YamlMap map(*node, joint_map.reader("mimic"), {"joint", "ratio", "offset"});
  map.require("joint");
  return MimicSpec{map.word("joint", ""), map.number("ratio", 1), map.number("offset", 0, angle_unit(type, 0))};
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
                     const std::string& default_name, std::optional<Transmission>* transmission) {
  std::vector<std::string> keys{"name",          "type",      "axis", "axis2",     "pitch", "limits",  "friction",
                                "rotor_inertia", "stiffness", "rest", "ligaments", "mimic", "actuated"};
  if (transmission) keys.emplace_back("transmission");
  const YamlMap map(node, reader, keys);
  JointSpec joint;
  joint.line = node.line;
  joint.name = map.word("name", default_name);
  joint.type = read_type(map, convention);
  joint.axis = map.vector("axis", joint.axis);
  joint.axis2 = map.vector("axis2", joint.axis2);
  joint.pitch = map.number("pitch", 0);
  check_axis_keys(map, joint, convention);
  read_dofs(map, joint);
  joint.mimic = read_mimic(map, joint.type);
  joint.actuated = map.flag("actuated", true);
  if (transmission) *transmission = read_transmission(map, joint);
  return joint;
}

}  // namespace verne
