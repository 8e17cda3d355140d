#include <fmt/core.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <exception>
#include <memory>
#include <optional>

#include "commands.h"
#include "eval_arrays.h"
#include "evaluator.h"
#include "interrupt.h"
#include "line_reader.h"
#include "model_option.h"
#include "output.h"

namespace verne::cli {

namespace {

/// States that are computed together, for each thread: enough to fill lanes and hide overheads, few enough for the
/// cache.
constexpr int kStatesPerThread = 256;
/// Few states, from a slow writer or an interactive user, do not pay for many.
constexpr int kFewStates = 16;
/// Lines that are read before any is computed, in bytes: long ones must not fill the memory.
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
/// What is said about results that are not numbers; the rest is only counted.
constexpr int kMostComplaints = 20;
/// Each load of a state may need room in every state that is computed with it.
constexpr std::size_t kMostLoads = 1024;

struct EvalOptions {
  ModelOption model;
  std::string want, given;
  std::string states, input = "-", output = "-";
  int threads = 1;
  bool compiled = false;
};

/// Code for all that is wanted, where it is asked for.
std::optional<CompiledModel> compiled_for(const EvalOptions& options, const std::vector<Want>& wants,
                                          const Model& model) {
  if (!options.compiled) return std::nullopt;
  if (!options.given.empty()) throw InputError("eval: --compiled does not go with --given");
  CompileOptions compile_options;
  compile_options.want.clear();
  for (const Want& want : wants) compile_options.want.push_back(want.key);
  for (const char* const derivative : {"d_tau", "d_acceleration"}) {
    if (std::erase(compile_options.want, derivative) == 0) continue;
    throw InputError(std::string("eval: --compiled does not know ") + derivative);
  }
  try {
    return compile(model, compile_options);
  } catch (const EnvironmentError&) {
    check_interrupt();  // which has ended the compiler, too
    throw;
  }
}

/// Every number of q, v, a, tau in as many digits as anyone writes, and thousands of loads; an endless line is noticed
/// long before it fills the memory.
std::size_t longest_line(const Model& model) {
  constexpr std::size_t kNumber = 100, kLoads = std::size_t{1} << 20;
  return kLoads + kNumber * static_cast<std::size_t>(model.nq() + 3 * model.nv());
}

/// Reads lines, computes them in chunks, writes results in order.
class Pipeline {
 public:
  Pipeline(const Model& model, const EvalOptions& options)
      : model_(model),
        wants_(parse_wants(options.want, model)),
        given_(options.given.empty() ? std::nullopt : std::optional(parse_given(options.given, model))),
        shape_(state_shape(model)),
        threads_(options.threads),
        arena_(options.threads),
        reader_(options.input, longest_line(model)),
        output_(options.output),
        compiled_(compiled_for(options, wants_, model)) {
    if (model.loops().empty() && model.contacts().empty()) return;
    const bool closed = !model.loops().empty();
    const Mechanism mechanism(model);
    warn_of_loops(mechanism, options.model.strict);
    if (closed && given_) require_given(mechanism, *given_, wants_);
    SystemOptions what;
    if (closed) what.given = given_, shape_ = closed_shape(mechanism);
    const System system(model, what);
    for (int k = 0; k < threads_; ++k) {
      solvers_.emplace_back(system, wants_);
      if (closed) together_.emplace_back(system, wants_, kStatesPerThread);
    }
  }

  void run() {
    try {
      while (read_chunk()) {
        check_interrupt();
        parse_chunk();
        compute_chunk();
        if (failure_) std::rethrow_exception(failure_);
      }
      output_.finish();
    } catch (const ClosedPipe&) {  // whoever read has enough; what was found out until then counts
      if (failure_) std::rethrow_exception(failure_);
    }
    if (not_finite_ == 0) return;
    throw NotAchieved{fmt::format("{} of the results are not finite numbers and were written as null", not_finite_)};
  }

 private:
  struct Line {
    std::string text;
    int number = 0;
  };

  /// Stops early rather than waiting for input while there is something to answer.
  bool read_chunk() {
    line_count_ = 0;
    std::size_t bytes = 0;
    const auto most = static_cast<std::size_t>(kStatesPerThread * threads_);
    lines_.resize(most);
    while (line_count_ < most && bytes < kMostBytes && (line_count_ == 0 || reader_.is_ready())) {
      Line& line = lines_[line_count_];
      if (!next_line(line)) break;
      bytes += line.text.size();
      ++line_count_;
    }
    return line_count_ > 0;
  }

  /// The next line that is not empty; false at the end, and at a line that cannot be read.
  bool next_line(Line& line) {
    try {
      do {
        if (!reader_.next(line.text)) return false;
      } while (line.text.find_first_not_of(" \t\r") == std::string::npos);
    } catch (const InputError&) {
      if (line_count_ == 0) throw;
      failure_ = std::current_exception();
      return false;
    }
    line.number = reader_.line_number();
    return true;
  }

  /// Up to the first bad line, which ends the run once the lines before it are answered.
  void parse_chunk() {
    states_.resize(line_count_);
    closed_.resize(solvers_.empty() ? 0 : line_count_);
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads_));
    std::vector<std::size_t> ends(static_cast<std::size_t>(threads_));
    for_each_share(line_count_, [&](std::size_t share, std::size_t begin, std::size_t end) {
      std::size_t& i = ends[share];
      try {
        for (i = begin; i < end; ++i) {
          states_[i] = parse_state(lines_[i].text, model_, shape_, reader_.name(), lines_[i].number);
        }
      } catch (...) {
        failures[share] = std::current_exception();
      }
      if (solvers_.empty()) return;
      const std::size_t parsed = i;
      try {
        if (!together_.empty()) together_[share].compute(std::span(states_).subspan(begin, parsed - begin));
        for (i = begin; i < parsed; ++i) close_state(share, i, i - begin);
      } catch (...) {
        failures[share] = std::current_exception();
      }
    });
    for (std::size_t share = 0; share < failures.size(); ++share) {
      if (!failures[share]) continue;
      failure_ = failures[share];
      states_.resize(ends[share]);
      return;
    }
  }

  /// Turns a line about a mechanism into one about its tree, and computes what only the mechanism or contacts know.
  void close_state(std::size_t share, std::size_t i, std::size_t place) {
    try {
      if (given_ && !states_[i].contacts.empty()) throw InputError("contacts: are not known together with --given");
      if (given_ && !states_[i].weights.empty()) throw InputError("weights: have no meaning together with --given");
      std::optional<ClosedStates::Line> known;
      if (!together_.empty()) known = together_[share].line(place);
      closed_[i] = solvers_[share].solve(states_[i], known);
    } catch (const InputError& error) {
      std::vector<Diagnostic> problems = error.problems();
      for (Diagnostic& problem : problems) problem.file = reader_.name(), problem.line = lines_[i].number;
      throw InputError(std::move(problems));
    }
  }

  void compute_chunk() {
    std::size_t begin = 0;
    while (begin < states_.size()) {
      std::size_t end = begin, loads = 0;
      do {
        loads += states_[end++].loads.size();
      } while (end < states_.size() && loads + states_[end].loads.size() <= kMostLoads);
      answer(begin, end);
      begin = end;
    }
  }

  void answer(std::size_t first, std::size_t last) {
    Evaluator& evaluator = evaluator_for(last - first);
    const std::span<const ClosedResults> closed(closed_);
    evaluator.compute(std::span<const StateLine>(states_).subspan(first, last - first),
                      closed.empty() ? closed : closed.subspan(first, last - first));
    struct Share {
      std::string text;
      std::vector<std::pair<std::size_t, std::string>> not_finite;  ///< state and quantity
    };
    std::vector<Share> shares(static_cast<std::size_t>(threads_));
    for_each_share(last - first, [&](std::size_t share, std::size_t begin, std::size_t end) {
      JsonWriter json;
      for (std::size_t k = begin; k < end; ++k) {
        for (std::string& want : evaluator.append(static_cast<int>(k), json, shares[share].text)) {
          shares[share].not_finite.emplace_back(first + k, std::move(want));
        }
      }
    });
    const auto report = [&] {
      for (std::size_t k = first; k < last && !closed.empty(); ++k) {
        if (!closed[k].connected) report_other_branch(lines_[k].number);
      }
      for (const Share& share : shares) {
        for (const auto& [state, want] : share.not_finite) report_not_finite(lines_[state].number, want);
      }
    };
    try {
      for (const Share& share : shares) output_.write(share.text);
    } catch (const ClosedPipe&) {
      report();
      throw;
    }
    report();
  }

  void report_not_finite(int line, const std::string& want) {
    if (++not_finite_ > kMostComplaints) return;
    complain(line_about({reader_.name(), line, want + " is not finite"}, "error"));
  }

  void report_other_branch(int line) {
    if (++other_branches_ > kMostComplaints) return;
    complain(line_about({reader_.name(), line, kNotConnected}, "warning"));
  }

  Evaluator& evaluator_for(std::size_t states) {
    const bool few = states <= kFewStates;
    std::optional<Evaluator>& evaluator = few ? few_ : many_;
    if (!evaluator) {
      evaluator.emplace(model_, wants_, given_, compiled_, few ? kFewStates : kStatesPerThread * threads_,
                        few ? 1 : threads_);
    }
    return *evaluator;
  }

  /// Splits 0 ... count−1 into one range a thread: run(share, begin, end).
  template <class F>
  void for_each_share(std::size_t count, const F& run) {
    const auto shares = static_cast<std::size_t>(threads_);
    const auto run_share = [&](std::size_t share) { run(share, count * share / shares, count * (share + 1) / shares); };
    if (shares == 1) return run_share(0);
    arena_.execute([&] { tbb::parallel_for(std::size_t{0}, shares, run_share); });
  }

  const Model& model_;
  std::vector<Want> wants_;
  std::optional<GivenAccelerations> given_;
  StateShape shape_;
  int threads_;
  tbb::task_arena arena_;
  LineReader reader_;
  Output output_;
  std::optional<CompiledModel> compiled_;
  std::vector<Line> lines_;
  std::size_t line_count_ = 0;
  std::vector<StateLine> states_;
  std::vector<ClosedSolver> solvers_;   ///< of a model with loops or contacts, one a thread
  std::vector<ClosedStates> together_;  ///< of a model with loops
  std::vector<ClosedResults> closed_;
  std::exception_ptr failure_;
  int not_finite_ = 0;      ///< results
  int other_branches_ = 0;  ///< states that may be on one
  std::optional<Evaluator> few_, many_;
};

void run_eval(const EvalOptions& options) {
  if (!options.states.empty()) {
    if (options.compiled) throw InputError("--states does not go with --compiled: give lines of JSON");
    if (options.input != "-") throw InputError("--states and --input are both states: give one of them");
    const Model model = load(options.model);
    SystemOptions what;
    if (!options.given.empty()) what.given = parse_given(options.given, model);
    return evaluate_arrays(System(model, what), {options.states, options.want, options.output, options.threads});
  }
  if (options.model.path == "-" && options.input == "-") {
    throw InputError("the model and the states cannot both come from standard input: name a file with --input");
  }
  const Model model = load(options.model);
  Pipeline(model, options).run();
}

}  // namespace

void add_eval_command(CLI::App& program) {
  const auto options = std::make_shared<EvalOptions>();
  CLI::App& command = *program.add_subcommand("eval", "Compute quantities for states: JSON Lines in, JSON Lines out");
  add_model_option(command, options->model)->required();
  command.add_option("--want", options->want, "what to compute, see below; commas between")
      ->required()
      ->type_name("LIST");
  command
      .add_option("--given", options->given,
                  "acceleration=JOINT,JOINT,...: of these joints a is given and tau found; of the others tau is given "
                  "and a found (hybrid dynamics)")
      ->type_name("LIST")
      ->check(not_empty());
  command.add_option("-i,--input", options->input, "states, one JSON object a line; - is standard input (default)")
      ->type_name("FILE")
      ->check(not_empty());
  command
      .add_option("--states", options->states,
                  "in place of lines: arrays of numpy.save (float64, states x n, C order) whose names, or NAME=FILE, "
                  "say q, v, a, tau or guess; results are arrays, too")
      ->type_name("Q.npy,V.npy,...")
      ->check(not_empty());
  command
      .add_option("-o,--output", options->output,
                  "where results go; - is standard output (default); with --states a .npy file or, for several "
                  "arrays, a folder")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_flag("--compiled", options->compiled,
                   "by code compiled for this model (tau, acceleration, bias, gravity, mass_matrix; no loads)");
  command.add_option("--threads", options->threads, "number of threads (default 1)")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command.footer(
      "LIST is made of " + known_quantities() +
      ".\n"
      "A state has q, v, a, tau (arrays; missing ones are zero) and loads, a list of\n"
      "{\"frame\", \"point\", \"at\": \"frame\"|\"world\", \"force\", \"moment\"}. tau is that of the motion q, v, a;\n"
      "acceleration is that under the given tau; joint_wrenches are those of tau, or of acceleration when only\n"
      "that is wanted. \"contacts\": [names] holds contacts of the model. With --given all of these belong to one "
      "motion, that which completes a and tau.\n"
      "Example:\n"
      "  echo '{\"q\":[0.1,0.2],\"v\":[1,0]}' | verne eval models/two_link.yaml --want tau,link_poses\n"
      "  verne eval models/arm7.yaml --states q.npy,v.npy,a.npy --want tau -o tau.npy --threads 2");
  command.callback([options] { run_eval(*options); });
}

}  // namespace verne::cli
