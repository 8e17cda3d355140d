/// The keys below `minimize` and `subject_to`.
#include "motion/task/task_schema.h"
#include "motion/terms/limits/joint_limit.h"

namespace verne {

namespace {

Form state_form() {
  return per_joint(value_form());
}
Form coordinates_form(const std::string& unit) {
  return list(value_form(unit), 3, 3);
}
std::vector<Key> state_keys() {
  return {{"position", state_form(), "of joints: a number, `free` or `{between: [lower, upper]}`", "free"},
          {"velocity", state_form(), "the same", "zero at both ends, else free"},
          {"acceleration", state_form(), "the same", "free"}};
}

}  // namespace

Schema with_weight(const CostType& type) {
  Schema schema = type.keys;
  schema.keys.push_back({"weight", nonnegative(kLargestWeight), "of the cost in the sum", "1"});
  return schema;
}

const Schema& costs_schema() {
  static const Schema kSchema = [] {
    static std::vector<Schema> all;
    for (const CostType* type : costs_in_files()) all.push_back(with_weight(*type));
    Schema schema{{}, "cost"};
    schema.one_key = true;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const CostType& type = *costs_in_files()[k];
      schema.keys.push_back({type.name, either({nonnegative(kLargestWeight), map(all[k])}), type.integrand, "", false});
    }
    return schema;
  }();
  return kSchema;
}
const Schema& mean_schema() {
  static const Schema kSchema{
      {{"mean", list(map(costs_schema())), "costs as means over time in place of integrals", "required", true}}};
  return kSchema;
}

const Schema& limits_schema() {
  static const Schema kSchema = [] {
    Schema schema{{}, "limits"};
    for (const JointLimit* limit : joint_limits()) schema.keys.push_back(limit->key());
    return schema;
  }();
  return kSchema;
}

const Schema& subject_to_schema() {
  static const Schema kSchema{
      {{"start", either({text(), map(state_schema()), map(state_file_schema())}),
        "state at the start, or the name of one, or `{file: …}`", "at rest"},
       {"end", either({text(), map(state_schema()), map(state_file_schema())}),
        "state at the end, or the name of one, or `{file: …}`", "at rest"},
       {"via", list(map(via_schema())), "states on the way", "none"},
       {"limits", map(limits_schema()), "along the motion", "the model's"},
       {"frames", list(map(frame_schema())),
        "places that a link or a named frame must take, how it is turned, how fast it moves", "none"},
       {"keep_out", list(map(keep_out_schema())),
        "balls, capsules and boxes that links stay out of, and links that keep apart", "none"},
       {"swing_together", list(map(swing_together_schema())),
        "limbs that swing the same way, as an arm and the opposite leg do", "none"},
       {"loads", list(map(load_schema())), "what acts on the model from outside, constant all along the motion",
        "none"},
       {"ground", either({word("none"), list(map(support_schema())), map(ground_schema())}),
        "what holds the model up when nothing drives its first joints", "nothing"},
       {"periodic", either({flag(), map(periodic_schema())}), "the motion ends as it began", "`false`"}},
      "subject_to"};
  return kSchema;
}

const Schema& between_schema() {
  static const Schema kSchema{{{"between", range_form(), "bounds", "required", true}}, "between"};
  return kSchema;
}
const Schema& state_file_schema() {
  static const Schema kSchema{{{"file", text(), "JSON with positions, relative to the task file", "required", true}}};
  return kSchema;
}
const Schema& state_schema() {
  static const Schema kSchema{state_keys(), "state"};
  return kSchema;
}
const Schema& via_schema() {
  static const Schema kSchema = [] {
    Schema schema{state_keys(), "via"};
    schema.keys.insert(schema.keys.begin(), {"at", positive(1), "a fraction of the duration", "required", true});
    return schema;
  }();
  return kSchema;
}

const Schema& frame_schema() {
  static const Schema kSchema{
      {{"frame", text(), "a link or a named frame", "required, unless there is a contact"},
       {"contact", text(), "in place of `frame` and `point`: a contact of the model", ""},
       {"at", either({word("start"), word("end"), word("path"), nonnegative(1)}),
        "`start`, `end`, `path` (all the time) or a fraction of the duration", "`end`"},
       {"position", coordinates_form("m"), "x, y, z in the world, each a number, `free` or `{between: [lower, upper]}`",
        "one of these four is required"},
       {"orientation", map(rotation_schema()), "`{rpy: […]}` or `{quaternion: [x, y, z, w]}`, world from frame", ""},
       {"axis", vector(),
        "one axis of the frame, in its own axes; the frame may turn about it: a cup that is kept upright", ""},
       {"points", vector(), "the direction in the world that this axis has", ""},
       {"velocity", coordinates_form("m/s"), "of the point along x, y, z of the world, m/s, as `position`", ""},
       {"point", vector("m"), "the point of the frame that is meant, in its own axes", "its origin"},
       {"per_second", vector("m/s"),
        "by which `position` is farther in x, y, z for each second that the motion lasts, m/s: the place of a step "
        "that "
        "is as long as speed and duration make it",
        "`[0, 0, 0]`"},
       {"tolerance", nonnegative(kLargestDistance),
        "of each coordinate of `position`, m; or of the angle of rotation or of the axis, rad, at most 180°",
        "0: exact"}},
      "frame"};
  return kSchema;
}
const Schema& rotation_schema() {
  static const Schema kSchema{{{"rpy", vector("rad"), "roll, pitch and yaw", "one of both is required"},
                               {"quaternion", list(number(), 4, 4), "x, y, z, w", ""}},
                              "rotation"};
  return kSchema;
}

const Schema& keep_out_schema() {
  static const Schema kSchema{
      {{"sphere", map(sphere_schema()), "an obstacle, in the world", "one of these four is required"},
       {"capsule", map(capsule_schema()), "an obstacle, in the world", ""},
       {"box", map(box_schema()), "an obstacle, in the world, turned by `rpy` or `quaternion`", ""},
       {"against", list(either({text(), map(link_capsule_schema())}), 1),
        "in place of an obstacle: other links, as in `links`", ""},
       {"links", list(either({text(), map(link_capsule_schema())}), 1),
        "links by name, or capsules in a link's axes (without `to`: a ball)",
        "every link that moves; with `against`, except for those that are joined to one of these"},
       {"margin", nonnegative(kLargestDistance, "m"), "distance to keep, m", "0"},
       {"name", text(), "for messages and pictures", "`obstacle 1`, …"}},
      "keep_out"};
  return kSchema;
}
const Schema& link_capsule_schema() {
  static const Schema kSchema{{{"link", text(), "in whose axes it is", "required", true},
                               {"from", vector("m"), "an end of its axis", "required", true},
                               {"to", vector("m"), "the other end", "the same: a ball"},
                               {"radius", positive(kLargestDistance, "m"), "m", "required", true}},
                              "link_capsule"};
  return kSchema;
}
const Schema& sphere_schema() {
  static const Schema kSchema{{{"center", vector("m"), "in the world", "required", true},
                               {"radius", positive(kLargestDistance, "m"), "m", "required", true}},
                              "sphere"};
  return kSchema;
}
const Schema& capsule_schema() {
  static const Schema kSchema{{{"from", vector("m"), "an end of its axis", "required", true},
                               {"to", vector("m"), "the other end", "required", true},
                               {"radius", positive(kLargestDistance, "m"), "m", "required", true}},
                              "capsule"};
  return kSchema;
}
const Schema& box_schema() {
  static const Schema kSchema{{{"center", vector("m"), "in the world", "required", true},
                               {"size", list(positive(kInfinity, "m"), 3, 3), "lengths of its edges", "required", true},
                               {"rpy", vector("rad"), "how it is turned: roll, pitch and yaw", "not"},
                               {"quaternion", list(number(), 4, 4), "the same: x, y, z, w", ""}},
                              "box"};
  return kSchema;
}

const Schema& swing_together_schema() {
  static const Schema kSchema{
      {{"limbs", list(list(text(), 2, 2), 2, 2),
        "two limbs, each `[end, start]`: links or frames, of which the origins are meant", "required", true},
       {"along", vector(), "a direction in the world", "required", true},
       {"slack", positive(kLargestDistance, "m"),
        "m; the product of how far both ends are ahead of where their limbs begin is at least −slack²", "0.02"}},
      "swing_together"};
  return kSchema;
}

const Schema& load_schema() {
  static const Schema kSchema{{{"frame", text(), "a link or a named frame", "required", true},
                               {"force", vector("N"), "in world axes, N", "0; one of both is required"},
                               {"moment", vector("N m"), "in world axes, N m", "0"},
                               {"point", vector("m"), "where the force acts, in the axes of the frame", "its origin"}},
                              "load"};
  return kSchema;
}

const Schema& ground_schema() {
  static const Schema kSchema{
      {{"supports", list(map(support_schema()), 1, 2), "a list; in a phase, `ground` may be the list itself",
        "those of the motion"},
       {"stand", either({list(text(), 1, 2), entries(list(number("m"), 2, 2))}),
        "in place of supports: feet that stand flat on four of their contacts where the model has them at zero; or "
        "`{foot_r: [x, z], …}`, the horizontal place of each one's origin",
        "none"},
       {"polygon", list(text()),
        "corners of the support polygon, contacts against the clock as seen from above: the zero-moment point of all "
        "supports stays inside of it, and each support's centre of pressure may be anywhere. In a phase with supports "
        "of "
        "its own, theirs",
        "none: each support's centre of pressure stays in its own hull, which is more"},
       {"friction", positive(100), "coefficient of friction", "none"},
       {"least_force", nonnegative(1), "vertical, as a part of the weight", "0.1"},
       {"forces", words({"rule", "variables"}),
        "`rule`: shared as above. `variables`: what each contact bears is found with the motion", "`rule`"}},
      "ground"};
  return kSchema;
}
const Schema& support_schema() {
  static const Schema kSchema{
      {{"frame", text(), "the link or frame that bears the force", "required", true},
       {"contacts", list(text()), "contacts of the model, two or more, whose hull holds the centre of pressure",
        "required", true},
       {"share", either({nonnegative(1), list(nonnegative(1), 2, 2)}),
        "of the force, or `[at the start, at the end]` of the phase; all shares together make 1", "1"},
       {"reference", either({list(text()), map(reference_schema())}),
        "contacts whose middle the support's centre of pressure is near, or `{from: […], to: […]}`: with two supports, "
        "the centres of pressure are as far apart as these",
        "its contacts"},
       {"margin", nonnegative(0.01, "m"), "by which the hull is wider, m, at most 0.01",
        "0; 0.01 where two contacts are a line"}},
      "support"};
  return kSchema;
}
const Schema& reference_schema() {
  static const Schema kSchema{{{"from", list(text()), "contacts, at the start of the phase", "required", true},
                               {"to", list(text()), "contacts, at its end", "required", true}},
                              "reference"};
  return kSchema;
}

const Schema& periodic_schema() {
  static const Schema kSchema{
      {{"joints", list(text()), "those that repeat", "all that are not held"},
       {"difference", per_joint(number()), "by how much a position is farther in the end", "0"},
       {"speed", per_joint(number()), "the same per second", "0"},
       {"acceleration", word("free"),
        "`free`: it may jump where the motion begins anew, as when the ground's force goes from one foot to the other "
        "at "
        "once",
        "repeats"},
       {"mirrored", flag(), "`true`: the motion ends as the mirror image of its start, as a step does", "`false`"}},
      "periodic"};
  return kSchema;
}

}  // namespace verne
