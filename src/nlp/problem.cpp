#include "verne/nlp/problem.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "nlp/merged_pattern.h"

namespace verne::nlp {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw std::invalid_argument("nlp::Problem: " + text);
}

void check_size(const char* what, std::size_t actual, std::size_t expected) {
  if (actual == expected) return;
  refuse(std::string(what) + " has " + std::to_string(actual) + " entries, " + std::to_string(expected) + " expected");
}

void check_bounds(const std::string& name, const Values& lower, const Values& upper, double scale, Eigen::Index size) {
  if (lower.size() != size || upper.size() != size) {
    refuse("'" + name + "' has " + std::to_string(lower.size()) + " lower and " + std::to_string(upper.size()) +
           " upper bounds, " + std::to_string(size) + " expected");
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    if (lower[i] <= upper[i]) continue;  // NaN is refused too
    refuse("'" + name + "' has the lower bound " + std::to_string(lower[i]) + " above the upper bound " +
           std::to_string(upper[i]) + " at " + std::to_string(i));
  }
  if (!(scale > 0)) refuse("'" + name + "' has the scale " + std::to_string(scale) + ", which is not positive");
}

/// Second derivatives are those of the lower triangle.
enum class Triangle { both, lower };

void check_pattern(const std::string& name, const std::vector<Entry>& pattern, int rows, int columns,
                   Triangle triangle) {
  const bool any = triangle == Triangle::both;
  bool good = true;
  for (const auto& [row, column] : pattern) {  // patterns are long: no jumps
    good &= (row >= 0) & (row < rows) & (column >= 0) & (column < columns) & (any | (row >= column));
  }
  if (good) return;
  for (const auto& [row, column] : pattern) {
    const std::string place = "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
    if (row < 0 || row >= rows || column < 0 || column >= columns) {
      refuse("'" + name + "' has a derivative at " + place + " of " + std::to_string(rows) + " x " +
             std::to_string(columns));
    }
    if (!any && row < column) refuse("'" + name + "' has a second derivative at " + place + ", above the diagonal");
  }
}

/// The block that an index falls into; blocks are sorted by their first index.
template <class Block>
const Block& block_of(const std::vector<Block>& blocks, int index) {
  return *(
      std::upper_bound(blocks.begin(), blocks.end(), index, [](int i, const Block& block) { return i < block.first; }) -
      1);
}

}  // namespace

struct Problem::Merged {
  std::vector<std::vector<int>> gradient_columns;  // of each cost's entries
  MergedPattern jacobian;                          // blocks: the constraints
  MergedPattern hessian;                           // blocks: the costs, then the constraints
  std::vector<double> scratch;                     // the entries of all functions
  std::vector<std::size_t> begin;                  // in it, of each cost, then each constraint
};

struct Problem::Threads {
  explicit Threads(int threads) : count(threads), arena(threads) {}
  int count;
  tbb::task_arena arena;
};

void Problem::use_threads(int threads) {
  if (threads < 1) refuse("needs at least one thread");
  const int useful = std::min(threads, tbb::info::default_concurrency());  // of more than there are, oneTBB complains
  threads_ = useful > 1 ? std::make_shared<Threads>(useful) : nullptr;
}

template <class Job>
void Problem::for_each(std::size_t count, const Job& job) {
  if (!threads_ || count < 2) {
    for (std::size_t k = 0; k < count; ++k) job(k);
    return;
  }
  std::atomic<std::size_t> next = 0;
  threads_->arena.execute([&] {
    tbb::parallel_for(0, threads_->count, [&](int) {
      for (std::size_t k = next++; k < count; k = next++) job(k);
    });
  });
}

int Problem::add_variables(VariableBlock block) {
  if (merged_) refuse("nothing can be added after derivatives were asked for");
  check_bounds(block.name, block.lower, block.upper, block.scale, block.initial.size());
  block.first = variables_;
  variables_ += static_cast<int>(block.initial.size());
  variable_blocks_.push_back(std::move(block));
  return variable_blocks_.back().first;
}

int Problem::add_constraint(ConstraintBlock block) {
  if (merged_) refuse("nothing can be added after derivatives were asked for");
  if (!block.function) refuse("'" + block.name + "' has no function");
  check_bounds(block.name, block.lower, block.upper, block.scale, block.function->rows());
  block.first = constraints_;
  constraints_ += block.function->rows();
  constraint_blocks_.push_back(std::move(block));
  return constraint_blocks_.back().first;
}

void Problem::move_bounds(std::size_t block, Values lower, Values upper) {
  if (block >= constraint_blocks_.size()) refuse("there is no constraint " + std::to_string(block));
  ConstraintBlock& of = constraint_blocks_[block];
  check_bounds(of.name, lower, upper, of.scale, of.function->rows());
  of.lower = std::move(lower), of.upper = std::move(upper);
}

void Problem::weigh_cost(std::size_t cost, double weight) {
  if (cost >= costs_.size()) refuse("there is no cost " + std::to_string(cost));
  costs_[cost].weight = weight;
}

void Problem::add_cost(CostTerm term) {
  if (merged_) refuse("nothing can be added after derivatives were asked for");
  if (!term.function) refuse("'" + term.name + "' has no function");
  if (term.function->rows() != 1) {
    refuse("the cost '" + term.name + "' has " + std::to_string(term.function->rows()) + " rows instead of one");
  }
  costs_.push_back(std::move(term));
}

Values Problem::initial() const {
  Values x;
  x.resize(variables_);
  for (const VariableBlock& block : variable_blocks_) {
    x.eigen().segment(block.first, block.initial.size()) = block.initial.eigen();
  }
  return x;
}

std::string Problem::variable_name(int variable) const {
  const VariableBlock& block = block_of(variable_blocks_, variable);
  return block.name + "[" + std::to_string(variable - block.first) + "]";
}

std::string Problem::constraint_name(int row) const {
  const ConstraintBlock& block = block_of(constraint_blocks_, row);
  return block.name + ": " + block.function->row_name(row - block.first);
}

const Problem::Merged& Problem::merged() {
  if (merged_) return *merged_;
  auto merged = std::make_shared<Merged>();
  const auto add = [&](const std::string& name, const Function& function) {
    const std::vector<Entry> jacobian = function.jacobian_pattern(), hessian = function.hessian_pattern();
    check_pattern(name, jacobian, function.rows(), variables_, Triangle::both);
    check_pattern(name, hessian, variables_, variables_, Triangle::lower);
    merged->hessian.add(hessian, 0);
    merged->begin.push_back(merged->scratch.size());
    merged->scratch.resize(merged->scratch.size() + std::max(jacobian.size(), hessian.size()));
    return jacobian;
  };
  for (const CostTerm& term : costs_) {
    std::vector<int>& columns = merged->gradient_columns.emplace_back();
    for (const Entry& entry : add(term.name, *term.function)) columns.push_back(entry.column);
  }
  for (const ConstraintBlock& block : constraint_blocks_) {
    merged->jacobian.add(add(block.name, *block.function), block.first);
  }
  merged->jacobian.finish();
  merged->hessian.finish();
  merged_ = std::move(merged);
  return *merged_;
}

const std::vector<Entry>& Problem::jacobian_pattern() {
  return merged().jacobian.entries();
}

const std::vector<Entry>& Problem::hessian_pattern() {
  return merged().hessian.entries();
}

double Problem::cost(std::span<const double> x) {
  check_size("x", x.size(), variables_);
  const auto weighed = [&](std::size_t k) {
    double value = 0;
    costs_[k].function->evaluate(x, {&value, 1});
    return costs_[k].weight * value;
  };
  double sum = 0;
  if (!threads_) {  // without memory for the parts
    for (std::size_t k = 0; k < costs_.size(); ++k) sum += weighed(k);
    return sum;
  }
  std::vector<double> parts(costs_.size());
  for_each(parts.size(), [&](std::size_t k) { parts[k] = weighed(k); });
  for (const double part : parts) sum += part;
  return sum;
}

void Problem::gradient(std::span<const double> x, std::span<double> gradient) {
  merged();
  check_size("x", x.size(), variables_);
  check_size("the gradient", gradient.size(), variables_);
  const auto entries = [&](std::size_t k) {
    return std::span(merged_->scratch).subspan(merged_->begin[k], merged_->gradient_columns[k].size());
  };
  for_each(costs_.size(), [&](std::size_t k) { costs_[k].function->jacobian(x, entries(k)); });
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t k = 0; k < costs_.size(); ++k) {
    const std::vector<int>& columns = merged_->gradient_columns[k];
    for (std::size_t i = 0; i < columns.size(); ++i) gradient[columns[i]] += costs_[k].weight * entries(k)[i];
  }
}

void Problem::constraints(std::span<const double> x, std::span<double> values) {
  check_size("x", x.size(), variables_);
  check_size("g", values.size(), constraints_);
  for_each(constraint_blocks_.size(), [&](std::size_t k) {
    const ConstraintBlock& block = constraint_blocks_[k];
    block.function->evaluate(x, values.subspan(block.first, block.function->rows()));
  });
}

void Problem::jacobian(std::span<const double> x, std::span<double> entries) {
  const MergedPattern& pattern = merged().jacobian;
  check_size("x", x.size(), variables_);
  check_size("the Jacobian", entries.size(), pattern.entries().size());
  for_each(constraint_blocks_.size(), [&](std::size_t k) {
    Function& function = *constraint_blocks_[k].function;
    if (const std::span<double> own = pattern.own(k, entries); !own.empty()) {
      function.jacobian(x, own);
      return;
    }
    const auto block = std::span(merged_->scratch).subspan(merged_->begin[costs_.size() + k], pattern.size_of(k));
    function.jacobian(x, block);
    pattern.clear(k, entries);  // rows are the function's alone
    pattern.accumulate(k, block, entries);
  });
}

void Problem::hessian(std::span<const double> x, double cost_factor, std::span<const double> multipliers,
                      std::span<double> entries) {
  const MergedPattern& pattern = merged().hessian;
  check_size("x", x.size(), variables_);
  check_size("multipliers", multipliers.size(), constraints_);
  check_size("the Hessian", entries.size(), pattern.entries().size());
  const auto block = [&](std::size_t k) {
    return std::span(merged_->scratch).subspan(merged_->begin[k], pattern.size_of(k));
  };
  const std::size_t costs = costs_.size(), count = costs + constraint_blocks_.size();
  for_each(count, [&](std::size_t k) {
    if (k < costs) {
      const double factor = cost_factor * costs_[k].weight;
      return costs_[k].function->hessian(x, {&factor, 1}, block(k));
    }
    const ConstraintBlock& of = constraint_blocks_[k - costs];
    of.function->hessian(x, multipliers.subspan(of.first, of.function->rows()), block(k));
  });
  std::fill(entries.begin(), entries.end(), 0.0);
  for (std::size_t k = 0; k < count; ++k) pattern.accumulate(k, block(k), entries);
}

}  // namespace verne::nlp
