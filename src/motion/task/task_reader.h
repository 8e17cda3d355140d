/// The parts of a task file. Each function reads one of them, reports what is wrong with line and key, and goes on.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/scene/contact_rules.h"
#include "motion/task/scene_object.h"
#include "motion/terms/at_zero.h"
#include "motion/terms/reading.h"
#include "verne/motion/task.h"

namespace verne {

// task_reader.cpp
/// Where a task that is read finds what it names.
struct Surroundings {
  std::string folder;
  TaskFiles files;
  bool again = false;  ///< only to know what acts and holds: first guesses and terms from code are left out
  bool given = false;  ///< the model is one that was solved: nothing of it is designed any more
};
Task read_task_among(const std::string& text, const std::string& file, const Surroundings& around,
                     const std::map<std::string, double>& overrides);

// task_reader_settings.cpp
CurveSpec read_curve(const YamlMap& top);
DurationSpec read_duration(const YamlMap& top);
/// As seconds or as a part of the whole motion's.
DurationSpec read_phase_duration(const YamlMap& phase, const DurationSpec& whole);
RefineSpec read_refine(const YamlMap& top);
SolverSpec read_solver(const YamlMap& top);
StartsSpec read_starts(const YamlMap& top);
std::optional<SweepSpec> read_sweep(const YamlMap& top, const std::map<std::string, double>& parameters);
/// What is wrong with a file that the guess comes from is added to `problems`.
void read_guess(const YamlMap& top, const TaskJoints& joints, const std::string& folder, const TaskFiles& files,
                std::vector<Diagnostic>& problems, Task& task);
/// At most as many as give a solution file that can be read again.
int read_samples(const YamlMap& top, const Model& model);

// task_reader_model.cpp
/// The model with other values for some of its parameters, unless it is unsound; what is wrong with its own file is
/// added to `problems`. Puts the states that it names into `root`, and which links may touch into `rules`.
std::optional<Model> read_model(const YamlMap& top, const Surroundings& around,
                                const std::map<std::string, double>& numbers, std::vector<Diagnostic>& problems,
                                std::string& path, YamlNode& root, ContactRules& rules);

// task_reader_numbers.cpp
/// Parameters of the task's model; none where it has none, or cannot be read, which is said elsewhere.
std::map<std::string, double> parameters_of_model(const YamlMap& top, const Surroundings& around);
/// Adds the fields that are given a value, or designed. Returns the names that the model has for numbers.
std::vector<std::string> add_fields(const YamlMap& top, const Surroundings& around,
                                    const std::map<std::string, double>& given, const std::vector<DesignSpec>& design,
                                    std::map<std::string, double>& of_model);
/// Whether the task has a parameter of its own of this name.
bool top_has_parameter(const YamlMap& top, const std::string& name);
/// Whether a model is another one when a parameter of its file has another value.
bool uses_parameter(const Surroundings& around, const std::string& model_file, const std::string& name,
                    const Task& task);

// task_reader_design.cpp
/// Parameters that are unknowns; where a guess is given, it is put among `values`, unless there is one.
std::vector<DesignSpec> read_design(const YamlMap& top, std::map<std::string, double>& values);
/// What can be said once the task's parameters and those of its model are known. `uses`: whether a number of the model
/// depends on one of its parameters.
void check_design(const YamlMap& top, const Task& task, const std::vector<std::string>& names_of_model,
                  const std::function<bool(const std::string&)>& uses);

// task_reader_states.cpp
/// Without freedoms that are held.
std::optional<PeriodicSpec> read_periodic(const YamlMap& subject_to, const TaskJoints& joints,
                                          const std::vector<std::optional<double>>& held);
/// At rest where no velocity is given; but free where the motion repeats.
StateSpec read_end_state(const YamlMap& subject_to, const char* key, const TaskJoints& joints,
                         const std::optional<PeriodicSpec>& periodic);
std::vector<ViaSpec> read_via(const YamlMap& subject_to, const TaskJoints& joints);

/// A state that is free in all that it does not say.
StateSpec read_free_state(const YamlMap& map, const char* key, const TaskJoints& joints);

// task_reader_costs.cpp
/// The limits that the model has.
LimitsSpec model_limits(const TaskJoints& joints);
/// Those of `map`, and `otherwise` where it has none.
LimitsSpec read_limits(const YamlMap& map, const TaskJoints& joints, const LimitsSpec& otherwise);

/// When the task's limits are known.
void read_costs(const YamlMap& top, const TaskJoints& joints, Task& task);

// task_reader_space.cpp
std::vector<FrameGoalSpec> read_frames(const YamlMap& subject_to, const TaskJoints& joints);
std::vector<SwingTogetherSpec> read_swings(const YamlMap& subject_to, const TaskJoints& joints);
std::vector<LoadSpec> read_loads(const YamlMap& subject_to, const TaskJoints& joints);

// task_reader_carry.cpp
/// Amber: what is carried looks unlike the model.
inline constexpr Vec3<double> kCarried{0.85, 0.6, 0.16};
/// What a frame, or two hands, hold in some phases. An object that is handed over is one for each, with a link for
/// each.
struct CarriedObject {
  std::string object;              ///< its name in the scene: that of the link, too, of the first that holds it
  LinkSpec link;                   ///< with its mass and shape; its parent holds it
  std::string to;                  ///< the frame, as the task has it, or both hands
  std::optional<GripSpec> grip{};  ///< of two hands
  /// Phases first … end − 1, where it stands before them and after; nothing: that is not known.
  struct Stretch {
    int first = 0, end = 0, line = 0;
    std::optional<Transform<double>> stands{}, put{};
  };
  std::vector<Stretch> stretches;
  std::vector<std::string> may_touch;  ///< links that may touch it, beside the one that holds it
  const Stretch* in(int phase) const;
};
/// Objects that phases attach are taken out of the scene.
std::vector<HeldObject> take_carried_objects(YamlNode& task, const std::optional<SceneFile>& file);
/// The model with them as links without mass. `again`: it may have them already.
Model with_carried_objects(const YamlMap& top, const std::vector<HeldObject>& held, const Model& model, bool again,
                           std::vector<CarriedObject>& carried);
/// A frame goal: a site has a pose, at a fraction of the motion or phase.
FrameGoalSpec stands_at(int site, const Transform<double>& X_WO, double at, int line);
/// Gives those that a phase holds their mass and looks; whether there are any.
bool load_carried(const std::vector<CarriedObject>& carried, int phase, ModelSpec& spec);
/// How one frame holds an object, which becomes a link of it.
void carry_object(const YamlMap& map, const Model& model, LinkSpec& object);
/// What phases say of them beside that: where they are taken and put, at rest.
void put_carried(const std::vector<CarriedObject>& carried, const YamlMap& top, Task& task);

// task_reader_phases.cpp
/// Makes the bodies under `payloads` parts of links; `model` has the links and frames that they name. Returns whether
/// it did: what is wrong is reported.
bool put_payloads(const YamlMap& map, const Model& model, ModelSpec& spec);
/// Reports that the model would be unsound with them.
void report_payloads(const YamlMap& map, const InputError& error);
/// `loose`: the model without the contacts that are held all the way.
std::vector<PhaseSpec> read_phases(const YamlMap& top, const Task& task, const Model& loose,
                                   const std::vector<CarriedObject>& carried);

// task_reader_attach.cpp
/// Whether an entry `attach` names hands, not one frame.
bool is_of_two_hands(const YamlNode& attach);
/// How two hands hold an object, which becomes a link of the first one. Nothing where something is wrong, as reported.
std::optional<GripSpec> grip_object(const YamlMap& map, const Model& model, LinkSpec& object);
/// Reports ways to the hands that derivatives are not known of. `model`: with the object.
void refuse_order(const Model& model, const GripSpec& grip, const YamlReader& reader);
/// Whether the wrench of a second hand can be a variable.
bool grips_can_be_borne(const std::optional<GroundSpec>& ground);
/// What is held all the way.
std::optional<HeldObject> take_held_object(YamlNode& task, const std::optional<SceneFile>& file);
/// What is held, and where it stands before that.
struct Grips {
  std::vector<GripSpec> all;
  std::string object;  ///< that two hands or one frame hold all the way; empty: none
  std::optional<Transform<double>> stands;
  double mass = 0;                     ///< kg that hands carry
  std::vector<CarriedObject> carried;  ///< in phases
};
/// The model with it as a link of the first hand, or of the only frame.
Model with_held_object(const YamlMap& top, const std::optional<HeldObject>& held, const Model& model, Grips& grips);
/// When the phases are known.
void put_grips(const Grips& grips, const YamlMap& top, Task& task);

// task_reader_stand.cpp
/// Key `stand` of a ground: supports, and how they keep their places. False where there is none.
bool read_stand(const YamlMap& map, const Model& model, GroundSpec& ground);

// task_reader_ground.cpp
/// The middle of some contacts in the axes of a site.
Vec3<double> middle_of(const std::vector<ContactPoint>& contacts, int site, const AtZero& at);
/// `otherwise` where the map has no ground.
std::optional<GroundSpec> read_ground(const YamlMap& map, const Model& model,
                                      const std::optional<GroundSpec>& otherwise);
/// The model with the contacts of `contacts` held, as loops to the world where its home has them; what is said of them.
Model with_contacts(const YamlMap& map, const Model& model, std::vector<HeldContactSpec>& held);
/// Corners of what surrounds the named contacts at zero, against the clock as seen from where `up` points to.
std::vector<ContactPoint> read_hull(const YamlNode& node, const YamlReader& reader, const Model& model,
                                    const Vec3<double>& up);
/// Freedoms without a drive that carry all supports need no effort where there is ground: docs/theory/gait.md, (2).
/// Where contacts bear what they like, that is what they have to be in balance with, (18).
void release_root(Task& task, const YamlMap& top);
/// One entry per velocity; none where nothing is held.
std::vector<std::optional<double>> read_held(const YamlMap& top, const TaskJoints& joints);
/// One entry per velocity; none where nothing is said.
std::vector<double> read_effort_weights(const YamlMap& top, const TaskJoints& joints);
/// What does not move needs no limits of motion.
void release_held(const std::vector<std::optional<double>>& held, LimitsSpec& limits);

// task_reader_work.cpp
/// When the phases are known.
WorkSpec read_work(const YamlMap& top, const Task& task);
/// Reports limits and costs of the wrenches of joints between the root and what stands on the ground.
void refuse_loads_of_legs(const Task& task, const YamlMap& top);
/// `repeat`: a free duration is no longer than from one repetition to the next.
void read_repetitions(const YamlMap& top, Task& task);
/// Of the `payloads` of a task or phase, once they are known to be sound, kg.
double mass_in_hands(const YamlMap& map, const Model& model);

// task_reader_apart.cpp
/// Adds a zone that keeps what two hands hold and the person's legs, trunk and head apart: the side of it that looks at
/// the person where it stands. `model`: with its shape.
void keep_apart(const Model& model, const std::optional<GroundSpec>& ground, const GripSpec& grip,
                const Transform<double>& stands, std::vector<KeepOutSpec>& zones);

// task_reader_obstacles.cpp
/// Around the shapes of a link; none where it has no ball, box, cylinder or capsule.
std::vector<LinkCapsule> capsules_of(const Model& model, int link);
std::vector<KeepOutSpec> read_keep_out(const YamlMap& subject_to, const TaskJoints& joints);

// task_reader_check.cpp
/// Reports parts of the task that contradict each other.
void check_task(const Task& task, const TaskJoints& joints, const YamlMap& top);

}  // namespace verne
