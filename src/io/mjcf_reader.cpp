#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "io/mjcf_contents.h"
#include "io/mjcf_geom.h"
#include "io/number.h"
#include "io/principal_axes.h"
#include "io/trivial.h"
#include "io/unlimited.h"
#include "io/xml_document.h"
#include "io/xml_writer.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// What stands in a body, wherever frames put it.
struct MjcfBody {
  std::vector<MjcfElement> joints;
  std::vector<std::pair<MjcfElement, Transform<double>>> geoms, sites, bodies;
  std::vector<std::string> classes;  ///< that nested bodies inherit, one for each
  std::optional<MjcfElement> inertial;
};

class MjcfTree {
 public:
  explicit MjcfTree(MjcfContents& contents) : m_(contents), spec_(contents.spec) {}

  void read() {
    MjcfFile& first = m_.files.first();
    const tinyxml2::XMLElement& root = *first.document.RootElement();
    if (const char* name = root.Attribute("model")) spec_.name = name;
    gather(root, first);
    for (const MjcfElement& section : m_.sections) {
      if (section.tag() == "compiler") m_.compiler.read(section);
      if (section.tag() == "default") read_defaults(section, "");
      if (section.tag() == "option") spec_.gravity = section.vector("gravity", spec_.gravity);
      if (section.tag() == "asset") read_assets(section);
    }
    read_worlds();
    name_joints_apart();
    read_mjcf_constraints(m_);
    scale_to_total_mass();
    m_.leftovers.report(m_.diagnostics);
    m_.files.report();
  }

 private:
  void gather(const tinyxml2::XMLElement& root, MjcfFile& file) {
    static const std::set<std::string> kRead = {"compiler", "default", "option",   "asset",   "worldbody",
                                                "equality", "tendon",  "actuator", "keyframe"};
    static const std::set<std::string> kUnneeded = {"size",   "visual", "statistic", "contact",
                                                    "sensor", "custom", "extension"};
    m_.files.for_each_child(root, file, [&](const tinyxml2::XMLElement& element, MjcfFile& in) {
      if (kRead.count(element.Name())) {
        m_.sections.emplace_back(element, in, m_.defaults, kMjcfMain);
      } else if (kUnneeded.count(element.Name())) {
        m_.leftovers.ignored(element.Name());
      } else {
        m_.leftovers.not_understood("<" + std::string(element.Name()) + ">", element.GetLineNum());
      }
    });
  }

  void read_defaults(const MjcfElement& element, const std::string& parent) {
    const char* given = element.xml().Attribute("class");
    if (!given && !parent.empty()) return element.error("class is missing");
    const std::string name = given ? given : kMjcfMain;
    if (!m_.defaults.has(name) || !parent.empty()) m_.defaults.add_class(name, parent);
    m_.files.for_each_child(element.xml(), element.file(), [&](const tinyxml2::XMLElement& child, MjcfFile& file) {
      if (std::strcmp(child.Name(), "default") == 0) {
        read_defaults(MjcfElement(child, file, m_.defaults, name), name);
        return;
      }
      for (auto* a = child.FirstAttribute(); a; a = a->Next())
        m_.defaults.set(name, child.Name(), a->Name(), a->Value());
    });
  }

  void read_assets(const MjcfElement& section) {
    m_.files.for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& child, MjcfFile&) {
      const char* file = child.Attribute("file");
      if (std::strcmp(child.Name(), "mesh") != 0 || !file) return;
      const char* name = child.Attribute("name");
      meshes_[name ? name : std::filesystem::path(file).stem().string()] = file;
    });
  }

  // --- Bodies ---------------------------------------------------------------------------------------------------

  void read_worlds() {
    MjcfBody world;
    for (const MjcfElement& section : m_.sections) {
      if (section.tag() == "worldbody") gather_parts(section, Transform<double>::identity(), kMjcfMain, world);
    }
    if (world.bodies.empty()) return m_.diagnostics.error(0, "worldbody: there is no body");
    const auto named = [](const auto& site) { return site.first.xml().Attribute("name") != nullptr; };
    const bool single = world.bodies.size() == 1 && std::ranges::none_of(world.sites, named);
    m_.poses[kMjcfWorld] = Transform<double>::identity();
    if (!single) {
      LinkSpec root;
      root.name = kMjcfWorld, root.joint.name = "world_joint";
      made_up_names_.insert(0);
      add_visuals(world, root);
      spec_.links.push_back(root);
      add_sites(world, kMjcfWorld);
    }
    for (std::size_t k = 0; k < world.bodies.size(); ++k) {
      read_body(world.bodies[k].first, single ? "" : kMjcfWorld, world.bodies[k].second, world.classes[k]);
    }
  }

  /// What stands in a body or worldbody, through frames.
  void gather_parts(const MjcfElement& owner, const Transform<double>& X, const std::string& child_class,
                    MjcfBody& body) {
    m_.files.for_each_child(owner.xml(), owner.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
      const MjcfElement child(xml, file, m_.defaults, child_class);
      const std::string tag = child.tag();
      if (const char* named = xml.Attribute("class");
          named && !m_.defaults.has(named) && std::strcmp(named, kMjcfMain) != 0) {
        child.error("there is no default class " + in_quotes(named));
      }
      if (tag == "body") {
        body.bodies.emplace_back(child, X);
        body.classes.push_back(child_class);
      } else if (tag == "frame") {
        const char* inherited = xml.Attribute("childclass");
        gather_parts(child, X * m_.compiler.pose(child), inherited ? inherited : child_class, body);
      } else if (tag == "joint" || tag == "freejoint") {
        body.joints.push_back(child);
      } else if (tag == "inertial") {
        body.inertial.emplace(child);
      } else if (tag == "geom") {
        body.geoms.emplace_back(child, X);
      } else if (tag == "site") {
        body.sites.emplace_back(child, X);
      } else if (tag != "camera" && tag != "light") {
        m_.leftovers.not_understood("<" + tag + "> in a body", child.line());
      }
    });
  }

  void read_body(const MjcfElement& element, const std::string& parent, const Transform<double>& X_PF,
                 const std::string& outer_class) {
    const char* inherited = element.xml().Attribute("childclass");
    const std::string child_class = inherited ? inherited : outer_class;
    MjcfBody body;
    gather_parts(element, Transform<double>::identity(), child_class, body);
    for (const char* attribute : {"gravcomp", "mocap"}) {
      if (element.has(attribute)) m_.leftovers.not_understood(attribute + std::string(" of a body"), element.line());
    }
    const char* given = element.xml().Attribute("name");
    const std::string name = given ? given : "body " + std::to_string(spec_.links.size() + 1);
    const Transform<double> X_PB = X_PF * m_.compiler.pose(element);
    m_.poses[name] = parent.empty() ? X_PB : m_.poses[parent] * X_PB;
    add_links(body, name, parent, X_PB, element.line());
    LinkSpec& link = spec_.links.back();
    read_mass(body, element, link);
    add_visuals(body, link);
    add_sites(body, name);
    for (std::size_t k = 0; k < body.bodies.size(); ++k) {
      read_body(body.bodies[k].first, name, body.bodies[k].second, body.classes[k]);
    }
  }

  void add_visuals(const MjcfBody& body, LinkSpec& link) {
    for (const auto& [geom, X_BF] : body.geoms) {
      const MjcfGeom shape = read_mjcf_geom(geom, X_BF, m_.compiler.pose(geom));
      const auto mesh = meshes_.find(geom.word("mesh", ""));
      if (const auto visual = visual_of(shape, mesh == meshes_.end() ? "" : mesh->second))
        link.visuals.push_back(*visual);
    }
  }

  /// The body's link, last, and a massless one before it for each joint but the last.
  void add_links(const MjcfBody& body, const std::string& name, std::string parent, Transform<double> X, int line) {
    for (std::size_t k = 0; k < std::max<std::size_t>(body.joints.size(), 1); ++k) {
      const bool last = k + 1 >= body.joints.size();
      LinkSpec link;
      link.name = last ? name : name + "/" + std::to_string(k + 1);
      link.parent = parent;
      link.line = line;
      link.X_PJ = X;
      link.joint.name = name + "_joint" + (k > 0 ? std::to_string(k + 1) : "");
      const bool named = !body.joints.empty() && body.joints[k].xml().Attribute("name");
      if (!named) made_up_names_.insert(spec_.links.size());
      if (!body.joints.empty()) read_joint(body.joints[k], link);
      spec_.links.push_back(link);
      parent = link.name, X = Transform<double>::identity();
    }
  }

  /// Names that the file does not give give way to those that it gives.
  void name_joints_apart() {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < spec_.links.size(); ++i) {
      if (!made_up_names_.count(i)) taken.insert(spec_.links[i].joint.name);
    }
    for (const std::size_t i : made_up_names_)
      spec_.links[i].joint.name = unique_name(spec_.links[i].joint.name, taken);
  }

  void read_joint(const MjcfElement& element, LinkSpec& link) {
    JointSpec& joint = link.joint;
    if (const char* name = element.xml().Attribute("name")) joint.name = name;
    joint.line = element.line();
    const std::string type = element.tag() == "freejoint" ? "free" : element.word("type", "hinge");
    if (element.has("springdamper")) m_.leftovers.not_understood("springdamper of a joint", element.line());
    if (type == "free") {
      joint.type = JointType::free;
      if (element.tag() == "joint") read_free_dofs(element, joint);  // others take no defaults of joints
      return;
    }
    const Vec3<double> anchor = element.vector("pos", {0, 0, 0});
    link.X_PJ = link.X_PJ * Transform<double>{Mat3<double>::identity(), anchor};
    link.X_JL = {Mat3<double>::identity(), anchor * -1.0};
    if (type == "ball") {
      joint.type = JointType::spherical;
      DofSpec dof = read_dof(element, false);
      if (std::isfinite(dof.upper)) m_.leftovers.not_understood("range of a ball joint", element.line());
      if (dof.stiffness != 0) m_.leftovers.not_understood("stiffness of a ball joint", element.line());
      dof.lower = -kInfinity, dof.upper = kInfinity, dof.stiffness = dof.rest = 0;
      joint.dofs.assign(3, dof);
      return;
    }
    if (type != "hinge" && type != "slide") return element.error("type: unknown joint type " + in_quotes(type));
    joint.type = type == "hinge" ? JointType::revolute : JointType::prismatic;
    joint.axis = element.vector("axis", {0, 0, 1});
    if (norm(joint.axis) == 0) return element.error("axis: the axis is zero");
    joint.axis = normalized(joint.axis);
    joint.dofs = {read_dof(element, type == "hinge")};
    // The file's pose is taken at the reference, not at zero.
    const double reference = type == "hinge" ? m_.compiler.angle(element.number("ref", 0)) : element.number("ref", 0);
    m_.references[joint.name] = reference;
    if (reference != 0) spec_.home.push_back({joint.name, {reference}, joint.line});
    if (type == "hinge") {
      const Mat3<double> back = rotation_about(joint.axis, -reference);
      link.X_JL = Transform<double>{back, {0, 0, 0}} * link.X_JL;
    } else {
      link.X_JL.p = link.X_JL.p - joint.axis * reference;
    }
  }

  /// Of friction and rotor inertia along the axes of the world, only viscous friction is the same along those of the
  /// body.
  void read_free_dofs(const MjcfElement& element, JointSpec& joint) {
    for (const char* attribute : {"armature", "frictionloss", "stiffness"}) {
      if (element.number(attribute, 0) == 0) continue;
      m_.leftovers.not_understood(attribute + std::string(" of a free joint"), element.line());
    }
    DofSpec dof;
    dof.viscous = element.number("damping", 0);
    if (dof.viscous != 0) joint.dofs.assign(6, dof);
  }

  DofSpec read_dof(const MjcfElement& element, bool angular) {
    DofSpec dof;
    const auto unit = [&](double x) { return limit_as_read(angular ? m_.compiler.angle(x) : x); };
    if (element.limited("limited", "range", m_.compiler.auto_limits)) {
      if (const auto range = element.numbers("range", 2)) dof.lower = unit((*range)[0]), dof.upper = unit((*range)[1]);
    }
    if (element.limited("actuatorfrclimited", "actuatorfrcrange", m_.compiler.auto_limits)) {
      if (const auto range = element.numbers("actuatorfrcrange", 2)) {
        dof.effort_lower = limit_as_read((*range)[0]), dof.effort_upper = limit_as_read((*range)[1]);
      }
    }
    dof.viscous = element.number("damping", 0);
    dof.coulomb = element.number("frictionloss", 0);
    dof.rotor_inertia = element.number("armature", 0);
    dof.stiffness = element.number("stiffness", 0);
    const double rest = element.number("springref", 0);
    dof.rest = dof.stiffness == 0 ? 0 : angular ? m_.compiler.angle(rest) : rest;
    return dof;
  }

  // --- Masses ---------------------------------------------------------------------------------------------------

  void read_mass(const MjcfBody& body, const MjcfElement& element, LinkSpec& link) {
    const bool from_geoms = m_.compiler.from_geoms == "true" || (m_.compiler.from_geoms == "auto" && !body.inertial);
    if (from_geoms) {
      add_geom_masses(body, element, link);
    } else if (body.inertial) {
      read_inertial(*body.inertial, link);
    }
    if (m_.compiler.bound_mass > 0) link.mass = std::max(link.mass, m_.compiler.bound_mass);
    if (m_.compiler.bound_inertia > 0 || m_.compiler.balance) link.inertia = corrected(link.inertia);
    link.has_inertial = !weighs_nothing(link);
  }

  /// The moments about the principal axes, raised to the bound and balanced where no body has them.
  Sym3<double> corrected(const Sym3<double>& inertia) const {
    const PrincipalAxes principal = principal_axes(inertia);
    Vec3<double> m = principal.moments;
    for (int k = 0; k < 3; ++k) m[k] = std::max(m[k], m_.compiler.bound_inertia);
    const bool impossible = m.x + m.y < m.z || m.y + m.z < m.x || m.x + m.z < m.y;
    if (m_.compiler.balance && impossible) m.x = m.y = m.z = (m.x + m.y + m.z) / 3;
    return rotate(principal.R, Sym3<double>{m.x, 0, 0, m.y, 0, m.z});
  }

  void read_inertial(const MjcfElement& inertial, LinkSpec& link) {
    link.mass = inertial.number("mass", 0);
    if (!inertial.has("mass")) inertial.error("mass is missing");
    link.com = inertial.vector("pos", {0, 0, 0});
    if (const auto full = inertial.numbers("fullinertia", 6)) {
      const std::vector<double>& i = *full;
      link.inertia = {i[0], i[3], i[4], i[1], i[5], i[2]};
    } else if (const auto diagonal = inertial.numbers("diaginertia", 3)) {
      const std::vector<double>& d = *diagonal;
      link.inertia = rotate(m_.compiler.orientation(inertial), Sym3<double>{d[0], 0, 0, d[1], 0, d[2]});
    }
  }

  void add_geom_masses(const MjcfBody& body, const MjcfElement& element, LinkSpec& link) {
    RigidInertia<double> sum = RigidInertia<double>::zero();
    for (const auto& [geom, X_BF] : body.geoms) {
      const MjcfGeom shape = read_mjcf_geom(geom, X_BF, m_.compiler.pose(geom));
      if (shape.mass.value_or(shape.density) < 0) {
        geom.error((shape.mass ? "mass" : "density") + std::string(": expected a number that is not negative"));
      }
      if (shape.mass == 0.0 || shape.group < m_.compiler.groups[0] || shape.group > m_.compiler.groups[1]) continue;
      if (const auto inertia = inertia_of(shape)) {
        sum += *inertia;
      } else if (shape.type != "plane" && shape.type != "hfield") {
        m_.leftovers.not_understood("inertia from a " + shape.type, element.line());
      }
    }
    if (sum.mass <= 0) return;
    link.mass = sum.mass;
    link.com = sum.mc * (1 / sum.mass);
    link.inertia = sum.I + steiner(sum.mc * -1.0, link.com);
  }

  void scale_to_total_mass() {
    if (m_.compiler.total_mass <= 0) return;
    double all = 0;
    for (const LinkSpec& link : spec_.links) all += link.mass;
    if (all == 0) return;
    const double factor = m_.compiler.total_mass / all;
    for (LinkSpec& link : spec_.links) {
      link.mass *= factor;
      Sym3<double>& i = link.inertia;
      i = {i.xx * factor, i.xy * factor, i.xz * factor, i.yy * factor, i.yz * factor, i.zz * factor};
    }
  }

  void add_sites(const MjcfBody& body, const std::string& link) {
    for (const auto& [site, X_BF] : body.sites) {
      const char* name = site.xml().Attribute("name");
      if (!name) continue;
      FrameSpec frame;
      const auto taken = [&](const LinkSpec& other) { return other.name == name; };
      frame.name = std::any_of(spec_.links.begin(), spec_.links.end(), taken) ? std::string(name) + "_site" : name;
      frame.link = link;
      frame.X_LF = X_BF * m_.compiler.pose(site);
      frame.line = site.line();
      m_.sites[name] = {link, frame.X_LF};
      spec_.frames.push_back(frame);
    }
  }

  MjcfContents& m_;
  ModelSpec& spec_;
  std::map<std::string, std::string> meshes_;
  std::set<std::size_t> made_up_names_;  // links whose joints the file does not name
};

}  // namespace

ModelSpec read_mjcf(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  ModelSpec spec;
  spec.file = file;
  auto first = std::make_unique<MjcfFile>(file, std::filesystem::path(file).parent_path().string());
  if (!parse_xml(text, diagnostics, first->document)) return spec;
  const tinyxml2::XMLElement* root = first->document.RootElement();
  if (!root || std::strcmp(root->Name(), "mujoco") != 0) {
    diagnostics.error(root ? root->GetLineNum() : 0, "not MJCF: expected <mujoco>");
    return spec;
  }
  MjcfContents contents{spec, diagnostics, MjcfFiles(std::move(first), diagnostics)};
  MjcfTree(contents).read();
  return spec;
}

}  // namespace verne
