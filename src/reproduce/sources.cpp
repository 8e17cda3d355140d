#include "reproduce/sources.h"

#include <fmt/core.h>

#include "reproduce/row.h"
#include "verne/io/model_io.h"
#include "verne/report/plot.h"
#ifdef VERNE_HAVE_MOTION
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"
#endif

namespace verne::reproduce {

Model Sources::model(const std::string& name) const {
  return load_model(model_file(name));
}

void Sources::report(const std::string& what) const {
  if (!go_on(what)) throw Stopped{};
}

#ifdef VERNE_HAVE_MOTION
namespace {

constexpr int kSamples = 2001;  // of a motion, from which peaks and switches are read

}  // namespace

const Prediction& Sources::prediction(const std::string& name, const Change& change) {
  std::unique_ptr<Prediction>& known = predictions_[name + "/" + change.name];
  if (known) return *known;
  Task task = load_task((folder_ / "tasks" / (name + ".yaml")).string(), change.parameters);
  if (change.edit) change.edit(task);
  PredictOptions options;
  bool stopped = false;
  options.progress = [&](const PredictProgress& at) {
    stopped = !go_on(fmt::format("{}, round {}, iteration {}", name, at.round, at.iteration.iteration));
    return !stopped;
  };
  Solution solution = predict(task, options);
  if (stopped) throw Stopped{};
  // A single solve keeps limits at its nodes alone, as the documents do.
  const bool single = task.refine.rounds == 0 && solution.status == nlp::Status::not_verified;
  if (!solution.success() && !single) {
    throw InputError(fmt::format("{}: {}: {}", name, to_string(solution.status), solution.message));
  }
  SampledMotion shown = sample_motion(task, solution, task.samples);
  std::string file = solution_json(task, solution, shown, "verne", "");
  SampledMotion motion = sample_motion(task, solution, kSamples);
  std::optional<Stride> stride = unfold_stride(task, solution);
  known = std::make_unique<Prediction>(
      Prediction{std::move(task), std::move(solution), std::move(motion), std::move(stride), std::move(file)});
  return *known;
}
#else
const Prediction& Sources::prediction(const std::string&, const Change&) {
  throw NotAvailable{"this build predicts no motions (VERNE_NLP is off)"};
}
#endif

std::string plot_of(const Prediction& prediction, const std::string& what, std::vector<std::string> joints) {
  PlotOptions options;
  options.what = what, options.joints = std::move(joints);
  return plot_svg({prediction.task.name, prediction.task.name, prediction.file}, options);
}

}  // namespace verne::reproduce
