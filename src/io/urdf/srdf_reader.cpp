#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "io/named_state.h"
#include "io/number.h"
#include "io/xml/document.h"

namespace verne {

namespace {

std::string word(const tinyxml2::XMLElement& element, const char* attribute) {
  const char* const text = element.Attribute(attribute);
  return text ? text : "";
}

template <class F>
void for_each(const tinyxml2::XMLElement& parent, const char* tag, F&& visit) {
  for (auto* child = parent.FirstChildElement(tag); child; child = child->NextSiblingElement(tag)) visit(*child);
}

class SrdfReader {
 public:
  SrdfReader(const Model& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {
    for (const Link& link : model.links()) links_.push_back(link.name);
    for (const Joint& joint : model.joints()) joints_.push_back(joint.spec.name);
  }

  Srdf read(const tinyxml2::XMLElement& robot) {
    Srdf found;
    for_each(robot, "virtual_joint",
             [&](const tinyxml2::XMLElement& joint) { virtual_.push_back(word(joint, "name")); });
    for_each(robot, "group_state",
             [&](const tinyxml2::XMLElement& state) { found.states.push_back(read_state(state)); });
    for_each(robot, "disable_collisions", [&](const tinyxml2::XMLElement& pair) {
      for (const char* const end : {"link1", "link2"}) check(pair, "link", word(pair, end), links_);
      found.contacts.allowed.emplace_back(word(pair, "link1"), word(pair, "link2"));
    });
    report(robot);
    return found;
  }

 private:
  NamedState read_state(const tinyxml2::XMLElement& element) {
    NamedState state{word(element, "name"), {}, element.GetLineNum()};
    if (state.name.empty()) diagnostics_.error(state.line, "<group_state> has no name");
    for_each(element, "joint", [&](const tinyxml2::XMLElement& joint) {
      const std::string name = word(joint, "name");
      if (std::ranges::find(virtual_, name) != virtual_.end()) return;  // to the world, of which the model knows more
      if (!check(joint, "joint", name, joints_)) return;
      const Joint& found = model_.joints()[static_cast<std::size_t>(model_.joint(name))];
      if (auto q = read_positions(joint, name, found.nq); found.nq > 0) {
        state.joints.push_back({name, std::move(q), joint.GetLineNum()});
      }
    });
    return state;
  }

  std::vector<double> read_positions(const tinyxml2::XMLElement& element, const std::string& joint, int count) {
    std::vector<double> q;
    std::istringstream words(word(element, "value"));
    bool numbers = true;
    for (std::string one; words >> one;) {
      const auto value = parse_number(one);
      numbers = numbers && value && std::isfinite(*value);
      q.push_back(value.value_or(0));
    }
    if (count > 0 && (!numbers || q.size() != static_cast<std::size_t>(count))) {
      diagnostics_.error(element.GetLineNum(), "joint " + in_quotes(joint) + ": value: expected " +
                                                   std::to_string(count) + (count == 1 ? " number" : " numbers") +
                                                   ", found " + in_quotes(word(element, "value")));
    }
    return q;
  }

  bool check(const tinyxml2::XMLElement& element, const char* kind, const std::string& name,
             const std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return ++known_, true;
    unknown_.push_back({"", element.GetLineNum(),
                        std::string("the model has no ") + kind + " " + in_quotes(name) + suggestion(name, names)});
    return false;
  }

  /// That nothing is known says more than each name.
  void report(const tinyxml2::XMLElement& robot) {
    if (known_ == 0 && !unknown_.empty()) {
      return diagnostics_.error(robot.GetLineNum(), "is the SRDF of another robot, " + in_quotes(word(robot, "name")) +
                                                        ": the model has none of its links and joints");
    }
    for (const Diagnostic& problem : unknown_) diagnostics_.error(problem.line, problem.text);
  }

  const Model& model_;
  Diagnostics& diagnostics_;
  std::vector<std::string> links_, joints_, virtual_;
  int known_ = 0;
  std::vector<Diagnostic> unknown_;
};

}  // namespace

Srdf read_srdf(const std::string& text, const std::string& file, const Model& model) {
  Diagnostics diagnostics(file);
  Srdf found;
  tinyxml2::XMLDocument document;
  if (parse_xml(text, diagnostics, document)) {
    const tinyxml2::XMLElement& root = *document.RootElement();
    if (std::strcmp(root.Name(), "robot") != 0) {
      diagnostics.error(root.GetLineNum(), "not SRDF: expected <robot>, found " + in_quotes(root.Name()));
    } else if (root.FirstChildElement("link") || root.FirstChildElement("joint")) {
      diagnostics.error(root.GetLineNum(), "this is URDF, not SRDF: it has links and joints");
    } else {
      found = SrdfReader(model, diagnostics).read(root);
    }
  }
  diagnostics.throw_if_errors();
  return found;
}

const NamedState& find_state(const std::vector<NamedState>& states, const std::string& name, const std::string& what) {
  std::vector<std::string> names;
  for (const NamedState& state : states) {
    if (state.name == name) return state;
    names.push_back(state.name);
  }
  throw InputError(what + ": there is no state " + in_quotes(name) +
                   (names.empty() ? ": neither the model nor an SRDF names any" : suggestion(name, names)));
}

void put_state(const NamedState& state, const Model& model, Eigen::Ref<Eigen::VectorXd> q) {
  for (const HomeSpec& joint : state.joints) {
    const Joint& found = model.joints()[static_cast<std::size_t>(model.joint(joint.joint))];
    std::copy(joint.q.begin(), joint.q.end(), q.data() + found.q);
  }
}

}  // namespace verne
