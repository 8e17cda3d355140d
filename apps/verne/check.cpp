#include <fmt/core.h>

#include <chrono>
#include <memory>

#include "bench/kernel_counts.h"
#include "check_report.h"
#include "commands.h"
#include "model_option.h"
#include "number_option.h"
#include "output.h"
#include "verne/io/file.h"
#include "verne/io/json_writer.h"

namespace verne::cli {

namespace {

struct CheckOptions {
  ModelOption model;
  int states = 10;
  bool json = false;
  double tolerance = 1e-9;
  std::string worst = "worst_state.json";
};

/// The comparison that came out worst of all.
struct Worst {
  double disagreement = -1;
  std::string formulation;
  CheckedQuantity quantity = reproduce::kTorques;
  CheckState state;
};

template <class Call>
double mean_microseconds(const std::vector<CheckState>& states, Call&& call) {
  call(states[0]);  // brings code and data to the processor
  const auto start = std::chrono::steady_clock::now();
  for (const CheckState& state : states) call(state);
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  return spent.count() / static_cast<double>(states.size());
}

/// The library's own two algorithms, that all others are compared with.
std::vector<CheckRow> library_rows(const Model& model, const std::vector<CheckState>& states) {
  Data<double> data(model);
  Eigen::VectorXd out(model.nv());
  const CountedState counting{reproduce::counted(states[0].q), reproduce::counted(states[0].v),
                              reproduce::counted(states[0].a)};
  CheckRow inverse{"library, inverse dynamics", "", "", {}, inverse_dynamics_count(model, counting), {}};
  inverse.microseconds =
      mean_microseconds(states, [&](const CheckState& s) { inverse_dynamics(model, data, s.q, s.v, s.a, out); });
  if (!model.joints_without_inertia().empty()) return {inverse};
  CheckRow forward{"library, forward dynamics", "", "", {}, forward_dynamics_count(model, counting), {}};
  forward.microseconds =
      mean_microseconds(states, [&](const CheckState& s) { forward_dynamics(model, data, s.q, s.v, s.tau, out); });
  return {inverse, forward};
}

CheckRow run_row(CheckedFormulation& checked, const std::vector<CheckState>& states, Worst& worst) {
  CheckRow row{checked.name, checked.description, checked.formulation ? checked.lacks : "", {}, {}, {}};
  if (!checked.formulation) {
    for (CheckCell& cell : row.cells) cell.reason = checked.reason;
    return row;
  }
  try {
    for (const CheckState& state : states) {
      const reproduce::Differences differences = checked.formulation->compare(state);
      for (std::size_t k = 0; k < differences.size(); ++k) {
        if (!differences[k]) continue;
        row.cells[k].disagreement = std::max(row.cells[k].disagreement.value_or(0), *differences[k]);
        if (*differences[k] > worst.disagreement) worst = {*differences[k], row.name, CheckedQuantity(k), state};
      }
    }
    row.count = checked.formulation->count(states[0]);
    row.microseconds = mean_microseconds(states, [&](const CheckState& s) { checked.formulation->run(s); });
  } catch (const InputError& error) {
    for (CheckCell& cell : row.cells) cell = {{}, error.problems().at(0).text};
  }
  return row;
}

/// A line that `verne eval` reads.
std::string worst_json(const Worst& worst) {
  JsonWriter json;
  json.begin_object()
      .key("q")
      .values(reproduce::span_of(worst.state.q))
      .key("v")
      .values(reproduce::span_of(worst.state.v));
  json.key("a")
      .values(reproduce::span_of(worst.state.a))
      .key("tau")
      .values(reproduce::span_of(worst.state.tau))
      .end_object();
  return json.text() + "\n";
}

void run_check(const CheckOptions& options) {
  const Model model = load(options.model);
  if (model.nv() == 0) throw InputError(title_of(model) + ": nothing to check, no joint moves");
  const std::vector<CheckState> states = reproduce::random_states(model, options.states);
  CheckReport report{title_of(model), options.states, options.tolerance, library_rows(model, states)};
  Worst worst;
  for (CheckedFormulation& checked : reproduce::formulations_for(model))
    report.rows.push_back(run_row(checked, states, worst));
  if (options.json) {
    print(check_json(report));
  } else {
    show(check_text(report));
  }
  if (report.agreeing() == report.compared()) return;
  write_text_file(options.worst, worst_json(worst));
  throw NotAchieved{fmt::format("{}: {} of {} differ by {:.1e}; the state is in {}", title_of(model),
                                name_of(worst.quantity), worst.formulation, worst.disagreement, options.worst)};
}

}  // namespace

void add_check_command(CLI::App& program) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App& command = *program.add_subcommand("check", "Compare the library with the published algorithms");
  add_model_option(command, options->model)->required();
  command.add_option("--states", options->states, "random states to compare on (default 10)")
      ->check(CLI::Range(1, 100000))
      ->type_name("N");
  command.add_flag("--json", options->json, "print JSON");
  command.add_option("--tolerance", options->tolerance, "largest relative disagreement that passes (default 1e-9)")
      ->check(number_between(0, 1))
      ->type_name("X");
  command.add_option("--worst", options->worst, "where the worst state goes on failure (default worst_state.json)")
      ->type_name("FILE")
      ->check(not_empty());
  command.footer("Examples:\n  verne check models/puma560.yaml\n  verne check robot.urdf --states 1000 --json");
  command.callback([options] { run_check(*options); });
}

}  // namespace verne::cli
