#include "verne/nlp/check_derivatives.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <utility>

namespace verne::nlp {
namespace {

using VectorFunction = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// A sparse matrix and the function whose derivative it claims to be.
struct Claim {
  VectorFunction function;
  std::map<std::pair<int, int>, double> exact;  // by row and column
  bool lower_triangle = false;                  // the other one says the same
  std::function<std::string(int row, int column)> name;
};

/// A derivative by differences, and how much of it may be rounding.
struct Difference {
  Eigen::VectorXd value;
  double noise = 0;
};

/// Central differences at h and h/2, combined so that their errors in h² cancel. The step balances what is left, in h⁴,
/// against rounding.
Difference difference(const VectorFunction& f, Eigen::VectorXd x, int column, double scale) {
  const double middle = x[column], step = 2.5e-4 * std::max(std::abs(middle), scale);
  Difference result;
  const auto central = [&](double h) -> Eigen::VectorXd {
    x[column] = middle + h;
    const Eigen::VectorXd plus = f(x);
    const double right = x[column];
    x[column] = middle - h;
    const Eigen::VectorXd minus = f(x);
    constexpr double kRoundings = 100 * std::numeric_limits<double>::epsilon();
    for (const Eigen::VectorXd* values : {&plus, &minus}) {
      if (values->size() > 0) result.noise = std::max(result.noise, kRoundings * values->cwiseAbs().maxCoeff() / h);
    }
    return (plus - minus) / (right - x[column]);
  };
  result.value = (4 * central(step / 2) - central(step)) / 3;
  return result;
}

/// Errors above the tolerance; `largest` is raised to the largest error of all.
std::vector<DerivativeError> compare(const Claim& claim, const Problem& problem, const Eigen::VectorXd& x,
                                     double tolerance, double& largest) {
  std::vector<Difference> columns;
  for (const VariableBlock& block : problem.variable_blocks()) {
    for (int i = 0; i < block.initial.size(); ++i) {
      columns.push_back(difference(claim.function, x, block.first + i, block.scale));
    }
  }
  double scale = 0;
  for (const auto& [place, value] : claim.exact) scale = std::max(scale, std::abs(value));
  for (const Difference& column : columns) {
    for (const double value : column.value) scale = std::max(scale, std::abs(value));
  }
  std::vector<DerivativeError> errors;
  for (int column = 0; column < static_cast<int>(columns.size()); ++column) {
    for (int row = claim.lower_triangle ? column : 0; row < columns[column].value.size(); ++row) {
      const auto entry = claim.exact.find({row, column});
      const bool outside = entry == claim.exact.end();
      const double exact = outside ? 0 : entry->second, found = columns[column].value[row];
      if (std::abs(exact - found) <= columns[column].noise) continue;
      const double ratio = std::abs(exact - found) / scale;
      const double error = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
      largest = std::max(largest, error);
      if (error > tolerance) errors.push_back({claim.name(row, column), exact, found, error, outside});
    }
  }
  return errors;
}

/// The derivatives of one function of a problem.
class FunctionCheck {
 public:
  FunctionCheck(std::string name, Function& function, const Problem& problem)
      : name_(std::move(name)), function_(function), problem_(problem), jacobian_(function.jacobian_pattern()) {}

  Claim first(const Eigen::VectorXd& x) {
    Claim claim;
    claim.function = [this](const Eigen::VectorXd& at) {
      Eigen::VectorXd values(function_.rows());
      function_.evaluate(view(at), view(values));
      return values;
    };
    const std::vector<double> entries = jacobian_entries(x);
    for (std::size_t k = 0; k < entries.size(); ++k) claim.exact[{jacobian_[k].row, jacobian_[k].column}] += entries[k];
    claim.name = [this](int row, int column) {
      return "d(" + name_ + ": " + function_.row_name(row) + ")/d(" + problem_.variable_name(column) + ")";
    };
    return claim;
  }

  Claim second(const Eigen::VectorXd& x, const Eigen::VectorXd& multipliers) {
    Claim claim;
    claim.function = [this, multipliers](const Eigen::VectorXd& at) {
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(problem_.variables());
      const std::vector<double> entries = jacobian_entries(at);
      for (std::size_t k = 0; k < entries.size(); ++k) {
        gradient[jacobian_[k].column] += multipliers[jacobian_[k].row] * entries[k];
      }
      return gradient;
    };
    const std::vector<Entry> pattern = function_.hessian_pattern();
    std::vector<double> entries(pattern.size());
    function_.hessian(view(x), view(multipliers), entries);
    for (std::size_t k = 0; k < pattern.size(); ++k) claim.exact[{pattern[k].row, pattern[k].column}] += entries[k];
    claim.lower_triangle = true;
    claim.name = [this](int row, int column) {
      return "d²(" + name_ + ")/d(" + problem_.variable_name(row) + ")d(" + problem_.variable_name(column) + ")";
    };
    return claim;
  }

 private:
  std::vector<double> jacobian_entries(const Eigen::VectorXd& x) {
    std::vector<double> entries(jacobian_.size());
    function_.jacobian(view(x), entries);
    return entries;
  }

  std::string name_;
  Function& function_;
  const Problem& problem_;
  std::vector<Entry> jacobian_;
};

void append(std::vector<DerivativeError>& all, std::vector<DerivativeError> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void keep_the_worst(std::vector<DerivativeError>& errors) {
  constexpr std::size_t kMost = 10;
  std::stable_sort(errors.begin(), errors.end(),
                   [](const DerivativeError& a, const DerivativeError& b) { return a.error > b.error; });
  if (errors.size() > kMost) errors.erase(errors.begin() + kMost, errors.end());
}

}  // namespace

DerivativeReport check_derivatives(Problem& problem, std::span<const double> at, double tolerance, unsigned seed) {
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(at.data(), static_cast<Eigen::Index>(at.size()));
  DerivativeReport report;
  std::mt19937 generator(seed);
  const auto check = [&](const std::string& name, Function& function, std::vector<DerivativeError>& first) {
    Eigen::VectorXd multipliers(function.rows());
    for (double& multiplier : multipliers) {
      multiplier = 2.0 * generator() / std::mt19937::max() - 1;  // distributions differ between standard libraries
    }
    FunctionCheck derivatives(name, function, problem);
    append(first, compare(derivatives.first(x), problem, x, tolerance, report.largest));
    append(report.hessian, compare(derivatives.second(x, multipliers), problem, x, tolerance, report.largest));
  };
  problem.jacobian_pattern();  // refuses patterns that do not fit
  for (const CostTerm& term : problem.costs()) check(term.name, *term.function, report.gradient);
  for (const ConstraintBlock& block : problem.constraint_blocks()) check(block.name, *block.function, report.jacobian);
  keep_the_worst(report.gradient);
  keep_the_worst(report.jacobian);
  keep_the_worst(report.hessian);
  return report;
}

}  // namespace verne::nlp
