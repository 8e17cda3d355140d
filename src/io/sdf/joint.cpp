#include <map>
#include <numbers>

#include "io/number.h"
#include "io/sdf/contents.h"
#include "io/unlimited.h"

namespace verne {

namespace {

const std::map<std::string, JointType>& sdf_joint_types() {
  static const std::map<std::string, JointType> kTypes = {
      {"fixed", JointType::fixed},         {"revolute", JointType::revolute}, {"continuous", JointType::revolute},
      {"prismatic", JointType::prismatic}, {"ball", JointType::spherical},    {"universal", JointType::universal},
      {"revolute2", JointType::universal}, {"screw", JointType::helical}};
  return kTypes;
}

/// Of a screw: metres along the axis per radian about it. `thread_pitch` counts radians per metre of a left-handed
/// thread, `screw_thread_pitch` metres per turn of a right-handed one.
double read_pitch(const XmlElement& in) {
  if (in.child("screw_thread_pitch")) return sdf_number(in, "screw_thread_pitch", 0) / (2 * std::numbers::pi);
  const double radians_per_metre = sdf_number(in, "thread_pitch", 1);
  if (radians_per_metre == 0) in.error("thread_pitch is zero");
  return -1 / radians_per_metre;
}

double none_if_negative(double limit) {
  return limit < 0 ? kInfinity : limit_as_read(limit);
}

void read_axis_limit(const XmlElement& axis, bool limits_position, DofSpec& dof) {
  const auto* found = axis.child("limit");
  if (!found) return;
  const XmlElement limit =
      axis.inside(*found, {{}, {"lower", "upper", "effort", "velocity"}, {"stiffness", "dissipation"}});
  const double lower = limit_as_read(sdf_bound(limit, "lower", -kInfinity));
  const double upper = limit_as_read(sdf_bound(limit, "upper", kInfinity));
  if (limits_position) dof.lower = lower, dof.upper = upper;
  const double effort = none_if_negative(sdf_bound(limit, "effort", -1));
  dof.effort_lower = -effort, dof.effort_upper = effort;
  dof.velocity = none_if_negative(sdf_bound(limit, "velocity", -1));
}

void read_axis_dynamics(const XmlElement& axis, DofSpec& dof) {
  const auto* found = axis.child("dynamics");
  if (!found) return;
  const XmlElement dynamics =
      axis.inside(*found, {{}, {"damping", "friction", "spring_reference", "spring_stiffness"}, {}});
  dof.viscous = sdf_number(dynamics, "damping", 0);
  dof.coulomb = sdf_number(dynamics, "friction", 0);
  dof.stiffness = sdf_number(dynamics, "spring_stiffness", 0);
  dof.rest = dof.stiffness == 0 ? 0 : sdf_number(dynamics, "spring_reference", 0);
}

/// q = multiplier (q of the leader - reference) + offset
void read_axis_mimic(const XmlElement& axis, const std::string& path, JointSpec& joint) {
  const auto* found = axis.child("mimic");
  if (!found) return;
  const XmlElement mimic = axis.inside(*found, {{"joint", "axis"}, {"multiplier", "offset", "reference"}, {}});
  const double ratio = sdf_number(mimic, "multiplier", 1), reference = sdf_number(mimic, "reference", 0);
  joint.mimic =
      MimicSpec{path + mimic.require_word("joint"), ratio, sdf_number(mimic, "offset", 0) - ratio * reference};
}

class SdfJointReader {
 public:
  SdfJointReader(const XmlElement& in, SdfScope& scope, const std::string& own) : in_(in), scope_(scope), own_(own) {}

  SdfJoint read(JointType type, const std::string& word) {
    SdfJoint joint;
    joint.scope = &scope_;
    joint.line = in_.line();
    joint.name = in_.require_word("name");
    joint.spec.name = scope_.path() + joint.name;
    joint.spec.line = scope_.file().first ? joint.line : 0;
    joint.spec.type = type;
    joint.parent = end("parent"), joint.child = end("child");
    if (word == "screw") joint.spec.pitch = read_pitch(in_);
    const int count = type == JointType::universal                               ? 2
                      : type == JointType::fixed || type == JointType::spherical ? 0
                                                                                 : 1;
    joint.spec.dofs.resize(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) read_axis(k == 0 ? "axis" : "axis2", word != "continuous", k, joint);
    joint.cut = wants_cut();
    return joint;
  }

 private:
  std::string end(const char* side) const {
    const std::string name = sdf_text(in_, side);
    if (name.empty()) in_.error(std::string("<") + side + "> is missing or empty");
    return name == "__model__" ? own_ : name;
  }

  void read_axis(const char* name, bool limits_position, int k, SdfJoint& joint) const {
    SdfAxis& axis = joint.axes[static_cast<std::size_t>(k)];
    axis.line = in_.line();
    const auto* found = in_.child(name);
    if (!found) return in_.warning(std::string("<") + name + "> is missing: taken for z");
    const XmlElement element =
        in_.inside(*found, {{}, {"xyz", "dynamics", "limit", "use_parent_model_frame", "mimic"}, {"initial_position"}});
    axis.line = element.line();
    axis.direction = sdf_vector(element, "xyz", axis.direction);
    // Before SDF 1.5 axes were those of the model, until 1.6 a flag said so.
    if (scope_.file().minor < 7 && sdf_flag(element, "use_parent_model_frame", scope_.file().minor < 5)) {
      axis.expressed_in = own_;
    }
    const auto* xyz = element.child("xyz");
    if (const char* frame = xyz ? xyz->Attribute("expressed_in") : nullptr) {
      axis.expressed_in = std::string(frame) == "__model__" ? own_ : frame;
    }
    DofSpec& dof = joint.spec.dofs[static_cast<std::size_t>(k)];
    read_axis_limit(element, limits_position, dof);
    read_axis_dynamics(element, dof);
    if (joint.spec.dofs.size() == 1) read_axis_mimic(element, scope_.path(), joint.spec);
  }

  /// <physics><simbody><must_be_loop_joint>
  bool wants_cut() const {
    const auto* physics = in_.child("physics");
    const auto* simbody = physics ? physics->FirstChildElement("simbody") : nullptr;
    const auto* flag = simbody ? simbody->FirstChildElement("must_be_loop_joint") : nullptr;
    const std::string word = flag && flag->GetText() ? flag->GetText() : "";
    return word == "true" || word == "1";
  }

  const XmlElement& in_;
  SdfScope& scope_;
  const std::string& own_;
};

}  // namespace

std::optional<SdfJoint> read_sdf_joint(const tinyxml2::XMLElement& element, SdfScope& scope, const std::string& own) {
  const char* const name = element.Attribute("name");
  const XmlElement in(element, std::string("joint") + (name ? " " + in_quotes(scope.path() + name) : ""),
                      {{"name", "type"},
                       {"parent", "child", "pose", "axis", "axis2", "thread_pitch", "screw_thread_pitch", "physics",
                        "gearbox_ratio", "gearbox_reference_body"},
                       {"sensor", "plugin"}},
                      scope.file().diagnostics, scope.file().leftovers);
  const std::string word = in.require_word("type");
  if (word == "gearbox") {
    scope.file().diagnostics.warning(in.line(), "not modelled: " + in.place() + ", a gearbox");
    return std::nullopt;
  }
  const auto type = sdf_joint_types().find(word);
  if (type == sdf_joint_types().end()) {
    std::vector<std::string> words;
    for (const auto& [known, _] : sdf_joint_types()) words.push_back(known);
    if (in.has("type")) in.error("unknown joint type " + in_quotes(word) + suggestion(word, words));
    return std::nullopt;
  }
  SdfJoint joint = SdfJointReader(in, scope, own).read(type->second, word);
  SdfName frame{SdfName::Kind::joint, sdf_pose(in), joint.child, joint.child, 0, nullptr, ""};
  if (frame.pose.relative_to == "__model__") frame.pose.relative_to = own;
  scope.add(joint.name, std::move(frame));
  return joint;
}

}  // namespace verne
