/// What two hands hold: an object of the scene becomes a link that the first one carries, and the second one holds it,
/// too. docs/theory/gait.md, section 8.
#include <algorithm>
#include <cmath>

#include "io/number.h"
#include "motion/task/scene_object.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"
#include "motion/terms/channels.h"

namespace verne {

namespace {

constexpr double kMoment = 3, kMostMoment = 1e4;  // N m that a hand gives about a handle
constexpr double kPalm = 0.03;                    // m, half of the edges of what presses

double length_of(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

/// A rotation whose z axis is the given one.
Mat3<double> with_z(const Vec3<double>& z) {
  const Vec3<double> other = std::abs(z.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  Vec3<double> x = other - z * dot(other, z);
  x = x * (1 / length_of(x));
  return Mat3<double>::columns(x, cross(z, x), z);
}

Vec3<double> direction(const YamlReader& reader, const YamlNode& node) {
  const Vec3<double> v = reader.vector(node).value_or(Vec3<double>{0, 0, 1});
  const double length = length_of(v);
  if (length > 0) return v * (1 / length);
  reader.expected("a direction", node);
  return {0, 0, 1};
}

/// One value for each hand.
template <class Value, class Read>
std::array<Value, 2> for_both(const YamlMap& map, const char* key, Value otherwise, const Read& read) {
  const YamlNode* node = map.require(key);
  std::array<Value, 2> both{otherwise, otherwise};
  if (!node) return both;
  const YamlReader reader = map.reader(key);
  if (!node->is_list() || node->items.size() != 2) {
    reader.expected("one for each of both hands", *node);
    return both;
  }
  for (int i = 0; i < 2; ++i) both[i] = read(reader, node->items[i]);
  return both;
}

/// How palms press, and by which friction they hold.
void read_palms(const YamlMap& map, const std::array<Vec3<double>, 2>& at, GripSpec& grip) {
  if (!map.find("friction")) {
    for (const char* key : {"push", "palm"}) {
      if (map.find(key)) map.reader(key).error(map.find(key)->line, "is of palms that hold by `friction`");
    }
    return;
  }
  grip.friction = positive_number(map, "friction", 1, 100);
  grip.palm = positive_number(map, "palm", kPalm, 1, "m");
  const auto push = for_both(map, "push", Vec3<double>{0, 0, 1}, direction);
  for (int i = 0; i < 2; ++i) grip.place[i] = at[i] - at[1], grip.push[i] = push[i];  // in the axes of the object
  if (map.find("turns")) {
    map.reader("friction").error(map.find("friction")->line, "not with `turns`: palms do not turn about a handle");
  }
}

}  // namespace

bool is_of_two_hands(const YamlNode& attach) {
  const YamlEntry* const to = entry_named(attach, "to");
  return to && to->value.is_list();
}

std::optional<GripSpec> grip_object(const YamlMap& map, const Model& model, LinkSpec& object) {
  const YamlReader& reader = map.reader();
  const Diagnostics& diagnostics = reader.diagnostics();
  const std::size_t errors_before = diagnostics.errors().size();
  const YamlNode& to = *map.find("to");
  if (to.items.size() != 2) {
    map.reader("to").expected("one link or frame, or two hands", to);
    return std::nullopt;
  }
  const auto at = for_both(map, "at", Vec3<double>{0, 0, 0}, [](const YamlReader& in, const YamlNode& item) {
    return in.vector(item, "m").value_or(Vec3<double>{0, 0, 0});
  });
  const Vec3<double> point = map.vector("point", {0, 0, 0}, "m");
  const Mat3<double> R_HO = transpose(
      map.find("turned") ? YamlMap(*map.find("turned"), map.reader("turned"), rotation_schema().names()).rotation()
                         : Mat3<double>::identity());
  GripSpec grip;
  grip.line = map.line();
  const YamlNode* turns = map.find("turns");
  const Vec3<double> axis = turns ? direction(map.reader("turns"), *turns) : Vec3<double>{0, 0, 1};
  const Mat3<double> R_OG = turns ? with_z(axis) : Mat3<double>::identity();
  if (map.find("moment") && !turns) {
    map.reader("moment").error(map.find("moment")->line, "is about the axis of `turns`, of which there is none");
  }
  if (turns) grip.moment = positive_number(map, "moment", kMoment, kMostMoment, "N m");
  read_palms(map, at, grip);
  const std::optional<Holder> first = find_holder(to.items[0], map.reader("to"), model),
                              second = find_holder(to.items[1], map.reader("to"), model);
  if (first && second && first->link == second->link) {
    map.reader("to").error(to.line, "both are " + in_quotes(first->link) + ": expected two hands");
  }
  if (diagnostics.errors().size() > errors_before) return std::nullopt;
  grip.object = object.name, grip.first = to.items[0].text, grip.second = to.items[1].text;
  object.parent = first->link;
  object.X_PJ = first->X_LF * Transform<double>{R_HO, point};
  object.X_JL = {Mat3<double>::identity(), at[0] * -1.0};
  if (turns) {
    object.joint.type = JointType::revolute, object.joint.axis = axis;
    DofSpec dof;
    dof.effort_lower = -grip.moment, dof.effort_upper = grip.moment;
    object.joint.dofs = {dof};
  }
  grip.loop.name = grip.object + " in " + grip.second;
  grip.loop.type = turns ? LoopType::revolute : LoopType::rigid;
  grip.loop.a = {second->link, second->X_LF * Transform<double>{R_HO * R_OG, point}};
  grip.loop.b = {grip.object, {R_OG, at[1]}};
  return grip;
}

void refuse_order(const Model& model, const GripSpec& grip, const YamlReader& reader) {
  for (const LoopEnd* end : {&grip.loop.a, &grip.loop.b}) {
    if (moves_in_order(model, model.link(end->link))) continue;
    reader.error(grip.line, "a joint on the way to " + in_quotes(end->link) + " follows another of it or a later one");
  }
}

std::optional<HeldObject> take_held_object(YamlNode& task, const std::optional<SceneFile>& file) {
  const YamlEntry* const attach = entry_named(task, "attach");
  const YamlEntry* const name = attach ? entry_named(attach->value, "object") : nullptr;
  return name ? take_scene_object(task, file, name->value.text) : std::nullopt;
}

Model with_held_object(const YamlMap& top, const std::optional<HeldObject>& held, const Model& model, Grips& grips) {
  const YamlNode* node = top.find("attach");
  if (!node) return model;
  const YamlReader reader = top.reader("attach");
  const Diagnostics& diagnostics = reader.diagnostics();
  const std::size_t errors_before = diagnostics.errors().size();
  const bool both = is_of_two_hands(*node);
  const YamlMap map(*node, reader, (both ? attach_schema() : carry_schema()).names());
  const YamlNode *const name = map.require("object"), *const to = map.require("to");
  if (!name || !to) return model;
  if (!held) refuse_object(top, *name, map.reader("object"));
  if (map.find("put")) map.reader("put").error(map.find("put")->line, "is of phases: this is held all the way");
  if (both && !model.loops().empty()) reader.error(node->line, "not with a model that has closed loops");
  if (diagnostics.errors().size() > errors_before) return model;
  SceneObject object = read_scene_object(*held, reader);
  LinkSpec& link = object.link;
  std::optional<GripSpec> grip;
  if (both) {
    grip = grip_object(map, model, link);
  } else {
    carry_object(map, model, link);
  }
  if (diagnostics.errors().size() > errors_before) return model;
  grips.object = held->name, grips.stands = object.stands;
  if (both) grips.mass = link.mass;
  try {
    ModelSpec spec = model.spec();
    fit_shapes(spec, link);
    spec.links.push_back(std::move(link));
    Model built = build_model(std::move(spec));
    if (grip) {
      refuse_order(built, *grip, reader);
      grips.all = {std::move(*grip)};
    }
    return built;
  } catch (const InputError& error) {
    reader.error(node->line, error.problems()[0].text);
  }
  return model;
}

bool grips_can_be_borne(const std::optional<GroundSpec>& ground) {
  return ground && ground->contact_variables;
}

void put_grips(const Grips& grips, const YamlMap& top, Task& task) {
  task.grips = grips.all;
  if (grips.object.empty()) return;
  task.in_hands += grips.mass;
  for (PhaseSpec& phase : task.phases) {
    phase.in_hands += grips.mass;
    phase.grips = grips.all;
  }
  const int line = top.find("attach")->line;
  if (grips.stands) task.frames.push_back(stands_at(task.model.link(grips.object), *grips.stands, 0, line));
  if (grips.all.empty()) return;
  const bool all = task.phases.empty() ? grips_can_be_borne(task.ground)
                                       : std::ranges::all_of(task.phases, grips_can_be_borne, &PhaseSpec::ground);
  if (!all) top.reader("attach").error(line, "needs `ground` with `forces: variables` all the way");
  if (!grips.stands || !top.flag("self_collision", true)) return;
  for (const GripSpec& grip : grips.all) keep_apart(task.model, task.ground, grip, *grips.stands, task.keep_out);
}

}  // namespace verne
