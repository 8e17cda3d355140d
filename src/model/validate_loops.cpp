#include <algorithm>
#include <unordered_map>

#include "model/subject.h"
#include "model/validate.h"

namespace verne {

namespace {

/// Links and joints by name; what is wrong with those is said elsewhere.
class LoopCheck {
 public:
  LoopCheck(const ModelSpec& spec, Findings& findings) : spec_(spec), findings_(findings) {
    for (const LinkSpec& link : spec.links) {
      links_.try_emplace(link.name, &link);
      joints_.try_emplace(link.joint.name, &link.joint);
      link_names_.push_back(link.name);
      joint_names_.push_back(link.joint.name);
    }
  }

  void check_loop(const LoopSpec& loop) const {
    const Subject subject(findings_, "loop", loop.name, loop.line);
    if (joints_.contains(loop.name)) subject.error("a joint of the tree has this name, too");
    const bool a_exists = check_end(subject, "a", loop.a), b_exists = check_end(subject, "b", loop.b);
    if (a_exists && b_exists && body_of(loop.a.link) == body_of(loop.b.link)) {
      subject.error("both ends are on one body: '" + loop.a.link + "' cannot move against '" + loop.b.link + "'");
    }
  }

  void check_home(const HomeSpec& home) const {
    const Subject subject(findings_, "home: joint", home.joint, home.line);
    const JointSpec* joint = moving_joint(subject, home.joint);
    if (!joint) return;
    const auto count = static_cast<std::size_t>(position_count(joint->type));
    if (home.q.size() != count) {
      subject.error("expected " + std::to_string(count) + (count == 1 ? " number" : " numbers") + ", found " +
                    std::to_string(home.q.size()));
    }
    for (const double q : home.q) subject.require_finite("position", {q});
  }

  void check_independent(const std::string& name) const {
    const Subject subject(findings_, "independent: joint", name, spec_.independent_line);
    moving_joint(subject, name);
    if (std::count(spec_.independent.begin(), spec_.independent.end(), name) > 1) subject.error("is listed twice");
  }

 private:
  bool check_end(const Subject& subject, const std::string& key, const LoopEnd& end) const {
    subject.require_pose(key + ": pose", end.X_LF);
    if (end.link == "world" || links_.contains(end.link)) return true;
    subject.error(key + ": link '" + end.link + "' does not exist" + suggestion(end.link, link_names_));
    return false;
  }

  /// The link that a fixed joint carries belongs to its parent's body; null is the world. The count bounds the way up
  /// in a cycle, which is reported elsewhere.
  const LinkSpec* body_of(const std::string& name) const {
    const auto found = links_.find(name);
    const LinkSpec* link = found == links_.end() ? nullptr : found->second;
    for (std::size_t k = 0; link && link->joint.type == JointType::fixed && k < spec_.links.size(); ++k) {
      const auto parent = links_.find(link->parent);
      link = parent == links_.end() ? nullptr : parent->second;
    }
    return link;
  }

  const JointSpec* moving_joint(const Subject& subject, const std::string& name) const {
    const auto found = joints_.find(name);
    if (found == joints_.end()) {
      subject.error("does not exist" + suggestion(name, joint_names_));
      return nullptr;
    }
    const JointSpec& joint = *found->second;
    if (joint.type != JointType::fixed && !joint.mimic) return &joint;
    subject.error(joint.mimic ? "follows another joint and has no coordinate of its own" : "does not move");
    return nullptr;
  }

  const ModelSpec& spec_;
  Findings& findings_;
  std::unordered_map<std::string, const LinkSpec*> links_;
  std::unordered_map<std::string, const JointSpec*> joints_;
  std::vector<std::string> link_names_, joint_names_;
};

}  // namespace

void check_loops(const ModelSpec& spec, Findings& findings) {
  const LoopCheck check(spec, findings);
  for (const LoopSpec& loop : spec.loops) check.check_loop(loop);
  for (const HomeSpec& home : spec.home) check.check_home(home);
  for (const std::string& joint : spec.independent) check.check_independent(joint);
  if (!spec.loops.empty()) return;
  if (!spec.home.empty() && spec.contacts.empty()) {
    findings.error(spec.home[0].line, "home: the model has no loops to close and no contacts to hold");
  }
  if (!spec.independent.empty()) findings.error(spec.independent_line, "independent: the model has no loops");
}

}  // namespace verne
