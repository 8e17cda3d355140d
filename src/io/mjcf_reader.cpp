#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "io/mjcf_geom.h"
#include "io/number.h"
#include "io/xml_document.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr char kMain[] = "main";  // the class of elements that name none
constexpr char kWorld[] = "world";

/// <compiler>: how the rest is to be read.
struct MjcfCompiler {
  bool degrees = true, auto_limits = true, balance = false;
  std::string euler = "xyz", from_geoms = "auto";
  double bound_mass = 0, bound_inertia = 0, total_mass = -1;
};

/// What stands in a body, wherever frames put it.
struct MjcfBody {
  std::vector<MjcfElement> joints;
  std::vector<std::pair<MjcfElement, Transform<double>>> geoms, sites, bodies;
  std::vector<std::string> classes;  ///< that nested bodies inherit, one for each
  std::optional<MjcfElement> inertial;
};

class MjcfModel {
 public:
  MjcfModel(ModelSpec& spec, Diagnostics& diagnostics) : spec_(spec), diagnostics_(diagnostics) {}

  void read(std::unique_ptr<MjcfFile> file) {
    MjcfFile& first = *file;
    files_.push_back(std::move(file));
    const tinyxml2::XMLElement& root = *first.document.RootElement();
    if (const char* name = root.Attribute("model")) spec_.name = name;
    gather(root, first);
    for (const MjcfElement& section : sections_) {
      if (section.tag() == "compiler") read_compiler(section);
      if (section.tag() == "default") read_defaults(section, "");
      if (section.tag() == "option") spec_.gravity = section.vector("gravity", spec_.gravity);
      if (section.tag() == "asset") read_assets(section);
    }
    read_worlds();
    for (const MjcfElement& section : sections_) {
      if (section.tag() == "equality") read_equalities(section);
      if (section.tag() == "tendon") read_tendons(section);
    }
    read_actuators();
    scale_to_total_mass();
    if (spec_.loops.empty()) spec_.home.clear();  // which is for closing them
    leftovers_.report(diagnostics_);
    for (const auto& any : files_) diagnostics_.add(any->diagnostics);
  }

 private:
  // --- Files and sections ---------------------------------------------------------------------------------------

  /// Children of an element, those of included files in their place.
  template <class Visit>
  void for_each_child(const tinyxml2::XMLElement& parent, MjcfFile& file, Visit&& visit) {
    for (auto* child = parent.FirstChildElement(); child; child = child->NextSiblingElement()) {
      if (std::strcmp(child->Name(), "include") != 0) {
        visit(*child, file);
        continue;
      }
      MjcfFile* included = include(*child, file);
      if (included) for_each_child(*included->document.RootElement(), *included, visit);
    }
  }

  MjcfFile* include(const tinyxml2::XMLElement& element, MjcfFile& file) {
    const char* name = element.Attribute("file");
    const auto complain = [&](const std::string& text) {
      file.diagnostics.error(element.GetLineNum(), "include: " + text);
      return nullptr;
    };
    if (!name) return complain("file is missing");
    const std::string path = (std::filesystem::path(files_.front()->folder) / name).lexically_normal().string();
    for (const auto& open : files_) {
      if (open->path == path) return complain(in_quotes(name) + " is included twice, or includes itself");
    }
    auto next = std::make_unique<MjcfFile>(path, files_.front()->folder);
    std::string text;
    try {
      text = read_text_file(path);
    } catch (const Error& error) {
      return complain(error.what());
    }
    if (!parse_xml(text, next->diagnostics, next->document) || !next->document.RootElement()) {
      diagnostics_.add(next->diagnostics);
      return complain(in_quotes(name) + " cannot be read");
    }
    files_.push_back(std::move(next));
    return files_.back().get();
  }

  void gather(const tinyxml2::XMLElement& root, MjcfFile& file) {
    static const std::set<std::string> kRead = {"compiler",  "default",  "option", "asset",
                                                "worldbody", "equality", "tendon", "actuator"};
    static const std::set<std::string> kUnneeded = {"size",   "visual",   "statistic", "contact",
                                                    "sensor", "keyframe", "custom",    "extension"};
    for_each_child(root, file, [&](const tinyxml2::XMLElement& element, MjcfFile& in) {
      if (kRead.count(element.Name())) {
        sections_.emplace_back(element, in, defaults_, kMain);
      } else if (kUnneeded.count(element.Name())) {
        leftovers_.ignored(element.Name());
      } else {
        leftovers_.not_understood("<" + std::string(element.Name()) + ">", element.GetLineNum());
      }
    });
  }

  void read_compiler(const MjcfElement& c) {
    compiler_.degrees = c.word("angle", compiler_.degrees ? "degree" : "radian") != "radian";
    compiler_.auto_limits = c.word("autolimits", compiler_.auto_limits ? "true" : "false") == "true";
    compiler_.balance = c.word("balanceinertia", compiler_.balance ? "true" : "false") == "true";
    compiler_.from_geoms = c.word("inertiafromgeom", compiler_.from_geoms);
    compiler_.bound_mass = c.number("boundmass", compiler_.bound_mass);
    compiler_.bound_inertia = c.number("boundinertia", compiler_.bound_inertia);
    compiler_.total_mass = c.number("settotalmass", compiler_.total_mass);
    compiler_.euler = c.word("eulerseq", compiler_.euler);
    if (compiler_.euler.size() != 3 || compiler_.euler.find_first_not_of("xyzXYZ") != std::string::npos) {
      c.error("eulerseq: expected three of x, y, z, X, Y, Z, found " + in_quotes(compiler_.euler));
      compiler_.euler = "xyz";
    }
    if (c.word("coordinate", "local") != "local") c.error("coordinate: only local coordinates are understood");
  }

  void read_defaults(const MjcfElement& element, const std::string& parent) {
    const char* given = element.xml().Attribute("class");
    if (!given && !parent.empty()) return element.error("class is missing");
    const std::string name = given ? given : kMain;
    if (!defaults_.has(name) || !parent.empty()) defaults_.add_class(name, parent);
    for_each_child(element.xml(), element.file(), [&](const tinyxml2::XMLElement& child, MjcfFile& file) {
      if (std::strcmp(child.Name(), "default") == 0) {
        read_defaults(MjcfElement(child, file, defaults_, name), name);
        return;
      }
      for (auto* a = child.FirstAttribute(); a; a = a->Next()) defaults_.set(name, child.Name(), a->Name(), a->Value());
    });
  }

  void read_assets(const MjcfElement& section) {
    for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& child, MjcfFile&) {
      const char* file = child.Attribute("file");
      if (std::strcmp(child.Name(), "mesh") != 0 || !file) return;
      const char* name = child.Attribute("name");
      meshes_[name ? name : std::filesystem::path(file).stem().string()] = file;
    });
  }

  // --- Places ---------------------------------------------------------------------------------------------------

  double angle(double value) const { return compiler_.degrees ? value * M_PI / 180 : value; }

  /// quat, axisangle, euler, xyaxes or zaxis.
  Mat3<double> read_orientation(const MjcfElement& element) {
    if (const auto q = element.numbers("quat", 4)) {
      const std::vector<double>& w = *q;
      if (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3] > 0) {
        return rotation_from_quaternion(w[1], w[2], w[3], w[0]);
      }
      element.error("quat: the quaternion is zero");
    } else if (const auto a = element.numbers("axisangle", 4)) {
      const Vec3<double> axis{(*a)[0], (*a)[1], (*a)[2]};
      if (norm(axis) > 0) return rotation_about(normalized(axis), angle((*a)[3]));
      element.error("axisangle: the axis is zero");
    } else if (const auto e = element.numbers("euler", 3)) {
      return euler_rotation(*e);
    } else if (const auto xy = element.numbers("xyaxes", 6)) {
      const std::vector<double>& v = *xy;
      const Vec3<double> x = normalized({v[0], v[1], v[2]}), given{v[3], v[4], v[5]};
      const Vec3<double> across = given - x * dot(x, given);
      if (norm(across) > 0) {
        const Vec3<double> y = normalized(across), z = cross(x, y);
        return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
      }
      element.error("xyaxes: the axes are parallel");
    } else if (const auto z = element.numbers("zaxis", 3)) {
      return shortest_turn_of_z({(*z)[0], (*z)[1], (*z)[2]}, element);
    }
    return Mat3<double>::identity();
  }

  /// Small letters turn about axes that turn along, capitals about fixed ones.
  Mat3<double> euler_rotation(const std::vector<double>& angles) const {
    Mat3<double> R = Mat3<double>::identity();
    for (int k = 0; k < 3; ++k) {
      const char letter = compiler_.euler[k];
      const double turn = angle(angles[k]);
      const char axis = static_cast<char>(std::tolower(letter));
      const Mat3<double> step = axis == 'x' ? rotation_x(turn) : axis == 'y' ? rotation_y(turn) : rotation_z(turn);
      R = letter == axis ? R * step : step * R;
    }
    return R;
  }

  Mat3<double> shortest_turn_of_z(const Vec3<double>& to, const MjcfElement& element) const {
    if (norm(to) == 0) {
      element.error("zaxis: the axis is zero");
      return Mat3<double>::identity();
    }
    const Vec3<double> z = normalized(to), axis = cross(Vec3<double>{0, 0, 1}, z);
    const double sine = norm(axis);
    if (sine == 0) return z.z > 0 ? Mat3<double>::identity() : rotation_x(M_PI);
    return rotation_about(axis * (1 / sine), std::atan2(sine, z.z));
  }

  Transform<double> read_pose(const MjcfElement& element) {
    return {read_orientation(element), element.vector("pos", {0, 0, 0})};
  }

  // --- Bodies ---------------------------------------------------------------------------------------------------

  void read_worlds() {
    MjcfBody world;
    for (const MjcfElement& section : sections_) {
      if (section.tag() == "worldbody") gather_parts(section, Transform<double>::identity(), kMain, world);
    }
    if (world.bodies.empty()) return diagnostics_.error(0, "worldbody: there is no body");
    const bool single = world.bodies.size() == 1;
    poses_[kWorld] = Transform<double>::identity();
    if (!single) {
      LinkSpec root;
      root.name = kWorld, root.joint.name = "world_joint";
      spec_.links.push_back(root);
      add_sites(world, kWorld);
    }
    for (std::size_t k = 0; k < world.bodies.size(); ++k) {
      read_body(world.bodies[k].first, single ? "" : kWorld, world.bodies[k].second, world.classes[k]);
    }
  }

  /// What stands in a body or worldbody, through frames.
  void gather_parts(const MjcfElement& owner, const Transform<double>& X, const std::string& child_class,
                    MjcfBody& body) {
    for_each_child(owner.xml(), owner.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
      const MjcfElement child(xml, file, defaults_, child_class);
      const std::string tag = child.tag();
      if (const char* named = xml.Attribute("class");
          named && !defaults_.has(named) && std::strcmp(named, kMain) != 0) {
        child.error("there is no default class " + in_quotes(named));
      }
      if (tag == "body") {
        body.bodies.emplace_back(child, X);
        body.classes.push_back(child_class);
      } else if (tag == "frame") {
        const char* inherited = xml.Attribute("childclass");
        gather_parts(child, X * read_pose(child), inherited ? inherited : child_class, body);
      } else if (tag == "joint" || tag == "freejoint") {
        body.joints.push_back(child);
      } else if (tag == "inertial") {
        body.inertial.emplace(child);
      } else if (tag == "geom") {
        body.geoms.emplace_back(child, X);
      } else if (tag == "site") {
        body.sites.emplace_back(child, X);
      } else if (tag != "camera" && tag != "light") {
        leftovers_.not_understood("<" + tag + "> in a body", child.line());
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
      if (element.has(attribute)) leftovers_.not_understood(attribute + std::string(" of a body"), element.line());
    }
    const char* given = element.xml().Attribute("name");
    const std::string name = given ? given : "body " + std::to_string(spec_.links.size() + 1);
    const Transform<double> X_PB = X_PF * read_pose(element);
    poses_[name] = parent.empty() ? X_PB : poses_[parent] * X_PB;
    add_links(body, name, parent, X_PB, element.line());
    LinkSpec& link = spec_.links.back();
    read_mass(body, element, link);
    for (const auto& [geom, X_BF] : body.geoms) {
      const MjcfGeom shape = read_mjcf_geom(geom, X_BF, read_pose(geom));
      const auto mesh = meshes_.find(geom.word("mesh", ""));
      if (const auto visual = visual_of(shape, mesh == meshes_.end() ? "" : mesh->second))
        link.visuals.push_back(*visual);
    }
    add_sites(body, name);
    for (std::size_t k = 0; k < body.bodies.size(); ++k) {
      read_body(body.bodies[k].first, name, body.bodies[k].second, body.classes[k]);
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
      link.joint.name = name + "_joint";
      if (!body.joints.empty()) read_joint(body.joints[k], name, k, link);
      spec_.links.push_back(link);
      parent = link.name, X = Transform<double>::identity();
    }
  }

  void read_joint(const MjcfElement& element, const std::string& body, std::size_t k, LinkSpec& link) {
    const char* name = element.xml().Attribute("name");
    JointSpec& joint = link.joint;
    joint.name = name ? name : body + "_joint" + (k > 0 ? std::to_string(k + 1) : "");
    joint.line = element.line();
    const std::string type = element.tag() == "freejoint" ? "free" : element.word("type", "hinge");
    if (type == "free") {
      joint.type = JointType::free;
      return;
    }
    const Vec3<double> anchor = element.vector("pos", {0, 0, 0});
    link.X_PJ = link.X_PJ * Transform<double>{Mat3<double>::identity(), anchor};
    link.X_JL = {Mat3<double>::identity(), anchor * -1.0};
    if (type == "ball") {
      joint.type = JointType::spherical;
      joint.dofs.assign(3, read_dof(element, false));
      for (DofSpec& dof : joint.dofs) dof.lower = -kInfinity, dof.upper = kInfinity;
      return;
    }
    if (type != "hinge" && type != "slide") return element.error("type: unknown joint type " + in_quotes(type));
    joint.type = type == "hinge" ? JointType::revolute : JointType::prismatic;
    joint.axis = element.vector("axis", {0, 0, 1});
    if (norm(joint.axis) == 0) return element.error("axis: the axis is zero");
    joint.axis = normalized(joint.axis);
    joint.dofs = {read_dof(element, type == "hinge")};
    // The file's pose is taken at the reference, not at zero.
    const double reference = type == "hinge" ? angle(element.number("ref", 0)) : element.number("ref", 0);
    references_[joint.name] = reference;
    if (reference != 0) spec_.home.push_back({joint.name, {reference}, joint.line});
    if (type == "hinge") {
      const Mat3<double> back = rotation_about(joint.axis, -reference);
      link.X_JL = Transform<double>{back, {0, 0, 0}} * link.X_JL;
    } else {
      link.X_JL.p = link.X_JL.p - joint.axis * reference;
    }
  }

  DofSpec read_dof(const MjcfElement& element, bool angular) {
    DofSpec dof;
    const auto unit = [&](double x) { return angular ? angle(x) : x; };
    if (element.limited("limited", "range", compiler_.auto_limits)) {
      if (const auto range = element.numbers("range", 2)) dof.lower = unit((*range)[0]), dof.upper = unit((*range)[1]);
    }
    if (element.limited("actuatorfrclimited", "actuatorfrcrange", compiler_.auto_limits)) {
      if (const auto range = element.numbers("actuatorfrcrange", 2)) {
        dof.effort_lower = (*range)[0], dof.effort_upper = (*range)[1];
      }
    }
    dof.viscous = element.number("damping", 0);
    dof.coulomb = element.number("frictionloss", 0);
    dof.rotor_inertia = element.number("armature", 0);
    dof.stiffness = element.number("stiffness", 0);
    dof.rest = dof.stiffness != 0 ? unit(element.number("springref", 0)) : 0;
    return dof;
  }

  // --- Masses ---------------------------------------------------------------------------------------------------

  void read_mass(const MjcfBody& body, const MjcfElement& element, LinkSpec& link) {
    const bool from_geoms = compiler_.from_geoms == "true" || (compiler_.from_geoms == "auto" && !body.inertial);
    if (from_geoms) {
      add_geom_masses(body, element, link);
    } else if (body.inertial) {
      read_inertial(*body.inertial, link);
    }
    link.mass = std::max(link.mass, compiler_.bound_mass);
    for (double* moment : {&link.inertia.xx, &link.inertia.yy, &link.inertia.zz}) {
      *moment = std::max(*moment, compiler_.bound_inertia);
    }
    link.has_inertial = link.mass > 0;
  }

  void read_inertial(const MjcfElement& inertial, LinkSpec& link) {
    link.mass = inertial.number("mass", 0);
    if (!inertial.has("mass")) inertial.error("mass is missing");
    link.com = inertial.vector("pos", {0, 0, 0});
    if (const auto full = inertial.numbers("fullinertia", 6)) {
      const std::vector<double>& i = *full;
      link.inertia = {i[0], i[3], i[4], i[1], i[5], i[2]};
    } else if (const auto diagonal = inertial.numbers("diaginertia", 3)) {
      std::vector<double> d = *diagonal;
      const bool impossible = d[0] + d[1] < d[2] || d[1] + d[2] < d[0] || d[0] + d[2] < d[1];
      if (compiler_.balance && impossible) d.assign(3, (d[0] + d[1] + d[2]) / 3);
      link.inertia = rotate(read_orientation(inertial), Sym3<double>{d[0], 0, 0, d[1], 0, d[2]});
    }
  }

  void add_geom_masses(const MjcfBody& body, const MjcfElement& element, LinkSpec& link) {
    RigidInertia<double> sum = RigidInertia<double>::zero();
    for (const auto& [geom, X_BF] : body.geoms) {
      const MjcfGeom shape = read_mjcf_geom(geom, X_BF, read_pose(geom));
      if (shape.mass == 0.0) continue;
      if (const auto inertia = inertia_of(shape)) {
        sum += *inertia;
      } else if (shape.type != "plane" && shape.type != "hfield") {
        leftovers_.not_understood("inertia from a " + shape.type, element.line());
      }
    }
    if (sum.mass <= 0) return;
    link.mass = sum.mass;
    link.com = sum.mc * (1 / sum.mass);
    link.inertia = sum.I + steiner(sum.mc * -1.0, link.com);
  }

  void scale_to_total_mass() {
    if (compiler_.total_mass <= 0) return;
    double all = 0;
    for (const LinkSpec& link : spec_.links) all += link.mass;
    if (all == 0) return;
    const double factor = compiler_.total_mass / all;
    for (LinkSpec& link : spec_.links) {
      link.mass *= factor;
      Sym3<double>& i = link.inertia;
      i = {i.xx * factor, i.xy * factor, i.xz * factor, i.yy * factor, i.yz * factor, i.zz * factor};
    }
  }

  // --- Beyond the tree ------------------------------------------------------------------------------------------

  void add_sites(const MjcfBody& body, const std::string& link) {
    for (const auto& [site, X_BF] : body.sites) {
      const char* name = site.xml().Attribute("name");
      if (!name) continue;
      FrameSpec frame;
      const auto taken = [&](const LinkSpec& other) { return other.name == name; };
      frame.name = std::any_of(spec_.links.begin(), spec_.links.end(), taken) ? std::string(name) + "_site" : name;
      frame.link = link;
      frame.X_LF = X_BF * read_pose(site);
      frame.line = site.line();
      spec_.frames.push_back(frame);
    }
  }

  JointSpec* find_joint(const std::string& name) {
    for (LinkSpec& link : spec_.links) {
      if (link.joint.name == name) return &link.joint;
    }
    return nullptr;
  }

  void read_equalities(const MjcfElement& section) {
    for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
      const MjcfElement element(xml, file, defaults_, kMain);
      if (element.word("active", "true") == "false") return;
      if (element.tag() == "joint") {
        read_coupling(element);
      } else if ((element.tag() == "connect" || element.tag() == "weld") && element.has("body1")) {
        read_loop(element);
      } else {
        leftovers_.not_understood("<" + element.tag() + "> in <equality>", element.line());
      }
    });
  }

  /// Two bodies that share a point or do not move against each other. What they share is told in the pose of the file.
  void read_loop(const MjcfElement& element) {
    const char* name = element.xml().Attribute("name");
    LoopSpec loop;
    loop.name = name ? name : element.tag() + " " + std::to_string(spec_.loops.size() + 1);
    loop.type = element.tag() == "connect" ? LoopType::spherical : LoopType::rigid;
    loop.a.link = element.word("body1", kWorld), loop.b.link = element.word("body2", kWorld);
    loop.line = element.line();
    for (const std::string& body : {loop.a.link, loop.b.link}) {
      if (body != kWorld && !poses_.count(body)) return element.error("there is no body " + in_quotes(body));
    }
    loop.a.X_LF = {Mat3<double>::identity(), element.vector("anchor", {0, 0, 0})};
    loop.b.X_LF = inverse(poses_[loop.b.link]) * (poses_[loop.a.link] * loop.a.X_LF);
    const auto relative = element.numbers("relpose", 7);
    const bool given = relative && (*relative)[3] * (*relative)[3] + (*relative)[4] * (*relative)[4] +
                                           (*relative)[5] * (*relative)[5] + (*relative)[6] * (*relative)[6] >
                                       0;
    if (given) return leftovers_.not_understood("relpose of <weld>", element.line());
    spec_.loops.push_back(loop);
  }

  /// q₁ − ref₁ = c₀ + c₁ (q₂ − ref₂)
  void read_coupling(const MjcfElement& element) {
    const std::string follower = element.word("joint1", ""), leader = element.word("joint2", "");
    JointSpec* const joint = find_joint(follower);
    if (!joint) return element.error("joint1: there is no joint " + in_quotes(follower));
    std::vector<double> c = element.numbers("polycoef", 1).value_or(std::vector<double>{0, 1});
    c.resize(5, 0.0);
    if (leader.empty() || c[2] != 0 || c[3] != 0 || c[4] != 0) {
      return leftovers_.not_understood("an equality of joints that is not linear", element.line());
    }
    if (!find_joint(leader)) return element.error("joint2: there is no joint " + in_quotes(leader));
    joint->mimic = MimicSpec{leader, c[1], references_[follower] + c[0] - c[1] * references_[leader]};
  }

  void read_tendons(const MjcfElement& section) {
    for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile&) {
      leftovers_.not_understood("<" + std::string(xml.Name()) + "> in <tendon>", xml.GetLineNum());
      const char* name = xml.Attribute("name");
      for (auto* joint = xml.FirstChildElement("joint"); joint && name; joint = joint->NextSiblingElement("joint")) {
        if (const char* of = joint->Attribute("joint")) tendon_joints_[name].push_back(of);
      }
    });
  }

  /// Joints without an actuator are passive, unless the file has none at all.
  void read_actuators() {
    std::set<std::string> driven;
    bool any = false;
    for (const MjcfElement& section : sections_) {
      if (section.tag() != "actuator") continue;
      for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
        any = true;
        const MjcfElement element(xml, file, defaults_, kMain);
        const std::string joint = element.word("joint", element.word("jointinparent", ""));
        for (const std::string& pulled : tendon_joints_[element.word("tendon", "")]) driven.insert(pulled);
        if (joint.empty()) return;
        driven.insert(joint);
        if (JointSpec* const spec = find_joint(joint)) {
          limit_effort(element, *spec);
        } else {
          element.error("joint: there is no joint " + in_quotes(joint));
        }
      });
    }
    if (!any) return;
    for (LinkSpec& link : spec_.links) link.joint.actuated = driven.count(link.joint.name) > 0;
  }

  void limit_effort(const MjcfElement& element, JointSpec& joint) {
    constexpr const char* kGeneral = "general";  // whose defaults all actuators share
    std::optional<std::vector<double>> range;
    if (element.limited("forcelimited", "forcerange", compiler_.auto_limits, kGeneral)) {
      range = element.numbers("forcerange", 2, kGeneral);
    } else if (element.tag() == "motor" && element.limited("ctrllimited", "ctrlrange", compiler_.auto_limits)) {
      range = element.numbers("ctrlrange", 2);
    }
    if (!range || joint.dofs.size() != 1) return;
    const auto gears = element.numbers("gear", 1, kGeneral);
    const double gear = gears ? gears->front() : 1;
    const double low = std::min((*range)[0] * gear, (*range)[1] * gear);
    const double high = std::max((*range)[0] * gear, (*range)[1] * gear);
    DofSpec& dof = joint.dofs[0];
    dof.effort_lower = std::max(dof.effort_lower, low), dof.effort_upper = std::min(dof.effort_upper, high);
  }

  ModelSpec& spec_;
  Diagnostics& diagnostics_;
  XmlLeftovers leftovers_;
  std::vector<std::unique_ptr<MjcfFile>> files_;  // the first includes the others
  std::vector<MjcfElement> sections_;
  MjcfDefaults defaults_;
  MjcfCompiler compiler_;
  std::map<std::string, std::string> meshes_;
  std::map<std::string, double> references_;        // of joints
  std::map<std::string, Transform<double>> poses_;  // of bodies in the world, in the pose of the file
  std::map<std::string, std::vector<std::string>> tendon_joints_;
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
  MjcfModel(spec, diagnostics).read(std::move(first));
  return spec;
}

}  // namespace verne
