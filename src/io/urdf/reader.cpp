#include <tinyxml2.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "io/number.h"
#include "io/trivial.h"
#include "io/unlimited.h"
#include "io/urdf/constraints.h"
#include "io/urdf/visual.h"
#include "io/xml/document.h"
#include "io/xml/element.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// A joint, and the two links that it names.
struct UrdfJoint {
  JointSpec spec;
  std::string parent, child;
  Transform<double> X_PJ = Transform<double>::identity();
};

std::optional<JointType> urdf_joint_type(const std::string& word) {
  static const std::map<std::string, JointType> kTypes = {
      {"fixed", JointType::fixed},         {"revolute", JointType::revolute}, {"continuous", JointType::revolute},
      {"prismatic", JointType::prismatic}, {"floating", JointType::free},     {"planar", JointType::planar},
      {"spherical", JointType::spherical}};
  const auto found = kTypes.find(word);
  if (found == kTypes.end()) return std::nullopt;
  return found->second;
}

/// One file's links and joints while they are read.
class UrdfReader {
 public:
  UrdfReader(ModelSpec& spec, Diagnostics& diagnostics)
      : spec_(spec), diagnostics_(diagnostics), constraints_(diagnostics, leftovers_) {}

  void read(const tinyxml2::XMLElement& robot) {
    std::vector<std::string> read{"link", "joint"};
    read.insert(read.end(), UrdfConstraints::elements().begin(), UrdfConstraints::elements().end());
    const XmlElement top(robot, "robot",
                         {{"name", "version"}, read, {"gazebo", "transmission", "xacro:property", "xacro:arg"}},
                         diagnostics_, leftovers_);
    if (top.has("name")) {
      spec_.name = robot.Attribute("name");
    } else {
      top.warning("it has no name");
    }
    materials_.read(robot);
    for (auto* link = robot.FirstChildElement("link"); link; link = link->NextSiblingElement("link")) read_link(*link);
    for (auto* joint = robot.FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
      read_joint(*joint);
    }
    constraints_.read(robot);
    connect();
    settle_mimics();
    constraints_.add_to(spec_, choice_is_clear_ ? independent_ : UrdfChoice{});
    settle_mimics();  // of those that couplings hold
    leftovers_.report(diagnostics_);
  }

 private:
  static std::string place_of(const tinyxml2::XMLElement& element) {
    const char* name = element.Attribute("name");
    return std::string(element.Name()) + (name ? " " + in_quotes(name) : "");
  }

  void read_link(const tinyxml2::XMLElement& element) {
    const XmlElement in(element, place_of(element), {{"name"}, {"inertial", "visual", "collision"}, {}}, diagnostics_,
                        leftovers_);
    LinkSpec link;
    link.line = in.line();
    link.name = in.require_word("name");
    if (const auto* inertial = in.child("inertial")) read_inertial(in, *inertial, link);
    for (auto* visual = element.FirstChildElement("visual"); visual; visual = visual->NextSiblingElement("visual")) {
      if (auto shape = read_urdf_visual(*visual, in.place(), diagnostics_, leftovers_)) {
        shape->colour = materials_.colour(*visual);
        link.visuals.push_back(std::move(*shape));
      }
    }
    add_urdf_collisions(element, link);
    if (!link_index_.emplace(link.name, spec_.links.size()).second) in.error("a link of this name exists already");
    spec_.links.push_back(std::move(link));
  }

  void read_inertial(const XmlElement& owner, const tinyxml2::XMLElement& element, LinkSpec& link) {
    const XmlElement in = owner.inside(element, {{}, {"origin", "mass", "inertia"}, {}});
    link.has_inertial = true;
    const Transform<double> X_LC = urdf_origin(in);
    link.com = X_LC.p;
    const auto* mass = in.child("mass");
    const auto* inertia = in.child("inertia");
    if (mass) {
      link.mass = in.inside(*mass, {{"value"}, {}, {}}).require_number("value");
    } else {
      in.warning("<mass> is missing: taken for zero");
    }
    if (inertia && inertia->FirstAttribute()) {
      const XmlElement of = in.inside(*inertia, {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}, {}});
      const Sym3<double> I{of.require_number("ixx"), of.number("ixy", 0), of.number("ixz", 0),
                           of.require_number("iyy"), of.number("iyz", 0), of.require_number("izz")};
      link.inertia = rotate(X_LC.R, I);
    } else {
      in.warning("<inertia> is missing or empty: taken for zero");
    }
  }

  void read_joint(const tinyxml2::XMLElement& element) {
    const XmlElement in(element, place_of(element),
                        {{"name", "type", "independent"},
                         {"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"},
                         {"calibration", "safety_controller"}},
                        diagnostics_, leftovers_);
    UrdfJoint joint;
    joint.spec.line = in.line();
    joint.spec.name = in.require_word("name");
    const std::string type = in.require_word("type");
    joint.spec.type = read_type(in, type);
    joint.parent = read_link_name(in, "parent");
    joint.child = read_link_name(in, "child");
    joint.X_PJ = urdf_origin(in);
    if (in.has("independent")) read_independent(in, joint.spec.name);
    if (has_axis(joint.spec.type)) joint.spec.axis = read_axis(in);
    if (velocity_count(joint.spec.type) == 1) {
      joint.spec.dofs.resize(1);
      read_limit(in, type != "continuous", joint.spec);
      read_dynamics(in, joint.spec.dofs[0]);
      read_mimic(in, joint.spec);
    } else {
      for (const char* unused : {"limit", "dynamics", "mimic"}) report_unused(in, unused, joint.spec.type);
    }
    joints_.push_back(std::move(joint));
  }

  /// Of URDF+: whether the joint is one of those that tell the others where loops are closed.
  void read_independent(const XmlElement& in, const std::string& joint) {
    std::string word = in.xml().Attribute("independent");
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word == "true" || word == "false") {
      independent_[joint] = word == "true";
    } else {
      in.warning("independent: expected true or false, found " + in_quotes(word) + ": left out, for all joints");
      choice_is_clear_ = false;
    }
  }

  static JointType read_type(const XmlElement& in, const std::string& word) {
    const auto type = urdf_joint_type(word);
    if (!type && in.has("type")) {
      in.error("unknown joint type " + in_quotes(word) +
               suggestion(word, {"fixed", "revolute", "continuous", "prismatic", "floating", "planar"}));
    }
    return type.value_or(JointType::fixed);
  }

  static std::string read_link_name(const XmlElement& in, const char* side) {
    const auto* found = in.require_child(side);
    return found ? in.inside(*found, {{"link"}, {}, {}}).require_word("link") : "";
  }

  static Vec3<double> read_axis(const XmlElement& in) {
    const Vec3<double> urdf_default{1, 0, 0};
    const auto* found = in.child("axis");
    return found ? in.inside(*found, {{"xyz"}, {}, {}}).vector("xyz", urdf_default) : urdf_default;
  }

  /// Exporters write limits for fixed joints too; for joints with several degrees of freedom they would have a meaning
  /// that URDF does not define.
  void report_unused(const XmlElement& in, const char* name, JointType type) {
    if (type == JointType::fixed || !in.child(name)) return;
    const bool moves_otherwise = std::strcmp(name, "limit") != 0;
    diagnostics_.warning(in.line(), std::string(moves_otherwise ? "not modelled: <" : "not understood: <") + name +
                                        "> of " + in.place() + ", which is " + to_string(type));
  }

  static void read_limit(const XmlElement& in, bool limits_position, JointSpec& joint) {
    const auto* found = in.child("limit");
    if (!found) {
      if (limits_position) in.warning("<limit> is missing: the joint has no limits");
      return;
    }
    const XmlElement limit = in.inside(*found, {{"lower", "upper", "effort", "velocity"}, {}, {}});
    DofSpec& dof = joint.dofs[0];
    const double lower = limit_as_read(limit.bound("lower", 0)), upper = limit_as_read(limit.bound("upper", 0));
    if (limits_position && !limit.has("lower") && !limit.has("upper")) {
      limit.warning("neither lower nor upper is given: the joint has no position limits");
    } else if (limits_position) {
      dof.lower = lower, dof.upper = upper;
    }
    const double effort = limit_as_read(limit.bound("effort", kInfinity));
    dof.effort_lower = -effort, dof.effort_upper = effort;
    dof.velocity = limit_as_read(limit.bound("velocity", kInfinity));
  }

  static void read_dynamics(const XmlElement& in, DofSpec& dof) {
    const auto* found = in.child("dynamics");
    if (!found) return;
    const XmlElement dynamics = in.inside(*found, {{"damping", "friction", "armature"}, {}, {}});
    dof.viscous = dynamics.number("damping", 0);
    dof.coulomb = dynamics.number("friction", 0);
    dof.rotor_inertia = dynamics.number("armature", 0);
  }

  static void read_mimic(const XmlElement& in, JointSpec& joint) {
    const auto* found = in.child("mimic");
    if (!found) return;
    const XmlElement mimic = in.inside(*found, {{"joint", "multiplier", "offset"}, {}, {}});
    joint.mimic = MimicSpec{mimic.require_word("joint"), mimic.number("multiplier", 1), mimic.number("offset", 0)};
  }

  /// Followers that cannot move, or follow what is not there: other programs open such files.
  void settle_mimics() {
    std::set<std::string> joints;
    std::map<std::string, double> held;  // positions of joints that do not move
    for (const LinkSpec& link : spec_.links) {
      joints.insert(link.joint.name);
      if (link.joint.type == JointType::fixed) held.emplace(link.joint.name, 0);
    }
    for (bool found = true; found;) {
      found = false;
      for (LinkSpec& link : spec_.links) {
        JointSpec& joint = link.joint;
        if (!joint.mimic) continue;
        const MimicSpec mimic = *joint.mimic;
        const std::string place = "joint " + in_quotes(joint.name) + ": mimic: ";
        const auto leader = held.find(mimic.joint);
        if (!joints.contains(mimic.joint)) {
          diagnostics_.warning(joint.line,
                               place + "there is no joint " + in_quotes(mimic.joint) + ": this one moves by itself");
          joint.mimic.reset();
        } else if (mimic.ratio == 0 || leader != held.end()) {
          diagnostics_.warning(
              joint.line, place +
                              (mimic.ratio == 0 ? "multiplier is zero" : in_quotes(mimic.joint) + " does not move") +
                              ": this joint is fixed");
          const double q = mimic.offset + (mimic.ratio == 0 ? 0 : mimic.ratio * leader->second);
          fix(link, q);
          held.emplace(joint.name, q);
          found = true;
        }
      }
    }
  }

  /// Holds a joint with one degree of freedom where it is at q.
  static void fix(LinkSpec& link, double q) {
    JointSpec& joint = link.joint;
    const Vec3<double> axis = norm(joint.axis) > 0 ? normalized(joint.axis) : joint.axis;
    const Transform<double> moved = joint.type == JointType::revolute
                                        ? Transform<double>{rotation_about(axis, q), {0, 0, 0}}
                                        : Transform<double>{Mat3<double>::identity(), axis * q};
    link.X_PJ = link.X_PJ * moved;
    joint.type = JointType::fixed, joint.axis = {0, 0, 1};
    joint.mimic.reset();
    joint.dofs.clear();
  }

  /// Gives every link the joint that carries it; who has none is a root.
  void connect() {
    std::map<std::string, std::string> carrier;
    std::set<std::string> joint_names;
    for (UrdfJoint& joint : joints_) {
      joint_names.insert(joint.spec.name);
      connect(joint, carrier);
    }
    int number = 1;
    for (LinkSpec& link : spec_.links) {
      if (carrier.count(link.name)) continue;
      link.joint.name = "root_joint";
      while (!joint_names.insert(link.joint.name).second) link.joint.name = "root_joint_" + std::to_string(++number);
      link.joint.line = link.line;
    }
    if (spec_.links.empty()) diagnostics_.error(0, "robot: it has no links");
  }

  void connect(UrdfJoint& joint, std::map<std::string, std::string>& carrier) {
    if (joint.child.empty() || joint.parent.empty()) return;  // reported
    const std::string place = "joint " + in_quotes(joint.spec.name) + ": ";
    const auto found = link_index_.find(joint.child);
    if (found == link_index_.end()) {
      std::vector<std::string> names;
      for (const LinkSpec& link : spec_.links) names.push_back(link.name);
      diagnostics_.error(joint.spec.line,
                         place + "child: unknown link " + in_quotes(joint.child) + suggestion(joint.child, names));
      return;
    }
    const auto [other, first] = carrier.emplace(joint.child, joint.spec.name);
    if (!first) {
      diagnostics_.error(joint.spec.line, place + "link " + in_quotes(joint.child) + " is already the child of joint " +
                                              in_quotes(other->second));
      return;
    }
    LinkSpec& link = spec_.links[found->second];
    link.joint = std::move(joint.spec);
    link.parent = joint.parent;
    link.X_PJ = joint.X_PJ;
  }

  ModelSpec& spec_;
  Diagnostics& diagnostics_;
  XmlLeftovers leftovers_;
  UrdfMaterials materials_;
  UrdfConstraints constraints_;
  UrdfChoice independent_;
  bool choice_is_clear_ = true;
  std::map<std::string, std::size_t> link_index_;
  std::vector<UrdfJoint> joints_;
};

/// The line of the first thing that only xacro understands, or 0. The namespace alone is no sign: xacro leaves it in
/// the URDF that it makes, and people leave properties that nothing uses. What is for other programs may hold their own
/// dollars, and names of mesh files say nothing of the model.
int xacro_line(const tinyxml2::XMLElement& element) {
  for (const char* others : {"gazebo", "transmission", "mesh", "texture", "xacro:property", "xacro:arg"}) {
    if (std::strcmp(element.Name(), others) == 0) return 0;
  }
  if (std::strncmp(element.Name(), "xacro:", 6) == 0) return element.GetLineNum();
  for (auto* attribute = element.FirstAttribute(); attribute; attribute = attribute->Next()) {
    if (std::strstr(attribute->Value(), "${") || std::strstr(attribute->Value(), "$(")) return attribute->GetLineNum();
  }
  for (auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
    if (const int line = xacro_line(*child)) return line;
  }
  return 0;
}

}  // namespace

ModelSpec read_urdf(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  ModelSpec spec;
  spec.file = file;
  tinyxml2::XMLDocument document;
  if (!parse_xml(text, diagnostics, document)) return spec;
  const tinyxml2::XMLElement* root = document.RootElement();
  if (std::strcmp(root->Name(), "sdf") == 0) {
    diagnostics.error(root->GetLineNum(), "this is SDF, not URDF");
  } else if (std::strcmp(root->Name(), "robot") != 0) {
    diagnostics.error(root->GetLineNum(), "not URDF: expected <robot>, found " + in_quotes(root->Name()));
  } else if (const int line = xacro_line(*root)) {
    diagnostics.error(line, "this is xacro, not URDF: run `xacro FILE > robot.urdf` first");
  } else {
    if (const auto* second = root->NextSiblingElement()) {
      diagnostics.error(second->GetLineNum(), "more than one XML element at the top: " + in_quotes(second->Name()));
    }
    UrdfReader(spec, diagnostics).read(*root);
  }
  return spec;
}

}  // namespace verne
