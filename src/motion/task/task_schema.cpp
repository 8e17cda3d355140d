#include "motion/task/task_schema.h"

namespace verne {

namespace {

/// Numbers that may be infinite.
Form any_number(const std::string& unit = "") {
  return either({number(unit), word("inf"), word("-inf")});
}
Form names() {
  return list(text());
}

}  // namespace

Form range_form(const std::string& unit) {
  return list(any_number(unit), 2, 2);
}
Form value_form(const std::string& unit) {
  return either({word("free"), number(unit), map(between_schema())});
}

const Schema& task_schema() {
  static const Schema kSchema{
      {{"format", word("verne-task/1"), "`verne-task/1`", "required", true},
       {"name", text(), "for people; also names the folder `out/NAME`", "the file's, without its ending"},
       {"description", text(), "for people", "empty"},
       {"model", either({text(), map(model_schema())}),
        "a model file, relative to the task file; or `{file: …}` with an SRDF file (`srdf`) that names states, or the "
        "size of a person",
        "required", true},
       {"drive", either({word("all"), names()}),
        "`all`, or a list of joints: driven in this task, whatever the model says", "the joints that the model drives"},
       {"payloads", list(map(payload_schema())), "bodies that links carry all the way", "none"},
       {"hold", either({names(), per_joint(number())}), "joints that stay where they are", "none"},
       {"contacts", list(either({text(), map(held_contact_schema())})),
        "contacts of the model that are held all the way", "none"},
       {"weights", entries(positive(kInfinity)), "by which more motors than a mechanism needs share", "1"},
       {"parameters", entries(number()), "named numbers", "none"},
       {"trajectory", map(trajectory_schema()), "the curve", "cubic, 12 control points, 50 nodes"},
       {"duration", either({positive(kLongestDuration, "s"), word("free"), map(free_duration_schema())}),
        "fixed or free", "required, unless there are phases"},
       {"phases", list(map(phase_schema()), 1),
        "stretches of the motion with a timing, limits, goals and loads of their own", "the motion is one"},
       {"minimize", either({list(map(costs_schema())), map(mean_schema())}), "list of costs, added up",
        "required, may be `[]`", true},
       {"scene", either({text(), map(scene_schema())}),
        "what stands around: a scene file, relative to the task file, or a map of the same", "none"},
       {"self_collision", flag(), "whether links keep clear of each other",
        "`true` where there is a `scene`; with `ground`, arms of a person keep clear of trunk, head and legs"},
       {"attach", either({map(attach_schema()), map(carry_schema())}),
        "an object of the scene that is held all the way: by two hands, with `ground`, or by one frame", "none"},
       {"subject_to", map(subject_to_schema()), "what must hold", "rest at both ends, the model's limits"},
       {"repeat", map(repeat_schema()), "`times`, and `rest` or `every`: the motion is repeated", "done once"},
       {"work", map(work_schema()), "what scores of a person's work need to know beside the motion",
        "assumed, and said"},
       {"refine", either({word("off"), word("false"), map(refine_schema())}), "how the motion is refined, below",
        "near the limit of refinement"},
       {"solver", map(solver_schema()), "how it is solved, below", "below"},
       {"starts", either({whole(1, 10000), map(starts_schema())}), "how many first guesses are tried, or a map, below",
        "one"},
       {"guess", map(guess_schema()), "where the solver starts, below",
        "straight from start to end, through postures that put frames in their places"},
       {"output", map(output_schema()), "what is written, below", "below"},
       {"sweep", entries(map(sweep_schema())), "one parameter and the values it takes, evenly", "none"},
       {"design", entries(map(design_schema())), "parameters that are optimized together with the motion", "none"}},
      "task"};
  return kSchema;
}

const Schema& design_schema() {
  static const Schema kSchema{
      {{"between", list(number(), 2, 2), "finite bounds; the task must make sense at both", "required", true},
       {"guess", number(), "where the search begins", "the parameter's value"}},
      "design"};
  return kSchema;
}

const Schema& attach_schema() {
  static const Schema kSchema{
      {{"object", text(), "its name under `scene: objects`, where it has a `mass`, too", "required", true},
       {"to", names(), "two links or frames: hands", "required", true},
       {"at", list(vector("m"), 2, 2), "where on the object each of both holds it, in the object's axes", "required",
        true},
       {"point", vector("m"), "of both hands, in their axes, that is there", "their origin"},
       {"turned", map(rotation_schema()), "the axes of both hands in those of the object, by `rpy` or `quaternion`",
        "the same axes"},
       {"turns", vector(),
        "an axis of the object about which it turns in both hands: handles. Without it, hands hold "
        "it rigidly",
        "none"},
       {"moment", positive(1e4, "N m"), "that each hand can give about that axis", "3 N m"},
       {"friction", positive(100), "of palms that press against the object and do not pull",
        "hands hold it by any force"},
       {"push", list(vector(), 2, 2), "with `friction`: which way each palm pushes, in the object's axes",
        "required then"},
       {"palm", positive(1, "m"), "with `friction`: half of the edges of what presses", "0.03 m"},
       {"touch", names(), "in a phase: links that may touch it, beside the hands", "none"},
       {"put", anything(),
        "in the last phase that holds it: `{xyz: …, rpy: …}`, where it is at the end, and stands from then on",
        "released where it is"}},
      "attach"};
  return kSchema;
}

const Schema& carry_schema() {
  static const Schema kSchema{
      {{"object", text(), "its name under `scene: objects`, where it has a `mass`, too", "required", true},
       {"to", text(), "a link or frame that holds it", "required", true},
       {"at", vector("m"), "where on the object it is held, in the object's axes", "its origin"},
       {"point", vector("m"), "of the frame, in its axes, that is there", "its origin"},
       {"turned", map(rotation_schema()), "the axes of the frame in those of the object, by `rpy` or `quaternion`",
        "the same axes"},
       {"touch", names(), "links that may touch it, beside the one that holds it", "none"},
       {"put", anything(),
        "in the last phase that holds it: `{xyz: …, rpy: …}`, where it is at the end, and stands from then on",
        "released where it is"}},
      "carry"};
  return kSchema;
}

const Schema& work_schema() {
  static const Schema kSchema{
      {{"load", nonnegative(1e4, "kg"), "in both hands together", "what payloads of the hands weigh"},
       {"lift", text(), "the phase in which the load is lifted",
        "all those in which hands carry something, or the whole motion"},
       {"frequency", nonnegative(1000), "how often a minute", "once in five minutes or less"},
       {"hours", nonnegative(8), "without a long rest: up to 1, 2 or 8", "1"},
       {"coupling", words({"good", "fair", "poor", "unacceptable"}), "of hands and load",
        "`fair`; without a load `good`"},
       {"stance", words({"both", "one", "walking", "sitting"}), "how the legs bear the body",
        "as the ground's forces have it"},
       {"static", flag(), "whether a posture is held for more than a minute", "`false`"},
       {"shock", flag(), "whether the load comes suddenly", "`false`"},
       {"arms_supported", flag(), "whether arms rest on something, or the person leans", "`false`"}},
      "work"};
  return kSchema;
}
const Schema& repeat_schema() {
  static const Schema kSchema{
      {{"times", whole(1, 1000), "how often", "required", true},
       {"rest", nonnegative(kLongestDuration, "s"), "after each time", "0"},
       {"every", positive(kLongestDuration, "s"), "from start to start, in place of the rest", "none"},
       {"adapt", whole(1, 1000), "after how many the motion is found anew, with the strength that is left", "never"}},
      "repeat"};
  return kSchema;
}

const Schema& model_schema() {
  static const Schema kSchema{
      {{"file", text(), "a model file, relative to the task file", "required", true},
       {"srdf", text(), "an SRDF file that names states, and links that may touch", "none"},
       {"floating_base", flag(), "`true`: the root, which the file fixes to the world, moves freely", "`false`"},
       {"stature", positive(kInfinity, "m"), "of a person", "the model's"},
       {"mass", positive(kInfinity, "kg"), "of a person", "the model's"},
       {"sex", either({word("male"), word("female"), map(female_schema())}),
        "whose proportions a person has; `{female: 1}` or 0 may be a parameter", "`male`"},
       {"ligaments", map(ligaments_schema()), "ligaments of all joints by one rule, in place of those of the file",
        "those of the file"},
       {"passive", either({text(), entries(list(list(anything(), 2, 2), 3))}),
        "what joints bear by themselves: a file of `joint,angle_deg,torque_Nm`, or {joint: [[angle, torque], …]}",
        "the springs and ligaments of the file"},
       {"friction_width", positive(1e3), "over which Coulomb friction is rounded off, rad/s or m/s",
        "a hundredth of the velocity limit, with a warning"}},
      "model"};
  return kSchema;
}
const Schema& female_schema() {
  static const Schema kSchema{{{"female", nonnegative(1), "1 or 0", "required", true}}};
  return kSchema;
}
const Schema& ligaments_schema() {
  static const Schema kSchema{
      {{"within", positive(kInfinity, "rad"), "distance from the limit of position from which they pull", "required",
        true},
       {"effort", nonnegative(kInfinity), "at the limit, as a part of the limit of effort", "required", true}}};
  return kSchema;
}

const Schema& scene_schema() {
  static const Schema kSchema{
      {{"format", word("verne-scene/1"), "of a file", ""},
       {"objects", entries(anything()), "a shape with a pose, or a list of them, for each object", "required", true},
       {"margin", nonnegative(kInfinity, "m"), "distance to keep, m", "0"},
       {"allowed_contacts", list(list(text(), 2, 2)),
        "pairs of links and objects that may touch: names, or patterns with `*` and `?`", "none"},
       {"link_meshes", either({word("hulls"), word("capsules")}), "what meshes of links count as", "`hulls`"}},
      "scene"};
  return kSchema;
}

const Schema& trajectory_schema() {
  static const Schema kSchema{
      {{"degree", whole(1, 9),
        "1 to 9. Efforts and joint forces, limited or in a cost, need 3 so that the acceleration does not jump; so "
        "does "
        "jerk; accelerations need 2. Where limits of effort alone decide on a minimum time, refinement makes 4 of 3",
        "3; 5 where joints are not driven, whose efforts are equations along the way"},
       {"control_points", whole(2, 10000), "of each joint, at least degree + 1",
        "12, and 9 more for each phase beyond the first and each place on the way (`via`, `frames` at a fraction); at "
        "least 40 where joints are not driven; 12 where `nodes` are given"},
       {"nodes", whole(2, 100000),
        "times at which limits are imposed, evenly spread. Never fewer than control points: the curve could then do as "
        "it "
        "likes between nodes, and the duration would collapse",
        "50, and 38 more for each of these; 50, or as many as control points, where those are given"},
       {"knots", words({"uniform", "free"}), "`uniform`, or `free`: the optimizer moves them", "`uniform`"},
       {"min_spacing", positive(1), "of free knots, as a fraction of the even spacing", "0.02"}},
      "trajectory"};
  return kSchema;
}

const Schema& free_duration_schema() {
  static const Schema kSchema{
      {{"free", either({range_form("s"), word("free")}), "the shortest and the longest", "required", true},
       {"guess", positive(kLongestDuration, "s"), "where the solver starts", "from the limits"}},
      "free_duration"};
  return kSchema;
}
const Schema& part_of_duration_schema() {
  static const Schema kSchema{
      {{"part", list(number(), 2, 2), "least and most, parts of the motion's", "required", true},
       {"guess", nonnegative(1), "where the solver starts", "from the limits"}},
      "part_of_duration"};
  return kSchema;
}

const Schema& phase_schema() {
  static const Schema kSchema{
      {{"name", text(), "for messages, tables and pictures", "`phase 1`, …"},
       {"duration",
        either({positive(kLongestDuration, "s"), word("free"), map(free_duration_schema()),
                map(part_of_duration_schema())}),
        "as above; or `{part: [0.2, 0.3], guess: 0.25}`, parts of the motion's duration, which may be free",
        "0.01 to 100 s"},
       {"end", either({text(), map(state_schema()), map(state_file_schema())}),
        "state at its end, as for `via`: whatever is missing is free. The last phase ends as the motion does", "free"},
       {"jump", flag(),
        "`true`: the acceleration may jump at its end. For loads that change, for switches, for impacts that are not "
        "there",
        "`false`"},
       {"limits", map(limits_schema()), "limits in place of the motion's, joint by joint", "those of the motion"},
       {"via", list(map(via_schema())),
        "beside those of the motion, as under `subject_to`. Fractions are those of the phase", "none"},
       {"frames", list(map(frame_schema())),
        "beside those of the motion; `start`, `end`, `path` and fractions are those of the phase", "none"},
       {"keep_out", list(map(keep_out_schema())), "beside those of the motion", "none"},
       {"payloads", list(map(payload_schema())), "below, beside those of the motion", "none"},
       {"attach",
        either({map(carry_schema()), map(attach_schema()), list(either({map(carry_schema()), map(attach_schema())}))}),
        "an object of the scene that a frame, or two hands, hold in this phase, or a list of them", "none"},
       {"loads", list(map(load_schema())), "as under `subject_to`, beside those of the motion", "none"},
       {"ground", either({word("none"), list(map(support_schema())), map(ground_schema())}),
        "what stands on the ground, in place of the motion's; `none`: nothing does", "that of the motion"},
       {"contacts", list(either({text(), map(held_contact_schema())})),
        "contacts that are held, in place of the motion's; `[]`: none is", "those of the motion"},
       {"spans", whole(1, 10000), "how many spans of the curve are the phase's", "an equal share"}},
      "phase"};
  return kSchema;
}

const Schema& payload_schema() {
  static const Schema kSchema{
      {{"frame", text(), "a link or a named frame that carries it", "required", true},
       {"mass", nonnegative(kInfinity, "kg"), "kg; zero for none, so that sweeps may begin there", "required", true},
       {"com", vector("m"), "centre of mass in the frame's axes, m", "its origin"},
       {"inertia", anything(), "about the centre of mass, in the forms of model files", "zero"},
       {"about", anything(), "what the inertia is about, as in model files", "the centre of mass"},
       {"shape", anything(), "how it is drawn, in the frame's axes, as `visuals` of model files", "not drawn"}},
      "payload"};
  return kSchema;
}

const Schema& held_contact_schema() {
  static const Schema kSchema{
      {{"contact", text(), "its name", "required", true},
       {"pose", anything(), "of its frame in the world, as in model files", "where the model's `home` has it"},
       {"friction", positive(100), "coefficient: the ground pushes, and the force stays in its cone",
        "none: the ground holds by any force"},
       {"least_force", nonnegative(1), "of the ground's push, as a part of the weight",
        "0.01 where `friction` or `hull` is given"},
       {"hull", list(text(), 2), "contacts of the model, two or more, whose hull holds the centre of pressure", "none"},
       {"normal", vector(), "of the ground, in the world", "up"}},
      "held_contact"};
  return kSchema;
}

const Schema& refine_schema() {
  static const Schema kSchema{
      {{"knots", either({word("auto"), whole(0, 10)}),
        "spans are made shorter and the task is solved again. `auto`: as short as `gap` says; a number: halved at most "
        "so "
        "many times, ending when the cost changes by less than 1e-5 of itself and equations hold between their nodes",
        "`auto`"},
       {"gap", positive(1),
        "finer curves until the cost is estimated to be that near (relative to it) to what the finest would give, "
        "however "
        "long that takes; the summary says so where none was found that is",
        "0.002, or what takes about five times as long as the first solve"},
       {"switches", flag(),
        "knots at which the acceleration (the jerk, where it has limits) may jump, wherever a joint changes from one "
        "limit to another: of effort, velocity, acceleration or jerk",
        "`true`"},
       {"rounds", whole(0, 1000),
        "where a limit is exceeded between nodes, nodes are added and the task is solved again, this many times at "
        "most",
        "8"},
       {"tolerance", positive(1), "of the excess, relative to the limit: the rounds end when it is reached", "1e-6"}},
      "refine"};
  return kSchema;
}

const Schema& solver_schema() {
  static const Schema kSchema{
      {{"method", words({"verne", "ipopt"}), "`verne`, made for motions, or `ipopt`", "`verne`"},
       {"tolerance", positive(0.01), "relative, of the conditions of an optimum", "1e-8"},
       {"max_iterations", whole(1, 1000000), "of a solve", "500"},
       {"max_seconds", positive(1e9, "s"),
        "for all that `predict` does, noticed between iterations (the simulation that verifies a motion has two "
        "seconds "
        "at least)",
        "no limit"},
       {"hessian", words({"exact", "limited-memory"}), "`exact` or, by Ipopt, `limited-memory`", "`exact`"},
       {"barrier", words({"monotone", "adaptive"}),
        "`monotone` or `adaptive`, which takes fewer iterations unless the cost has energy, and where there are many "
        "optima may find another",
        "`adaptive`; with a cost of energy `monotone`"},
       {"feasible_first", flag(),
        "a first solve, with the cost times 1e-6, ends when the constraints hold, a second one goes on from there for "
        "the "
        "cost; not where a motion to start from is known",
        "`false`"}},
      "solver"};
  return kSchema;
}

const Schema& starts_schema() {
  static const Schema kSchema{
      {{"count", whole(1, 10000),
        "of guesses: the first is the most promising, the others end in other postures and pass obstacles on other "
        "sides "
        "where there is a choice. The motion is then refined from the guesses whose first solves were best, three at "
        "most, and from the first one: the best motion that is verified counts. Where drives are too weak to hold what "
        "they move on its way, and all that led nowhere, up to four guesses follow that swing",
        "1"},
       {"seed", whole(0, 1000000000), "of the random changes of the others", "1"},
       {"spread", nonnegative(100), "of these changes, as a fraction of each joint's way or range", "0.3"},
       {"threads", whole(1, 256),
        "that solve them, or evaluate costs and limits of a single start; it changes nothing but the time", "1"}},
      "starts"};
  return kSchema;
}

const Schema& guess_schema() {
  static const Schema kSchema{{{"through", list(either({list(number()), entries(number())})),
                                "postures that the first guess goes through, evenly over time from start to end, each "
                                "a list or a map of joints, "
                                "others at zero",
                                "one of the three is required"},
                               {"path", text(),
                                "a CSV file of such postures, which a planner wrote: a column for each joint by its "
                                "name, a posture in each line, others at zero",
                                ""},
                               {"from", text(),
                                "the motion of a solution file, its path relative to the task. Coordinates are found "
                                "by name, and the curve may "
                                "be another one; on the same curve the solve goes on with the nodes and multipliers "
                                "that the other one ended with",
                                ""}},
                              "guess"};
  return kSchema;
}

const Schema& output_schema() {
  static const Schema kSchema{
      {{"samples", whole(2, 1000000000),
        "number of instants that are written; at most as many as surely give a `solution.json` below 256 MB, which is "
        "what `verne report` reads (191 193 for `two_link`, 10 810 for `human55`)",
        "201"}},
      "output"};
  return kSchema;
}

const Schema& sweep_schema() {
  static const Schema kSchema{{{"from", number(), "the first value", "required", true},
                               {"to", number(), "the last one", "required", true},
                               {"count", whole(2, 10000), "how many there are, evenly", "required", true}},
                              "sweep"};
  return kSchema;
}

}  // namespace verne
