#include "verne/model/model.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/held.h"
#include "model/advice.h"
#include "model/carried_inertia.h"
#include "model/contents.h"
#include "model/subject.h"
#include "model/tree_compiler.h"
#include "model/validate.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// Scales to length 1, leaving alone what is unit up to rounding so that a model read back keeps its digits.
void make_unit(Vec3<double>& axis) {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  const double length_squared = dot(axis, axis);
  if (length_squared < 1 - kRounding || length_squared > 1 + kRounding) axis = normalized(axis);
}

void make_axes_unit(ModelSpec& spec) {
  for (LinkSpec& link : spec.links) {
    const JointType type = link.joint.type;
    if (type == JointType::fixed || type == JointType::spherical || type == JointType::free) continue;
    make_unit(link.joint.axis);
    if (type == JointType::universal) make_unit(link.joint.axis2);
  }
}

/// A joint that follows a follower follows that one's leader: r (r' q + o') + o.
void follow_leaders(std::vector<LinkSpec>& links, Findings& findings) {
  std::unordered_map<std::string, const JointSpec*> followers;
  for (const LinkSpec& link : links) {
    if (link.joint.mimic) followers.emplace(link.joint.name, &link.joint);
  }
  for (LinkSpec& link : links) {
    if (!link.joint.mimic) continue;
    MimicSpec& mimic = *link.joint.mimic;
    for (auto next = followers.find(mimic.joint); next != followers.end(); next = followers.find(mimic.joint)) {
      const MimicSpec& further = *next->second->mimic;
      mimic = {further.joint, mimic.ratio * further.ratio, mimic.ratio * further.offset + mimic.offset};
    }
    Subject(findings, "joint", link.joint.name, joint_line(link))
        .require_finite("mimic: ratio and offset to '" + mimic.joint + "'", {mimic.ratio, mimic.offset});
  }
}

/// Parents before children, each subtree in one piece, children in the order in which they were given.
void sort_depth_first(std::vector<LinkSpec>& links) {
  std::unordered_map<std::string, std::vector<std::size_t>> children;
  for (std::size_t i = 0; i < links.size(); ++i) children[links[i].parent].push_back(i);
  std::vector<LinkSpec> sorted;
  sorted.reserve(links.size());
  std::vector<std::size_t> waiting = children[""];
  while (!waiting.empty()) {
    const std::size_t next = waiting.back();
    waiting.pop_back();
    const std::vector<std::size_t>& below = children[links[next].name];
    waiting.insert(waiting.end(), below.rbegin(), below.rend());
    sorted.push_back(std::move(links[next]));
  }
  links = std::move(sorted);
}

template <class Range, class NameOf>
int find_name(const Range& range, const std::string& name, const char* kind, const NameOf& name_of) {
  std::vector<std::string> names;
  for (const auto& entry : range) {
    if (name_of(entry) == name) return static_cast<int>(names.size());
    names.push_back(name_of(entry));
  }
  throw InputError(std::string("there is no ") + kind + " '" + name + "'" + suggestion(name, names));
}

}  // namespace

const std::string& Model::name() const {
  return held(contents_, "Model").spec.name;
}
int Model::nq() const {
  return held(contents_, "Model").tree.model_nq;
}
int Model::nv() const {
  return held(contents_, "Model").tree.model_nv;
}
std::span<const Joint> Model::joints() const {
  return held(contents_, "Model").joints;
}
std::span<const Link> Model::links() const {
  return held(contents_, "Model").links;
}
std::span<const FrameSpec> Model::frames() const {
  return held(contents_, "Model").spec.frames;
}
std::span<const ContactSpec> Model::contacts() const {
  return held(contents_, "Model").spec.contacts;
}
std::span<const LoopSpec> Model::loops() const {
  return held(contents_, "Model").spec.loops;
}
const Vec3<double>& Model::gravity() const {
  return held(contents_, "Model").spec.gravity;
}
double Model::mass() const {
  return held(contents_, "Model").mass;
}
double Model::moving_mass() const {
  return held(contents_, "Model").moving_mass;
}
bool Model::coupled() const {
  return held(contents_, "Model").tree.coupled != 0;
}
std::span<const DofSpec> Model::dofs() const {
  return held(contents_, "Model").dofs;
}
std::span<const std::string> Model::dof_names() const {
  return held(contents_, "Model").dof_names;
}
std::span<const PlausibilityWarning> Model::plausibility_warnings() const {
  return held(contents_, "Model").plausibility_warnings;
}
std::span<const int> Model::joints_without_inertia() const {
  return held(contents_, "Model").joints_without_inertia;
}
int Model::site_count() const {
  return held(contents_, "Model").tree.site_count;
}
const ModelSpec& Model::spec() const {
  return held(contents_, "Model").spec;
}
const Tree& Model::tree() const {
  return held(contents_, "Model").tree;
}

int Model::joint(const std::string& name) const {
  return find_name(joints(), name, "joint", [](const Joint& joint) -> const std::string& { return joint.spec.name; });
}

int Model::link(const std::string& name) const {
  return find_name(links(), name, "link", [](const Link& link) -> const std::string& { return link.name; });
}

int Model::site(const std::string& name) const {
  std::vector<int> sites(static_cast<std::size_t>(site_count()));
  for (int i = 0; i < site_count(); ++i) sites[i] = i;
  return find_name(sites, name, "link or frame", [this](int i) -> const std::string& { return site_name(i); });
}

const std::string& Model::site_name(int site) const {
  const auto i = static_cast<std::size_t>(site);
  return i < links().size() ? links()[i].name : frames()[i - links().size()].name;
}

Model build_model(ModelSpec spec, std::vector<Diagnostic>* notes, const BuildOptions& options) {
  Findings findings(spec.file);
  validate(spec, findings);
  findings.throw_if_errors();
  make_axes_unit(spec);
  follow_leaders(spec.links, findings);
  findings.throw_if_errors();
  sort_depth_first(spec.links);

  const auto contents = std::make_shared<Model::Contents>();
  contents->spec = std::move(spec);
  TreeCompiler(*contents).compile();
  contents->joints_without_inertia = check_carried_inertia(contents->tree, contents->joints, contents->spec, findings);
  if (options.strict) require_none(findings.plausibility_warnings);
  contents->plausibility_warnings = std::move(findings.plausibility_warnings);
  std::ranges::stable_sort(contents->plausibility_warnings, {}, &PlausibilityWarning::kind);

  if (notes) {
    advise(contents->joints, contents->links, contents->spec, findings);
    notes->insert(notes->end(), findings.warnings().begin(), findings.warnings().end());
  }
  return Model(contents);
}

ModelSpec with_floating_base(ModelSpec spec) {
  for (LinkSpec& link : spec.links) {
    if (!link.parent.empty()) continue;
    JointSpec& joint = link.joint;
    if (joint.type != JointType::fixed) {
      throw InputError({{spec.file, joint_line(link),
                         "joint '" + joint.name + "': the root moves already (" + to_string(joint.type) +
                             "), so that it cannot be given a floating base"}});
    }
    joint.type = JointType::free;
    joint.actuated = false;
    if (!spec.independent.empty()) spec.independent.insert(spec.independent.begin(), joint.name);
  }
  return spec;
}

}  // namespace verne
