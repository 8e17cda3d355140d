#include "motion/program/fatigue_rows.h"

#include <algorithm>
#include <array>

#include "motion/program/program_costs.h"

namespace verne {

namespace {

constexpr double kLooseAt = 0.01;  // of a second: by so much of a variable equations are scaled

/// Σ over phases of integrals, less the variables that they are.
class TotalsOfPhases : public nlp::Function {
 public:
  TotalsOfPhases(std::vector<std::unique_ptr<Integrals>> phases, int first)
      : phases_(std::move(phases)), first_(first), sum_(static_cast<std::size_t>(rows())) {
    for (const auto& phase : phases_) {
      jacobian_sizes_.push_back(phase->jacobian_pattern().size());
      hessian_sizes_.push_back(phase->hessian_pattern().size());
    }
  }
  int rows() const override { return phases_.front()->rows(); }
  std::string row_name(int row) const override { return "what is asked of " + phases_.front()->row_name(row); }
  std::vector<nlp::Entry> jacobian_pattern() const override {
    std::vector<nlp::Entry> pattern;
    for (const auto& phase : phases_) {
      const std::vector<nlp::Entry> part = phase->jacobian_pattern();
      pattern.insert(pattern.end(), part.begin(), part.end());
    }
    for (int row = 0; row < rows(); ++row) pattern.push_back({row, first_ + row});
    return pattern;
  }
  std::vector<nlp::Entry> hessian_pattern() const override {
    std::vector<nlp::Entry> pattern;
    for (const auto& phase : phases_) {
      const std::vector<nlp::Entry> part = phase->hessian_pattern();
      pattern.insert(pattern.end(), part.begin(), part.end());
    }
    return pattern;
  }
  void evaluate(std::span<const double> x, std::span<double> values) override {
    std::fill(values.begin(), values.end(), 0.0);
    for (const auto& phase : phases_) {
      phase->evaluate(x, sum_);
      for (std::size_t row = 0; row < sum_.size(); ++row) values[row] += sum_[row];
    }
    for (std::size_t row = 0; row < sum_.size(); ++row) values[row] -= x[static_cast<std::size_t>(first_) + row];
  }
  void jacobian(std::span<const double> x, std::span<double> entries) override {
    std::size_t at = 0;
    for (std::size_t k = 0; k < phases_.size(); at += jacobian_sizes_[k++]) {
      phases_[k]->jacobian(x, entries.subspan(at, jacobian_sizes_[k]));
    }
    std::fill(entries.begin() + static_cast<std::ptrdiff_t>(at), entries.end(), -1.0);
  }
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override {
    std::size_t at = 0;
    for (std::size_t k = 0; k < phases_.size(); at += hessian_sizes_[k++]) {
      phases_[k]->hessian(x, multipliers, entries.subspan(at, hessian_sizes_[k]));
    }
  }

 private:
  std::vector<std::unique_ptr<Integrals>> phases_;
  int first_;
  std::vector<double> sum_;
  std::vector<std::size_t> jacobian_sizes_, hessian_sizes_;
};

/// Functions of what is tired of each group: T itself, a row for each, or Σ factor T².
class TiredRows : public nlp::Function {
 public:
  enum class Rows { each, squares };
  TiredRows(const Program& program, const Task& task, std::vector<int> chosen, Rows rows, std::vector<double> factors)
      : curve_(program.curve),
        first_(program.first_of_fatigue),
        groups_(tiring_groups(task)),
        repetitions_(repetitions_of(task)),
        chosen_(std::move(chosen)),
        factors_(std::move(factors)),
        rows_(rows) {
    for (const TiringGroup& group : groups_) names_.push_back(fatigue_limit_name(task, group).of);
  }

  int rows() const override { return rows_ == Rows::each ? static_cast<int>(chosen_.size()) : 1; }
  std::string row_name(int row) const override {
    return "fatigue" + (rows_ == Rows::each ? " of " + names_[chosen_[row]] : std::string());
  }
  std::vector<nlp::Entry> jacobian_pattern() const override {
    std::vector<nlp::Entry> pattern;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      for (const int variable : variables(k)) pattern.push_back({row(k), variable});
    }
    return pattern;
  }
  std::vector<nlp::Entry> hessian_pattern() const override {
    std::vector<nlp::Entry> pattern;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const std::vector<int> all = variables(k);
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) pattern.push_back({std::max(all[i], all[j]), std::min(all[i], all[j])});
      }
    }
    return pattern;
  }
  void evaluate(std::span<const double> x, std::span<double> values) override {
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const Inputs u = inputs(k, x);
      const double T = tired<double>(k, u[0], u[1], u[2]);
      values[row(k)] += rows_ == Rows::each ? T : factors_[k] * T * T;
    }
  }
  void jacobian(std::span<const double> x, std::span<double> entries) override {
    std::size_t at = 0;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const Derivatives d = derivatives(k, inputs(k, x));
      const double by = rows_ == Rows::each ? 1 : 2 * factors_[k] * d.value;
      entries[at++] = by * d.first[0];
      entries[at++] = by * d.first[1];
      for (int g = 0; g < curve_.groups; ++g) entries[at++] = by * d.first[2] * curve_.duration_by_timing(g);
    }
  }
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override {
    std::size_t at = 0;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const Derivatives d = derivatives(k, inputs(k, x));
      const bool each = rows_ == Rows::each;
      const double bend = multipliers[row(k)] * (each ? 1 : 2 * factors_[k] * d.value);
      const double slope = each ? 0 : 2 * multipliers[row(k)] * factors_[k];
      const auto by = [&](int variable) { return variable < 2 ? 1 : curve_.duration_by_timing(variable - 2); };
      for (int i = 0; i < 2 + curve_.groups; ++i) {
        for (int j = 0; j <= i; ++j) {
          const int a = std::min(i, 2), b = std::min(j, 2);
          entries[at++] = by(i) * by(j) * (bend * d.second[a][b] + slope * d.first[a] * d.first[b]);
        }
      }
    }
  }

 private:
  using Inputs = std::array<double, 3>;  // ∫ load dt, time at rest, duration
  struct Derivatives {
    double value = 0;
    Inputs first{};
    std::array<Inputs, 3> second{};
  };

  int row(std::size_t k) const { return rows_ == Rows::each ? static_cast<int>(k) : 0; }
  std::vector<int> variables(std::size_t k) const {
    std::vector<int> all{first_ + 2 * chosen_[k], first_ + 2 * chosen_[k] + 1};
    for (int g = 0; g < curve_.groups; ++g) all.push_back(curve_.timing(g));
    return all;
  }
  Inputs inputs(std::size_t k, std::span<const double> x) const {
    return {x[first_ + 2 * chosen_[k]], x[first_ + 2 * chosen_[k] + 1], curve_.duration(x)};
  }
  template <class S>
  S tired(std::size_t k, const S& asked, const S& idle, const S& duration) const {
    const TiringGroup& group = groups_[chosen_[k]];
    return tired_after(*group.rates, repetitions_, group.begun, asked, idle, duration);
  }
  Derivatives derivatives(std::size_t k, const Inputs& u) const {
    using D = Dual<double>;
    using DD = Dual<D>;
    Derivatives out;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const auto seeded = [&](int n) { return DD(D(u[n], n == i ? 1.0 : 0.0), D(n == j ? 1.0 : 0.0)); };
        const DD T = tired<DD>(k, seeded(0), seeded(1), seeded(2));
        out.value = T.value.value, out.first[i] = T.value.slope, out.second[i][j] = T.slope.slope;
      }
    }
    return out;
  }

  CurveVariables curve_;
  int first_;
  std::vector<TiringGroup> groups_;
  Repetitions repetitions_;
  std::vector<int> chosen_;
  std::vector<double> factors_;
  std::vector<std::string> names_;
  Rows rows_;
};

}  // namespace

void add_fatigue(Program& program, const Task& task, Eigen::VectorXd& x) {
  const std::vector<TiringGroup> groups = tiring_groups(task);
  if (groups.empty()) return;
  std::vector<std::unique_ptr<Integrals>> phases;
  for (const PlacedStage& in : program.stages) {
    ChannelLayout channels = channels_on(in.stage, program.curve);
    IntegralTerms terms = tiring_integrals(groups, channels);
    phases.push_back(std::make_unique<Integrals>(in.stage.task.model, channels, program.curve,
                                                 torque_quadrature(program.curve, in.stage.spans), std::move(terms),
                                                 Integrals::Rows::each));
  }
  const int first = program.first_of_fatigue = static_cast<int>(x.size());
  const int rows = phases.front()->rows();
  x.conservativeResize(first + rows);
  x.tail(rows).setZero();
  auto totals = std::make_unique<TotalsOfPhases>(std::move(phases), first);
  Eigen::VectorXd now(rows);
  totals->evaluate(nlp::view(x), nlp::view(now));
  x.tail(rows) = now;
  program.problem.add_variables({"fatigue", now, Eigen::VectorXd::Constant(rows, -kInfinity),
                                 Eigen::VectorXd::Constant(rows, kInfinity), std::max(now.maxCoeff(), kLooseAt)});
  program.problem.add_constraint(
      {"fatigue", std::move(totals), Eigen::VectorXd::Zero(rows), Eigen::VectorXd::Zero(rows)});
}

std::unique_ptr<nlp::Function> fatigue_cost(const Program& program, const Task& task, const CostSpec& cost) {
  const std::vector<TiringGroup> groups = tiring_groups(task);
  std::vector<int> chosen;
  std::vector<double> factors;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (factor_of(cost, groups[k]) == 0) continue;
    chosen.push_back(static_cast<int>(k));
    factors.push_back(factor_of(cost, groups[k]));
  }
  return std::make_unique<TiredRows>(program, task, std::move(chosen), TiredRows::Rows::squares, std::move(factors));
}

void add_fatigue_limits(Program& program, const Task& task, const Grid& grid) {
  const std::vector<TiringGroup> groups = tiring_groups(task);
  program.fatigue_first_row = program.problem.constraints();
  std::vector<int> chosen;
  std::vector<double> upper;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (groups[k].limit >= kInfinity) continue;
    const std::size_t number = program.limit_numbers.count() + chosen.size();
    program.tightened_as_a_whole.push_back(number);
    const std::span<const double> tightening = grid.tightening_of(number);
    const double by = tightening.empty() ? 0 : *std::max_element(tightening.begin(), tightening.end());
    upper.push_back(groups[k].limit * (1 - by));
    chosen.push_back(static_cast<int>(k));
  }
  if (chosen.empty()) return;
  const auto rows = static_cast<Eigen::Index>(chosen.size());
  auto tired =
      std::make_unique<TiredRows>(program, task, std::move(chosen), TiredRows::Rows::each, std::vector<double>{});
  program.problem.add_constraint({"fatigue", std::move(tired), Eigen::VectorXd::Constant(rows, -kInfinity),
                                  Eigen::Map<const Eigen::VectorXd>(upper.data(), rows)});
}

}  // namespace verne
