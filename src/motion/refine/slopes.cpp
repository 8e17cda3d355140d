#include "motion/refine/slopes.h"

#include <algorithm>
#include <cmath>

#include "motion/refine/other_values.h"

namespace verne {

namespace {

constexpr double kDifference = 1e-4;  // of a parameter's size; the error is this squared
constexpr double kSame = 1e-9;        // relative: numbers of the same program
constexpr double kWeak = 3e-4;        // of a row's size, and of the cost: slack and price that are next to nothing
constexpr double kBalance = 10;  // one times the other is given by the solver's end: more apart, one of them is there

/// All numbers of a program at a point that parameters may change, in this order: its cost, its rows, their bounds, the
/// bounds of its variables. Bounds that there are not are 0.
struct Numbers {
  std::vector<double> values;
  std::vector<bool> bounded;

  void append(const Numbers& more) {
    values.insert(values.end(), more.values.begin(), more.values.end());
    bounded.insert(bounded.end(), more.bounded.begin(), more.bounded.end());
  }
  bool like(const Numbers& other) const { return values.size() == other.values.size() && bounded == other.bounded; }
};

void append_bounds(Numbers& numbers, const Values& bounds) {
  for (const double bound : bounds) {
    const bool is_one = std::abs(bound) < nlp::kNoBound;
    numbers.bounded.push_back(is_one);
    numbers.values.push_back(is_one ? bound : 0);
  }
}

Numbers numbers_of(Program& program, std::span<const double> x) {
  Numbers numbers;
  double cost = 0;
  for (std::size_t k = 0; k < program.own_costs; ++k) {  // others break ties, and have no part in what is reported
    const nlp::CostTerm& term = program.problem.costs()[k];
    double value = 0;
    term.function->evaluate(x, {&value, 1});
    cost += term.weight * value;
  }
  numbers.values.resize(1 + static_cast<std::size_t>(program.problem.constraints()));
  numbers.values[0] = cost;
  program.problem.constraints(x, std::span(numbers.values).subspan(1));
  for (const nlp::ConstraintBlock& block : program.problem.constraint_blocks()) append_bounds(numbers, block.lower);
  for (const nlp::ConstraintBlock& block : program.problem.constraint_blocks()) append_bounds(numbers, block.upper);
  for (const nlp::VariableBlock& block : program.problem.variable_blocks()) append_bounds(numbers, block.lower);
  for (const nlp::VariableBlock& block : program.problem.variable_blocks()) append_bounds(numbers, block.upper);
  return numbers;
}

/// What each number is multiplied by in the Lagrangian.
std::vector<double> prices_of_numbers(const nlp::Point& point) {
  std::vector<double> prices{1.0};
  for (const double y : point.constraints) prices.push_back(y);
  for (const double y : point.constraints) prices.push_back(std::max(0.0, -y));
  for (const double y : point.constraints) prices.push_back(-std::max(0.0, y));
  for (const double z : point.lower) prices.push_back(z);
  for (const double z : point.upper) prices.push_back(-z);
  return prices;
}

/// A point of a result and how much it counts.
struct WeightedPoint {
  nlp::Point point;
  double weight = 1;
};

/// Costs that break ties move the motion a little: with half of their weight, they move it half as far. Nothing where
/// there are none, or where that was not found quickly.
std::optional<nlp::Point> with_half_the_tie_breakers(const Task& solved, const Result& result,
                                                     const std::function<bool()>& go_on) {
  constexpr int kIterations = 30;
  constexpr double kBarrier = 1e-8;
  Program program = make_program(solved, result.grid, *result.guess);
  const std::vector<nlp::CostTerm>& costs = program.problem.costs();
  if (costs.size() == program.own_costs) return std::nullopt;
  for (std::size_t k = program.own_costs; k < costs.size(); ++k) program.problem.weigh_cost(k, costs[k].weight / 2);
  nlp::Options options;
  options.tolerance = solved.solver.tolerance;
  options.fall_back = false;
  options.max_iterations = kIterations;
  options.barrier_start = kBarrier;
  options.progress = [&](const nlp::Iteration&, std::span<const double>) { return go_on(); };
  nlp::Summary summary = nlp::solve(program.problem, options, &result.point);
  if (summary.status != nlp::Status::solved) return std::nullopt;
  return std::move(summary.point);
}

/// Points whose slopes add up to that of the cost without tie-breakers: docs/theory/design.md, (1a).
std::vector<WeightedPoint> points_of(const Task& solved, const Result& result, const std::function<bool()>& go_on) {
  if (auto half = with_half_the_tie_breakers(solved, result, go_on)) return {{result.point, -1}, {std::move(*half), 2}};
  return {{result.point, 1}};
}

/// The program of a result as a function of the task's parameters, at some points.
class NumbersOfTask {
 public:
  NumbersOfTask(const Task& asked, const Task& solved, const Result& result, const std::vector<WeightedPoint>& points)
      : asked_(asked), solved_(solved), result_(result), points_(points), here_(numbers_with(solved)) {}

  /// Whether the task that is read again is the one that was solved: code may have changed it since.
  bool is_the_task() const {
    const std::optional<Numbers> again = numbers_at({});
    if (!again) return false;
    for (std::size_t k = 0; k < here_.values.size(); ++k) {
      if (std::abs(again->values[k] - here_.values[k]) > kSame * (1 + std::abs(here_.values[k]))) return false;
    }
    return true;
  }

  const Numbers& here() const { return here_; }
  /// Nothing where the task makes no sense, or another program.
  std::optional<Numbers> numbers_at(const std::map<std::string, double>& values) const {
    try {
      const Task task = with_values(asked_, solved_, values);
      if (task.costs.size() != solved_.costs.size() || task.model.nv() != solved_.model.nv()) return std::nullopt;
      std::optional<Numbers> numbers = numbers_with(task);
      if (!numbers->like(here_)) numbers.reset();
      return numbers;
    } catch (const InputError&) {
      return std::nullopt;
    } catch (const std::invalid_argument&) {  // bounds that have crossed
      return std::nullopt;
    }
  }

 private:
  Numbers numbers_with(const Task& task) const {
    Program program = make_program(task, result_.grid, *result_.guess);
    if (program.problem.variables() != static_cast<int>(result_.point.x.size())) return {};
    Numbers numbers;
    for (const WeightedPoint& at : points_) numbers.append(numbers_of(program, at.point.x));
    return numbers;
  }

  const Task &asked_, &solved_;
  const Result& result_;
  const std::vector<WeightedPoint>& points_;
  const Numbers here_;
};

/// (f1 - f0) · prices / width, difference by difference: the sum alone would be rounded at its own size.
double slope_between(const Numbers& before, const Numbers& after, const std::vector<double>& prices, double width) {
  double sum = 0;
  for (std::size_t k = 0; k < prices.size(); ++k) sum += prices[k] * (after.values[k] - before.values[k]);
  return sum / width;
}

std::optional<ParameterSlope> slope_of(const std::string& name, double value, const NumbersOfTask& task,
                                       const std::vector<double>& prices) {
  using Side = ParameterSlope::Side;
  const double step = kDifference * (value == 0 ? 1 : std::abs(value));
  const std::optional<Numbers> above = task.numbers_at({{name, value + step}});
  const std::optional<Numbers> below = task.numbers_at({{name, value - step}});
  if (above && below) return ParameterSlope{name, value, slope_between(*below, *above, prices, 2 * step), Side::both};
  if (!above && !below) return std::nullopt;
  const double way = above ? step : -step;
  const std::optional<Numbers> farther = task.numbers_at({{name, value + 2 * way}});
  if (!farther) return std::nullopt;
  const double near = slope_between(task.here(), above ? *above : *below, prices, way);
  const double far = slope_between(task.here(), *farther, prices, 2 * way);
  return ParameterSlope{name, value, 2 * near - far, above ? Side::above : Side::below};
}

/// Limits at which neither the slack nor the price is there: docs/theory/design.md, (2).
int weak_limits(const Program& program, const Numbers& numbers, const nlp::Point& point, double cost) {
  int weak = 0;
  for (const nlp::ConstraintBlock& block : program.problem.constraint_blocks()) {
    for (int k = 0; k < static_cast<int>(block.lower.size()); ++k) {
      if (block.lower[k] == block.upper[k]) continue;
      const std::size_t row = static_cast<std::size_t>(block.first + k);
      const double value = numbers.values[1 + row];
      const double slack = std::min(value - block.lower[k], block.upper[k] - value) / block.scale;
      const double price = std::abs(std::as_const(point.constraints)[block.first + k]) * block.scale / cost;
      const bool apart = slack > kBalance * price || price > kBalance * slack;
      weak += std::max(slack, price) < kWeak && !apart;
    }
  }
  return weak;
}

}  // namespace

void put_slopes(const Task& asked, const Task& solved, Result& result, const std::function<bool()>& go_on) {
  if (!asked.read_again || !result.guess || (asked.parameters.empty() && asked.model_parameters.empty())) return;
  const std::vector<WeightedPoint> points = points_of(solved, result, go_on);
  const NumbersOfTask task(asked, solved, result, points);
  std::vector<double> prices;
  for (const auto& [point, weight] : points) {
    for (const double price : prices_of_numbers(point)) prices.push_back(weight * price);
  }
  if (prices.size() != task.here().values.size() || !task.is_the_task()) return;
  std::map<std::string, double> parameters = asked.parameters;
  parameters.insert(asked.model_parameters.begin(), asked.model_parameters.end());
  for (const auto& [name, value] : parameters) {
    if (!go_on()) break;
    if (auto slope = slope_of(name, value, task, prices)) result.motion.slopes.push_back(std::move(*slope));
  }
  Program program = make_program(solved, result.grid, *result.guess);
  result.motion.weak_limits = weak_limits(program, task.here(), result.point, std::abs(result.motion.cost));
}

}  // namespace verne
