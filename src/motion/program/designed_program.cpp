#include "motion/program/designed_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "motion/program/program_variants.h"

namespace verne {

namespace {

constexpr double kRounding = 1e-14;  // of sums whose parts cancel

/// A function of the plain program and the parameters behind its variables.
class DesignedFunction : public nlp::Function {
 public:
  explicit DesignedFunction(std::shared_ptr<ProgramVariants> variants) : variants_(std::move(variants)) {}

  std::vector<nlp::Entry> jacobian_pattern() const override {
    std::vector<nlp::Entry> pattern = plain_jacobian();
    for (int i = 0; i < parameters(); ++i) {
      for (int row = 0; row < rows(); ++row) pattern.push_back({row, variables() + i});
    }
    return pattern;
  }

  std::vector<nlp::Entry> hessian_pattern() const override {
    std::vector<nlp::Entry> pattern = plain_hessian_pattern();
    plain_hessian_size_ = pattern.size();
    std::set<int> columns;
    for (const nlp::Entry& entry : plain_jacobian()) columns.insert(entry.column);
    columns_.assign(columns.begin(), columns.end());
    for (int i = 0; i < parameters(); ++i) {
      for (const int column : columns_) pattern.push_back({variables() + i, column});
      for (int k = 0; k <= i; ++k) pattern.push_back({variables() + i, variables() + k});
    }
    return pattern;
  }

  void evaluate(std::span<const double> x, std::span<double> values) override {
    values_at(variants_->at(design(x)), plain(x), values);
  }

  void jacobian(std::span<const double> x, std::span<double> entries) override {
    const std::size_t plain_size = plain_jacobian().size();
    jacobian_at(variants_->at(design(x)), plain(x), entries.first(plain_size));
    const auto height = static_cast<std::size_t>(rows());
    std::vector<double> values(height);
    for (int i = 0; i < parameters(); ++i) {
      const std::span<double> column = entries.subspan(plain_size + static_cast<std::size_t>(i) * height, height);
      std::fill(column.begin(), column.end(), 0.0);
      for_each_place(x, i, &Stencil::first, [&](ProgramVariant& variant, double factor) {
        values_at(variant, plain(x), values);
        for (std::size_t row = 0; row < height; ++row) column[row] += factor * values[row];
      });
    }
  }

  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override {
    const std::vector<nlp::Entry>& pattern = plain_jacobian();
    hessian_at(variants_->at(design(x)), plain(x), multipliers, entries.first(plain_hessian_size_));
    double* to = entries.data() + plain_hessian_size_;
    std::vector<double> jacobian(pattern.size()), gradient(static_cast<std::size_t>(variables()));
    for (int i = 0; i < parameters(); ++i) {
      std::fill(gradient.begin(), gradient.end(), 0.0);
      for_each_place(x, i, &Stencil::first, [&](ProgramVariant& variant, double factor) {
        jacobian_at(variant, plain(x), jacobian);
        for (std::size_t k = 0; k < pattern.size(); ++k) {
          const auto [row, column] = pattern[k];
          gradient[static_cast<std::size_t>(column)] +=
              factor * multipliers[static_cast<std::size_t>(row)] * jacobian[k];
        }
      });
      for (const int column : columns_) *to++ = gradient[static_cast<std::size_t>(column)];
      for (int k = 0; k <= i; ++k) *to++ = second_derivative(x, i, k, multipliers);
    }
  }

 protected:
  int variables() const { return variants_->variables(); }
  int parameters() const { return variants_->parameters(); }
  ProgramVariants& variants() const { return *variants_; }
  std::span<const double> design(std::span<const double> x) const {
    return x.last(static_cast<std::size_t>(parameters()));
  }
  std::span<const double> plain(std::span<const double> x) const {
    return x.first(static_cast<std::size_t>(variables()));
  }

  const std::vector<nlp::Entry>& plain_jacobian() const {
    if (!plain_jacobian_) plain_jacobian_ = plain_jacobian_pattern();
    return *plain_jacobian_;
  }
  virtual std::vector<nlp::Entry> plain_jacobian_pattern() const = 0;
  virtual std::vector<nlp::Entry> plain_hessian_pattern() const = 0;
  /// NaN where there is no program.
  virtual void values_at(ProgramVariant& variant, std::span<const double> x, std::span<double> values) const = 0;
  virtual void jacobian_at(ProgramVariant& variant, std::span<const double> x, std::span<double> entries) const = 0;
  virtual void hessian_at(ProgramVariant& variant, std::span<const double> x, std::span<const double> multipliers,
                          std::span<double> entries) const = 0;

 private:
  template <class Visit>
  void for_each_place(std::span<const double> x, int parameter, double (Stencil::*factors)[3], Visit&& visit) const {
    const std::span<const double> values = design(x);
    const Stencil stencil = variants_->stencil(parameter, values[static_cast<std::size_t>(parameter)]);
    for (int a = 0; a < 3; ++a) {
      const double factor = (stencil.*factors)[a];
      if (factor != 0) visit(variants_->at(ProgramVariants::changed(values, parameter, stencil.place[a])), factor);
    }
  }

  double second_derivative(std::span<const double> x, int i, int k, std::span<const double> multipliers) const {
    std::vector<double> values(static_cast<std::size_t>(rows()));
    double sum = 0, sizes = 0;
    const auto add = [&](ProgramVariant& variant, double factor) {
      values_at(variant, plain(x), values);
      for (std::size_t row = 0; row < values.size(); ++row) {
        const double part = factor * multipliers[row] * values[row];
        sum += part, sizes += std::abs(part);
      }
    };
    const auto without_rounding = [&] { return std::abs(sum) <= kRounding * sizes ? 0 : sum; };
    if (i == k) {
      for_each_place(x, i, &Stencil::second, add);
      return without_rounding();
    }
    const std::span<const double> here = design(x);
    const Stencil other = variants_->stencil(k, here[static_cast<std::size_t>(k)]);
    for_each_place(x, i, &Stencil::first, [&](ProgramVariant& variant, double factor) {
      const std::vector<double> values_i = variant.values;
      for (int b = 0; b < 3; ++b) {
        if (other.first[b] == 0) continue;
        add(variants_->at(ProgramVariants::changed(values_i, k, other.place[b])), factor * other.first[b]);
      }
    });
    return without_rounding();
  }

  std::shared_ptr<ProgramVariants> variants_;
  mutable std::optional<std::vector<nlp::Entry>> plain_jacobian_;
  mutable std::size_t plain_hessian_size_ = 0;
  mutable std::vector<int> columns_;  // variables that the function depends on
};

/// A block of constraints, moved so that its bounds stand still; or a cost, times its weight.
class DesignedBlock : public DesignedFunction {
 public:
  enum class Of { cost, constraint };
  DesignedBlock(std::shared_ptr<ProgramVariants> variants, Of of, std::size_t index)
      : DesignedFunction(std::move(variants)), of_(of), index_(index) {}

  int rows() const override { return base().rows(); }
  std::string row_name(int row) const override { return base().row_name(row); }

 protected:
  std::vector<nlp::Entry> plain_jacobian_pattern() const override { return base().jacobian_pattern(); }
  std::vector<nlp::Entry> plain_hessian_pattern() const override { return base().hessian_pattern(); }

  void values_at(ProgramVariant& variant, std::span<const double> x, std::span<double> values) const override {
    if (is_missing(variant, values)) return;
    function(variant).evaluate(x, values);
    for (int row = 0; row < rows(); ++row) {
      double& value = values[static_cast<std::size_t>(row)];
      value = scale(variant, row) * value +
              (of_ == Of::cost ? 0 : variant.shift[first_row() + static_cast<std::size_t>(row)]);
    }
  }
  void jacobian_at(ProgramVariant& variant, std::span<const double> x, std::span<double> entries) const override {
    if (is_missing(variant, entries)) return;
    function(variant).jacobian(x, entries);
    const std::vector<nlp::Entry>& pattern = plain_jacobian();
    for (std::size_t k = 0; k < pattern.size(); ++k) entries[k] *= scale(variant, pattern[k].row);
  }
  void hessian_at(ProgramVariant& variant, std::span<const double> x, std::span<const double> multipliers,
                  std::span<double> entries) const override {
    if (is_missing(variant, entries)) return;
    std::vector<double> scaled(multipliers.begin(), multipliers.end());
    for (int row = 0; row < rows(); ++row) scaled[static_cast<std::size_t>(row)] *= scale(variant, row);
    function(variant).hessian(x, scaled, entries);
  }

 private:
  nlp::Function& base() const { return function(variants().base()); }
  nlp::Function& function(ProgramVariant& variant) const {
    const nlp::Problem& problem = variant.program->problem;
    return of_ == Of::cost ? *problem.costs()[index_].function : *problem.constraint_blocks()[index_].function;
  }
  std::size_t first_row() const {
    return static_cast<std::size_t>(variants().base().program->problem.constraint_blocks()[index_].first);
  }
  double scale(const ProgramVariant& variant, int row) const {
    return of_ == Of::cost ? variant.weights[index_] : variant.scale[first_row() + static_cast<std::size_t>(row)];
  }
  static bool is_missing(const ProgramVariant& variant, std::span<double> values) {
    if (variant.program) return false;
    std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
    return true;
  }

  Of of_;
  std::size_t index_;
};

/// Variables less their bounds, where these move.
class MovingBounds : public DesignedFunction {
 public:
  using DesignedFunction::DesignedFunction;
  int rows() const override { return static_cast<int>(variants().moving().size()); }
  std::string row_name(int row) const override {
    const int variable = variants().moving()[static_cast<std::size_t>(row)].variable;
    return variants().base().program->problem.variable_name(variable);
  }

 protected:
  std::vector<nlp::Entry> plain_jacobian_pattern() const override {
    std::vector<nlp::Entry> pattern;
    for (int row = 0; row < rows(); ++row) {
      pattern.push_back({row, variants().moving()[static_cast<std::size_t>(row)].variable});
    }
    return pattern;
  }
  std::vector<nlp::Entry> plain_hessian_pattern() const override { return {}; }
  void values_at(ProgramVariant& variant, std::span<const double> x, std::span<double> values) const override {
    for (std::size_t row = 0; row < values.size(); ++row) {
      values[row] = variant.program
                        ? x[static_cast<std::size_t>(variants().moving()[row].variable)] - variant.bounds[row]
                        : std::numeric_limits<double>::quiet_NaN();
    }
  }
  void jacobian_at(ProgramVariant&, std::span<const double>, std::span<double> entries) const override {
    std::fill(entries.begin(), entries.end(), 1.0);
  }
  void hessian_at(ProgramVariant&, std::span<const double>, std::span<const double>, std::span<double>) const override {
  }
};

}  // namespace

DesignedProgram::DesignedProgram(const std::vector<DesignSpec>& design, const std::vector<double>& values, Make make,
                                 const std::string& file)
    : variants_(std::make_shared<ProgramVariants>(design, values, std::move(make), file)) {
  add_variables(design);
  add_functions();
}

DesignedProgram::~DesignedProgram() = default;

void DesignedProgram::add_variables(const std::vector<DesignSpec>& design) {
  using Kind = MovingBound::Kind;
  for (const nlp::VariableBlock& block : variants_->base().program->problem.variable_blocks()) {
    nlp::VariableBlock own = block;
    for (const MovingBound& moving : variants_->moving()) {
      const int k = moving.variable - block.first;
      if (k < 0 || k >= static_cast<int>(block.initial.size())) continue;
      if (moving.kind != Kind::upper) own.lower[k] = -kInfinity;
      if (moving.kind != Kind::lower) own.upper[k] = kInfinity;
    }
    problem_.add_variables(std::move(own));
  }
  const std::vector<double>& values = variants_->base().values;
  for (std::size_t i = 0; i < design.size(); ++i) {
    const Interval& bounds = design[i].bounds;
    problem_.add_variables({design[i].parameter, Values{values[i]}, Values{bounds.lower}, Values{bounds.upper},
                            bounds.upper - bounds.lower});
  }
}

void DesignedProgram::add_functions() {
  const nlp::Problem& base = variants_->base().program->problem;
  for (std::size_t k = 0; k < base.costs().size(); ++k) {
    problem_.add_cost(
        {base.costs()[k].name, std::make_unique<DesignedBlock>(variants_, DesignedBlock::Of::cost, k), 1});
  }
  for (std::size_t k = 0; k < base.constraint_blocks().size(); ++k) {
    const nlp::ConstraintBlock& block = base.constraint_blocks()[k];
    problem_.add_constraint({block.name, std::make_unique<DesignedBlock>(variants_, DesignedBlock::Of::constraint, k),
                             block.lower, block.upper, block.scale});
  }
  const std::vector<MovingBound>& moving = variants_->moving();
  if (moving.empty()) return;
  using Kind = MovingBound::Kind;
  const auto count = static_cast<Eigen::Index>(moving.size());
  Eigen::VectorXd lower = Eigen::VectorXd::Zero(count), upper = lower;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Kind kind = moving[static_cast<std::size_t>(k)].kind;
    if (kind == Kind::upper) lower[k] = -kInfinity;
    if (kind == Kind::lower) upper[k] = kInfinity;
  }
  problem_.add_constraint({"bounds", std::make_unique<MovingBounds>(variants_), std::move(lower), std::move(upper)});
}

std::vector<double> DesignedProgram::values(const nlp::Point& point) const {
  return {point.x.end() - variants_->parameters(), point.x.end()};
}

nlp::Point DesignedProgram::extended(const nlp::Point& plain) {
  nlp::Point point = plain;
  const auto n = static_cast<Eigen::Index>(variants_->variables());
  const auto append = [](const Values& to, const std::vector<double>& more) {
    std::vector<double> all(to.begin(), to.end());
    all.insert(all.end(), more.begin(), more.end());
    return Values(std::move(all));
  };
  point.x = append(plain.x, variants_->base().values);
  const auto rows = static_cast<Eigen::Index>(variants_->base().program->problem.constraints());
  if (plain.constraints.size() != rows || plain.lower.size() != n || plain.upper.size() != n) return point;
  std::vector<double> of_bounds;
  for (const MovingBound& moving : variants_->moving()) {
    double y = 0;
    if (moving.kind != MovingBound::Kind::upper) y -= std::exchange(point.lower[moving.variable], 0.0);
    if (moving.kind != MovingBound::Kind::lower) y += std::exchange(point.upper[moving.variable], 0.0);
    of_bounds.push_back(y);
  }
  point.constraints = append(point.constraints, of_bounds);
  const std::vector<double> none(static_cast<std::size_t>(variants_->parameters()));
  point.lower = append(point.lower, none), point.upper = append(point.upper, none);
  return with_multipliers_of_design(std::move(point));
}

/// Those that make up for the rest of the Lagrangian's gradient.
nlp::Point DesignedProgram::with_multipliers_of_design(nlp::Point point) {
  const std::span<const double> x = std::as_const(point.x);
  std::vector<double> gradient(x.size());
  problem_.gradient(x, gradient);
  const std::vector<nlp::Entry>& pattern = problem_.jacobian_pattern();
  std::vector<double> jacobian(pattern.size());
  problem_.jacobian(x, jacobian);
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    gradient[static_cast<std::size_t>(pattern[k].column)] += point.constraints[pattern[k].row] * jacobian[k];
  }
  for (int k = variants_->variables(); k < problem_.variables(); ++k) {
    const double rest = gradient[static_cast<std::size_t>(k)];
    point.lower[k] = std::max(0.0, rest), point.upper[k] = std::max(0.0, -rest);
  }
  return point;
}

nlp::Point DesignedProgram::plain(const nlp::Point& point) const {
  const ProgramVariant& variant = variants_->at(values(point));
  nlp::Point plain = point;
  const auto n = static_cast<Eigen::Index>(variants_->variables());
  for (Values* part : {&plain.x, &plain.lower, &plain.upper}) part->resize(n);
  const auto rows = static_cast<Eigen::Index>(variant.scale.size());
  for (std::size_t k = 0; k < variants_->moving().size(); ++k) {
    const MovingBound& moving = variants_->moving()[k];
    const double y = point.constraints[rows + static_cast<Eigen::Index>(k)];
    if (moving.kind != MovingBound::Kind::upper) plain.lower[moving.variable] = std::max(0.0, -y);
    if (moving.kind != MovingBound::Kind::lower) plain.upper[moving.variable] = std::max(0.0, y);
    if (moving.kind == MovingBound::Kind::equal) plain.x[moving.variable] = variant.bounds[k];
  }
  plain.constraints.resize(rows);
  for (Eigen::Index row = 0; row < rows; ++row) plain.constraints[row] *= variant.scale[static_cast<std::size_t>(row)];
  return plain;
}

}  // namespace verne
