/// From Denavit-Hartenberg tables, screws or poses to X_PJ (joint frame in the parent's link frame) and X_JL (link
/// frame in the child-side joint frame), in such a way that the joint moves about or along an axis through J's origin.
#include <cmath>
#include <map>
#include <utility>

#include "io/number.h"
#include "io/yaml/link.h"
#include "verne/spatial/dh.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// Rz(theta) Tz(d) Tx(a) Rx(alpha) is cut where the joint's variable is added: after Rz(theta) for an angle, after
/// Tz(d) for a distance. Both lie on the parent's z axis.
void place_by_dh(const YamlNode& node, const YamlReader& reader, LinkSpec& link) {
  const YamlMap map(node, reader, {"a", "alpha", "d", "theta"});
  const DhParameters table{map.number("a", 0), map.number("alpha", 0, "rad"), map.number("d", 0),
                           map.number("theta", 0, "rad")};
  if (link.joint.type == JointType::fixed) {
    link.X_PJ = dh_transform(table);
  } else if (link.joint.type == JointType::prismatic) {
    link.X_PJ = dh_transform({0, 0, table.d, table.theta});
    link.X_JL = dh_transform({table.a, table.alpha, 0, 0});
  } else {
    link.X_PJ = dh_transform({0, 0, 0, table.theta});
    link.X_JL = dh_transform({table.a, table.alpha, table.d, 0});
  }
}

/// The unit axis of a screw, or nothing after a message.
std::optional<Vec3<double>> unit_axis(const YamlReader& reader, int line, const Vec3<double>& axis) {
  const double length = norm(axis);
  if (std::abs(length - 1) <= kUnitTolerance) return normalized(axis);
  reader.error(line, "expected a vector of length 1, found length " + format_number(length));
  return std::nullopt;
}

/// The axis of omega = (w), v passes through w x v, its point nearest to the base's origin; w . v is the pitch.
void place_by_screw(const YamlNode& node, const YamlReader& reader, const Transform<double>& home, LinkSpec& link) {
  const YamlMap map(node, reader, {"omega", "v"});
  const Vec3<double> omega = map.vector("omega", {0, 0, 0}), v = map.vector("v", {0, 0, 0});
  if (link.joint.type == JointType::fixed) {
    reader.error(node.line, "a fixed joint has no screw");
    return;
  }
  const bool slides = link.joint.type == JointType::prismatic;
  const auto axis = unit_axis(reader.inside(slides ? "v" : "omega"), node.line, slides ? v : omega);
  if (!axis) return;
  link.joint.axis = *axis;
  const double pitch = dot(omega, v);
  if (slides && norm(omega) != 0) reader.error(node.line, "omega must be zero for a prismatic joint");
  if (link.joint.type == JointType::revolute && std::abs(pitch) > kUnitTolerance * (1 + norm(v))) {
    reader.error(node.line, "omega and v must be at right angles for a revolute joint; with pitch " +
                                format_number(pitch) + " this is a helical joint");
  }
  if (link.joint.type == JointType::helical) link.joint.pitch = pitch;
  const Transform<double> X_BJ{Mat3<double>::identity(), slides ? home.p : cross(*axis, v)};
  link.X_PJ = X_BJ;
  link.X_JL = inverse(X_BJ) * home;
}

void place_at_home(const YamlMap& link_map, LinkSpec& link) {
  link_map.require("home");
  const Transform<double> home = link_map.pose("home");
  link.X_PJ = home;
  const bool moves = link.joint.type != JointType::fixed;
  const YamlNode* screw = moves ? link_map.require("screw") : link_map.find("screw");
  if (screw) place_by_screw(*screw, link_map.reader("screw"), home, link);
}

/// A key of another convention would be ignored: say so.
void check_keys(const YamlMap& link_map, Convention convention) {
  static const std::pair<const char*, Convention> kKeys[] = {
      {"dh", Convention::dh},      {"mdh", Convention::mdh},   {"screw", Convention::screw},
      {"home", Convention::screw}, {"pose", Convention::tree}, {"frame", Convention::tree},
  };
  for (const auto& [key, owner] : kKeys) {
    const YamlNode* node = link_map.find(key);
    if (!node || owner == convention) continue;
    link_map.reader(key).error(node->line, std::string("belongs to convention ") + to_string(owner) +
                                               ", but this file's is " + to_string(convention));
  }
}

}  // namespace

Transform<double> read_mdh(const YamlNode& node, const YamlReader& reader) {
  const YamlMap map(node, reader, {"gamma", "b", "alpha", "d", "theta", "r"});
  return mdh_transform({map.number("gamma", 0, "rad"), map.number("b", 0), map.number("alpha", 0, "rad"),
                        map.number("d", 0), map.number("theta", 0, "rad"), map.number("r", 0)});
}

void read_placement(const YamlMap& link_map, Convention convention, LinkSpec& link) {
  check_keys(link_map, convention);
  switch (convention) {
    case Convention::dh:
      if (const YamlNode* table = link_map.require("dh")) place_by_dh(*table, link_map.reader("dh"), link);
      return;
    case Convention::mdh:  // rotation about z and translation along z commute: the joint's variable can come last
      if (const YamlNode* table = link_map.require("mdh")) link.X_PJ = read_mdh(*table, link_map.reader("mdh"));
      return;
    case Convention::screw:
      return place_at_home(link_map, link);
    case Convention::tree:
      link.X_PJ = link_map.pose("pose");
      link.X_JL = link_map.pose("frame");
      return;
  }
}

void relate_to_parents(std::vector<LinkSpec>& links) {
  std::map<std::string, Transform<double>> homes;
  for (const LinkSpec& link : links) {
    if (!link.parent.empty()) homes.emplace(link.name, link.X_PJ * link.X_JL);
  }
  for (LinkSpec& link : links) {
    const auto parent = homes.find(link.parent);
    if (parent != homes.end()) link.X_PJ = inverse(parent->second) * link.X_PJ;
  }
}

}  // namespace verne
