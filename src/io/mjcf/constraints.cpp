#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "io/mjcf/contents.h"
#include "io/mjcf/couplings.h"
#include "io/number.h"
#include "io/unlimited.h"
#include "io/xml/writer.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// What an element refers to: an attribute with the name of a thing of that kind.
struct MjcfReference {
  MjcfNamed kind;
  const char* key;
};

const char* mjcf_word(MjcfNamed kind) {
  return kind == MjcfNamed::body ? "body" : kind == MjcfNamed::joint ? "joint" : "site";
}

class MjcfConstraints {
 public:
  explicit MjcfConstraints(MjcfContents& contents) : m_(contents), spec_(contents.spec), couplings_(contents.spec) {}

  void read() {
    for (std::size_t i = 0; i < spec_.links.size(); ++i) {
      joints_[spec_.links[i].joint.name] = i, links_[spec_.links[i].name] = i;
      types_.push_back(spec_.links[i].joint.type);
    }
    in_each_model("tendon", "tendon", [&](const MjcfElement& tendon) { read_tendon(tendon); });
    read_actuators();
    if (m_.options.equalities()) {
      in_each_model("equality", kMjcfEquality, [&](const MjcfElement& equality) { read_equality(equality); });
    }
    couplings_.finish();
    drop_loops_within_bodies();
    name_loops_apart();
    read_states();
    if (!spec_.loops.empty()) read_home();
  }

 private:
  // --- Elements and their copies ----------------------------------------------------------------------------------

  template <class Visit>
  void in_each_model(const char* section, const char* kind, Visit&& visit) {
    m_.file().for_each_in(section, m_.file().base, kind, visit);
    for (MjcfInstance& instance : m_.attached) {
      instance.document->for_each_in(section, m_.scopes.emplace_back(MjcfScope{&instance, ""}), kind, visit);
    }
  }

  /// An element for each set of copies that it refers to: visit(element in their scope). What an attached model says
  /// of bodies that are left behind does not count.
  template <class Visit>
  void for_each_copy(const MjcfElement& element, std::initializer_list<MjcfReference> references, Visit&& visit) {
    std::optional<std::vector<std::string>> endings;
    for (const auto& [kind, key] : references) {
      const std::string name = element.word(key, "");
      if (name.empty() || (kind == MjcfNamed::body && name == kMjcfWorld)) continue;
      const auto& known = element.scope().instance->endings[kind];
      const auto found = known.find(name);
      if (found == known.end()) {
        if (!element.scope().instance->outer && !m_.incomplete) {
          element.error(std::string(key) + ": there is no " + mjcf_word(kind) + " " + in_quotes(name));
        }
        return;
      }
      if (!endings) endings = found->second;
      std::erase_if(*endings, [&](const std::string& e) { return std::ranges::count(found->second, e) == 0; });
    }
    for (const std::string& ending : endings.value_or(std::vector<std::string>{element.scope().ending})) {
      const MjcfScope& scope = m_.scopes.emplace_back(MjcfScope{element.scope().instance, ending});
      visit(element.in(scope));
    }
  }

  /// The name in the model of what an element in the scope of a copy refers to; "" where it does not.
  static std::string target(const MjcfElement& element, const char* key) {
    const std::string name = element.word(key, "");
    return name.empty() || name == kMjcfWorld ? name : element.scope().full(name);
  }

  // --- Equalities -------------------------------------------------------------------------------------------------

  void read_equality(const MjcfElement& element) {
    if (element.word("active", "true") == "false") return;
    const std::string tag = element.tag();
    const bool sites = element.has("site1") || element.has("site2");
    if (tag == "joint") {
      for_each_copy(element, {{MjcfNamed::joint, "joint1"}, {MjcfNamed::joint, "joint2"}},
                    [&](const MjcfElement& copy) { read_coupling(copy); });
    } else if ((tag == "connect" || tag == "weld") && sites) {
      for_each_copy(element, {{MjcfNamed::site, "site1"}, {MjcfNamed::site, "site2"}},
                    [&](const MjcfElement& copy) { read_loop(copy, true); });
    } else if (tag == "connect" || tag == "weld") {
      if (element.word("body1", "").empty()) return element.error("body1 is missing");
      for_each_copy(element, {{MjcfNamed::body, "body1"}, {MjcfNamed::body, "body2"}},
                    [&](const MjcfElement& copy) { read_loop(copy, false); });
    } else {
      const std::string name = element.name();
      m_.notes.not_modelled(element, "<" + tag + "> in <equality>", "constraint", name.empty() ? "unnamed" : name);
    }
  }

  /// Two bodies that share a point or do not move against each other.
  void read_loop(const MjcfElement& element, bool sites) {
    LoopSpec loop;
    loop.name = element.name();
    if (loop.name.empty()) loop.name = element.tag() + " " + std::to_string(spec_.loops.size() + 1);
    loop.type = element.tag() == "connect" ? LoopType::spherical : LoopType::rigid;
    loop.line = element.line();
    if (sites) {
      for (const char* key : {"site1", "site2"}) {
        if (element.word(key, "").empty()) return element.error(std::string(key) + " is missing");
      }
      loop.a = m_.sites[target(element, "site1")], loop.b = m_.sites[target(element, "site2")];
    } else {
      join_bodies(element, loop);
    }
    spec_.loops.push_back(loop);
  }

  /// What they share is told in the pose of the file, but for a `relpose`: where in the first body the anchor of a weld
  /// is, which is the second's.
  void join_bodies(const MjcfElement& element, LoopSpec& loop) {
    loop.a.link = target(element, "body1"), loop.b.link = target(element, "body2");
    if (loop.b.link.empty()) loop.b.link = kMjcfWorld;
    const Transform<double> anchor{Mat3<double>::identity(), element.vector("anchor", {0, 0, 0})};
    const Transform<double> X_ab = inverse(m_.poses[loop.a.link]) * m_.poses[loop.b.link];
    if (loop.type == LoopType::spherical) {
      loop.a.X_LF = anchor, loop.b.X_LF = inverse(X_ab) * anchor;
      return;
    }
    const std::vector<double> r = element.numbers("relpose", 7).value_or(std::vector<double>(7, 0.0));
    const bool given = r[3] != 0 || r[4] != 0 || r[5] != 0 || r[6] != 0;
    loop.b.X_LF = anchor;
    loop.a.X_LF =
        given ? Transform<double>{rotation_from_quaternion(r[4], r[5], r[6], r[3]), {r[0], r[1], r[2]}} : X_ab * anchor;
  }

  /// q₁ − ref₁ = c₀ + c₁ (q₂ − ref₂); without a second joint q₁ − ref₁ = c₀.
  void read_coupling(const MjcfElement& element) {
    const std::string first = target(element, "joint1"), second = target(element, "joint2");
    if (first.empty()) return element.error("joint1 is missing");
    const std::vector<double> c = element.first_numbers("polycoef", {0, 1, 0, 0, 0});
    const bool linear = c[2] == 0 && c[3] == 0 && c[4] == 0;
    for (const std::string& name : {first, second}) {
      if (!name.empty() && !m_.references.count(joints_[name])) {
        return m_.notes.not_modelled(element, "coupling of a joint that is neither hinge nor slide", "joint", name);
      }
    }
    if (!second.empty() && !linear) {
      return m_.notes.not_modelled(element, "coupling that is not linear", "joint", first);
    }
    const std::size_t one = joints_[first];
    const double at = m_.references[one] + c[0];
    const bool sound = second.empty()
                           ? couplings_.hold(one, at)
                           : couplings_.couple(one, joints_[second], at - c[1] * m_.references[joints_[second]], c[1]);
    if (!sound) m_.notes.not_modelled(element, "coupling that contradicts others", "joint", first);
  }

  /// Bodies that do not move against each other need not be held together.
  void drop_loops_within_bodies() {
    const auto body_of = [&](const std::string& name) {
      auto link = links_.find(name);
      // Names that are not unique, an error found later, may lead around.
      for (std::size_t k = 0; k < spec_.links.size(); ++k) {
        if (link == links_.end() || spec_.links[link->second].joint.type != JointType::fixed) break;
        link = links_.find(spec_.links[link->second].parent);
      }
      return link == links_.end() ? std::string() : link->first;
    };
    std::erase_if(spec_.loops, [&](const LoopSpec& loop) {
      const bool idle = body_of(loop.a.link) == body_of(loop.b.link);
      if (idle)
        m_.diagnostics.warning(loop.line,
                               "loop " + in_quotes(loop.name) + " joins what does not move, and is left out");
      return idle;
    });
  }

  void name_loops_apart() {
    std::set<std::string> taken;
    for (const LinkSpec& link : spec_.links) taken.insert(link.joint.name);
    for (const LoopSpec& loop : spec_.loops) taken.insert(loop.name);
    for (LoopSpec& loop : spec_.loops) {
      if (!joints_.count(loop.name)) continue;
      const std::string name = unique_name(loop.name + "_loop", taken);
      m_.diagnostics.warning(loop.line, "equality " + in_quotes(loop.name) + " is called " + in_quotes(name) +
                                            " here, as a joint has its name");
      loop.name = name;
    }
  }

  // --- Tendons and actuators --------------------------------------------------------------------------------------

  /// Tendons that neither pull nor hold by themselves matter to those who drive joints by them only.
  void read_tendon(const MjcfElement& tendon) {
    const auto acts = [&](bool on, const char* attribute) { return on && tendon.number(attribute, 0) != 0; };
    const MjcfOptions& o = m_.options;
    if (acts(o.springs(), "stiffness") || acts(o.dampers(), "damping") || acts(o.friction(), "frictionloss") ||
        acts(true, "armature") || (o.limits() && tendon.range("limited", "range"))) {
      const std::string name = tendon.name();
      m_.notes.not_modelled(tendon, "forces and limits of tendons", "tendon", name.empty() ? "unnamed" : name);
    }
    for (auto* joint = tendon.xml().FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
      const MjcfElement part(*joint, tendon.file(), tendon.scope(), kMjcfMain, "wrap");
      for_each_copy(part, {{MjcfNamed::joint, "joint"}}, [&](const MjcfElement& copy) {
        tendon_joints_[copy.scope().full(tendon.written_name())].push_back(target(copy, "joint"));
      });
    }
  }

  /// Joints without an actuator are passive, unless the file has no section for them at all.
  void read_actuators() {
    bool any = !m_.options.actuators() || m_.file().has("actuator");
    for (const MjcfInstance& instance : m_.attached) any = any || instance.document->has("actuator");
    if (!any) return;
    std::set<std::string> driven;
    if (m_.options.actuators()) {
      in_each_model("actuator", kMjcfActuator, [&](const MjcfElement& actuator) { read_actuator(actuator, driven); });
    }
    for (LinkSpec& link : spec_.links) link.joint.actuated = driven.count(link.joint.name) > 0;
  }

  void read_actuator(const MjcfElement& actuator, std::set<std::string>& driven) {
    const char* key = actuator.has("joint") ? "joint" : "jointinparent";
    if (actuator.has(key)) {
      for_each_copy(actuator, {{MjcfNamed::joint, key}}, [&](const MjcfElement& copy) {
        const std::string joint = target(copy, key);
        driven.insert(joint);
        limit_effort(copy, spec_.links[joints_[joint]].joint);
      });
    } else if (actuator.has("tendon")) {
      const std::string name = actuator.scope().instance->prefix + actuator.word("tendon", "");
      for (const auto& [tendon, joints] : tendon_joints_) {  // with the endings of its copies
        if (tendon.starts_with(name)) driven.insert(joints.begin(), joints.end());
      }
    } else {
      m_.notes.not_understood(actuator, "an actuator without a joint");
    }
  }

  void limit_effort(const MjcfElement& element, JointSpec& joint) {
    auto range = element.range("forcelimited", "forcerange");
    if (!range && element.tag() == "motor") range = element.range("ctrllimited", "ctrlrange");
    if (!range) return;
    std::vector<double> gears = element.first_numbers("gear", {1, 0, 0, 0, 0, 0});
    gears.resize(joint.dofs.size(), 0.0);
    const auto acts = std::find_if(gears.begin(), gears.end(), [](double gear) { return gear != 0; });
    if (acts == gears.end() || std::any_of(acts + 1, gears.end(), [](double gear) { return gear != 0; })) return;
    DofSpec& dof = joint.dofs[static_cast<std::size_t>(acts - gears.begin())];
    const double low = std::min((*range)[0] * *acts, (*range)[1] * *acts);
    const double high = std::max((*range)[0] * *acts, (*range)[1] * *acts);
    dof.effort_lower = std::max(dof.effort_lower, limit_as_read(low));
    dof.effort_upper = std::min(dof.effort_upper, limit_as_read(high));
  }

  // --- Where loops are closed: in the pose of the file, or in the key frame `home` ----------------------------------

  std::size_t numbers_of_key() const {
    std::size_t count = 0;
    for (const JointType type : types_) count += static_cast<std::size_t>(position_count(type));
    return count;
  }

  /// Key frames that have a name and all positions; others are of no use.
  void read_states() {
    m_.file().for_each_in("keyframe", m_.file().base, nullptr, [&](const MjcfElement& key) {
      if (key.own("name").empty() || !key.has("qpos") || m_.incomplete) return;
      std::istringstream text(key.own("qpos"));
      const std::vector<std::string> words(std::istream_iterator<std::string>(text), {});
      if (words.size() != numbers_of_key()) return;
      if (const auto qpos = key.numbers("qpos", words.size())) {
        m_.states.push_back({key.own("name"), positions_of(*qpos, key.line()), key.line()});
      }
    });
  }

  /// Positions of the joints that have some of their own.
  std::vector<HomeSpec> positions_of(const std::vector<double>& qpos, int line) const {
    std::vector<HomeSpec> positions;
    std::size_t at = 0;
    for (std::size_t i = 0; i < spec_.links.size(); ++i) {
      const LinkSpec& link = spec_.links[i];
      const auto size = static_cast<std::size_t>(position_count(types_[i]));
      if (size > 0 && !link.joint.mimic && link.joint.type != JointType::fixed && at + size <= qpos.size()) {
        const std::vector<double> q(qpos.begin() + std::ptrdiff_t(at), qpos.begin() + std::ptrdiff_t(at + size));
        positions.push_back({link.joint.name, our_position(link, q), line});
      }
      at += size;
    }
    return positions;
  }

  void read_home() {
    const std::size_t count = numbers_of_key();
    std::vector<double> qpos;
    int line = 0;
    m_.file().for_each_in("keyframe", m_.file().base, nullptr, [&](const MjcfElement& key) {
      if (key.own("name") != "home" || !key.has("qpos") || m_.incomplete) return;
      qpos = key.numbers("qpos", count).value_or(std::vector<double>{}), line = key.line();
    });
    if (!qpos.empty()) {
      spec_.home = positions_of(qpos, line);
      return;
    }
    for (const auto& [i, reference] : m_.references) {
      const LinkSpec& link = spec_.links[i];
      const bool own = position_count(types_[i]) > 0 && !link.joint.mimic && link.joint.type != JointType::fixed;
      if (own && reference != 0) spec_.home.push_back({link.joint.name, {reference}, link.joint.line});
    }
  }

  /// Quaternions are x y z w, and the pose of a free joint is told from where its body stands in the file.
  static std::vector<double> our_position(const LinkSpec& link, const std::vector<double>& q) {
    if (link.joint.type == JointType::spherical) return {q[1], q[2], q[3], q[0]};
    if (link.joint.type != JointType::free) return q;
    const Transform<double> X =
        inverse(link.X_PJ) * Transform<double>{rotation_from_quaternion(q[4], q[5], q[6], q[3]), {q[0], q[1], q[2]}};
    const auto turn = quaternion_of(X.R);
    return {X.p.x, X.p.y, X.p.z, turn[0], turn[1], turn[2], turn[3]};
  }

  MjcfContents& m_;
  ModelSpec& spec_;
  MjcfCouplings couplings_;
  std::map<std::string, std::size_t> joints_, links_;  // which link
  std::vector<JointType> types_;                       // of joints, before any is held
  std::map<std::string, std::vector<std::string>> tendon_joints_;
};

}  // namespace

void read_mjcf_constraints(MjcfContents& contents) {
  MjcfConstraints(contents).read();
}

}  // namespace verne
