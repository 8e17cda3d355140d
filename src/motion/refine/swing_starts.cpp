#include "motion/refine/swing_starts.h"

#include <algorithm>
#include <cmath>

#include "motion/guess/first_guess.h"
#include "motion/guess/pumping.h"
#include "motion/guess/ways.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/one_start.h"
#include "motion/task/time_allowed.h"
#include "motion/terms/task_loads.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

constexpr int kPlaces = 32;                        // parts of the way between which drives are asked to hold
constexpr int kLeastPoints = 6, kMostPoints = 16;  // control points for each half-swing
constexpr int kSwingNodesPerPoint = 4;
constexpr std::size_t kSwingStarts = 4;

/// A freedom whose drive cannot hold what it moves.
struct Weak {
  int dof;
  double part;  ///< what it can hold of that
};

/// Those on a way.
std::vector<Weak> too_weak(const Task& task, const Way& way) {
  const int nv = task.model.nv();
  Data<double> data(task.model);
  const Loads<double> loads = loads_of(task);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(nv);
  Eigen::VectorXd tau(nv), parts = Eigen::VectorXd::Constant(nv, kInfinity);
  for (int k = 0; k <= kPlaces; ++k) {
    inverse_dynamics<double>(task.model, data, way(double(k) / kPlaces), rest, rest, tau, &loads);
    for (int i = 0; i < nv; ++i) {
      const Interval& limit = task.limits.effort[i];
      const bool pushes_both_ways = limit.lower < 0 && limit.upper > 0;
      if (!pushes_both_ways || tau[i] == 0) continue;
      parts[i] = std::min(parts[i], tau[i] > 0 ? limit.upper / tau[i] : limit.lower / tau[i]);
    }
  }
  std::vector<Weak> all;
  for (int i = 0; i < nv; ++i) {
    if (parts[i] < 1) all.push_back({i, parts[i]});
  }
  return all;
}

/// Control points for each half-swing. Between knots, h apart, an acceleration of a cubic spline is off by (ω h)² / 8
/// of that of a swing, which gravity gives: that is to be a tenth of what the drive gives.
int points_per_half(double part) {
  return std::clamp(static_cast<int>(std::ceil(M_PI / std::sqrt(0.8 * part))), kLeastPoints, kMostPoints);
}

/// A start: the motion and a task whose curve is fine enough for it.
struct SwingStart {
  Task task;
  Trajectory guess;
};

/// Whether a freedom moves what another one moves, and more.
bool moves_too(const Model& model, int first, int second) {
  const auto link_of = [&](int dof) {
    const auto has = [dof](const Joint& joint) { return joint.nv > 0 && dof >= joint.v && dof < joint.v + joint.nv; };
    return std::find_if(model.joints().begin(), model.joints().end(), has)->child_link;
  };
  const int carrier = link_of(first);
  int link = link_of(second);
  while (link >= 0 && link != carrier) link = model.links()[link].parent;
  return link == carrier && first < second;
}

/// Those that are to swing: what hangs on one of them is moved by it.
std::vector<Weak> that_swing(const Model& model, const std::vector<Weak>& weak) {
  std::vector<Weak> all;
  for (const Weak& one : weak) {
    const auto hangs = [&](const Weak& other) { return moves_too(model, other.dof, one.dof); };
    if (std::none_of(weak.begin(), weak.end(), hangs)) all.push_back(one);
  }
  return all;
}

/// A posture of a swing that ends at a time.
Eigen::VectorXd posture_of(const Swing& swing, double before_end) {
  const double last = static_cast<double>(swing.q.size() - 1);
  const double at = std::clamp(last - before_end / swing.step, 0.0, last);
  const auto before = static_cast<std::size_t>(std::min(at, last - 1));
  const double part = at - static_cast<double>(before);
  return (1 - part) * swing.q[before] + part * swing.q[before + 1];
}

/// Where one freedom swings, all go as they did there; of several each swings, as late as the longest swing allows, and
/// the others follow the way.
SwingStart start_with(const Task& task, const Way& way, const std::vector<Weak>& weak,
                      const std::vector<const Swing*>& swings) {
  double duration = 0, step = kInfinity;
  int points = 0;
  for (std::size_t w = 0; w < weak.size(); ++w) {
    duration = std::max(duration, swings[w]->duration());
    step = std::min(step, swings[w]->step);
    points = std::max(points, points_per_half(weak[w].part) * swings[w]->halves);
  }
  const int spans = std::max(1, static_cast<int>(std::ceil(duration / step)));
  Eigen::MatrixXd q(spans + 1, task.model.nv());
  for (int k = 0; k <= spans; ++k) {
    const double left = duration * (spans - k) / spans;
    q.row(k) = weak.size() == 1 ? posture_of(*swings[0], left) : way(double(k) / spans);
    for (std::size_t w = 0; w < weak.size(); ++w) q(k, weak[w].dof) = posture_of(*swings[w], left)[weak[w].dof];
  }
  SwingStart start{task, {SplineBasis(1, spans), Eigen::VectorXd::Constant(spans, duration / spans), q}};
  CurveSpec& curve = start.task.curve;
  if (!curve.as_given) {
    curve.control_points = std::max(curve.control_points, curve.degree + points);
    curve.nodes = std::max(curve.nodes, kSwingNodesPerPoint * curve.control_points);
  }
  start.guess = refitted(start.task, {start.guess, {}});
  return start;
}

/// Of motions that were found.
std::vector<std::size_t> cheapest_first(const std::vector<Solution>& solutions) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    if (solutions[k].success()) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return solutions[a].cost < solutions[b].cost; });
  return order;
}

std::vector<SwingStart> swing_starts(const Task& task) {
  if (!task.phases.empty() || task.mechanism || task.ground || task.guess_motion) return {};
  const Way way = ways_of(task).front();
  const std::vector<Weak> weak = that_swing(task.model, too_weak(task, way));
  if (weak.empty()) return {};
  std::vector<std::vector<Swing>> of_each;
  for (const Weak& one : weak) {
    of_each.push_back(swings(task, one.dof, way(0), way(1), task.duration.bounds.upper, task.duration.bounds.fixed()));
    if (of_each.back().empty()) return {};
  }
  std::size_t count = 0;
  for (const std::vector<Swing>& of_one : of_each) count = std::max(count, of_one.size());
  std::vector<SwingStart> all;
  for (std::size_t k = 0; k < std::min(count, kSwingStarts); ++k) {
    std::vector<const Swing*> chosen;
    for (const std::vector<Swing>& of_one : of_each) chosen.push_back(&of_one[std::min(k, of_one.size() - 1)]);
    all.push_back(start_with(task, way, weak, chosen));
  }
  return all;
}

}  // namespace

Swinging predict_swinging(const Task& task, const PredictOptions& options, int first) {
  const TimeAllowed time(task.solver.max_seconds);
  const std::vector<SwingStart> starts = swing_starts(task);
  Swinging swinging;
  std::vector<Solution> solved;
  for (const SwingStart& start : starts) {
    if (time.is_up() || swinging.interrupted) break;
    solved.push_back(solve_from(time.rest_of(start.task), options, start.guess));
    const Solution& latest = solved.back();
    swinging.interrupted = latest.status == nlp::Status::interrupted;
    swinging.tried.push_back(start.guess);
    swinging.starts.push_back({first++, latest.status, latest.cost, latest.trajectory.duration()});
  }
  const std::vector<std::size_t> order = cheapest_first(solved);
  if (order.empty()) return swinging;
  std::string trouble = "the time limit was reached";
  for (const std::size_t k : order) {
    if (time.is_up() || swinging.interrupted) break;
    Solution solution = predict_from(time.rest_of(starts[k].task), options, starts[k].guess);
    swinging.interrupted = solution.status == nlp::Status::interrupted;
    const bool has_begun = swinging.interrupted && solution.rounds.size() > 1, verified = solution.success();
    if (verified || has_begun || (!swinging.solution && solution.status == nlp::Status::not_verified)) {
      swinging.solution = std::move(solution);
      if (verified) break;
    } else {
      trouble = solution.message;
    }
  }
  if (swinging.solution) return swinging;
  const Task& cheapest = starts[order[0]].task;
  swinging.solution = swinging.interrupted ? interrupted_with(cheapest, solved[order[0]])
                                           : unrefined(cheapest, solved[order[0]], trouble);
  return swinging;
}

}  // namespace verne
