#include "motion/program/program_variants.h"

#include <algorithm>
#include <cmath>

#include "io/number.h"

namespace verne {

namespace {

constexpr double kStencil = 1e-4;  // of a parameter's range

bool is_bound(double value) {
  return std::abs(value) < nlp::kNoBound;
}

/// Of what kind bounds are: which there are, and whether they are one.
int kind_of(double lower, double upper) {
  return lower == upper ? 4 : (is_bound(lower) ? 1 : 0) + (is_bound(upper) ? 2 : 0);
}

/// Blocks of variables or of constraints with bounds of the same kinds.
template <class Block>
bool same_kinds(const std::vector<Block>& a, const std::vector<Block>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Block& x, const Block& y) {
    if (x.lower.size() != y.lower.size()) return false;
    for (Eigen::Index k = 0; k < x.lower.size(); ++k) {
      if (kind_of(x.lower[k], x.upper[k]) != kind_of(y.lower[k], y.upper[k])) return false;
    }
    return true;
  });
}

bool same_patterns(const nlp::Function& a, const nlp::Function& b) {
  return a.jacobian_pattern() == b.jacobian_pattern() && a.hessian_pattern() == b.hessian_pattern();
}

double bound_of(const Program& program, const MovingBound& moving) {
  for (const nlp::VariableBlock& block : program.problem.variable_blocks()) {
    const int k = moving.variable - block.first;
    if (k >= static_cast<int>(block.lower.size())) continue;
    return moving.kind == MovingBound::Kind::upper ? block.upper[k] : block.lower[k];
  }
  return 0;
}

[[noreturn]] void refuse_design(const std::string& file, const DesignSpec& design, double value,
                                const std::string& why) {
  throw InputError({{file, design.line, "design: " + design.parameter + ": at " + format_number(value) + " " + why}});
}

}  // namespace

ProgramVariants::ProgramVariants(std::vector<DesignSpec> design, const std::vector<double>& values, Make make,
                                 const std::string& file)
    : design_(std::move(design)),
      make_(std::move(make)),
      base_{values, make_(values), {}, {}, {}, {}},
      variables_(base_.program->problem.variables()) {
  check_and_find_moving(file);
  relate_to_base(base_);
}

std::vector<double> ProgramVariants::changed(std::span<const double> values, int parameter, double value) {
  std::vector<double> all(values.begin(), values.end());
  all[static_cast<std::size_t>(parameter)] = value;
  return all;
}

Stencil ProgramVariants::stencil(int parameter, double value) const {
  const Interval& range = design_[static_cast<std::size_t>(parameter)].bounds;
  const double h = kStencil * (range.upper - range.lower);
  const double middle = std::clamp(value, range.lower + h, range.upper - h), t = (value - middle) / h;
  return {{middle - h, middle, middle + h},
          {(t - 0.5) / h, -2 * t / h, (t + 0.5) / h},
          {1 / (h * h), -2 / (h * h), 1 / (h * h)}};
}

/// Tries the ends of all ranges, and beside the values: what is not the same program there cannot be designed.
void ProgramVariants::check_and_find_moving(const std::string& file) {
  std::vector<bool> lower(static_cast<std::size_t>(variables_)), upper = lower;
  for (int i = 0; i < parameters(); ++i) {
    const DesignSpec& design = design_[static_cast<std::size_t>(i)];
    const Stencil beside = stencil(i, base_.values[static_cast<std::size_t>(i)]);
    for (const double value : {design.bounds.lower, design.bounds.upper, beside.place[0], beside.place[2]}) {
      std::optional<Program> other;
      try {
        other = make_(changed(base_.values, i, value));
      } catch (const InputError& error) {
        refuse_design(file, design, value, "the task makes no sense: " + error.problems().front().text);
      }
      if (!like_base(*other) || !has_patterns_of_base(*other)) {
        refuse_design(file, design, value,
                      "the task is another one, with other unknowns or conditions: such parameters are for studies");
      }
      const auto& blocks = base_.program->problem.variable_blocks();
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        const nlp::VariableBlock& here = blocks[b];
        const nlp::VariableBlock& there = other->problem.variable_blocks()[b];
        for (Eigen::Index k = 0; k < here.lower.size(); ++k) {
          const auto variable = static_cast<std::size_t>(here.first + k);
          if (here.lower[k] != there.lower[k]) lower[variable] = true;
          if (here.upper[k] != there.upper[k]) upper[variable] = true;
        }
      }
    }
  }
  using Kind = MovingBound::Kind;
  for (const nlp::VariableBlock& block : base_.program->problem.variable_blocks()) {
    for (Eigen::Index k = 0; k < block.lower.size(); ++k) {
      const int variable = block.first + static_cast<int>(k);
      const bool below = lower[static_cast<std::size_t>(variable)], above = upper[static_cast<std::size_t>(variable)];
      if (block.lower[k] == block.upper[k]) {
        if (below || above) moving_.push_back({variable, Kind::equal});
        continue;
      }
      if (below) moving_.push_back({variable, Kind::lower});
      if (above) moving_.push_back({variable, Kind::upper});
    }
  }
}

bool ProgramVariants::like_base(const Program& program) const {
  const nlp::Problem &a = base_.program->problem, &b = program.problem;
  if (a.variables() != b.variables() || a.constraints() != b.constraints()) return false;
  if (a.costs().size() != b.costs().size() || program.own_costs != base_.program->own_costs) return false;
  if (!same_kinds(a.variable_blocks(), b.variable_blocks())) return false;
  return same_kinds(a.constraint_blocks(), b.constraint_blocks());
}

bool ProgramVariants::has_patterns_of_base(const Program& program) const {
  const nlp::Problem &a = base_.program->problem, &b = program.problem;
  const auto same = [](const auto& x, const auto& y) { return same_patterns(*x.function, *y.function); };
  return std::equal(a.costs().begin(), a.costs().end(), b.costs().begin(), same) &&
         std::equal(a.constraint_blocks().begin(), a.constraint_blocks().end(), b.constraint_blocks().begin(), same);
}

void ProgramVariants::relate_to_base(ProgramVariant& variant) const {
  const nlp::Problem &base = base_.program->problem, &own = variant.program->problem;
  for (std::size_t b = 0; b < base.constraint_blocks().size(); ++b) {
    const nlp::ConstraintBlock &there = base.constraint_blocks()[b], &here = own.constraint_blocks()[b];
    for (Eigen::Index k = 0; k < there.lower.size(); ++k) {
      double scale = 1, shift = 0;
      const double lower = there.lower[k], upper = there.upper[k];
      if (is_bound(lower) && is_bound(upper) && lower != upper) {
        scale = (upper - lower) / (here.upper[k] - here.lower[k]);
        shift = lower - scale * here.lower[k];
      } else if (is_bound(lower)) {
        shift = lower - here.lower[k];
      } else if (is_bound(upper)) {
        shift = upper - here.upper[k];
      }
      variant.scale.push_back(scale);
      variant.shift.push_back(shift);
    }
  }
  for (std::size_t k = 0; k < base.costs().size(); ++k) {  // those that break ties must not ask for other parameters
    variant.weights.push_back(k < base_.program->own_costs ? own.costs()[k].weight : base.costs()[k].weight);
  }
  for (const MovingBound& moving : moving_) variant.bounds.push_back(bound_of(*variant.program, moving));
}

ProgramVariant ProgramVariants::made(const std::vector<double>& values) const {
  ProgramVariant variant{values, {}, {}, {}, {}, {}};
  try {
    variant.program = make_(values);
    if (like_base(*variant.program)) {
      relate_to_base(variant);
    } else {
      variant.program.reset();
    }
  } catch (const InputError&) {  // a solver steps back from where there is nothing
  }
  return variant;
}

ProgramVariant& ProgramVariants::at(std::span<const double> values) {
  const auto is_it = [&](const ProgramVariant& known) {
    return std::equal(values.begin(), values.end(), known.values.begin(), known.values.end());
  };
  if (is_it(base_)) return base_;
  const auto known = std::find_if(latest_.begin(), latest_.end(), is_it);
  if (known != latest_.end()) {
    latest_.splice(latest_.begin(), latest_, known);
    return latest_.front();
  }
  const int n = parameters(), around = 1 + 3 * n + 9 * n * (n - 1) / 2;  // of one point, and one point before
  if (static_cast<int>(latest_.size()) > 2 * around) latest_.pop_back();
  latest_.push_front(made({values.begin(), values.end()}));
  return latest_.front();
}

}  // namespace verne
