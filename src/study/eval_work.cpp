#include <algorithm>
#include <filesystem>
#include <sstream>

#include "io/model_variants.h"
#include "io/number.h"
#include "study/given_state.h"
#include "study/works.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// What can be wanted of a state. Those for each degree of freedom are named after these.
struct WantedQuantity {
  const char* name;
  std::vector<std::string> (*parts)(const Model& model);
  void (*compute)(const Model& model, Data<double>& data, const StateLine& state, double* out);
};

std::vector<std::string> dofs_of(const Model& model) {
  return {model.dof_names().begin(), model.dof_names().end()};
}
std::vector<std::string> alone(const Model&) {
  return {""};
}
std::vector<std::string> coordinates(const Model&) {
  return {"x", "y", "z"};
}
WholeBodyState<double> whole_body_at(const Model& model, Data<double>& data, const StateLine& state) {
  return whole_body_state<double>(model, data, as_vector(state.q), as_vector(state.v), as_vector(state.a));
}

const WantedQuantity kWantedQuantities[] = {
    {"tau", dofs_of,
     [](const Model& model, Data<double>& data, const StateLine& state, double* out) {
       Eigen::Map<Eigen::VectorXd>(out, model.nv()) =
           inverse_dynamics<double>(model, data, as_vector(state.q), as_vector(state.v), as_vector(state.a));
     }},
    {"acceleration", dofs_of,
     [](const Model& model, Data<double>& data, const StateLine& state, double* out) {
       Eigen::Map<Eigen::VectorXd>(out, model.nv()) =
           forward_dynamics<double>(model, data, as_vector(state.q), as_vector(state.v), as_vector(state.tau));
     }},
    {"gravity", dofs_of,
     [](const Model& model, Data<double>& data, const StateLine& state, double* out) {
       Eigen::Map<Eigen::VectorXd>(out, model.nv()) = gravity_torques<double>(model, data, as_vector(state.q));
     }},
    {"kinetic_energy", alone,
     [](const Model& model, Data<double>& data, const StateLine& state, double* out) {
       *out = whole_body_at(model, data, state).kinetic_energy;
     }},
    {"potential_energy", alone,
     [](const Model& model, Data<double>& data, const StateLine& state, double* out) {
       *out = whole_body_at(model, data, state).potential_energy;
     }},
    {"com", coordinates,
     [](const Model& model, Data<double>& data, const StateLine& state, double* out) {
       Eigen::Map<Eigen::Vector3d>{out} = whole_body_at(model, data, state).com;
     }},
};

class EvalWork : public StudyWork {
 public:
  EvalWork(const StudyFile& study, InputFiles& files)
      : spec_(study.spec), node_(study.source.node), model_(study.source.path, files.text(study.source.path)) {
    const Model model = model_.at({});
    if (!model.loops().empty()) {
      throw InputError({{spec_.file, study.source.line, "eval: models with closed loops are not known to studies"}});
    }
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
    read_wants(model, files);
  }

  const std::vector<std::string>& columns() const override { return columns_; }

  PointResult compute(const PointInput& input) override {
    const std::map<std::string, double> values = named_values(spec_, input.values);
    const Model model = model_.at(values);
    if (!data_ || !same_model(model)) data_ = std::make_unique<Data<double>>(model), of_data_ = model;
    PointResult result;
    result.results.resize(columns_.size());
    double* out = result.results.data();
    const std::vector<StateLine> given = states_.empty() ? std::vector{inline_state(values, model)} : states_;
    for (const StateLine& state : given) {
      for (const WantedQuantity* want : wants_) {
        want->compute(model, *data_, state, out);
        out += want->parts(model).size();
      }
    }
    result.status = "computed";
    result.success = true;
    result.cost = input.point;
    return result;
  }

 private:
  bool same_model(const Model& model) const { return of_data_ && &of_data_->tree() == &model.tree(); }

  StateLine inline_state(const std::map<std::string, double>& values, const Model& model) const {
    Diagnostics diagnostics(spec_.file);
    const YamlMap map(node_, YamlReader("eval", diagnostics, &values), {"model", "states", "state", "want"});
    StateLine state = read_state(map, "state", model);
    diagnostics.throw_if_errors();
    return state;
  }

  void read_wants(const Model& model, InputFiles& files) {
    Diagnostics diagnostics(spec_.file);
    const YamlMap map(node_, YamlReader("eval", diagnostics), {"model", "states", "state", "want"});
    std::vector<std::string> known;
    for (const WantedQuantity& quantity : kWantedQuantities) known.emplace_back(quantity.name);
    map.require("want");
    for (const YamlNode& item : map.items("want")) {
      const auto found = std::find(known.begin(), known.end(), item.text);
      if (found == known.end()) {
        map.reader("want").error(item.line,
                                 "there is no result " + in_quotes(item.text) + suggestion(item.text, known));
      } else {
        wants_.push_back(&kWantedQuantities[found - known.begin()]);
      }
    }
    if (map.find("states") && map.find("state")) map.reader().error(map.line(), "give either state or states");
    const YamlNode* states = map.find("states");
    const auto name = states ? map.reader("states").word(*states) : std::nullopt;
    diagnostics.throw_if_errors();
    if (name) read_states(*name, model, files);
    const std::size_t count = std::max<std::size_t>(1, states_.size());
    for (std::size_t k = 0; k < count; ++k) {
      for (const WantedQuantity* want : wants_) {
        for (const std::string& part : want->parts(model)) {
          std::string column = want->name;
          if (!part.empty()) column += "." + part;
          columns_.push_back(count > 1 ? column + "." + std::to_string(k + 1) : column);
        }
      }
    }
  }

  void read_states(const std::string& name, const Model& model, InputFiles& files) {
    const std::string path = (std::filesystem::path(spec_.file).parent_path() / name).lexically_normal().string();
    std::istringstream lines(files.text(path));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      states_.push_back(parse_state(line, model, path, number));
      if (!states_.back().loads.empty() || !states_.back().contacts.empty()) {
        throw InputError({{path, number, "loads and contacts are not known to studies"}});
      }
      constexpr std::size_t kMost = 1000;
      if (states_.size() > kMost) throw InputError({{path, number, "more than 1000 states"}});
    }
    if (states_.empty()) throw InputError({{path, 0, "there are no states"}});
  }

  StudySpec spec_;
  YamlNode node_;
  ModelVariants model_;
  std::vector<const WantedQuantity*> wants_;
  std::vector<StateLine> states_;
  std::vector<std::string> columns_;
  std::optional<Model> of_data_;
  std::unique_ptr<Data<double>> data_;
};

}  // namespace

std::unique_ptr<StudyWork> eval_work(const StudyFile& study, InputFiles& files) {
  return std::make_unique<EvalWork>(study, files);
}

}  // namespace verne
