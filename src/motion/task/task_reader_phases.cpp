#include <algorithm>

#include "io/number.h"
#include "io/yaml/link.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"
#include "motion/terms/limits/joint_limit.h"
#include "verne/spatial/inertia.h"

namespace verne {

namespace {

constexpr int kMostSpans = 10000;

/// Makes a body part of a link.
void carry(const LinkSpec& body, const Transform<double>& X_LB, LinkSpec& link) {
  for (VisualSpec shape : body.visuals) {
    shape.X_LV = X_LB * shape.X_LV;
    shape.colour = kCarried;
    link.visuals.push_back(std::move(shape));
  }
  RigidInertia<double> sum = inertia_from_com(link.mass, link.com, link.inertia);
  sum += X_LB * inertia_from_com(body.mass, body.com, body.inertia);
  link.has_inertial = true;
  link.mass = sum.mass;
  link.com = sum.mc * (1 / sum.mass);
  link.inertia = sum.I + steiner(sum.mc * -1.0, link.com);
}

void read_payload(const YamlMap& map, const Model& model, ModelSpec& spec) {
  const int site = read_site(map, model);
  LinkSpec body;
  read_inertial(map, body);
  map.require("mass");
  if (const YamlNode* const shape = map.find("shape")) {
    body.visuals = {read_shape(*shape, map.reader("shape"))};
    if (body.visuals[0].shape == VisualSpec::Shape::mesh) {
      map.reader("shape").error(shape->line, "expected a capsule, box, sphere or cylinder");
    }
  }
  if (map.find("mass") && !(body.mass >= 0)) {
    map.reader("mass").expected("a mass that is not negative", *map.find("mass"));
  }
  if (body.mass == 0) return;  // nothing is carried, at the start of a sweep
  const auto links = static_cast<int>(spec.links.size());
  if (site < links) {
    carry(body, Transform<double>::identity(), spec.links[site]);
    return;
  }
  const FrameSpec& frame = model.frames()[site - links];
  carry(body, frame.X_LF, spec.links[model.site(frame.link)]);
}

void read_name(const YamlMap& map, const std::vector<PhaseSpec>& before, PhaseSpec& phase) {
  phase.name = map.word("name", "phase " + std::to_string(before.size() + 1));
  for (const PhaseSpec& other : before) {
    if (other.name != phase.name) continue;
    map.reader("name").error(
        map.line(), "there is a phase " + in_quotes(phase.name) + " already, in line " + std::to_string(other.line));
  }
}

/// Limits of the task for a model with other loops: those of joints that close them, by name.
LimitsSpec limits_for(const Model& model, const Task& task) {
  LimitsSpec limits = task.limits;
  for (const JointLimit* limit : joint_limits()) limit->fit_to(model, task.model, limits);
  return limits;
}

/// The model with the payloads of a phase and the objects that it holds.
Model with_payloads(const YamlMap& map, const Model& model, const std::vector<CarriedObject>& carried, int number) {
  ModelSpec spec = model.spec();
  const bool laden = put_payloads(map, model, spec), holds = load_carried(carried, number, spec);
  if (!laden && !holds) return model;
  try {
    return build_model(std::move(spec));
  } catch (const InputError& error) {
    report_payloads(map, error);
    return model;
  }
}

}  // namespace

bool put_payloads(const YamlMap& map, const Model& model, ModelSpec& spec) {
  const Diagnostics& diagnostics = map.reader().diagnostics();
  const std::size_t errors_before = diagnostics.errors().size();
  const auto& items = map.items("payloads");
  ModelSpec with = spec;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlReader reader = map.reader("payloads").inside(std::to_string(i + 1));
    read_payload(YamlMap(items[i], reader, payload_schema().names()), model, with);
  }
  if (items.empty() || diagnostics.errors().size() > errors_before) return false;
  spec = std::move(with);
  return true;
}

void report_payloads(const YamlMap& map, const InputError& error) {
  map.reader("payloads").error(map.find("payloads")->line, error.problems()[0].text);
}

std::vector<PhaseSpec> read_phases(const YamlMap& top, const Task& task, const Model& loose,
                                   const std::vector<CarriedObject>& carried) {
  std::vector<PhaseSpec> phases;
  const auto& items = top.items("phases");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], top.reader("phases").inside(std::to_string(i + 1)), phase_schema().names());
    std::vector<HeldContactSpec> contacts = task.contacts;
    const Diagnostics& diagnostics = top.reader().diagnostics();
    const std::size_t errors_before = diagnostics.errors().size();
    PhaseSpec phase(with_payloads(map, map.find("contacts") ? with_contacts(map, loose, contacts) : task.model, carried,
                                  static_cast<int>(i)));
    phase.in_hands = task.in_hands;
    if (diagnostics.errors().size() == errors_before) phase.in_hands += mass_in_hands(map, task.model);
    phase.contacts = std::move(contacts);
    const TaskJoints joints(phase.model, task.held);
    phase.line = map.line();
    read_name(map, phases, phase);
    if (map.find("duration")) phase.duration = read_phase_duration(map, task.duration);
    if (map.find("spans")) phase.spans = integer_between(map, "spans", 1, 1, kMostSpans);
    phase.jump = map.flag("jump", phase.jump);
    phase.limits = read_limits(map, joints, limits_for(phase.model, task));
    phase.end = read_free_state(map, "end", joints);
    phase.via = read_via(map, joints);
    phase.frames = read_frames(map, joints);
    phase.keep_out = read_keep_out(map, joints);
    phase.loads = read_loads(map, joints);
    phase.ground = read_ground(map, phase.model, task.ground);
    if (phase.ground && map.find("ground")) {
      phase.frames.insert(phase.frames.end(), phase.ground->feet.begin(), phase.ground->feet.end());
    }
    release_held(task.held, phase.limits);
    const bool last = i + 1 == items.size();
    if (last && map.find("end")) {
      map.reader("end").error(map.find("end")->line, "the last phase ends as the motion does: give `subject_to: end`");
    }
    if (last && phase.jump) {
      map.reader("jump").error(map.find("jump")->line, "nothing follows the last phase that it could jump to");
    }
    phases.push_back(std::move(phase));
  }
  if (items.empty() && top.find("phases")) top.reader("phases").expected("a list of phases", *top.find("phases"));
  return phases;
}

}  // namespace verne
