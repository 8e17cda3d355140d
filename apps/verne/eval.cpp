#include <fmt/core.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.h"
#include "csv_states.h"
#include "eval_arrays.h"
#include "given.h"
#include "interrupt.h"
#include "line_evaluator.h"
#include "line_reader.h"
#include "model_option.h"
#include "output.h"
#include "state_lines.h"

namespace verne::cli {

namespace {

/// Lines that each thread computes together.
constexpr int kLinesPerThread = 256;
/// Lines that are read before any is computed, in bytes: long ones must not fill the memory.
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
/// What is said about results that are not numbers; the rest is only counted.
constexpr int kMostComplaints = 20;
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
        shape_(state_shape(model)),
        threads_(options.threads),
        arena_(options.threads),
        reader_(options.input, longest_line(model)),
        output_(options.output) {
    SystemOptions what;
    if (!options.given.empty()) what.given = parse_given(options.given, model);
    if (!model.loops().empty()) {
      const Mechanism mechanism(model);
      warn_of_loops(mechanism, options.model.strict);
      if (what.given) require_given(mechanism, *what.given, wants_);
      shape_ = shape_of(mechanism);
    }
    const System system(model, what);
    if (std::filesystem::path(options.input).extension() == ".csv") read_header(system);
    const std::optional<CompiledModel> compiled = compiled_for(options, wants_, model);
    for (int k = 0; k < threads_; ++k) evaluators_.emplace_back(system, wants_, compiled);
  }

  void run() {
    try {
      while (read_chunk()) {
        check_interrupt();
        answer_chunk();
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

  /// The first line of a table that is not empty.
  void read_header(const System& system) {
    Line header;
    if (!next_line(header)) throw InputError({Diagnostic{reader_.name(), 0, "is empty: expected a header"}});
    table_.emplace(header.text, system, shape_, reader_.name(), header.number);
  }

  StateLine state_of(const Line& line) const {
    if (table_) return table_->state(line.text, line.number);
    return parse_state(line.text, model_, shape_, reader_.name(), line.number);
  }

  /// Stops early rather than waiting for input while there is something to answer.
  bool read_chunk() {
    line_count_ = 0;
    std::size_t bytes = 0;
    const auto most = static_cast<std::size_t>(kLinesPerThread * threads_);
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

  /// Up to the first line that is bad or has no answer, which ends the run once the lines before it are answered.
  void answer_chunk() {
    answers_.assign(line_count_, {});
    states_.resize(line_count_);
    for_each_share(line_count_, [&](std::size_t share, std::size_t begin, std::size_t end) {
      std::size_t i = begin;
      try {
        for (; i < end; ++i) states_[i] = state_of(lines_[i]);
      } catch (const InputError&) {
        answers_[i].failure = std::current_exception();
      }
      evaluators_[share].answer(std::span(states_).subspan(begin, i - begin),
                                std::span(answers_).subspan(begin, i - begin));
    });
    std::size_t answered = 0;
    while (answered < line_count_ && !answers_[answered].failure) ++answered;
    if (answered < line_count_) failure_ = named(answers_[answered].failure, lines_[answered].number);
    write(answered);
  }

  /// What is wrong with a line, with its place.
  std::exception_ptr named(std::exception_ptr failure, int line) const {
    try {
      std::rethrow_exception(std::move(failure));
    } catch (const InputError& error) {
      std::vector<Diagnostic> problems = error.problems();
      for (Diagnostic& problem : problems) problem.file = reader_.name(), problem.line = line;
      return std::make_exception_ptr(InputError(std::move(problems)));
    }
  }

  void write(std::size_t answered) {
    const auto report = [&] {
      for (std::size_t k = 0; k < answered; ++k) {
        if (!answers_[k].connected) report_other_branch(lines_[k].number);
      }
      for (std::size_t k = 0; k < answered; ++k) {
        for (const std::string& want : answers_[k].not_finite) report_not_finite(lines_[k].number, want);
      }
    };
    try {
      for (std::size_t k = 0; k < answered; ++k) output_.write(answers_[k].text);
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
  StateShape shape_;
  int threads_;
  tbb::task_arena arena_;
  LineReader reader_;
  Output output_;
  std::optional<CsvStates> table_;         ///< where lines are rows of one
  std::vector<LineEvaluator> evaluators_;  ///< one for each thread
  std::vector<Line> lines_;
  std::size_t line_count_ = 0;
  std::vector<StateLine> states_;
  std::vector<LineAnswer> answers_;
  std::exception_ptr failure_;
  int not_finite_ = 0;      ///< results
  int other_branches_ = 0;  ///< states that may be on one
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
  command
      .add_option(
          "-i,--input", options->input,
          "states, one JSON object a line, or a table (.csv) with columns q.NAME, v.NAME, a.NAME, tau.NAME as in "
          "motion.csv; - is standard input (default)")
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
                   "by code compiled for this model (" + known_quantities(kKnownCompiled) + "; no loads)");
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
