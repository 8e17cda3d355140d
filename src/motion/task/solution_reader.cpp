#include "motion/task/solution_reader.h"

#include <algorithm>
#include <stdexcept>

#include "io/number.h"
#include "io/parse_json.h"
#include "verne/base/error.h"

namespace verne {

namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_solution(const std::string& file, const std::string& why) {
  throw InputError({Diagnostic{file, 0, why}});
}

/// `key` of an object; null when there is none.
const Json& member(const Json& object, const char* key) {
  static const Json kNone;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? kNone : *found;
}

bool all_numbers(const Json& list) {
  return list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& x) { return x.is_number(); });
}

/// For each coordinate of the model, its column in the file.
std::vector<std::size_t> columns_of(const Json& coordinates, const std::string& file, const Model& model) {
  std::vector<std::string> names;
  for (const Json& coordinate : coordinates) {
    const Json& name = member(coordinate, "name");
    names.push_back(name.is_string() ? name.get<std::string>() : "");
  }
  std::vector<std::size_t> columns;
  for (const std::string& name : model.dof_names()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      refuse_solution(file, "coordinates: there is no " + in_quotes(name) + ": the motion is that of another model");
    }
    columns.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return columns;
}

/// When phases end; none where the file has none.
std::vector<double> phase_ends(const Json& phases, const std::string& file) {
  std::vector<double> ends;
  for (const Json& phase : phases) {
    const Json& end = member(phase, "end");
    if (!end.is_number() || end.get<double>() <= (ends.empty() ? 0 : ends.back())) {
      refuse_solution(file, "phases: expected ends that grow");
    }
    ends.push_back(end.get<double>());
  }
  return ends;
}

/// Where the solve ended; nothing where the file does not say.
std::optional<SolverState> solver_state(const Json& state, int spans, const std::string& file) {
  if (state.is_null()) return std::nullopt;
  const Json& nodes = member(state, "nodes");
  const auto on_curve = [&](const Json& node) {
    if (!all_numbers(node) || node.size() != 2) return false;
    const double span = node[0].get<double>(), fraction = node[1].get<double>();
    return span >= 0 && span < spans && fraction >= 0 && fraction <= 1;
  };
  bool sound = nodes.is_array() && std::all_of(nodes.begin(), nodes.end(), on_curve);
  for (const char* key : {"tightening", "constraints", "lower", "upper"}) sound &= all_numbers(member(state, key));
  if (!sound) refuse_solution(file, "solver_state: expected nodes on the curve, tightening and multipliers");
  const auto list = [&](const char* key) { return member(state, key).get<std::vector<double>>(); };
  SolverState out{{}, list("tightening"), list("constraints"), list("lower"), list("upper")};
  for (const double share : out.tightening) {  // of a limit, of which something has to be left
    if (share >= 0 && share < 1) continue;
    refuse_solution(file,
                    "solver_state: tightening: expected numbers from 0 to less than 1, found " + format_number(share));
  }
  for (const Json& node : nodes) out.nodes.push_back({static_cast<int>(node[0].get<double>()), node[1].get<double>()});
  return out;
}

/// A clamped curve: the first and last knot count degree + 1 times, the others as often as they are there.
Trajectory curve_of(int degree, const std::vector<double>& knots, const Eigen::MatrixXd& points) {
  std::vector<int> multiplicities;
  std::vector<double> lengths;
  const auto ends = static_cast<std::size_t>(degree) + 1;
  if (knots.size() < 2 * ends) throw std::invalid_argument("too few knots");
  for (std::size_t k = ends; k + degree < knots.size(); ++k) {
    const double length = knots[k] - knots[k - 1];
    if (length == 0 && !multiplicities.empty()) {
      ++multiplicities.back();
    } else {
      lengths.push_back(length);
      multiplicities.push_back(1);
    }
  }
  multiplicities.pop_back();  // of the end, whose other knots are left out above
  const Eigen::Map<const Eigen::VectorXd> spans(lengths.data(), static_cast<Eigen::Index>(lengths.size()));
  return {SplineBasis(degree, std::move(multiplicities)), spans, points};
}

}  // namespace

KnownMotion read_known_motion(const std::string& text, const std::string& file, const Model& model) {
  const Json solution = parse_json(text, file);
  if (member(solution, "format") != "verne-solution/1") refuse_solution(file, "format: expected \"verne-solution/1\"");
  const std::vector<std::size_t> columns = columns_of(member(solution, "coordinates"), file, model);
  const Json& trajectory = member(solution, "trajectory");
  const Json &degree = member(trajectory, "degree"), &knots = member(trajectory, "knots");
  const Json& rows = member(trajectory, "control_points");
  const auto sound = [&](const Json& row) {
    return all_numbers(row) && row.size() == member(solution, "coordinates").size();
  };
  constexpr const char* kUnsound =
      "trajectory: expected the degree, knots and control points of a clamped spline of all coordinates";
  if (!degree.is_number_integer() || !all_numbers(knots) || !rows.is_array() ||
      !std::all_of(rows.begin(), rows.end(), sound)) {
    refuse_solution(file, kUnsound);
  }
  Eigen::MatrixXd points(static_cast<Eigen::Index>(rows.size()), model.nv());
  for (Eigen::Index c = 0; c < points.rows(); ++c) {
    for (int i = 0; i < model.nv(); ++i) points(c, i) = rows[c][columns[i]].get<double>();
  }
  try {
    Trajectory curve = curve_of(std::clamp(degree.get<int>(), 0, 100), knots.get<std::vector<double>>(), points);
    KnownMotion motion{std::move(curve), phase_ends(member(solution, "phases"), file), {}};
    const bool same_order = std::is_sorted(columns.begin(), columns.end()) && rows[0].size() == columns.size();
    auto state = solver_state(member(solution, "solver_state"), motion.trajectory.basis().spans(), file);
    if (same_order) motion.state = std::move(state);
    return motion;
  } catch (const std::invalid_argument& error) {
    refuse_solution(file, std::string(kUnsound) + " (" + error.what() + ")");
  }
}

KnownTorques read_known_torques(const std::string& text, const std::string& file, const Model& model) {
  const Json solution = parse_json(text, file);
  const std::vector<std::size_t> columns = columns_of(member(solution, "coordinates"), file, model);
  const Json &time = member(solution, "time"), &rows = member(solution, "tau");
  const auto sound = [&](const Json& row) {
    return all_numbers(row) && row.size() == member(solution, "coordinates").size();
  };
  if (!all_numbers(time) || !rows.is_array() || rows.size() != time.size() ||
      !std::all_of(rows.begin(), rows.end(), sound)) {
    return {};
  }
  KnownTorques out{time.get<std::vector<double>>(),
                   Eigen::MatrixXd(model.nv(), static_cast<Eigen::Index>(rows.size()))};
  for (Eigen::Index c = 0; c < out.tau.cols(); ++c) {
    for (int i = 0; i < model.nv(); ++i) out.tau(i, c) = rows[c][columns[i]].get<double>();
  }
  return out;
}

std::optional<Task> read_known_task(const std::string& text, const std::string& file, const Model& model) {
  const Json solution = parse_json(text, file);
  const Json &task = member(solution, "task"), &written = member(task, "text");
  if (!written.is_string()) return std::nullopt;
  std::map<std::string, double> parameters;
  const Json& values = member(task, "parameters");
  for (auto it = values.begin(); it != values.end(); ++it) {
    if (it.value().is_number()) parameters[it.key()] = it.value().get<double>();
  }
  return read_task(written.get<std::string>(), file + " (task)", model, parameters);
}

}  // namespace verne
