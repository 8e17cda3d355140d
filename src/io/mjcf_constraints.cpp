#include <algorithm>
#include <map>
#include <set>

#include "io/mjcf_contents.h"
#include "io/number.h"
#include "io/unlimited.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

class MjcfConstraints {
 public:
  explicit MjcfConstraints(MjcfContents& contents) : m_(contents), spec_(contents.spec) {}

  void read() {
    for (const MjcfElement& section : m_.sections) {
      if (section.tag() == "equality") read_equalities(section);
      if (section.tag() == "tendon") read_tendons(section);
    }
    read_actuators();
    for (const MjcfElement& section : m_.sections) {
      if (section.tag() == "keyframe") read_home(section);
    }
    if (spec_.loops.empty()) spec_.home.clear();  // which is for closing them
  }

 private:
  JointSpec* find_joint(const std::string& name) {
    for (LinkSpec& link : spec_.links) {
      if (link.joint.name == name) return &link.joint;
    }
    return nullptr;
  }

  void read_equalities(const MjcfElement& section) {
    m_.files.for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
      const MjcfElement element(xml, file, m_.defaults, kMjcfMain);
      if (element.word("active", "true") == "false") return;
      if (element.tag() == "joint") {
        read_coupling(element);
      } else if (element.tag() == "connect" || element.tag() == "weld") {
        read_loop(element);
      } else {
        m_.leftovers.not_understood("<" + element.tag() + "> in <equality>", element.line());
      }
    });
  }

  /// Two bodies that share a point or do not move against each other.
  void read_loop(const MjcfElement& element) {
    const char* name = element.xml().Attribute("name");
    LoopSpec loop;
    loop.name = name ? name : element.tag() + " " + std::to_string(spec_.loops.size() + 1);
    loop.type = element.tag() == "connect" ? LoopType::spherical : LoopType::rigid;
    loop.line = element.line();
    const bool sound =
        element.has("site1") || element.has("site2") ? join_sites(element, loop) : join_bodies(element, loop);
    if (sound) spec_.loops.push_back(loop);
  }

  bool join_sites(const MjcfElement& element, LoopSpec& loop) {
    for (const bool first : {true, false}) {
      const char* key = first ? "site1" : "site2";
      const std::string site = element.word(key, "");
      const auto found = m_.sites.find(site);
      if (found == m_.sites.end()) {
        element.error(std::string(key) + ": there is no site " + in_quotes(site));
        return false;
      }
      (first ? loop.a : loop.b) = found->second;
    }
    return true;
  }

  /// What they share is told in the pose of the file, but for a `relpose`: where in the first body the anchor of a weld
  /// is, which is the second's.
  bool join_bodies(const MjcfElement& element, LoopSpec& loop) {
    loop.a.link = element.word("body1", kMjcfWorld), loop.b.link = element.word("body2", kMjcfWorld);
    if (!element.has("body1")) {
      element.error("body1 is missing");
      return false;
    }
    for (const std::string& body : {loop.a.link, loop.b.link}) {
      if (m_.poses.count(body)) continue;
      element.error("there is no body " + in_quotes(body));
      return false;
    }
    const Transform<double> anchor{Mat3<double>::identity(), element.vector("anchor", {0, 0, 0})};
    const Transform<double> X_ab = inverse(m_.poses[loop.a.link]) * m_.poses[loop.b.link];
    if (loop.type == LoopType::spherical) {
      loop.a.X_LF = anchor, loop.b.X_LF = inverse(X_ab) * anchor;
      return true;
    }
    const std::vector<double> r = element.numbers("relpose", 7).value_or(std::vector<double>(7, 0.0));
    const bool given = r[3] != 0 || r[4] != 0 || r[5] != 0 || r[6] != 0;
    loop.b.X_LF = anchor;
    loop.a.X_LF =
        given ? Transform<double>{rotation_from_quaternion(r[4], r[5], r[6], r[3]), {r[0], r[1], r[2]}} : X_ab * anchor;
    return true;
  }

  /// q₁ − ref₁ = c₀ + c₁ (q₂ − ref₂)
  void read_coupling(const MjcfElement& element) {
    const std::string follower = element.word("joint1", ""), leader = element.word("joint2", "");
    JointSpec* const joint = find_joint(follower);
    if (!joint) return element.error("joint1: there is no joint " + in_quotes(follower));
    std::vector<double> c = element.numbers("polycoef", 1).value_or(std::vector<double>{0, 1});
    c.resize(5, 0.0);
    if (leader.empty() || c[2] != 0 || c[3] != 0 || c[4] != 0) {
      return m_.leftovers.not_understood("an equality of joints that is not linear", element.line());
    }
    if (!find_joint(leader)) return element.error("joint2: there is no joint " + in_quotes(leader));
    joint->mimic = MimicSpec{leader, c[1], m_.references[follower] + c[0] - c[1] * m_.references[leader]};
  }

  void read_tendons(const MjcfElement& section) {
    m_.files.for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile&) {
      m_.leftovers.not_understood("<" + std::string(xml.Name()) + "> in <tendon>", xml.GetLineNum());
      const char* name = xml.Attribute("name");
      for (auto* joint = xml.FirstChildElement("joint"); joint && name; joint = joint->NextSiblingElement("joint")) {
        if (const char* of = joint->Attribute("joint")) tendon_joints_[name].push_back(of);
      }
    });
  }

  /// Joints without an actuator are passive, unless the file has no section for them at all.
  void read_actuators() {
    std::set<std::string> driven;
    bool any = false;
    for (const MjcfElement& section : m_.sections) {
      if (section.tag() != "actuator") continue;
      any = true;
      m_.files.for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
        const MjcfElement element(xml, file, m_.defaults, kMjcfMain);
        const std::string joint = element.word("joint", element.word("jointinparent", ""));
        for (const std::string& pulled : tendon_joints_[element.word("tendon", "")]) driven.insert(pulled);
        if (joint.empty()) {
          if (!element.has("tendon")) m_.leftovers.not_understood("an actuator without a joint", element.line());
          return;
        }
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
    if (element.limited("forcelimited", "forcerange", m_.compiler.auto_limits, kGeneral)) {
      range = element.numbers("forcerange", 2, kGeneral);
    } else if (element.tag() == "motor" && element.limited("ctrllimited", "ctrlrange", m_.compiler.auto_limits)) {
      range = element.numbers("ctrlrange", 2);
    }
    if (!range) return;
    std::vector<double> gears = element.numbers("gear", 1, kGeneral).value_or(std::vector<double>{1});
    gears.resize(joint.dofs.size(), 0.0);
    const auto acts = std::find_if(gears.begin(), gears.end(), [](double gear) { return gear != 0; });
    if (acts == gears.end() || std::any_of(acts + 1, gears.end(), [](double gear) { return gear != 0; })) return;
    DofSpec& dof = joint.dofs[static_cast<std::size_t>(acts - gears.begin())];
    const double low = std::min((*range)[0] * *acts, (*range)[1] * *acts);
    const double high = std::max((*range)[0] * *acts, (*range)[1] * *acts);
    dof.effort_lower = std::max(dof.effort_lower, limit_as_read(low));
    dof.effort_upper = std::min(dof.effort_upper, limit_as_read(high));
  }

  /// Where loops are closed: the key frame `home`, where there is one.
  void read_home(const MjcfElement& section) {
    m_.files.for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& file) {
      const MjcfElement key(xml, file, m_.defaults, kMjcfMain);
      if (key.word("name", "") != "home" || spec_.loops.empty() || !key.has("qpos")) return;
      std::size_t count = 0;
      for (const LinkSpec& link : spec_.links) count += static_cast<std::size_t>(position_count(link.joint.type));
      const auto qpos = key.numbers("qpos", count);
      if (!qpos) return;
      spec_.home.clear();
      auto at = qpos->begin();
      for (const LinkSpec& link : spec_.links) {
        const std::vector<double> q(at, at + position_count(link.joint.type));
        at += position_count(link.joint.type);
        if (!q.empty() && !link.joint.mimic) spec_.home.push_back({link.joint.name, our_position(link, q), key.line()});
      }
    });
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
  std::map<std::string, std::vector<std::string>> tendon_joints_;
};

}  // namespace

void read_mjcf_constraints(MjcfContents& contents) {
  MjcfConstraints(contents).read();
}

}  // namespace verne
