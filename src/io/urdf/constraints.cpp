#include "io/urdf/constraints.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "io/number.h"
#include "io/urdf/couplings.h"
#include "io/xml/writer.h"
#include "model/names_text.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// The names of the two sides in the dialects.
constexpr const char* kSides[2][3] = {{"predecessor", "parent", "link1"}, {"successor", "child", "link2"}};

const std::map<std::string, LoopType>& urdf_loop_types() {
  static const std::map<std::string, LoopType> types = {
      {"revolute", LoopType::revolute},   {"continuous", LoopType::revolute},
      {"prismatic", LoopType::prismatic}, {"planar", LoopType::planar},
      {"fixed", LoopType::rigid},         {"spherical", LoopType::spherical},
      {"ball", LoopType::spherical},      {"position", LoopType::spherical},
      {"universal", LoopType::universal}, {"cylindrical", LoopType::cylindrical},
      {"rigid", LoopType::rigid},         {"point_on_line", LoopType::point_on_line}};
  return types;
}

/// The element of one side. Isaac Sim's manual calls both of them link1.
const tinyxml2::XMLElement* urdf_side_of(const tinyxml2::XMLElement& element, bool first) {
  for (const char* name : kSides[first ? 0 : 1]) {
    if (const auto* found = element.FirstChildElement(name)) return found;
  }
  const auto* link1 = first ? nullptr : element.FirstChildElement("link1");
  return link1 ? link1->NextSiblingElement("link1") : nullptr;
}

bool closes_a_loop(LoopType type) {
  return type != LoopType::rigid && type != LoopType::spherical;
}

}  // namespace

const XmlNames kUrdfPose{{"xyz", "rpy", "quat_xyzw"}, {}, {}};

Transform<double> urdf_pose(const XmlElement& element) {
  const Vec3<double> p = element.vector("xyz", {0, 0, 0});
  if (!element.has("quat_xyzw")) return {rotation_rpy(element.vector("rpy", {0, 0, 0})), p};
  return {element.quaternion("quat_xyzw"), p};
}

Transform<double> urdf_origin(const XmlElement& owner) {
  const tinyxml2::XMLElement* found = owner.child("origin");
  return found ? urdf_pose(owner.inside(*found, kUrdfPose)) : Transform<double>::identity();
}

const std::vector<std::string>& UrdfConstraints::elements() {
  static const std::vector<std::string> names{"loop",       "coupling",        "constraint",
                                              "loop_joint", "loop_constraint", "joint_constraint"};
  return names;
}

void UrdfConstraints::read(const tinyxml2::XMLElement& robot) {
  for (auto* child = robot.FirstChildElement(); child; child = child->NextSiblingElement()) {
    const auto& names = elements();
    if (std::find(names.begin(), names.end(), child->Name()) != names.end()) read_element(*child);
  }
}

void UrdfConstraints::read_element(const tinyxml2::XMLElement& element) {
  const std::string tag = element.Name();
  const char* given = element.Attribute("name");
  const std::string name = given ? given : tag + " " + std::to_string(loops_.size() + couplings_.size() + 1);
  const XmlElement in(element, tag + " " + in_quotes(name),
                      {{"name", "type"},
                       {"predecessor", "successor", "parent", "child", "link1", "link2", "predecessor_origin",
                        "successor_origin", "parent_origin", "child_origin", "axis", "ratio", "gear_ratio"},
                       {}},
                      diagnostics_, leftovers_);
  const std::string type = in.has("type") ? element.Attribute("type") : "";
  const bool typeless = tag == "loop_constraint" || (tag == "constraint" && type.empty());
  if (tag == "coupling" || tag == "joint_constraint" || type == "rolling" ||
      (typeless && (element.FirstChildElement("ratio") || element.FirstChildElement("gear_ratio")))) {
    read_coupling(in);
  } else {
    read_loop(in, name, typeless && type.empty() ? "position" : type);
  }
}

LoopEnd UrdfConstraints::read_end(const XmlElement& in, bool first) const {
  const auto* found = urdf_side_of(in.xml(), first);
  if (!found) {
    in.error(std::string("<") + kSides[first ? 0 : 1][0] + "> is missing");
    return {};
  }
  const XmlElement side = in.inside(*found, {{"link", "xyz", "rpy"}, {"origin"}, {}});
  LoopEnd end{side.require_word("link"), urdf_pose(side)};
  if (found->FirstChildElement("origin")) end.X_LF = urdf_origin(side);
  const std::string beside = std::string(found->Name()) + "_origin";
  if (const auto* origin = in.xml().FirstChildElement(beside.c_str()))
    end.X_LF = urdf_pose(in.inside(*origin, kUrdfPose));
  return end;
}

void UrdfConstraints::read_loop(const XmlElement& in, const std::string& name, const std::string& type) {
  LoopSpec loop;
  loop.name = name, loop.line = in.line();
  loop.b = read_end(in, true), loop.a = read_end(in, false);
  const auto known = urdf_loop_types().find(type);
  if (known == urdf_loop_types().end()) {
    std::vector<std::string> words;
    for (const auto& [word, _] : urdf_loop_types()) words.push_back(word);
    in.error(type.empty() ? "attribute 'type' is missing"
                          : "unknown type " + in_quotes(type) + suggestion(type, words));
    return;
  }
  loop.type = known->second;
  Vec3<double> axis{1, 0, 0};
  if (const auto* found = in.child("axis")) axis = in.inside(*found, {{"xyz"}, {}, {}}).vector("xyz", axis);
  if (closes_a_loop(loop.type)) {
    if (norm(axis) == 0) return in.error("axis is zero: expected a direction such as 0 0 1");
    const Mat3<double> R_FZ = frame_with_z_along(normalized(axis));
    for (LoopEnd* end : {&loop.a, &loop.b}) end->X_LF.R = end->X_LF.R * R_FZ;
  }
  loops_.push_back(std::move(loop));
}

void UrdfConstraints::read_coupling(const XmlElement& in) {
  Coupling coupling{in.place(), read_end(in, true).link, read_end(in, false).link, 1, in.line()};
  for (const char* name : {"ratio", "gear_ratio"}) {
    if (const auto* found = in.child(name)) {
      coupling.ratio = in.inside(*found, {{"value"}, {}, {}}).require_number("value");
    }
  }
  couplings_.push_back(std::move(coupling));
}

void UrdfConstraints::add_to(ModelSpec& spec, const UrdfChoice& independent) {
  if (!couplings_.empty()) add_couplings(spec, independent);
  if (!loops_.empty()) return add_loops(spec, independent);
  std::vector<std::string> free;
  int line = 0;
  for (const LinkSpec& link : spec.links) {
    const auto found = independent.find(link.joint.name);
    if (found == independent.end() || found->second || link.joint.mimic) continue;
    if (velocity_count(link.joint.type) == 0) continue;
    if (free.empty()) line = link.joint.line;
    free.push_back(link.joint.name);
  }
  if (free.empty()) return;
  diagnostics_.warning(line, group_text("not modelled: what moves joints that are not independent, as nothing in the "
                                        "file couples them to others",
                                        "joint", free));
}

void UrdfConstraints::add_loops(ModelSpec& spec, const UrdfChoice& independent) {
  std::set<std::string> names;
  for (const LinkSpec& link : spec.links) names.insert(link.joint.name);
  for (LoopSpec& loop : loops_) loop.name = unique_name(loop.name, names);
  spec.loops = std::move(loops_);
  if (independent.empty()) return;
  for (LinkSpec& link : spec.links) {
    JointSpec& joint = link.joint;
    if (velocity_count(joint.type) == 0 || joint.mimic) continue;
    const auto found = independent.find(joint.name);
    joint.actuated = found == independent.end() || found->second;
    if (!joint.actuated) continue;
    spec.independent.push_back(joint.name);
    spec.independent_line = joint.line;
  }
}

void UrdfConstraints::add_couplings(ModelSpec& spec, const UrdfChoice& independent) {
  UrdfCouplings equations(spec, independent, diagnostics_);
  for (const Coupling& c : couplings_) equations.add(c.place, c.line, c.predecessor, c.successor, c.ratio);
  equations.solve();
}

}  // namespace verne
