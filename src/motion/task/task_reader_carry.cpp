/// What frames hold in phases: an object of the scene is a link of the frame that holds it, with a mass in these
/// phases.
#include <algorithm>

#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"
#include "motion/terms/channels.h"

namespace verne {

namespace {

/// Maps under `attach` of a phase.
std::vector<const YamlNode*> attached_in(const YamlNode& phase) {
  const YamlEntry* const attach = entry_named(phase, "attach");
  if (!attach) return {};
  if (!attach->value.is_list()) return {&attach->value};
  std::vector<const YamlNode*> all;
  for (const YamlNode& item : attach->value.items) all.push_back(&item);
  return all;
}

/// What messages call who holds something: a link or frame, or two.
std::string names_of(const YamlNode& to) {
  if (!to.is_list()) return to.text;
  std::string all;
  for (const YamlNode& name : to.items) all += (all.empty() ? "" : " and ") + name.text;
  return all;
}

/// The object in the frame that holds it.
Transform<double> read_hold(const YamlMap& map) {
  const YamlNode* const turned = map.find("turned");
  const Mat3<double> R_OF =
      turned ? YamlMap(*turned, map.reader("turned"), rotation_schema().names()).rotation() : Mat3<double>::identity();
  return Transform<double>{transpose(R_OF), map.vector("point", {0, 0, 0}, "m")} *
         Transform<double>{Mat3<double>::identity(), map.vector("at", {0, 0, 0}, "m") * -1.0};
}

/// Reads what phases attach, one after the other.
class Attaching {
 public:
  Attaching(const YamlMap& top, const std::vector<HeldObject>& held, const Model& model,
            std::vector<CarriedObject>& carried)
      : top_(top), held_(held), model_(model), carried_(carried) {}

  void read() {
    const std::vector<YamlNode>& phases = top_.items("phases");
    for (int k = 0; k < static_cast<int>(phases.size()); ++k) {
      for (const YamlNode* const node : attached_in(phases[static_cast<std::size_t>(k)])) {
        const YamlReader reader = top_.reader("phases").inside(std::to_string(k + 1)).inside("attach");
        read(YamlMap(*node, reader, (is_of_two_hands(*node) ? attach_schema() : carry_schema()).names()), k);
      }
    }
  }

 private:
  void read(const YamlMap& map, int phase) {
    const YamlNode *const name = map.require("object"), *const to = map.require("to");
    if (!name || !to) return;
    const auto held = std::ranges::find(held_, name->text, &HeldObject::name);
    if (held == held_.end()) return refuse_object(top_, *name, map.reader("object"));
    const CarriedObject* const before = latest(name->text);
    const std::string holders = names_of(*to);
    if (before && !may_follow(*before, map, *to, holders, phase)) return;
    auto object = std::ranges::find_if(
        carried_, [&](const CarriedObject& c) { return c.object == name->text && c.to == holders; });
    if (object == carried_.end()) {
      SceneObject of_scene = read_scene_object(*held, map.reader());
      if (before) of_scene.link.name = of_scene.link.joint.name = name->text + " in " + holders;
      const std::optional<Transform<double>> stands = before ? before->stretches.back().put : of_scene.stands;
      if (!before && !stands && phase > 0) {
        map.reader().error(map.line(), in_quotes(name->text) + " needs a `pose` under `scene: objects`");
      }
      auto next = begin(std::move(of_scene.link), map);
      if (!next) return;
      next->object = name->text, next->to = holders;
      carried_.push_back(std::move(*next));
      return hold(carried_.back(), stands, map, phase);
    }
    for (const char* const key : {"at", "point", "turned", "touch", "turns", "moment", "friction", "push", "palm"}) {
      if (!map.find(key)) continue;
      map.reader(key).error(map.find(key)->line, "how it is held is said where it is first: in line " +
                                                     std::to_string(object->stretches.front().line));
    }
    hold(*object, before->stretches.back().put, map, phase);
  }

  /// Of what holds an object, what did so last; null: nothing did.
  const CarriedObject* latest(const std::string& name) const {
    const CarriedObject* found = nullptr;
    for (const CarriedObject& one : carried_) {
      if (one.object == name && (!found || one.stretches.back().end > found->stretches.back().end)) found = &one;
    }
    return found;
  }

  std::optional<CarriedObject> begin(LinkSpec link, const YamlMap& map) const {
    const std::size_t errors_before = map.reader().diagnostics().errors().size();
    CarriedObject object{"", std::move(link), "", {}, {}, {}};
    if (map.find("to")->is_list()) {
      object.grip = grip_object(map, model_, object.link);
      if (object.grip) object.may_touch = {object.link.parent, object.grip->loop.a.link};
    } else {
      carry_object(map, model_, object.link);
    }
    if (map.reader().diagnostics().errors().size() > errors_before) return std::nullopt;
    for (const YamlNode& one : map.items("touch")) {
      const auto site = find_site(one, map.reader("touch"), model_);
      if (site) object.may_touch.push_back(one.text);
    }
    return object;
  }

  /// Whether a frame may hold what was held before.
  bool may_follow(const CarriedObject& before, const YamlMap& map, const YamlNode& to, const std::string& holders,
                  int phase) const {
    const CarriedObject::Stretch& latest = before.stretches.back();
    const std::string in_line = " in line " + std::to_string(latest.line);
    if (latest.end == phase + 1) {
      map.reader().error(map.line(), in_quotes(before.object) + " is attached twice in one phase, in line " +
                                         std::to_string(latest.line) + ", too");
      return false;
    }
    if (latest.put && latest.end == phase && holders == before.to) {
      map.reader().error(map.line(), in_quotes(before.object) + " is put down at the end of the phase before");
    }
    if (!latest.put && latest.end == phase && holders != before.to) {
      map.reader("to").error(to.line, in_quotes(before.object) + " is held by " + in_quotes(before.to) + in_line +
                                          ": say there where it is handed over, by `put`");
      return false;
    }
    if (!latest.put && latest.end < phase) {
      map.reader().error(map.line(),
                         "where " + in_quotes(before.object) + " is then is not known: give `put`" + in_line);
    }
    return true;
  }

  void hold(CarriedObject& object, const std::optional<Transform<double>>& stands, const YamlMap& map, int phase) {
    const bool goes_on = !object.stretches.empty() && object.stretches.back().end == phase;
    if (!goes_on) object.stretches.push_back({phase, phase + 1, map.line(), stands, {}});
    object.stretches.back().end = phase + 1;
    if (const YamlNode* const put = map.find("put")) object.stretches.back().put = map.reader("put").pose(*put);
  }

  const YamlMap& top_;
  const std::vector<HeldObject>& held_;
  const Model& model_;
  std::vector<CarriedObject>& carried_;
};

/// Nothing moves at the end of a phase.
void stand_still(const std::vector<std::optional<double>>& held, PhaseSpec& phase) {
  for (std::size_t i = 0; i < phase.end.velocity.size(); ++i) {
    if (held.empty() || !held[i]) phase.end.velocity[i] = {0, 0};
  }
}

/// Two hands hold something in a phase.
void put_grip(const GripSpec& grip, const CarriedObject::Stretch& held, const YamlMap& top, PhaseSpec& phase) {
  if (!grips_can_be_borne(phase.ground)) {
    top.reader("phases")
        .inside(phase.name)
        .inside("attach")
        .error(held.line, "both hands hold it: needs `ground` with `forces: variables`");
  }
  phase.grips.push_back(grip);
  const Model& model = phase.model;
  phase.in_hands += model.spec().links[static_cast<std::size_t>(model.link(grip.object))].mass;
  const std::optional<Transform<double>>& stood = held.stands ? held.stands : held.put;
  if (stood && top.flag("self_collision", true)) keep_apart(model, phase.ground, grip, *stood, phase.keep_out);
}

}  // namespace

const CarriedObject::Stretch* CarriedObject::in(int phase) const {
  const auto found =
      std::ranges::find_if(stretches, [&](const Stretch& s) { return s.first <= phase && phase < s.end; });
  return found == stretches.end() ? nullptr : &*found;
}

std::vector<HeldObject> take_carried_objects(YamlNode& task, const std::optional<SceneFile>& file) {
  std::vector<std::string> names;
  if (const YamlEntry* const phases = entry_named(task, "phases")) {
    for (const YamlNode& phase : phases->value.items) {
      for (const YamlNode* const attach : attached_in(phase)) {
        if (const YamlEntry* const name = entry_named(*attach, "object")) names.push_back(name->value.text);
      }
    }
  }
  std::vector<HeldObject> held;
  for (const std::string& name : names) {
    if (std::ranges::find(held, name, &HeldObject::name) != held.end()) continue;
    if (auto object = take_scene_object(task, file, name)) held.push_back(std::move(*object));
  }
  return held;
}

Model with_carried_objects(const YamlMap& top, const std::vector<HeldObject>& held, const Model& model, bool again,
                           std::vector<CarriedObject>& carried) {
  const Diagnostics& diagnostics = top.reader().diagnostics();
  const std::size_t errors_before = diagnostics.errors().size();
  Attaching(top, held, model, carried).read();
  if (carried.empty() || diagnostics.errors().size() > errors_before) return model;
  const int line = carried.front().stretches.front().line;
  if (!model.loops().empty()) {
    top.reader("phases").error(line, "attach: not with a model that has closed loops");
    return model;
  }
  ModelSpec spec = model.spec();
  for (const CarriedObject& object : carried) {
    if (again && std::ranges::find(spec.links, object.link.name, &LinkSpec::name) != spec.links.end()) continue;
    LinkSpec link = object.link;
    link.mass = 0, link.com = {0, 0, 0}, link.inertia = {0, 0, 0, 0, 0, 0}, link.has_inertial = false;
    link.visuals.clear(), link.collisions.clear();
    spec.links.push_back(std::move(link));
  }
  try {
    Model built = build_model(std::move(spec));
    for (const CarriedObject& object : carried) {
      if (object.grip) refuse_order(built, *object.grip, top.reader("phases").inside("attach"));
    }
    return built;
  } catch (const InputError& error) {
    top.reader("phases").error(line, "attach: " + error.problems()[0].text);
  }
  return model;
}

void carry_object(const YamlMap& map, const Model& model, LinkSpec& object) {
  const auto holder = find_holder(*map.find("to"), map.reader("to"), model);
  if (!holder) return;
  object.parent = holder->link;
  object.X_PJ = holder->X_LF * read_hold(map);
  for (VisualSpec& shape : object.visuals) shape.colour = kCarried;
}

FrameGoalSpec stands_at(int site, const Transform<double>& X_WO, double at, int line) {
  FrameGoalSpec goal;
  goal.site = site;
  goal.when = {false, at};
  const Vec3<double>& p = X_WO.p;
  goal.position = {{p.x, p.x}, {p.y, p.y}, {p.z, p.z}};
  goal.orientation = X_WO.R;
  goal.line = line;
  return goal;
}

bool load_carried(const std::vector<CarriedObject>& carried, int phase, ModelSpec& spec) {
  bool any = false;
  for (const CarriedObject& object : carried) {
    if (!object.in(phase)) continue;
    const auto link = std::ranges::find(spec.links, object.link.name, &LinkSpec::name);
    if (link == spec.links.end()) continue;  // the model could not be built
    const LinkSpec placed = *link;
    *link = object.link;
    link->parent = placed.parent, link->X_PJ = placed.X_PJ;
    any = true;
  }
  return any;
}

void put_carried(const std::vector<CarriedObject>& carried, const YamlMap& top, Task& task) {
  if (!top.reader().diagnostics().errors().empty()) return;
  const int phases = static_cast<int>(task.phases.size());
  for (const CarriedObject& object : carried) {
    const int site = task.model.link(object.link.name);
    for (const CarriedObject::Stretch& held : object.stretches) {
      PhaseSpec &first = task.phases[static_cast<std::size_t>(held.first)],
                &last = task.phases[static_cast<std::size_t>(held.end - 1)];
      if (held.stands) first.frames.push_back(stands_at(site, *held.stands, 0, held.line));
      if (held.put) last.frames.push_back(stands_at(site, *held.put, 1, held.line));
      if (held.first > 0) stand_still(task.held, task.phases[static_cast<std::size_t>(held.first - 1)]);
      if (held.end < phases) stand_still(task.held, last);
      for (int k = held.first; k < held.end; ++k) {
        PhaseSpec& phase = task.phases[static_cast<std::size_t>(k)];
        phase.attach.push_back({object.link.name, object.to, held.line});
        if (object.grip) put_grip(*object.grip, held, top, phase);
      }
    }
  }
}

}  // namespace verne
