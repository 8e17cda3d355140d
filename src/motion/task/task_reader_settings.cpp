#include <algorithm>

#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"
#include "verne/io/file.h"

namespace verne {

namespace {

/// Which of two words a key has: true for the second.
bool is_second_word(const YamlMap& map, const char* key, const char* first, const char* second, bool otherwise) {
  const YamlNode* node = map.find(key);
  if (!node) return otherwise;
  if (is_word(*node, first)) return false;
  if (is_word(*node, second)) return true;
  map.reader(key).expected(std::string(first) + " or " + second, *node);
  return otherwise;
}

/// Bounds that are wide enough for any machine, for `free` alone.
constexpr Interval kAnyDuration{0.01, 100};

/// The guess between bounds that are known, in `unit`.
std::optional<double> read_guess_between(const YamlMap& map, const Interval& bounds, const char* unit) {
  if (!map.find("guess")) return std::nullopt;
  const double guess = map.number("guess", bounds.lower, unit);
  if (guess < bounds.lower || guess > bounds.upper) {
    map.reader("guess").error(map.find("guess")->line, format_number(guess) + (*unit ? std::string(" ") + unit : "") +
                                                           " lies outside of the bounds");
  }
  return guess;
}

/// Reports what is too short for any machine, and for numbers: accelerations go with its square.
void long_enough(double duration, const YamlMap& map, const char* key) {
  if (duration >= kShortestDuration) return;
  map.reader(key).error(map.find(key)->line, "expected at least " + format_number(kShortestDuration) + " s, found " +
                                                 format_number(duration));
}

Interval read_free_duration(const YamlMap& map) {
  const YamlNode* node = map.require("free");
  if (!node) return kAnyDuration;
  const auto bounds = read_range(*node, map.reader("free"), "s");
  if (!bounds) return kAnyDuration;
  if (bounds->lower > 0 && bounds->upper < kInfinity) {
    at_most(kLongestDuration, map, "free", bounds->upper);
    long_enough(bounds->lower, map, "free");
    return *bounds;
  }
  map.reader("free").error(node->line, "expected positive, finite bounds of the duration, found [" +
                                           format_number(bounds->lower) + ", " + format_number(bounds->upper) + "]");
  return kAnyDuration;
}

}  // namespace

CurveSpec read_curve(const YamlMap& top) {
  CurveSpec curve;
  const YamlNode* node = top.find("trajectory");
  if (!node) return curve;
  const YamlMap map(*node, top.reader("trajectory"), trajectory_schema().names());
  curve.degree = integer_between(map, "degree", curve.degree, 1, 9);
  curve.control_points = integer_between(map, "control_points", curve.control_points, 2, 10000);
  curve.nodes = integer_between(map, "nodes", std::max(curve.nodes, curve.control_points), 2, 100000);
  curve.free_knots = is_second_word(map, "knots", "uniform", "free", curve.free_knots);
  curve.min_spacing = number_where(
      map, "min_spacing", curve.min_spacing, [](double x) { return x > 0 && x < 1; },
      "a fraction between 0 and 1 of the even spacing");
  if (curve.control_points < curve.degree + 1) {
    map.reader().error(map.line(), "a spline of degree " + std::to_string(curve.degree) + " needs at least " +
                                       std::to_string(curve.degree + 1) + " control points, found " +
                                       std::to_string(curve.control_points));
  }
  if (curve.nodes < curve.control_points) {
    map.reader().error(map.line(), "fewer nodes (" + std::to_string(curve.nodes) + ") than control points (" +
                                       std::to_string(curve.control_points) +
                                       "): the curve could exceed the limits between nodes as far as it likes, and a "
                                       "free duration would collapse");
  }
  return curve;
}

DurationSpec read_duration(const YamlMap& top) {
  DurationSpec duration;
  const YamlNode* node = top.find("duration");
  if (!node && top.find("phases")) return {{0, kInfinity}, {}};  // as long as they are
  if (!node) {
    top.require("duration");
    return duration;
  }
  if (is_word(*node, "free")) {
    duration.bounds = kAnyDuration;
  } else if (!node->is_map()) {
    const double fixed = positive_number(top, "duration", 1, kLongestDuration, "s");
    long_enough(fixed, top, "duration");
    duration.bounds = {fixed, fixed};
  } else {
    const YamlMap map(*node, top.reader("duration"), free_duration_schema().names());
    duration.bounds = read_free_duration(map);
    duration.guess = read_guess_between(map, duration.bounds, "s");
  }
  return duration;
}

DurationSpec read_phase_duration(const YamlMap& phase, const DurationSpec& whole) {
  const YamlNode* node = phase.find("duration");
  const YamlReader reader = phase.reader("duration");
  const auto is_part = [](const YamlEntry& entry) { return entry.key == "part"; };
  if (std::none_of(node->entries.begin(), node->entries.end(), is_part)) return read_duration(phase);
  const YamlMap map(*node, reader, part_of_duration_schema().names());
  const auto part = read_range(*map.find("part"), map.reader("part"), "");
  if (!part) return {};
  if (!(part->lower >= 0 && part->upper > 0 && part->upper <= 1)) {
    map.reader("part").expected("[least, most], parts of the motion between 0 and 1", *map.find("part"));
    return {};
  }
  if (whole.bounds.upper >= kInfinity) {
    map.reader("part").error(map.line(), "of what? The motion has no `duration`");
    return {};
  }
  const auto guess = read_guess_between(map, *part, "");
  const std::optional<double> known = whole.bounds.fixed() ? whole.bounds.lower : whole.guess;
  DurationSpec duration{{part->lower * whole.bounds.lower, part->upper * whole.bounds.upper}, {}, {}};
  if (guess && known) duration.guess = *guess * *known;
  if (!whole.bounds.fixed()) duration.part = part;
  return duration;
}

RefineSpec read_refine(const YamlMap& top) {
  RefineSpec refine;
  const YamlNode* node = top.find("refine");
  if (!node) return refine;
  if (is_word(*node, "off") || is_word(*node, "false")) {
    return RefineSpec::off();
  }
  if (!node->is_map()) {
    top.reader("refine").expected("off or a map", *node);
    return refine;
  }
  const YamlMap map(*node, top.reader("refine"), refine_schema().names());
  refine.tolerance = positive_number(map, "tolerance", refine.tolerance, 1);
  refine.rounds = integer_between(map, "rounds", refine.rounds, 0, 1000);
  if (const YamlNode* knots = map.find("knots"); knots && !is_word(*knots, "auto")) {
    refine.knots = integer_between(map, "knots", 0, 0, 10);
  }
  refine.switches = map.flag("switches", refine.switches);
  if (map.find("gap")) refine.gap = positive_number(map, "gap", 0, 1);
  return refine;
}

SolverSpec read_solver(const YamlMap& top) {
  SolverSpec solver;
  const YamlNode* node = top.find("solver");
  if (!node) return solver;
  const YamlMap map(*node, top.reader("solver"), solver_schema().names());
  if (is_second_word(map, "method", "verne", "ipopt", false)) solver.method = nlp::Method::ipopt;
  solver.tolerance = positive_number(map, "tolerance", solver.tolerance, 0.01);
  solver.max_iterations = integer_between(map, "max_iterations", solver.max_iterations, 1, 1000000);
  solver.max_seconds = positive_number(map, "max_seconds", solver.max_seconds, solver.max_seconds, "s");
  solver.exact_hessian = !is_second_word(map, "hessian", "exact", "limited-memory", !solver.exact_hessian);
  if (map.find("barrier")) solver.adaptive_barrier = is_second_word(map, "barrier", "monotone", "adaptive", false);
  solver.feasible_first = map.flag("feasible_first", solver.feasible_first);
  return solver;
}

StartsSpec read_starts(const YamlMap& top) {
  StartsSpec starts;
  const YamlNode* node = top.find("starts");
  if (!node) return starts;
  if (node->is_scalar()) {
    starts.count = integer_between(top, "starts", starts.count, 1, 10000);
    return starts;
  }
  const YamlMap map(*node, top.reader("starts"), starts_schema().names());
  starts.count = integer_between(map, "count", starts.count, 1, 10000);
  starts.seed = static_cast<unsigned>(integer_between(map, "seed", 1, 0, 1000000000));
  starts.spread = nonnegative_number(map, "spread", starts.spread, 100);
  starts.threads = integer_between(map, "threads", starts.threads, 1, 256);
  return starts;
}

std::optional<SweepSpec> read_sweep(const YamlMap& top, const std::map<std::string, double>& parameters) {
  const YamlNode* node = top.find("sweep");
  if (!node) return std::nullopt;
  if (!node->is_map() || node->entries.size() != 1) {
    top.reader("sweep").error(node->line, "expected one parameter, as in {u: {from: 0, to: 1, count: 11}}");
    return std::nullopt;
  }
  const YamlEntry& entry = node->entries[0];
  if (!parameters.count(entry.key)) {
    std::vector<std::string> names;
    for (const auto& [name, value] : parameters) names.push_back(name);
    top.reader("sweep").error(entry.line,
                              "there is no parameter " + in_quotes(entry.key) + suggestion(entry.key, names));
  }
  const YamlMap map(entry.value, top.reader("sweep").inside(entry.key), sweep_schema().names());
  for (const char* key : {"from", "to", "count"}) map.require(key);
  const auto bound = [&](const char* key) {
    return map.find(key) ? map.reader(key).number_or_angle(*map.find(key)).value_or(0) : 0;
  };
  return SweepSpec{entry.key, bound("from"), bound("to"), integer_between(map, "count", 2, 2, 10000)};
}

int read_samples(const YamlMap& top, const Model& model) {
  constexpr int kUsual = 201;
  const YamlNode* node = top.find("output");
  if (!node) return kUsual;
  // What solution.json has for each instant: time, q, v, a, tau, joint wrenches, link poses, centre of mass, energies
  // and power; each number in at most 24 digits, with a comma and its share of brackets.
  constexpr int kBytes = 26;
  const int nq = model.nq(), nv = model.nv();
  const auto joints = static_cast<int>(model.joints().size()), links = static_cast<int>(model.links().size());
  const auto numbers = static_cast<std::size_t>(1 + nq + 3 * nv + 6 * joints + 7 * links + 3 + 3);
  const auto most = std::max<std::size_t>(kUsual, kLargestFile / (kBytes * numbers));
  const YamlMap map(*node, top.reader("output"), output_schema().names());
  return integer_between(map, "samples", kUsual, 2, static_cast<int>(most));
}

}  // namespace verne
