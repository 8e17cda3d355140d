#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.h"
#include "input.h"
#include "io/named_state.h"
#include "io/number.h"
#include "model/position_names.h"
#include "model_option.h"
#include "output.h"
#include "scene_option.h"
#include "srdf_option.h"
#include "table.h"
#include "verne/io/json_writer.h"
#include "verne/io/state_io.h"
#include "verne/spatial/rotation.h"
#include "verne/structures/inverse_kinematics.h"
#include "wants.h"

namespace verne::cli {

namespace {

constexpr int kMostPostures = 1000;

struct IkOptions {
  ModelOption model;
  std::string frame, position, rpy, near, srdf, scene;
  std::vector<std::string> package_paths;
  std::optional<int> count;
  bool json = false;
};

Vec3<double> three_numbers(const std::string& text, const std::string& option, const std::string& expected) {
  const std::vector<std::string> words = split_list(text);
  if (words.size() != 3) {
    throw InputError(fmt::format("{} has {} {}, expected three: {}", option, words.size(),
                                 words.size() == 1 ? "number" : "numbers", expected));
  }
  double values[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const auto value = parse_number(words[k]);
    if (!value) throw InputError(fmt::format("{}: '{}' is no number; expected {}", option, words[k], expected));
    if (!std::isfinite(*value)) throw InputError(fmt::format("{}: '{}' is not finite", option, words[k]));
    values[k] = *value;
  }
  return Vec3<double>::load(values);
}

PoseGoal goal_of(const IkOptions& options) {
  PoseGoal goal{three_numbers(options.position, "--position", "x,y,z in metres"), {}};
  if (!options.rpy.empty()) goal.rotation = rotation_rpy(three_numbers(options.rpy, "--rpy", "r,p,y in radians"));
  return goal;
}

/// From JSON on the command line, or in a file: an array, or an object with `q` as a line of `verne eval` has it; or by
/// the name of a state.
Eigen::VectorXd near_of(const std::string& given, const Mechanism& mechanism, const std::vector<NamedState>& states) {
  if (given.empty()) return mechanism.home().eigen();
  const auto named = [&](const NamedState& state) { return state.name == given; };
  if (const auto found = std::find_if(states.begin(), states.end(), named); found != states.end()) {
    Eigen::VectorXd q = mechanism.home().eigen();
    put_state(*found, mechanism.model(), q);
    return q;
  }
  const auto first_of = [](const std::string& text) {
    return text[std::min(text.find_first_not_of(" \t\r\n"), text.size() - 1)];
  };
  const bool here = first_of(given) == '[' || first_of(given) == '{';
  const bool is_name = given.find_first_of("./") == std::string::npos && given != "-";
  if (!here && is_name && !std::filesystem::exists(given)) find_state(states, given, "--near");
  Eigen::VectorXd q = mechanism.home().eigen();
  put_state(read_posture(here ? given : read_input(given), mechanism.model(), here ? "--near" : input_name(given)),
            mechanism.model(), q);
  return q;
}

std::string json_of(const Postures& postures) {
  JsonWriter json;
  json.begin_array();
  for (const Posture& posture : postures.found) {
    json.begin_object().key("q").values(posture.q);
    json.key("position_error").value(posture.position_error).key("angle_error").value(posture.angle_error).end_object();
  }
  return json.end_array().text() + "\n";
}

std::string text_of(const Postures& postures, const std::vector<std::string>& names) {
  std::vector<Table::Column> columns{{"position", Table::Align::left}};
  for (std::size_t k = 0; k < postures.found.size(); ++k)
    columns.push_back({std::to_string(k + 1), Table::Align::right});
  Table table(columns);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> cells{names[i]};
    for (const Posture& posture : postures.found) {
      const double rounded = std::round(posture.q[static_cast<Eigen::Index>(i)] * 1e6) / 1e6;
      cells.push_back(fmt::format("{:.6f}", rounded + 0.0));  // not -0
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

void run_ik(const IkOptions& options) {
  const PoseGoal goal = goal_of(options);
  const Model model = load(options.model);
  const int site = model.site(options.frame);
  const Mechanism mechanism(model);
  if (!model.loops().empty()) warn_of_loops(mechanism, options.model.strict);
  const Srdf srdf = load_srdf(options.srdf, options.model.path, model);
  const Eigen::VectorXd near = near_of(options.near, mechanism, srdf.states);
  InverseKinematics solver(mechanism, site);
  std::optional<Collisions> collisions;
  std::optional<Touch> touch;  // of the first posture that reaches the place
  if (!options.scene.empty()) {
    collisions = load_scene(options.scene, model, srdf, options.package_paths);
    solver.accept_only([&](std::span<const double> q) {
      const auto found = collisions->touch(Eigen::Map<const Eigen::VectorXd>(q.data(), model.nq()));
      if (found && !touch) touch = found;
      return !found;
    });
  }
  const Postures postures = solver.solve_all(goal, near, options.count);
  if (options.json) print(json_of(postures));
  if (postures.found.empty() && touch) {
    const std::string how = touch->distance > 0 ? fmt::format("are only {:.3g} m apart", touch->distance) : "touch";
    const auto is_link = [&](const std::string& name) {
      return std::ranges::any_of(model.links(), [&](const Link& link) { return link.name == name; });
    };
    const bool may_be_allowed = options.srdf.empty() && is_link(touch->a) && is_link(touch->b);
    throw NotAchieved{
        fmt::format("not reached without collision: at the first posture that reaches it '{}' and '{}' {}{}", touch->a,
                    touch->b, how, may_be_allowed ? " (--srdf FILE tells which links may)" : "")};
  }
  if (postures.found.empty()) {
    throw NotAchieved{fmt::format(
        "not reached: no posture within the limits puts '{}' there; the nearest misses by {:.3g} m and {:.3g} rad",
        options.frame, postures.closest.position_error, postures.closest.angle_error)};
  }
  if (!options.json) show(text_of(postures, position_names(model)));
}

}  // namespace

void add_ik_command(CLI::App& program) {
  const auto options = std::make_shared<IkOptions>();
  CLI::App& command =
      *program.add_subcommand("ik", "Postures that bring a link or frame to a place (inverse kinematics)");
  add_model_option(command, options->model)->required();
  command.add_option("--frame", options->frame, "the link or named frame")
      ->required()
      ->type_name("NAME")
      ->check(not_empty());
  command.add_option("--position", options->position, "where its origin is wanted in the world, m")
      ->required()
      ->type_name("X,Y,Z");
  command.add_option("--rpy", options->rpy, "its axes: roll, pitch, yaw as in URDF, rad (default: any)")
      ->type_name("R,P,Y")
      ->check(not_empty());
  command
      .add_option(
          "--near", options->near,
          "positions to start from, and to be near to: JSON, a file of it, or the name of a state (default: the "
          "model's home)")
      ->type_name("JSON|FILE|STATE")
      ->check(not_empty());
  command
      .add_option("--count", options->count,
                  "so many postures at most (default: all where no joint is left over and no loop is closed, else one)")
      ->type_name("N")
      ->check(CLI::Range(1, kMostPostures));
  add_srdf_option(command, options->srdf);
  command
      .add_option("--scene", options->scene,
                  "what stands around, which the posture is not to touch, nor itself: YAML or MoveIt's .scene")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--package-path", options->package_paths, "folder of packages, for meshes that package:// names")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_flag("--json", options->json, "print JSON");
  command.footer(
      "Example:\n  verne ik models/puma560.yaml --frame tool --position 0.5,0.1,0.2 --rpy 0,3.14159,0 --json");
  command.callback([options] { run_ik(*options); });
}

}  // namespace verne::cli
