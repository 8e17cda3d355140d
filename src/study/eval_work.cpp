#include <algorithm>
#include <filesystem>
#include <sstream>

#include "io/model_variants.h"
#include "io/number.h"
#include "study/eval_columns.h"
#include "study/given_state.h"
#include "study/works.h"
#include "verne/quantities/evaluation.h"

namespace verne {

namespace {

Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

class EvalWork : public StudyWork {
 public:
  EvalWork(const StudyFile& study, InputFiles& files)
      : spec_(study.spec), node_(study.source.node), model_(study.source.path, files.text(study.source.path)) {
    if (!study.source.report.empty()) {
      throw InputError({{spec_.file, study.source.report_line, "report: eval has `want` instead"}});
    }
    if (study.source.curves && !study.source.curves->empty()) {
      throw InputError({{spec_.file, study.source.curves_line, "curves: states have none; task and simulate do"}});
    }
    std::vector<std::string> known = model_.names();
    const std::vector<std::string> used = names_used_in(node_);
    known.insert(known.end(), used.begin(), used.end());
    require_known_parameters(spec_, known);
    read_wants(System(model_.at({})), files);
  }

  const std::vector<std::string>& columns() const override { return columns_; }

  PointResult compute(const PointInput& input) override {
    const std::map<std::string, double> values = named_values(spec_, input.values);
    const System& system = system_with(values);
    const std::vector<StateLine> given = states_.empty() ? std::vector{inline_state(values, system)} : states_;
    SystemBatch& states = evaluation_->states();
    for (std::size_t k = 0; k < given.size(); ++k) put(given[k], static_cast<int>(k), states);
    evaluation_->compute();
    const auto connected = states.connected();
    if (!system.model().loops().empty() && std::count(connected.begin(), connected.end(), 0) > 0) {
      throw InputError("loops do not close on the way from the guess");
    }
    PointResult result;
    result.results.resize(columns_.size());
    double* out = result.results.data();
    for (int k = 0; k < static_cast<int>(given.size()); ++k) {
      for (std::size_t want = 0; want < wants_.size(); ++want) {
        for (const QuantityArray& array : evaluation_->arrays(want)) array.copy(k, 1, out), out += array.size();
      }
    }
    result.status = "computed";
    result.success = true;
    result.cost = input.point;
    return result;
  }

 private:
  /// That of the last point, as long as the model is the same.
  const System& system_with(const std::map<std::string, double>& values) {
    const Model model = model_.at(values);
    if (!system_ || &system_->model().tree() != &model.tree()) {
      system_.emplace(model);
      evaluation_.emplace(*system_, wants_, static_cast<int>(std::max<std::size_t>(1, states_.size())));
    }
    return *system_;
  }

  static void put(const StateLine& state, int k, SystemBatch& batch) {
    batch.q().set(k, as_vector(state.q)), batch.v().set(k, as_vector(state.v));
    batch.a().set(k, as_vector(state.a)), batch.tau().set(k, as_vector(state.tau));
    if (batch.system().model().loops().empty()) return;
    const bool guessed = !state.guess.empty();
    state_input("guess").rows(batch).set(k,
                                         guessed ? as_vector(state.guess) : batch.system().mechanism().home().eigen());
  }

  StateLine inline_state(const std::map<std::string, double>& values, const System& system) const {
    Diagnostics diagnostics(spec_.file);
    const YamlMap map(node_, YamlReader("eval", diagnostics, &values), {"model", "states", "state", "want"});
    StateLine state = read_state(map, "state", system);
    diagnostics.throw_if_errors();
    return state;
  }

  void read_wants(const System& system, InputFiles& files) {
    Diagnostics diagnostics(spec_.file);
    const YamlMap map(node_, YamlReader("eval", diagnostics), {"model", "states", "state", "want"});
    const unsigned where = kKnownArrays | (system.model().loops().empty() ? kKnownTrees : kKnownLoops);
    map.require("want");
    for (const YamlNode& item : map.items("want")) {
      try {
        wants_.push_back(wanted_quantity(item.text, system.model(), "eval: want", where).key);
      } catch (const InputError& error) {
        map.reader().diagnostics().error(item.line, error.problems().front().text);
      }
    }
    if (map.find("states") && map.find("state")) map.reader().error(map.line(), "give either state or states");
    const YamlNode* states = map.find("states");
    const auto name = states ? map.reader("states").word(*states) : std::nullopt;
    diagnostics.throw_if_errors();
    if (name) read_states(*name, system, files);
    name_columns(system, map.line());
  }

  void name_columns(const System& system, int line) {
    constexpr std::size_t kMost = 10000;
    const Evaluation evaluation(system, wants_, 1);
    std::vector<std::string> names;
    for (std::size_t want = 0; want < wants_.size(); ++want) {
      const std::vector<std::string> more = column_names(evaluation, want, system);
      names.insert(names.end(), more.begin(), more.end());
    }
    const std::size_t count = std::max<std::size_t>(1, states_.size());
    if (names.size() * count > kMost) {
      throw InputError(
          {{spec_.file, line,
            "eval: these are " + std::to_string(names.size() * count) + " results; at most 10000 fit a table"}});
    }
    for (std::size_t k = 0; k < count; ++k) {
      for (const std::string& name : names) columns_.push_back(count > 1 ? name + "." + std::to_string(k + 1) : name);
    }
  }

  void read_states(const std::string& name, const System& system, InputFiles& files) {
    const StateShape shape = shape_of(system);
    const std::string path = (std::filesystem::path(spec_.file).parent_path() / name).lexically_normal().string();
    std::istringstream lines(files.text(path));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      states_.push_back(parse_state(line, system.model(), shape, path, number));
      if (!states_.back().loads.empty() || !states_.back().contacts.empty() || states_.back().of_tree) {
        throw InputError({{path, number, "loads, contacts and tree are not known to studies"}});
      }
      constexpr std::size_t kMost = 1000;
      if (states_.size() > kMost) throw InputError({{path, number, "more than 1000 states"}});
    }
    if (states_.empty()) throw InputError({{path, 0, "there are no states"}});
  }

  StudySpec spec_;
  YamlNode node_;
  ModelVariants model_;
  std::vector<std::string> wants_;
  std::vector<StateLine> states_;
  std::vector<std::string> columns_;
  std::optional<System> system_;
  std::optional<Evaluation> evaluation_;
};

}  // namespace

std::unique_ptr<StudyWork> eval_work(const StudyFile& study, InputFiles& files) {
  return std::make_unique<EvalWork>(study, files);
}

}  // namespace verne
