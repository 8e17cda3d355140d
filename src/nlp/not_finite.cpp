#include "nlp/not_finite.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace verne::nlp {

namespace {

/// The place of the first one; −1: there is none.
int first_not_finite(const std::vector<double>& values) {
  const auto found = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  return found == values.end() ? -1 : static_cast<int>(found - values.begin());
}

/// What is not finite of a block at x, in words; `name_of(row)`, or the block's where no row is known. Empty: nothing.
template <class NameOf>
std::string not_finite_in(Function& function, std::span<const double> x, const std::string& block,
                          const NameOf& name_of) {
  std::vector<double> values(static_cast<std::size_t>(function.rows()));
  function.evaluate(x, values);
  if (const int row = first_not_finite(values); row >= 0) return name_of(row);
  const std::vector<Entry> pattern = function.jacobian_pattern();
  std::vector<double> entries(pattern.size());
  function.jacobian(x, entries);
  if (const int k = first_not_finite(entries); k >= 0) {
    return "a derivative of " + name_of(pattern[static_cast<std::size_t>(k)].row);
  }
  values.assign(values.size(), 1);
  entries.assign(function.hessian_pattern().size(), 0);
  function.hessian(x, values, entries);
  return first_not_finite(entries) >= 0 ? "a second derivative of " + block : "";
}

}  // namespace

std::string not_finite_message(Problem& problem, std::span<const double> x) {
  std::string what;
  for (const CostTerm& cost : problem.costs()) {
    if (!what.empty()) break;
    what = not_finite_in(*cost.function, x, cost.name,
                         [&](int row) { return cost.name + ": " + cost.function->row_name(row); });
  }
  for (const ConstraintBlock& block : problem.constraint_blocks()) {
    if (!what.empty()) break;
    what = not_finite_in(*block.function, x, block.name,
                         [&](int row) { return problem.constraint_name(block.first + row); });
  }
  return (what.empty() ? "a function or derivative" : what) + " is not a finite number";
}

}  // namespace verne::nlp
