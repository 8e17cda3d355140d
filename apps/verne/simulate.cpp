#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "input.h"
#include "interrupt.h"
#include "model/one_axis_joints.h"
#include "model/rounded_friction.h"
#include "model_option.h"
#include "number_option.h"
#include "output.h"
#include "prescribed_table.h"
#include "result_report.h"
#include "state_lines.h"
#include "torque_laws.h"
#include "verne/io/file.h"
#include "verne/motion/write_simulation.h"
#include "verne/motion/write_solution.h"
#include "verne/structures/system.h"

namespace verne::cli {

namespace {

struct SimulateArguments {
  ModelOption model;
  MeshOptions meshes{};
  std::string folder, state, torques, gains, wanted, replay, prescribed, method = "auto";
  double time = 0, tolerance = 1e-9, friction_width = 0;
  int samples = 201;
  bool stop_at_limits = false, no_report = false, quiet = false;
};

/// A state as of `verne eval`: JSON on the command line, or a file with a line of it.
StateLine read_state(const std::string& option, const std::string& text, const Model& model, const StateShape& shape) {
  const bool inline_text =
      text.find_first_not_of(" \t") != std::string::npos && text[text.find_first_not_of(" \t")] == '{';
  StateLine line = parse_state(inline_text ? text : read_text_file(text), model, shape, inline_text ? option : text, 1);
  const auto zero = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return x == 0; });
  };
  if (!line.loads.empty() || !zero(line.tau) || !zero(line.a)) {
    throw InputError(option + ": a state of a simulation has q, v, guess, tree and contacts only");
  }
  return line;
}

/// What moves, and from where.
struct Setup {
  Model model;
  Mechanism mechanism;  ///< with contacts that are held among its loops
  Values q, v;
  std::vector<std::string> contacts;
  std::optional<PrescribedTable> prescribed;
  std::optional<Replay> replay;
};

/// Whether a table of prescribed motions names coordinates that the model has not.
bool names_others(const SimulateArguments& arguments, const Model& model) {
  if (arguments.prescribed.empty()) return false;
  const auto& known = model.dof_names();
  const std::vector<std::string> names =
      coordinates_of_table(read_text_file(arguments.prescribed), arguments.prescribed, "q");
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) == known.end();
  });
}

/// Motions that are replayed are those of splines, as tasks have them: free joints are chains of one-axis joints. So
/// they are where the motion of such a chain is prescribed.
Model model_of(const SimulateArguments& arguments, const Model& model) {
  if (model.nq() == model.nv() || (arguments.replay.empty() && !names_others(arguments, model))) return model;
  return build_model(with_one_axis_joints(model.spec()));
}

/// As its file has it, or with friction rounded off where that is asked for.
Model loaded_model(const SimulateArguments& arguments) {
  Model model = load(arguments.model);
  if (arguments.friction_width == 0) return model;
  std::vector<std::string> joints;
  ModelSpec spec = with_rounded_friction(
      model.spec(), [&](const DofSpec&) { return arguments.friction_width; }, joints);
  if (joints.empty()) throw InputError("--friction-width: no joint has Coulomb friction without a width");
  return build_model(std::move(spec));
}

Setup set_up(const SimulateArguments& arguments) {
  const Model loaded = loaded_model(arguments);
  Model model = model_of(arguments, loaded);
  std::optional<Replay> replay;
  if (!arguments.replay.empty()) {
    if (model.nq() != model.nv()) {
      throw InputError("--replay: is not known for quaternions, which joints with limits, friction or springs keep");
    }
    replay = read_replay(arguments.replay, loaded, model);
    model = replay->model;
  }
  const Mechanism plain = replay ? replay->phases.front().mechanism : Mechanism(model);
  warn_of_loops(plain, arguments.model.strict);
  StateLine line = read_state("--state", arguments.state, model, shape_of(plain));
  std::optional<PrescribedTable> prescribed;
  if (const std::string& file = arguments.prescribed; !file.empty()) {
    prescribed.emplace(parse_time_table(read_text_file(file), file, "q", model), file, model);
    prescribed->begin(plain, line);
  }
  ClosedState start = closed_state(plain, line);
  if (!start.connected) complain(std::string("--state: warning: ") + kNotConnected);
  Setup setup{model, plain, std::move(start.q), std::move(start.v), {}, std::move(prescribed), std::move(replay)};
  if (setup.prescribed) setup.prescribed->begin(plain, setup.q, setup.v);
  if (line.contacts.empty()) return setup;
  if (setup.replay) throw InputError("--replay: contacts are held as in its task, not as --state says");
  setup.mechanism = Mechanism(build_model(with_held_contacts(model, line.contacts, setup.q.eigen())));
  for (const int k : line.contacts) setup.contacts.push_back(model.contacts()[static_cast<std::size_t>(k)].name);
  return setup;
}

/// The posture that feedback wants: that of the start unless --target has another.
Values wanted_of(const SimulateArguments& arguments, const Setup& setup) {
  if (arguments.wanted.empty()) return setup.q;
  const Mechanism mechanism(setup.model);
  return closed_state(mechanism, read_state("--target", arguments.wanted, setup.model, shape_of(mechanism))).q;
}

TorqueSource torques_of(const SimulateArguments& arguments, const Setup& setup) {
  TorqueSource source;
  source.words = "zero";
  const auto add = [&](const std::string& words) {
    source.words = source.words == "zero" ? words : source.words + ", " + words;
  };
  if (!arguments.torques.empty()) {
    const std::vector<int> none;
    source.table = parse_torques(read_text_file(arguments.torques), arguments.torques, setup.model,
                                 setup.prescribed ? setup.prescribed->velocities() : none);
    add("from " + public_path(arguments.torques));
  }
  if (!arguments.replay.empty()) {
    add("of the motion in " + public_path(arguments.replay));
  }
  if (!arguments.gains.empty()) {
    source.gains = parse_gains(arguments.gains);
    source.wanted = wanted_of(arguments, setup);
    add(fmt::format("feedback with {} (position) and {} (velocity)", source.gains->kp, source.gains->kd));
  } else if (!arguments.wanted.empty()) {
    throw InputError("--target: is what --pd wants; give both");
  }
  return source;
}

/// The state that a replayed motion begins in, unless another is given.
void start_as_replayed(const SimulateArguments& arguments, Setup& setup) {
  if (!setup.replay) return;
  const std::string warning = other_torques(arguments.replay, *setup.replay);
  if (!warning.empty()) complain(warning);
  if (arguments.state != "{}") return;
  ReplayedMotion motion(setup.replay->phases.front());
  motion.go_to(0);
  setup.q = motion.q, setup.v = motion.v;
  if (setup.prescribed) setup.prescribed->begin(setup.mechanism, setup.q, setup.v);
}

/// What moves when: one phase, or those of the motion that is replayed.
std::vector<SimulationPhase> phases_of(const Setup& setup, const TorqueSource& source) {
  if (!setup.replay) return {{setup.mechanism, torque_law(setup.mechanism, source)}};
  std::vector<SimulationPhase> phases;
  for (const ReplayedPhase& phase : setup.replay->phases) {
    phases.push_back({phase.mechanism, torque_law(phase.mechanism, source, &phase), phase.loads, phase.end()});
  }
  return phases;
}

/// How far it is, as one line of the terminal that is written over.
class SimulationProgress {
 public:
  SimulationProgress(std::string name, double duration, bool quiet)
      : name_(std::move(name)), duration_(duration), on_(!quiet && ::isatty(STDERR_FILENO) == 1) {}
  ~SimulationProgress() {
    if (on_) show_progress("");
  }
  bool operator()(double t) {
    const auto now = std::chrono::steady_clock::now();
    if (on_ && now - shown_ >= std::chrono::milliseconds(100)) {
      shown_ = now;
      show_progress(fmt::format("{}  {:.4g} of {:.4g} s", name_, t, duration_));
    }
    return !interrupt_requested();
  }

 private:
  std::string name_;
  double duration_;
  bool on_;
  std::chrono::steady_clock::time_point shown_{};
};

std::string simulate_command(const SimulateArguments& arguments) {
  std::string command = "verne simulate " + quoted(public_path(arguments.model.path));
  const auto add = [&](const char* option, const std::string& value, bool path) {
    if (!value.empty()) command += fmt::format(" {} {}", option, quoted(path ? public_path(value) : value));
  };
  if (arguments.model.floating_base) command += " --floating-base";
  add("--time", arguments.time > 0 ? fmt::format("{}", arguments.time) : "", false);
  if (arguments.state != "{}") add("--state", arguments.state, arguments.state[0] != '{');
  add("--torques", arguments.torques, true);
  add("--replay", arguments.replay, true);
  add("--prescribe", arguments.prescribed, true);
  add("--pd", arguments.gains, false);
  add("--target", arguments.wanted, !arguments.wanted.starts_with('{'));
  if (arguments.friction_width > 0) command += fmt::format(" --friction-width {}", arguments.friction_width);
  if (arguments.stop_at_limits) command += " --stop-at-limits";
  if (arguments.method != "auto") command += " --method " + arguments.method;
  return command + " -o " + quoted(public_path(arguments.folder));
}

Tone tone_of(SimulatedMotion::End end) {
  return end == SimulatedMotion::End::finished ? Tone::good
         : end == SimulatedMotion::End::failed ? Tone::bad
                                               : Tone::fair;
}

/// As asked for, or of the motion that is replayed or prescribed.
double time_of(const SimulateArguments& arguments, const Setup& setup) {
  if (arguments.time > 0) return arguments.time;
  if (setup.replay) return setup.replay->phases.back().end();
  return setup.prescribed && setup.prescribed->end() > 0 ? setup.prescribed->end() : 1;
}

SimulationMethod method_of(const SimulateArguments& arguments) {
  return arguments.method == "explicit"   ? SimulationMethod::explicit_only
         : arguments.method == "implicit" ? SimulationMethod::implicit_only
                                          : SimulationMethod::automatic;
}

void run_simulate(SimulateArguments arguments) {
  Setup setup = set_up(arguments);
  const TorqueSource source = torques_of(arguments, setup);
  start_as_replayed(arguments, setup);
  const double time = time_of(arguments, setup);
  SimulationNotes notes{title_of(setup.model), source.words, setup.contacts,          {},
                        arguments.tolerance,   time,         arguments.friction_width};
  PrescribedMotion prescribed;
  if (setup.prescribed) {
    prescribed = setup.prescribed->motion(time);
    for (const int k : setup.prescribed->velocities()) notes.prescribed.push_back(setup.model.dof_names()[k]);
  }
  if (arguments.folder.empty()) {
    arguments.folder = (std::filesystem::path("out") / (file_name_for(notes.name) + "_simulated")).string();
  }
  ResultFolder folder(arguments.folder);
  SimulationProgress progress(notes.name, time, arguments.quiet);
  const SimulateOptions options{time,
                                arguments.samples,
                                arguments.tolerance,
                                arguments.stop_at_limits,
                                method_of(arguments),
                                prescribed,
                                jumps_of(source, setup.replay ? &*setup.replay : nullptr),
                                std::ref(progress)};
  const std::vector<SimulationPhase> phases = phases_of(setup, source);
  const SimulatedMotion simulated = simulate(phases, setup.q, setup.v, options);
  const SampledMotion motion = sample_simulation(phases, simulated);
  SolutionFile file{label_of_folder(arguments.folder), "",
                    simulation_json(setup.model, phases, simulated, motion, notes, "verne " VERNE_VERSION,
                                    simulate_command(arguments))};
  file.path = folder.write("solution.json", file.text);
  folder.write("motion.csv", motion_csv(setup.model, motion));
  folder.write("motion.sto", motion_sto(setup.model, motion, notes.name));
  const std::string summary = simulation_summary(phases, simulated, notes), head = notes.name + ": ";
  const std::string status = to_string(simulated.end);
  folder.write("summary.txt", summary);
  file.meshes = write_meshes(folder, setup.model, arguments.meshes);
  folder.finish();
  show(head);
  show(status, tone_of(simulated.end));
  show(summary.substr(head.size() + status.size()));
  finish_results(folder, {{std::move(file)}, "", ""}, !arguments.no_report);
  check_interrupt();
  if (simulated.end == SimulatedMotion::End::failed) {
    throw NotAchieved{fmt::format("{}: the simulation ended at {:.6g} s: {}", notes.name,
                                  simulated.time[simulated.time.size() - 1], simulated.message)};
  }
}

}  // namespace

void add_simulate_command(CLI::App& program) {
  const auto arguments = std::make_shared<SimulateArguments>();
  arguments->state = "{}";
  CLI::App& command = *program.add_subcommand("simulate", "Let a model move under torques, with error control");
  add_model_option(command, arguments->model)->required();
  add_mesh_options(command, arguments->meshes);
  command.add_option("--time", arguments->time, "seconds (default 1, or those of what is replayed or prescribed)")
      ->check(number_between(1e-6, 1e6))
      ->type_name("S");
  command
      .add_option("--state", arguments->state,
                  "where it starts: JSON as of verne eval (q, v, guess, tree, contacts), or a file with it")
      ->type_name("JSON|FILE")
      ->check(not_empty());
  command.add_option("--torques", arguments->torques, "CSV: time, then tau.NAME or NAME for coordinates")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--replay", arguments->replay, "solution.json whose torques are applied; --pd closes the loop")
      ->type_name("FILE")
      ->check(not_empty());
  command
      .add_option("--prescribe", arguments->prescribed,
                  "CSV: time, then q.NAME or NAME: joints that move as told, smoothly through the rows; the torques "
                  "are found")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--pd", arguments->gains, "feedback of position and velocity of every actuated coordinate")
      ->type_name("KP,KD")
      ->check(not_empty());
  command.add_option("--target", arguments->wanted, "the posture that --pd wants (default: that of the start)")
      ->type_name("JSON|FILE")
      ->check(not_empty());
  command.add_flag("--stop-at-limits", arguments->stop_at_limits, "end where a joint reaches its limit");
  command
      .add_option("--friction-width", arguments->friction_width,
                  "round Coulomb friction off over this speed where it has no width: what should stick creeps")
      ->check(number_between(1e-6, 1e3))
      ->type_name("SPEED");
  command
      .add_option("--method", arguments->method,
                  "auto (default): explicit steps, implicit ones where the motion is stiff; or explicit or implicit "
                  "alone")
      ->check(CLI::IsMember({"auto", "explicit", "implicit"}))
      ->type_name("METHOD");
  command.add_option("--tolerance", arguments->tolerance, "of the relative error of a step (default 1e-9)")
      ->check(number_between(1e-13, 1e-2));
  command.add_option("--samples", arguments->samples, "of the motion that is written (default 201)")
      ->check(CLI::Range(2, 1000000));
  command.add_option("-o,--output", arguments->folder, "folder for the results (default: out/ and the model's name)")
      ->type_name("DIR")
      ->check(not_empty());
  command.add_flag("--no-report", arguments->no_report, "do not write report.html");
  command.add_flag("--quiet", arguments->quiet, "no progress on the terminal");
  command.footer(
      "Torques that no option gives are zero. Contacts of the state are held all the way.\n"
      "Examples:\n"
      "  verne simulate models/four_bar.yaml --time 5\n"
      "  verne simulate models/arm7.yaml --pd 200,20 --target '{\"q\":[0,0.5,0,1,0,0.5,0]}' --time 3\n"
      "  verne simulate models/humanoid.yaml --state '{\"contacts\":[\"stance_l\",\"stance_r\"]}' --pd 2000,100\n"
      "  verne simulate models/two_link.yaml --replay out/solution.json --pd 100,10\n"
      "  verne simulate models/slider_crank.yaml --prescribe crank.csv\n\n"
      "Exit status: 0 simulated (or stopped at a limit), 1 the motion could not be\n"
      "followed to the end (the files hold it as far as it goes), 2 bad input, 3\n"
      "environment error, 130 interrupted (what was computed is written).");
  command.callback([arguments] { run_simulate(*arguments); });
}

}  // namespace verne::cli
