#include "info_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model_option.h"
#include "motion/values/undetermined_json.h"
#include "output.h"
#include "structures/parallel_robot.h"
#include "table.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_io.h"
#include "verne/structures/system.h"

namespace verne::cli {

namespace {

const std::string kWorld = "world";

const std::string& parent_name(const Model& model, const Joint& joint) {
  return joint.parent_link < 0 ? kWorld : model.links()[static_cast<std::size_t>(joint.parent_link)].name;
}

const std::string& child_name(const Model& model, const Joint& joint) {
  return model.links()[static_cast<std::size_t>(joint.child_link)].name;
}

std::string number(double value) {
  return fmt::format("{:.6g}", value);
}

std::string interval(double lower, double upper) {
  if (!std::isfinite(lower) && !std::isfinite(upper)) return "";
  if (lower == -upper && upper >= 0) return "±" + number(upper);
  return fmt::format("[{}, {}]", number(lower), number(upper));
}

std::string friction(const DofSpec& dof) {
  std::string text;
  if (dof.coulomb != 0) text += number(dof.coulomb) + " Coulomb";
  if (dof.friction_width != 0 && dof.coulomb != 0) text += fmt::format(" (width {})", number(dof.friction_width));
  if (dof.viscous != 0) text += (text.empty() ? "" : ", ") + number(dof.viscous) + " viscous";
  return text;
}

std::string spring(const DofSpec& dof) {
  std::string text;
  if (dof.stiffness != 0) text = fmt::format("{} from {}", number(dof.stiffness), number(dof.rest));
  if (dof.ligament == 0) return text;
  return text + fmt::format("{}{} cubic out of {}", text.empty() ? "" : ", ", number(dof.ligament),
                            interval(dof.slack_lower, dof.slack_upper));
}

/// The last cells of a row: position, velocity, effort, friction, rotor inertia, spring.
std::vector<std::string> dof_cells(const DofSpec& dof) {
  return {interval(dof.lower, dof.upper),
          std::isfinite(dof.velocity) ? number(dof.velocity) : "",
          interval(dof.effort_lower, dof.effort_upper),
          friction(dof),
          dof.rotor_inertia != 0 ? number(dof.rotor_inertia) : "",
          spring(dof)};
}

std::string index_range(int first, int count) {
  if (count == 0) return "";
  return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + count - 1);
}

std::string rule(const MimicSpec& mimic) {
  std::string text = fmt::format("= {} x {}", number(mimic.ratio), mimic.joint);
  if (mimic.offset != 0) text += fmt::format(" {} {}", mimic.offset < 0 ? "-" : "+", number(std::abs(mimic.offset)));
  return text;
}

void append(std::vector<std::string>& row, const std::vector<std::string>& cells) {
  row.insert(row.end(), cells.begin(), cells.end());
}

/// A row for the joint and, where it has several velocities, one for each that something is known of.
void add_joint_rows(const Model& model, const Joint& joint, Table& table) {
  std::vector<std::string> row{index_range(joint.q, joint.nq),
                               index_range(joint.v, joint.nv),
                               joint.spec.name,
                               to_string(joint.spec.type),
                               joint.spec.actuated || joint.spec.type == JointType::fixed ? "" : "passive",
                               parent_name(model, joint),
                               child_name(model, joint)};
  const auto v = static_cast<std::size_t>(joint.v);
  if (joint.coupled()) {
    append(row, {rule(*joint.spec.mimic), "", "", "", "", ""});
  } else {
    append(row, dof_cells(joint.nv == 1 ? model.dofs()[v] : DofSpec{}));
  }
  table.add_row(std::move(row));
  for (std::size_t k = 0; joint.nv > 1 && k < static_cast<std::size_t>(joint.nv); ++k) {
    const std::vector<std::string> cells = dof_cells(model.dofs()[v + k]);
    if (std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); })) continue;
    std::vector<std::string> part{"", std::to_string(v + k), "  " + model.dof_names()[v + k], "", "", "", ""};
    append(part, cells);
    table.add_row(std::move(part));
  }
}

std::string joint_table(const Model& model) {
  using enum Table::Align;
  Table table({{"q", right},
               {"v", right},
               {"joint"},
               {"type"},
               {""},
               {"parent"},
               {"child"},
               {"position"},
               {"velocity", right},
               {"effort", right},
               {"friction"},
               {"rotor inertia", right},
               {"spring"}});
  for (const Joint& joint : model.joints()) add_joint_rows(model, joint, table);
  return table.text();
}

int moving_bodies(const Model& model) {
  std::set<int> bodies;
  for (const Link& link : model.links()) {
    if (link.body >= 0) bodies.insert(link.body);
  }
  return static_cast<int>(bodies.size());
}

int coupled_joints(const Model& model) {
  int count = 0;
  for (const Joint& joint : model.joints()) count += joint.coupled() ? 1 : 0;
  return count;
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string frame_lines(std::span<const FrameSpec> frames) {
  if (frames.empty()) return "";
  Table table({{"frame"}, {"on link"}});
  for (const FrameSpec& frame : frames) table.add_row({frame.name, frame.link});
  return "\n" + table.text();
}

void append_dof(JsonWriter& json, const std::string& name, const DofSpec& dof) {
  json.begin_object().key("name").value(name);
  json.key("lower").value(dof.lower).key("upper").value(dof.upper);
  json.key("velocity").value(dof.velocity);
  json.key("effort_lower").value(dof.effort_lower).key("effort_upper").value(dof.effort_upper);
  json.key("coulomb").value(dof.coulomb).key("viscous").value(dof.viscous);
  json.key("friction_width").value(dof.friction_width).key("rotor_inertia").value(dof.rotor_inertia);
  json.key("stiffness").value(dof.stiffness).key("rest").value(dof.rest);
  json.key("ligament").value(dof.ligament);
  json.key("slack_lower").value(dof.slack_lower).key("slack_upper").value(dof.slack_upper);
  json.end_object();
}

void append_joint(JsonWriter& json, const Model& model, const Joint& joint) {
  json.begin_object().key("name").value(joint.spec.name).key("type").value(to_string(joint.spec.type));
  json.key("parent").value(parent_name(model, joint)).key("child").value(child_name(model, joint));
  json.key("q").value(joint.q).key("nq").value(joint.nq).key("v").value(joint.v).key("nv").value(joint.nv);
  json.key("actuated").value(joint.spec.actuated && joint.nv > 0);
  if (joint.coupled()) {
    const MimicSpec& mimic = *joint.spec.mimic;
    json.key("follows").begin_object().key("joint").value(mimic.joint);
    json.key("ratio").value(mimic.ratio).key("offset").value(mimic.offset).end_object();
  }
  json.key("dofs").begin_array();
  for (auto k = static_cast<std::size_t>(joint.v); k < static_cast<std::size_t>(joint.v + joint.nv); ++k) {
    append_dof(json, model.dof_names()[k], model.dofs()[k]);
  }
  json.end_array().end_object();
}

void append_frames(JsonWriter& json, std::span<const FrameSpec> frames) {
  json.key("frames").begin_array();
  for (const FrameSpec& frame : frames) {
    json.begin_object().key("name").value(frame.name).key("link").value(frame.link).end_object();
  }
  json.end_array();
}

std::string contact_lines(std::span<const ContactSpec> contacts) {
  if (contacts.empty()) return "";
  Table table({{"contact"}, {"on link"}, {"type"}});
  for (const ContactSpec& contact : contacts) table.add_row({contact.name, contact.link, to_string(contact.type)});
  return "\n" + table.text();
}

void append_contacts(JsonWriter& json, std::span<const ContactSpec> contacts) {
  json.key("contacts").begin_array();
  for (const ContactSpec& contact : contacts) {
    json.begin_object().key("name").value(contact.name).key("link").value(contact.link);
    json.key("type").value(to_string(contact.type)).end_object();
  }
  json.end_array();
}

void append_warnings(JsonWriter& json, std::span<const PlausibilityWarning> warnings) {
  json.key("doubts").begin_array();
  for (const PlausibilityWarning& warning : warnings) {
    json.begin_object().key("kind").value(to_string(warning.kind)).key("name").value(warning.name);
    json.key("line").value(warning.problem.line).key("text").value(warning.problem.text).end_object();
  }
  json.end_array();
}

std::vector<std::string> names_of(const Model& model, std::span<const int> velocities) {
  std::vector<std::string> names;
  for (const int k : velocities) names.push_back(model.dof_names()[static_cast<std::size_t>(k)]);
  return names;
}

std::vector<std::string> redundant_equations(const Mechanism& mechanism) {
  std::vector<std::string> names;
  const auto kept = mechanism.independent_equations();
  for (int k = 0; k < mechanism.equations(); ++k) {
    if (std::find(kept.begin(), kept.end(), k) == kept.end()) names.push_back(mechanism.equation_name(k));
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Zero unless the mechanism is a platform on legs.
int leg_count(const Mechanism& mechanism) {
  const auto robot = ParallelRobot::recognise(mechanism);
  return robot ? robot->legs() : 0;
}

std::string loop_text(const Mechanism& mechanism) {
  const Model& model = mechanism.model();
  if (model.loops().empty()) return "";
  std::string text = fmt::format("\nclosed loops: mobility {} = {} coordinates of the tree - {} of {} equations\n",
                                 mechanism.mobility(), model.nv(), mechanism.rank(), mechanism.equations());
  text += fmt::format("  independent: {}\n", joined(names_of(model, mechanism.independent())));
  text += fmt::format("  actuated: {}\n", joined(names_of(model, mechanism.actuated())));
  if (const int legs = leg_count(mechanism)) text += fmt::format("  a platform on {} legs\n", legs);
  text += fmt::format("  computed by: {}\n", System(model).method());
  if (!mechanism.all_determined()) {
    text += fmt::format(
        "  redundant equations: {}; wrenches that the motion does not determine are the least, moments\n"
        "  divided by {} m\n",
        joined(redundant_equations(mechanism)), number(mechanism.length()));
  }
  Table table({{"loop"}, {"type"}, {"a"}, {"b"}});
  for (const LoopSpec& loop : model.loops()) table.add_row({loop.name, to_string(loop.type), loop.a.link, loop.b.link});
  return text + "\n" + table.text();
}

void append_words(JsonWriter& json, const char* key, const std::vector<std::string>& words) {
  json.key(key).begin_array();
  for (const std::string& word : words) json.value(word);
  json.end_array();
}

void append_loops(JsonWriter& json, const Model& model) {
  if (model.loops().empty()) return;
  const Mechanism mechanism(model);
  json.key("mechanism").begin_object().key("mobility").value(mechanism.mobility());
  json.key("equations").value(mechanism.equations()).key("rank").value(mechanism.rank());
  append_words(json, "independent", names_of(model, mechanism.independent()));
  append_words(json, "actuated", names_of(model, mechanism.actuated()));
  append_words(json, "redundant_equations", redundant_equations(mechanism));
  json.key("legs").value(leg_count(mechanism)).key("method").value(System(model).method());
  json.key("length").value(mechanism.length());
  const auto at = [](std::size_t k) { return static_cast<int>(k); };
  append_undetermined(
      json, "undetermined_loop_wrenches", model.loops().size(), [&](std::size_t k) { return model.loops()[k].name; },
      [&](std::size_t loop, std::size_t k) { return mechanism.loop_determined(at(loop), at(k)); });
  append_undetermined(
      json, "undetermined_joint_wrenches", model.joints().size(),
      [&](std::size_t k) { return model.joints()[k].spec.name; },
      [&](std::size_t joint, std::size_t k) { return mechanism.joint_determined(at(joint), at(k)); });
  const auto texts = [](std::span<const Diagnostic> problems, const char* severity) {
    std::vector<std::string> lines;
    for (const Diagnostic& problem : problems) lines.push_back(to_string(problem, severity));
    return lines;
  };
  append_words(json, "warnings", texts(mechanism.warnings(), "warning"));
  append_words(json, "notes", texts(mechanism.notes(), "note"));
  json.key("home").values(mechanism.home()).key("independent_home").values(mechanism.independent_home());
  json.key("loops").begin_array();
  for (const LoopSpec& loop : model.loops()) {
    json.begin_object().key("name").value(loop.name).key("type").value(to_string(loop.type));
    json.key("a").value(loop.a.link).key("b").value(loop.b.link).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

std::string info_text(const Model& model, const std::vector<Diagnostic>& notes) {
  const Joint& base = model.joints()[0];
  const Vec3<double>& g = model.gravity();
  std::string text = title_of(model) + "\n";
  const Mechanism mechanism(model);
  text += fmt::format("  {} of freedom{} (nq {}, nv {}), {}, {}, {}, {}\n",
                      counted(static_cast<std::size_t>(mechanism.mobility()), "degree"),
                      model.loops().empty() ? "" : fmt::format(", {} of the tree without its loops", model.nv()),
                      model.nq(), model.nv(), counted(model.links().size(), "link"),
                      fmt::format("{} moving bodies", moving_bodies(model)), counted(model.frames().size(), "frame"),
                      counted(model.contacts().size(), "contact"));
  if (model.coupled()) text += fmt::format("  coupled: {}\n", counted(coupled_joints(model), "joint"));
  text += fmt::format("  mass {} kg, of which {} kg can move; gravity {} {} {} m/s²\n", number(model.mass()),
                      number(model.moving_mass()), number(g.x), number(g.y), number(g.z));
  text += fmt::format("  base: link '{}', {}\n\n", child_name(model, base),
                      base.spec.type == JointType::fixed ? "fixed to the world"
                                                         : fmt::format("on a {} joint", to_string(base.spec.type)));
  text += joint_table(model);
  text += frame_lines(model.frames()) + contact_lines(model.contacts()) + loop_text(mechanism);
  const std::vector<std::string> warnings =
      grouped(model.plausibility_warnings(), model.plausibility_warnings().size());
  const bool odd = !warnings.empty() || !mechanism.warnings().empty();
  if (odd || !notes.empty() || !mechanism.notes().empty()) text += "\n";
  for (const std::string& warning : warnings) text += line_about({model.spec().file, 0, warning}, "warning") + "\n";
  for (const Diagnostic& warning : mechanism.warnings()) text += line_about(warning, "warning") + "\n";
  for (const Diagnostic& note : notes) text += line_about(note, is_not_modelled(note) ? "warning" : "note") + "\n";
  for (const Diagnostic& note : mechanism.notes()) text += line_about(note, "note") + "\n";
  return text;
}

std::string info_json(const Model& model, const std::vector<Diagnostic>& notes) {
  const Vec3<double>& g = model.gravity();
  const Joint& base = model.joints()[0];
  JsonWriter json;
  json.begin_object().key("name").value(model.name()).key("nq").value(model.nq()).key("nv").value(model.nv());
  json.key("mass").value(model.mass()).key("moving_mass").value(model.moving_mass());
  json.key("bodies").value(moving_bodies(model));
  json.key("gravity").begin_array().value(g.x).value(g.y).value(g.z).end_array();
  json.key("base").begin_object().key("link").value(child_name(model, base));
  json.key("type").value(to_string(base.spec.type)).end_object();
  json.key("joints").begin_array();
  for (const Joint& joint : model.joints()) append_joint(json, model, joint);
  json.end_array().key("links").begin_array();
  for (const Link& link : model.links()) {
    json.begin_object().key("name").value(link.name).key("mass").value(link.mass).end_object();
  }
  json.end_array();
  append_frames(json, model.frames());
  append_contacts(json, model.contacts());
  append_loops(json, model);
  append_warnings(json, model.plausibility_warnings());
  json.key("notes").begin_array();
  for (const Diagnostic& note : notes) json.value(to_string(note, is_not_modelled(note) ? "warning" : "note"));
  json.end_array().end_object();
  return json.text() + "\n";
}

}  // namespace verne::cli
