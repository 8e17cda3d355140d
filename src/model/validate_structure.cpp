#include <string>
#include <unordered_map>
#include <vector>

#include "model/names_text.h"
#include "model/subject.h"
#include "model/validate.h"

namespace verne {

namespace {

// Keeps sums of counts over pairs of velocities within an int, with room to spare.
constexpr int kMaxVelocities = 30000;

/// Names of one kind of thing, or of several that share a namespace.
class Names {
 public:
  explicit Names(Findings& findings) : findings_(&findings) {}

  void add(const std::string& kind, const std::string& name, int line) {
    if (name.empty()) {
      findings_->error(line, "a " + kind + " has an empty name");
      return;
    }
    const auto [first, fresh] = first_.try_emplace(name, Entry{kind, line});
    if (fresh) {
      names_.push_back(name);
      return;
    }
    const Entry& entry = first->second;
    Subject(*findings_, kind, name, line)
        .error("the name is taken already by a " + entry.kind +
               (entry.line > 0 ? " (line " + std::to_string(entry.line) + ")" : ""));
  }

  bool has(const std::string& name) const { return first_.count(name) != 0; }
  const std::vector<std::string>& all() const { return names_; }

 private:
  struct Entry {
    std::string kind;
    int line;
  };
  Findings* findings_;
  std::unordered_map<std::string, Entry> first_;
  std::vector<std::string> names_;
};

void require_link(const Names& links, const Subject& subject, const std::string& key, const std::string& link) {
  if (!links.has(link)) subject.error(key + " '" + link + "' does not exist" + suggestion(link, links.all()));
}

void check_root(const ModelSpec& spec, Findings& findings) {
  const LinkSpec* root = nullptr;
  for (const LinkSpec& link : spec.links) {
    if (!link.parent.empty()) continue;
    if (root) {
      Subject(findings, "link", link.name, link.line)
          .error("has no parent, but neither has '" + root->name + "': there can be one root only");
    } else {
      root = &link;
    }
  }
  if (!root)
    findings.error(0, spec.links.empty() ? "the model has no links" : "no link is the root: all have a parent");
}

/// "'a' <- 'b' <- 'a'", going up from `start` until it comes back.
std::string cycle_text(const ModelSpec& spec, const std::vector<int>& parent, int start) {
  std::vector<std::string> names{spec.links[start].name};
  for (int i = parent[start]; i != start; i = parent[i]) names.push_back(spec.links[i].name);
  return first_few(names);
}

/// Goes up from each link until it meets the root or a link seen before; a link seen on the same way closes a cycle.
void check_cycles(const ModelSpec& spec, Findings& findings) {
  const int count = static_cast<int>(spec.links.size());
  std::unordered_map<std::string, int> index;
  for (int i = 0; i < count; ++i) index.try_emplace(spec.links[i].name, i);
  std::vector<int> parent(count, -1);
  for (int i = 0; i < count; ++i) {
    const auto found = index.find(spec.links[i].parent);
    if (!spec.links[i].parent.empty() && found != index.end()) parent[i] = found->second;
  }
  std::vector<int> seen_from(count, -1);
  for (int start = 0; start < count; ++start) {
    int i = start;
    while (i >= 0 && seen_from[i] < 0) {
      seen_from[i] = start;
      i = parent[i];
    }
    if (i >= 0 && seen_from[i] == start) {
      Subject(findings, "link", spec.links[i].name, spec.links[i].line)
          .error("hangs on itself: its parents form the cycle " + cycle_text(spec, parent, i));
    }
  }
}

}  // namespace

void check_structure(const ModelSpec& spec, Findings& findings) {
  Names links(findings), joints(findings), contacts(findings);
  int velocities = 0;
  for (const LinkSpec& link : spec.links) {
    links.add("link", link.name, link.line);
    joints.add("joint", link.joint.name, joint_line(link));
    velocities += velocity_count(link.joint.type);
  }
  for (const LinkSpec& link : spec.links) {
    if (link.parent.empty()) continue;
    require_link(links, Subject(findings, "link", link.name, link.line), "parent", link.parent);
  }
  Names sites = links;  // links and frames are asked for by the same keyword
  for (const FrameSpec& frame : spec.frames) {
    sites.add("frame", frame.name, frame.line);
    require_link(links, Subject(findings, "frame", frame.name, frame.line), "link", frame.link);
  }
  for (const ContactSpec& contact : spec.contacts) {
    contacts.add("contact", contact.name, contact.line);
    require_link(links, Subject(findings, "contact", contact.name, contact.line), "link", contact.link);
  }
  for (const LoopSpec& loop : spec.loops) contacts.add("loop", loop.name, loop.line);  // wrenches are asked for by name
  if (velocities > kMaxVelocities) {
    findings.error(0, "the model has " + std::to_string(velocities) + " degrees of freedom, more than " +
                          std::to_string(kMaxVelocities));
  }
  check_root(spec, findings);
  check_cycles(spec, findings);
}

}  // namespace verne
