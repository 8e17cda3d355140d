#include <algorithm>
#include <cmath>

#include "io/number.h"
#include "io/trivial.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

std::string quoted_text(const std::string& words) {
  std::string text;
  append_quoted(text, words);
  return text;
}

/// A name, in quotes when YAML could take it for something else.
std::string yaml_word(const std::string& word) {
  static constexpr char kPlain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  static const std::vector<std::string> kMeaningful = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  std::string lower = word;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos &&
                     ((lower[0] >= 'a' && lower[0] <= 'z') || lower[0] == '_') &&
                     std::find(kMeaningful.begin(), kMeaningful.end(), lower) == kMeaningful.end();
  return plain ? word : quoted_text(word);
}

std::string yaml_list(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "[" : ", ") + format_number(value);
  return text + "]";
}

std::string yaml_vector(const Vec3<double>& v) {
  return "[" + format_numbers(v, ", ") + "]";
}

/// One number for one degree of freedom, a list for several.
std::string yaml_dof_numbers(const std::vector<DofSpec>& dofs, double DofSpec::*member) {
  std::vector<double> values;
  for (const DofSpec& dof : dofs) values.push_back(dof.*member);
  return values.size() == 1 ? format_number(values[0]) : yaml_list(values);
}

std::string yaml_ranges(const std::vector<DofSpec>& dofs, double DofSpec::*lower, double DofSpec::*upper) {
  std::string text;
  for (const DofSpec& dof : dofs) text += (text.empty() ? "" : ", ") + yaml_list({dof.*lower, dof.*upper});
  return dofs.size() == 1 ? text : "[" + text + "]";
}

template <class Condition>
bool any(const std::vector<DofSpec>& dofs, Condition condition) {
  return std::any_of(dofs.begin(), dofs.end(), condition);
}

/// Comma-separated `key: value` pairs, as inside { }.
class FlowMap {
 public:
  FlowMap& add(const char* key, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + std::string(key) + ": " + value;
    return *this;
  }
  bool empty() const { return text_.empty(); }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

FlowMap flow_pose(const Transform<double>& X) {
  FlowMap map;
  if (!is_zero(X.p)) map.add("xyz", yaml_vector(X.p));
  if (!is_identity(X.R)) {
    const auto q = quaternion_of(X.R);
    map.add("quaternion", yaml_list({q[0], q[1], q[2], q[3]}));
  }
  return map;
}

FlowMap flow_end(const LoopEnd& end) {
  FlowMap map;
  map.add("link", yaml_word(end.link));
  const FlowMap pose = flow_pose(end.X_LF);
  if (!pose.empty()) map.add("pose", pose.text());
  return map;
}

FlowMap flow_limits(const std::vector<DofSpec>& dofs) {
  FlowMap map;
  if (any(dofs, [](const DofSpec& d) { return std::isfinite(d.lower) || std::isfinite(d.upper); })) {
    map.add("position", yaml_ranges(dofs, &DofSpec::lower, &DofSpec::upper));
  }
  if (any(dofs, [](const DofSpec& d) { return std::isfinite(d.velocity); })) {
    map.add("velocity", yaml_dof_numbers(dofs, &DofSpec::velocity));
  }
  if (any(dofs, [](const DofSpec& d) { return std::isfinite(d.effort_lower) || std::isfinite(d.effort_upper); })) {
    const bool symmetric =
        dofs.size() == 1 && dofs[0].effort_upper >= 0 && dofs[0].effort_lower == -dofs[0].effort_upper;
    map.add("effort", symmetric ? format_number(dofs[0].effort_upper)
                                : yaml_ranges(dofs, &DofSpec::effort_lower, &DofSpec::effort_upper));
  }
  return map;
}

FlowMap flow_friction(const std::vector<DofSpec>& dofs) {
  FlowMap map;
  if (any(dofs, [](const DofSpec& d) { return d.coulomb != 0; })) {
    map.add("coulomb", yaml_dof_numbers(dofs, &DofSpec::coulomb));
  }
  if (any(dofs, [](const DofSpec& d) { return d.viscous != 0; })) {
    map.add("viscous", yaml_dof_numbers(dofs, &DofSpec::viscous));
  }
  if (any(dofs, [](const DofSpec& d) { return d.friction_width != 0; })) {
    map.add("width", yaml_dof_numbers(dofs, &DofSpec::friction_width));
  }
  return map;
}

FlowMap flow_ligaments(const std::vector<DofSpec>& dofs) {
  FlowMap map;
  if (any(dofs, [](const DofSpec& d) { return d.ligament != 0; })) {
    map.add("slack", yaml_ranges(dofs, &DofSpec::slack_lower, &DofSpec::slack_upper));
    map.add("stiffness", yaml_dof_numbers(dofs, &DofSpec::ligament));
  }
  return map;
}

FlowMap flow_shape(const VisualSpec& visual) {
  FlowMap size, shape;
  switch (visual.shape) {
    case VisualSpec::Shape::box:
      size.add("size", yaml_vector(visual.size));
      return shape.add("box", size.text());
    case VisualSpec::Shape::sphere:
      size.add("radius", format_number(visual.size.x));
      return shape.add("sphere", size.text());
    case VisualSpec::Shape::mesh:
      size.add("file", yaml_word(visual.mesh)).add("scale", yaml_vector(visual.size));
      return shape.add("mesh", size.text());
    case VisualSpec::Shape::capsule:
    case VisualSpec::Shape::cylinder:
      break;
  }
  size.add("radius", format_number(visual.size.x)).add("length", format_number(visual.size.y));
  return shape.add(visual.shape == VisualSpec::Shape::capsule ? "capsule" : "cylinder", size.text());
}

class YamlWriter {
 public:
  std::string write(const ModelSpec& spec) {
    add("format", "verne-model/1");
    add("name", yaml_word(spec.name));
    if (!spec.source.empty()) write_source(spec.source);
    add("convention", "tree");
    add("gravity", yaml_vector(spec.gravity));
    const auto root =
        std::find_if(spec.links.begin(), spec.links.end(), [](const auto& l) { return l.parent.empty(); });
    if (root != spec.links.end()) write_base(*root);
    text_ += spec.links.size() > 1 ? "links:\n" : "links: []\n";
    for (auto link = spec.links.begin(); link != spec.links.end(); ++link) {
      if (link != root) write_link(*link);
    }
    write_sites(spec);
    write_loops(spec);
    if (spec.mirror) write_mirror(*spec.mirror);
    return std::move(text_);
  }

 private:
  void add(const char* key, const std::string& value) { text_ += indent_ + key + ": " + value + "\n"; }
  void add(const char* key, const FlowMap& map) {
    if (!map.empty()) add(key, map.text());
  }

  /// As a block of lines where that reads back the same, else in quotes.
  void write_source(const std::string& source) {
    const bool block = source[0] > ' ' && source.back() == '\n' && source.find("\n\n") == std::string::npos &&
                       std::none_of(source.begin(), source.end(),
                                    [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 0x7f; });
    if (!block) return add("source", quoted_text(source));
    text_ += "source: |\n  ";
    for (std::size_t i = 0; i < source.size(); ++i) {
      text_ += source[i];
      if (source[i] == '\n' && i + 1 < source.size()) text_ += "  ";
    }
  }

  void write_base(const LinkSpec& root) {
    text_ += "base:\n";
    indent_ = "  ";
    add("name", yaml_word(root.name));
    write_body(root);
    indent_.clear();
  }

  void write_link(const LinkSpec& link) {
    text_ += "  - name: " + yaml_word(link.name) + "\n";
    indent_ = "    ";
    add("parent", yaml_word(link.parent));
    write_body(link);
    indent_.clear();
  }

  /// What the base and every other link have.
  void write_body(const LinkSpec& link) {
    write_joint(link.joint);
    add("pose", flow_pose(link.X_PJ));
    add("frame", flow_pose(link.X_JL));
    if (link.has_inertial) {
      const Sym3<double>& I = link.inertia;
      add("mass", format_number(link.mass));
      if (link.first_moment) {
        add("first_moment", yaml_vector(*link.first_moment));
        add("about", "origin");
      } else {
        add("com", yaml_vector(link.com));
      }
      add("inertia", yaml_list({I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}));
    }
    if (link.visuals.empty()) return;
    text_ += indent_ + "visuals:\n";
    for (const VisualSpec& visual : link.visuals) {
      FlowMap map = flow_shape(visual);
      const FlowMap pose = flow_pose(visual.X_LV);
      if (!pose.empty()) map.add("pose", pose.text());
      text_ += indent_ + "  - " + map.text() + "\n";
    }
  }

  void write_joint(const JointSpec& joint) {
    text_ += indent_ + "joint:\n";
    indent_ += "  ";
    add("name", yaml_word(joint.name));
    add("type", to_string(joint.type));
    if (has_axis(joint.type)) add("axis", yaml_vector(joint.axis));
    if (joint.type == JointType::universal) add("axis2", yaml_vector(joint.axis2));
    if (joint.type == JointType::helical) add("pitch", format_number(joint.pitch));
    add("limits", flow_limits(joint.dofs));
    add("friction", flow_friction(joint.dofs));
    if (any(joint.dofs, [](const DofSpec& d) { return d.rotor_inertia != 0; })) {
      add("rotor_inertia", yaml_dof_numbers(joint.dofs, &DofSpec::rotor_inertia));
    }
    if (any(joint.dofs, [](const DofSpec& d) { return d.stiffness != 0; })) {
      add("stiffness", yaml_dof_numbers(joint.dofs, &DofSpec::stiffness));
      add("rest", yaml_dof_numbers(joint.dofs, &DofSpec::rest));
    }
    add("ligaments", flow_ligaments(joint.dofs));
    if (joint.mimic) {
      FlowMap mimic;
      mimic.add("joint", yaml_word(joint.mimic->joint)).add("ratio", format_number(joint.mimic->ratio));
      add("mimic", mimic.add("offset", format_number(joint.mimic->offset)));
    }
    if (!joint.actuated) add("actuated", "false");
    indent_.resize(indent_.size() - 2);
  }

  void write_sites(const ModelSpec& spec) {
    if (!spec.frames.empty()) text_ += "frames:\n";
    for (const FrameSpec& frame : spec.frames) {
      FlowMap map;
      map.add("name", yaml_word(frame.name)).add("link", yaml_word(frame.link));
      const FlowMap pose = flow_pose(frame.X_LF);
      if (!pose.empty()) map.add("pose", pose.text());
      text_ += "  - " + map.text() + "\n";
    }
    if (!spec.contacts.empty()) text_ += "contacts:\n";
    for (const ContactSpec& contact : spec.contacts) {
      FlowMap map;
      map.add("name", yaml_word(contact.name)).add("link", yaml_word(contact.link));
      if (contact.type != ContactType::point) map.add("type", to_string(contact.type));
      if (is_identity(contact.R_LC)) {
        map.add("point", yaml_vector(contact.point));
      } else {
        map.add("pose", flow_pose({contact.R_LC, contact.point}).text());
      }
      text_ += "  - " + map.text() + "\n";
    }
  }

  void write_mirror(const MirrorSpec& mirror) {
    FlowMap map;
    map.add("across", yaml_vector(mirror.across));
    add("mirror", map.add("endings", "[" + yaml_word(mirror.endings[0]) + ", " + yaml_word(mirror.endings[1]) + "]"));
  }

  void write_loops(const ModelSpec& spec) {
    if (!spec.loops.empty()) text_ += "loops:\n";
    for (const LoopSpec& loop : spec.loops) {
      FlowMap map;
      map.add("name", yaml_word(loop.name)).add("type", to_string(loop.type));
      text_ += "  - " + map.add("a", flow_end(loop.a).text()).add("b", flow_end(loop.b).text()).text() + "\n";
    }
    FlowMap home;
    for (const HomeSpec& at : spec.home) {
      home.add(yaml_word(at.joint).c_str(), at.q.size() == 1 ? format_number(at.q[0]) : yaml_list(at.q));
    }
    add("home", home);
    std::string names;
    for (const std::string& joint : spec.independent) names += (names.empty() ? "" : ", ") + yaml_word(joint);
    if (!names.empty()) add("independent", "[" + names + "]");
  }

  std::string text_, indent_;
};

}  // namespace

std::string write_yaml(const ModelSpec& spec) {
  return YamlWriter().write(spec);
}

}  // namespace verne
