#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "io/mjcf/body.h"
#include "io/mjcf/geom.h"
#include "io/number.h"
#include "io/xml/writer.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr int kMostCopies = 100000;      // of elements, in attached models too: more is a mistake, or an attack
constexpr int kMostNestedBodies = 1000;  // bodies in bodies

class MjcfTree {
 public:
  explicit MjcfTree(MjcfContents& contents) : m_(contents), spec_(contents.spec) {}

  void read() {
    MjcfBody world;
    m_.poses[kMjcfWorld] = Transform<double>::identity();
    gather_worlds(m_.file(), m_.file().base, Transform<double>::identity(), kMjcfMain, world);
    const auto named = [](const MjcfPart& site) { return !site.element.written_name().empty(); };
    const bool single = world.bodies.size() == 1 && std::ranges::none_of(world.sites, named);
    if (!single) {
      LinkSpec root;
      root.name = kMjcfWorld, root.joint.name = "world_joint";
      made_up_names_.insert(0);
      link_names_.insert(root.name);
      add_visuals(world, root);
      spec_.links.push_back(root);
    }
    add_sites(world, kMjcfWorld);
    for (const MjcfPart& body : world.bodies) read_body(body, single ? "" : kMjcfWorld, false);
    name_joints_apart();
    name_frames_apart();
  }

 private:
  // --- What stands where ------------------------------------------------------------------------------------------

  void gather_worlds(MjcfDocument& document, const MjcfScope& scope, const Transform<double>& X,
                     const std::string& child_class, MjcfBody& body) {
    for (const auto& [xml, file] : document.sections) {
      const MjcfElement section(*xml, *file, scope, kMjcfMain);
      if (section.tag() == "worldbody") gather_parts(section, X, child_class, body);
    }
  }

  /// What stands in a body or worldbody, through frames.
  void gather_parts(const MjcfElement& owner, const Transform<double>& X, const std::string& child_class,
                    MjcfBody& body) {
    MjcfDocument& document = *owner.scope().instance->document;
    document.files.for_each_child(owner.xml(), owner.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
      const MjcfElement child(xml, file, owner.scope(), child_class);
      const bool copy = !owner.scope().ending.empty() || owner.scope().instance->outer;
      if (copy && !count_copy(child)) return;
      const std::string tag = child.tag();
      require_class(child, "class");
      require_class(child, "childclass");
      const MjcfPart part{child, X, child_class};
      if (tag == "body") {
        body.bodies.push_back(part);
      } else if (tag == "frame") {
        gather_parts(child, X * child.compiler().pose(child), class_within(child, child_class), body);
      } else if (tag == "replicate") {
        gather_copies(part, body);
      } else if (tag == "attach") {
        gather_attached(part, body);
      } else if (tag == "joint" || tag == "freejoint") {
        body.joints.push_back(part);
      } else if (tag == "inertial") {
        body.inertial.emplace(child);
      } else if (tag == "geom") {
        body.geoms.push_back(part);
      } else if (tag == "site") {
        body.sites.push_back(part);
      } else if (tag == "composite" || tag == "flexcomp") {
        m_.incomplete = true;
        const std::string prefix = child.own("prefix");
        m_.notes.not_modelled(child, "bodies made by <" + tag + ">", "element", prefix.empty() ? child.name() : prefix);
      } else if (tag == "plugin") {
        m_.notes.not_modelled(child, "forces of a <plugin>", "plugin", child.own("plugin") + child.own("instance"));
      } else if (tag != "camera" && tag != "light") {
        m_.notes.not_understood(child, "<" + tag + "> in a body");
      }
    });
  }

  void require_class(const MjcfElement& element, const char* attribute) const {
    const std::string name = element.own(attribute);
    if (name.empty() || element.scope().instance->document->defaults.has(name)) return;
    element.error("there is no default class " + in_quotes(name));
  }

  static std::string class_within(const MjcfElement& element, const std::string& outer) {
    const std::string own = element.own("childclass");
    return own.empty() ? outer : own;
  }

  bool count_copy(const MjcfElement& element) {
    if (++copies_ <= kMostCopies) return true;
    if (copies_ == kMostCopies + 1)
      element.error("more than " + std::to_string(kMostCopies) + " elements in copies and attached models");
    return false;
  }

  /// Copy k stands where k steps lead from one to the next, turned by k times the angles; names end in k.
  void gather_copies(const MjcfPart& part, MjcfBody& body) {
    const MjcfElement& element = part.element;
    const double given = element.number("count", -1);
    const int count = given >= 0 && given <= kMostCopies ? static_cast<int>(given) : -1;
    if (count < 0) return element.error("count: expected a number of copies up to " + std::to_string(kMostCopies));
    const Vec3<double> offset = element.vector("offset", {0, 0, 0});
    const std::vector<double> angles = element.numbers("euler", 3).value_or(std::vector<double>(3, 0.0));
    const std::size_t digits = std::to_string(count).size();
    Vec3<double> place{0, 0, 0};
    for (int k = 0; k < count && count_copy(element) && !m_.have_errors(); ++k) {
      const Mat3<double> turn = element.compiler().euler_rotation({k * angles[0], k * angles[1], k * angles[2]});
      std::string number = std::to_string(k);
      number.insert(0, digits - number.size(), '0');
      const MjcfScope& outer = element.scope();
      const MjcfScope& scope =
          m_.scopes.emplace_back(MjcfScope{outer.instance, element.own("sep") + number + outer.ending});
      const MjcfElement copy(element.xml(), element.file(), scope, part.child_class);
      gather_parts(copy, part.X_BF * Transform<double>{turn, place}, class_within(copy, part.child_class), body);
      place = place + turn * offset;
    }
  }

  /// Another model's body with what it carries, or all of its world.
  void gather_attached(const MjcfPart& part, MjcfBody& body) {
    const MjcfElement& element = part.element;
    if (!count_copy(element) || m_.have_errors()) return;
    MjcfDocument* const document = find_model(element);
    if (!document) return;
    const MjcfScope& outer = element.scope();
    MjcfInstance& instance = m_.attached.emplace_back(
        MjcfInstance{document, outer.instance->prefix + element.own("prefix"), outer.instance});
    const MjcfScope& scope = m_.scopes.emplace_back(MjcfScope{&instance, outer.ending});
    const std::string name = element.own("body");
    if (name.empty()) {
      gather_worlds(*document, scope, part.X_BF, kMjcfMain, body);
    } else if (const auto found = find_body(*document, scope, name)) {
      body.bodies.push_back({found->element, part.X_BF, found->child_class});
    } else {
      element.error("body: there is no body " + in_quotes(name) + " in model " + in_quotes(element.own("model")));
    }
  }

  MjcfDocument* find_model(const MjcfElement& element) {
    const std::string name = element.own("model");
    MjcfDocument* const document = open_model(element, name);
    for (const MjcfInstance* in = element.scope().instance; in && document; in = in->outer) {
      if (in->document != document) continue;
      element.error("model: " + in_quotes(name) + " attaches itself");
      return nullptr;
    }
    return document;
  }

  /// By the name in <asset>, or that which a file gives to itself.
  MjcfDocument* open_model(const MjcfElement& element, const std::string& name) {
    const MjcfDocument& from = *element.scope().instance->document;
    const auto known = from.models.find(name);
    if (known != from.models.end()) return open_document(element, known->second);
    for (const std::string& file : from.unnamed_models) {
      MjcfDocument* const document = open_document(element, file);
      if (!document) return nullptr;
      const char* own = document->files.first().document.RootElement()->Attribute("model");
      if (own && name == own) return document;
    }
    element.error("model: there is no model " + in_quotes(name) + " in <asset>");
    return nullptr;
  }

  MjcfDocument* open_document(const MjcfElement& element, const std::string& file) {
    const std::filesystem::path folder = element.scope().instance->document->files.first().folder;
    const std::string path = (folder / file).lexically_normal().string();
    const auto known = std::ranges::find_if(m_.documents, [&](const auto& d) { return d->files.first().path == path; });
    if (known != m_.documents.end()) return known->get();
    auto opened =
        open_mjcf_file(path, std::filesystem::path(path).parent_path().string(), element.xml(), element.file());
    if (!opened) return nullptr;
    MjcfDocument& document = *m_.documents.emplace_back(std::make_unique<MjcfDocument>(std::move(opened)));
    document.read();
    return &document;
  }

  /// A body of a model anywhere in its tree; frames around it are left behind.
  std::optional<MjcfPart> find_body(MjcfDocument& document, const MjcfScope& scope, const std::string& name) {
    std::optional<MjcfPart> found;
    const std::function<void(const MjcfElement&, const std::string&)> search = [&](const MjcfElement& owner,
                                                                                   const std::string& child_class) {
      document.files.for_each_child(owner.xml(), owner.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
        const MjcfElement child(xml, file, scope, child_class);
        const bool body = child.tag() == "body";
        if (body && child.written_name() == name && !found) {
          found = MjcfPart{child, Transform<double>::identity(), child_class};
        }
        if (body || child.tag() == "frame") search(child, class_within(child, child_class));
      });
    };
    for (const auto& [xml, file] : document.sections) {
      const MjcfElement section(*xml, *file, scope, kMjcfMain);
      if (section.tag() == "worldbody") search(section, kMjcfMain);
    }
    return found;
  }

  // --- Links ------------------------------------------------------------------------------------------------------

  void read_body(const MjcfPart& part, const std::string& parent, bool parent_moves) {
    const MjcfElement& element = part.element;
    if (++depth_ > kMostNestedBodies) return element.error("bodies are nested too deeply");
    MjcfBody body;
    gather_parts(element, Transform<double>::identity(), class_within(element, part.child_class), body);
    const std::string given = element.name();
    const std::string name =
        given.empty() ? unique_name("body " + std::to_string(spec_.links.size() + 1), link_names_) : given;
    link_names_.insert(name);
    element.scope().declare(MjcfNamed::body, element.written_name());
    const Transform<double> own = element.compiler().pose(element), X_PB = part.X_BF * own;
    m_.poses[name] = parent.empty() ? X_PB : m_.poses[parent] * X_PB;
    const bool moves = parent_moves || !body.joints.empty();
    note_other_forces(element, name, moves);
    add_links(body, name, parent, X_PB, element.line());
    LinkSpec& link = spec_.links.back();
    link.com = own.p;  // where MuJoCo puts the least mass of a body without any
    read_mjcf_mass(m_, body, element, moves, link);
    add_visuals(body, link);
    add_sites(body, name);
    for (const MjcfPart& child : body.bodies) read_body(child, name, moves);
    --depth_;
  }

  void note_other_forces(const MjcfElement& element, const std::string& name, bool moves) {
    const bool held = element.number("gravcomp", 0) != 0 && m_.options.gravity() && m_.options.passive_forces();
    if (held && moves) m_.notes.not_modelled(element, "gravcomp", "link", name);
    if (element.own("mocap") == "true") m_.notes.not_understood(element, "mocap of a body, which stands still");
  }

  void add_visuals(const MjcfBody& body, LinkSpec& link) {
    for (const MjcfPart& part : body.geoms) {
      const MjcfDocument& document = *part.element.scope().instance->document;
      const auto mesh = document.meshes.find(part.element.word("mesh", ""));
      const auto material = document.colours.find(part.element.word("material", ""));
      MjcfGeom geom = read_mjcf_geom(part.element, part.X_BF);
      if (const auto pair = m_.in_pairs.find(part.element.name()); pair != m_.in_pairs.end()) {
        geom.contact_type |= pair->second, geom.contact_affinity |= pair->second;
      }
      auto shape =
          shape_of(geom, mesh == document.meshes.end() ? nullptr : &mesh->second, m_.file().files.first().folder);
      if (!shape) continue;
      if (!shape->colour && material != document.colours.end()) shape->colour = material->second;
      if (is_shown(geom)) link.visuals.push_back(*shape);
      if (!may_collide(geom)) continue;
      link.collisions.push_back(std::move(*shape));
      m_.contacts.masks[link.name].push_back({geom.contact_type, geom.contact_affinity});
    }
  }

  /// The body's link, last, and a massless one before it for each joint but the last.
  void add_links(const MjcfBody& body, const std::string& name, std::string parent, Transform<double> X, int line) {
    for (std::size_t k = 0; k < std::max<std::size_t>(body.joints.size(), 1); ++k) {
      const bool last = k + 1 >= body.joints.size();
      LinkSpec link;
      link.name = last ? name : unique_name(name + "/" + std::to_string(k + 1), link_names_);
      link.parent = parent;
      link.line = line;
      link.X_PJ = X;
      link.joint.name = body.joints.empty() ? "" : body.joints[k].element.name();
      if (link.joint.name.empty()) {
        link.joint.name = name + "_joint" + (k > 0 ? std::to_string(k + 1) : "");
        made_up_names_.insert(spec_.links.size());
      }
      if (!body.joints.empty()) {
        const MjcfElement& joint = body.joints[k].element;
        joint.scope().declare(MjcfNamed::joint, joint.written_name());
        read_mjcf_joint(m_, body.joints[k], link);
      }
      spec_.links.push_back(link);
      parent = link.name, X = Transform<double>::identity();
    }
  }

  void add_sites(const MjcfBody& body, const std::string& link) {
    for (const MjcfPart& part : body.sites) {
      FrameSpec frame;
      frame.name = part.element.name();
      if (frame.name.empty()) continue;
      part.element.scope().declare(MjcfNamed::site, part.element.written_name());
      const auto ends = read_mjcf_ends(part.element);
      frame.link = link;
      frame.X_LF = part.X_BF * (ends ? ends->X_FG : part.element.compiler().pose(part.element));
      frame.line = part.element.line();
      m_.sites[frame.name] = {link, frame.X_LF};
      spec_.frames.push_back(frame);
    }
  }

  // --- Names: those of the file come first; each kind of thing has its own there ------------------------------------

  void name_joints_apart() {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < spec_.links.size(); ++i) {
      if (!made_up_names_.count(i)) taken.insert(spec_.links[i].joint.name);
    }
    for (const std::size_t i : made_up_names_)
      spec_.links[i].joint.name = unique_name(spec_.links[i].joint.name, taken);
  }

  void name_frames_apart() {
    std::set<std::string> taken = link_names_;
    for (const FrameSpec& frame : spec_.frames) {
      if (!link_names_.count(frame.name)) taken.insert(frame.name);
    }
    for (FrameSpec& frame : spec_.frames) {
      if (!link_names_.count(frame.name)) continue;
      const std::string name = unique_name(frame.name + "_site", taken);
      m_.diagnostics.warning(frame.line, "site " + in_quotes(frame.name) + " is called " + in_quotes(name) +
                                             " here, as a body has its name");
      frame.name = name;
    }
  }

  MjcfContents& m_;
  ModelSpec& spec_;
  std::set<std::string> link_names_;
  std::set<std::size_t> made_up_names_;  // links whose joints the file does not name
  int copies_ = 0, depth_ = 0;
};

}  // namespace

void read_mjcf_bodies(MjcfContents& contents) {
  MjcfTree(contents).read();
}

}  // namespace verne
