#include <algorithm>

#include "io/model_variants.h"
#include "study/given_state.h"
#include "study/motion_results.h"
#include "study/works.h"
#include "verne/dynamics/configuration.h"
#include "verne/motion/write_simulation.h"
#include "verne/motion/write_solution.h"

namespace verne {

namespace {

/// What `simulate:` says, with the numbers of a point.
struct Wishes {
  StateLine start, wanted;
  bool has_wanted = false;
  double kp = 0, kd = 0, friction_width = 0;
  SimulateOptions options;
};

Wishes read_wishes(const YamlNode& node, const std::map<std::string, double>& values, const System& system,
                   const std::string& file) {
  Diagnostics diagnostics(file);
  const YamlMap map(node, YamlReader("simulate", diagnostics, &values),
                    {"model", "time", "state", "target", "pd", "tolerance", "stop_at_limits", "samples"});
  Wishes wishes;
  wishes.options.duration = map.number("time", 1, "s");
  if (wishes.options.duration <= 0 || wishes.options.duration > 1e6) {
    map.reader("time").error(map.line(), "expected a time from 0 to 1e6 s");
  }
  wishes.options.tolerance = map.number("tolerance", wishes.options.tolerance);
  if (wishes.options.tolerance < 1e-13 || wishes.options.tolerance > 1e-2) {
    map.reader("tolerance").error(map.line(), "expected 1e-13 to 1e-2");
  }
  const double samples = map.number("samples", wishes.options.samples);
  if (samples < 2 || samples > 1e6) map.reader("samples").error(map.line(), "expected 2 to 1e6");
  wishes.options.samples = static_cast<int>(std::clamp(samples, 2.0, 1e6));
  wishes.options.stop_at_limits = map.flag("stop_at_limits", false);
  wishes.start = read_state(map, "state", system);
  wishes.has_wanted = map.find("target") != nullptr;
  wishes.wanted = read_state(map, "target", system);
  if (const YamlNode* pd = map.find("pd")) {
    if (const auto gains = map.reader("pd").numbers(*pd, 2)) wishes.kp = (*gains)[0], wishes.kd = (*gains)[1];
    if (wishes.kp < 0 || wishes.kd < 0) map.reader("pd").expected("two gains that are not negative", *pd);
  } else if (wishes.has_wanted) {
    map.reader("target").error(map.line(), "is what pd wants; give both");
  }
  diagnostics.throw_if_errors();
  std::vector<double> at_rest;
  take_tree_state(system, wishes.wanted, wishes.wanted.q, at_rest);
  take_tree_state(system, wishes.start, wishes.start.q, wishes.start.v);
  return wishes;
}

/// Feedback of every actuated velocity towards a posture at rest.
TorqueLaw feedback(const Model& model, const Wishes& wishes) {
  const std::vector<double>& target = wishes.has_wanted ? wishes.wanted.q : wishes.start.q;
  std::vector<bool> driven(static_cast<std::size_t>(model.nv()), false);
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) driven[static_cast<std::size_t>(joint.v + k)] = joint.spec.actuated;
  }
  const auto data = std::make_shared<Data<double>>(model);
  return [=, kp = wishes.kp, kd = wishes.kd](double, std::span<const double> q, std::span<const double> v,
                                             std::span<double> tau) {
    const auto size = static_cast<Eigen::Index>(q.size());
    Eigen::VectorXd apart(model.nv());
    difference<double>(model, *data, Eigen::Map<const Eigen::VectorXd>(q.data(), size),
                       Eigen::Map<const Eigen::VectorXd>(target.data(), size), apart);
    for (std::size_t k = 0; k < driven.size(); ++k) {
      if (driven[k]) tau[k] = kp * apart[static_cast<Eigen::Index>(k)] - kd * v[k];
    }
  };
}

class SimulateWork : public StudyWork {
 public:
  SimulateWork(const StudyFile& study, InputFiles& files)
      : spec_(study.spec),
        node_(study.source.node),
        model_(study.source.path, files.text(study.source.path)),
        results_(model_.at({})),
        curves_(model_.at({})) {
    const Model model = model_.at({});
    std::vector<std::string> known = model_.names();
    const std::vector<std::string> used = names_used_in(node_);
    known.insert(known.end(), used.begin(), used.end());
    require_known_parameters(spec_, known);
    columns_ = {"duration", "energy_drift"};
    const std::size_t first = columns_.size();
    if (model.nq() == model.nv()) results_.add_for_dofs("final_position", false);
    results_.add_for_dofs("final_velocity", false);
    results_.add_for_dofs("peak_effort", true);
    for (const std::string& name : study.source.report) {
      if (!results_.add(name)) refuse_result(study, name, results_.known());
    }
    take_curves(study, curves_, model);
    columns_.insert(columns_.begin() + static_cast<std::ptrdiff_t>(first), results_.names().begin(),
                    results_.names().end());
  }

  const std::vector<std::string>& columns() const override { return columns_; }
  const std::vector<StudyCurve>& curves() const override { return curves_.taken(); }
  bool has_solutions() const override { return true; }

  PointResult compute(const PointInput& input) override {
    using End = SimulatedMotion::End;
    const std::map<std::string, double> values = named_values(spec_, input.values);
    const Model model = model_.at(values);
    const System system(model);
    const Wishes wishes = read_wishes(node_, values, system, spec_.file);
    const std::vector<SimulationPhase> phases{{system.mechanism(), feedback(model, wishes)}};
    const SimulatedMotion simulated = simulate(phases, Values(wishes.start.q), Values(wishes.start.v), wishes.options);
    PointResult result;
    result.status = to_string(simulated.end);
    result.success = simulated.end == End::finished || simulated.end == End::limit;
    if (!result.success) {
      result.reason = simulated.message;
      return result;
    }
    const SampledMotion motion = sample_simulation(phases, simulated);
    result.cost = input.point;  // none is better than others: the first are kept
    result.results = {simulated.time[simulated.time.size() - 1], simulated.energy_drift};
    const std::vector<double> more = results_.values(motion);
    result.results.insert(result.results.end(), more.begin(), more.end());
    result.curves = curves_.values(motion);
    if (result.cost <= input.keep_below) {
      const SimulationNotes notes{model.name(),
                                  wishes.kp > 0 || wishes.kd > 0 ? "feedback" : "zero",
                                  {},
                                  {},
                                  wishes.options.tolerance,
                                  wishes.options.duration};
      result.solution =
          simulation_json(model, phases, simulated, motion, notes, "verne study", "verne study " + spec_.name);
    }
    return result;
  }

 private:
  StudySpec spec_;
  YamlNode node_;
  ModelVariants model_;
  MotionResults results_;
  MotionCurves curves_;
  std::vector<std::string> columns_;
};

}  // namespace

std::unique_ptr<StudyWork> simulate_work(const StudyFile& study, InputFiles& files) {
  return std::make_unique<SimulateWork>(study, files);
}

}  // namespace verne
