#include "motion/verify/limit_uses.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace verne {

namespace {

/// Uses of limits, phase by phase: those that are the same in all phases become one.
std::vector<LimitUse> in_all_phases(std::vector<LimitUse> uses, std::size_t phases) {
  if (phases == 0) return uses;
  std::vector<LimitUse> out;
  for (const LimitUse& use : uses) {
    const auto same = [&](const LimitUse& other) {
      return other.kind == use.kind && other.of == use.of && other.bounds.lower == use.bounds.lower &&
             other.bounds.upper == use.bounds.upper;
    };
    const auto found = std::find_if(out.begin(), out.end(), same);
    if (static_cast<std::size_t>(std::count_if(uses.begin(), uses.end(), same)) < phases || found == out.end()) {
      out.push_back(use);
      continue;
    }
    found->phase.clear();
    found->utilisation = std::max(found->utilisation, use.utilisation);
    found->excess = std::max(found->excess, use.excess);
    found->active.insert(found->active.end(), use.active.begin(), use.active.end());
    found->multiplier += use.multiplier;
  }
  return out;
}

}  // namespace

void add_prices(const Program& program, const nlp::Point& point, const Trajectory& curve,
                std::vector<LimitReport>& reports) {
  for (std::size_t k = 0; k < program.stages.size(); ++k) {
    const Task& task = program.stages[k].stage.task;
    const SpanRange& spans = program.stages[k].stage.spans;
    const StageFunctions& functions = program.functions[k];
    const auto report_of = [&](LimitPlace place, std::size_t index) -> LimitReport& {
      return reports[program.limit_numbers.of(k, place, index)];
    };
    const int rows = functions.limits ? functions.limits->rows() : 0;
    for (int row = 0; row < rows; ++row) {
      const int per_node = rows / functions.limits->nodes().count();
      const LimitTerm& term = functions.limits->term_of_row(row);
      const int index = functions.limits->term_index(row % per_node);
      LimitReport& report = report_of(LimitPlace::node, static_cast<std::size_t>(index));
      const double price = std::abs(point.constraints[functions.limits_first_row + row]) * term.rate();
      report.price += price;
      if (term.tightens_as_a_whole()) continue;
      report.prices.resize(program.curve.basis.spans());
      const Place& node = functions.limits->nodes().places()[functions.limits->node_of_row(row)];
      report.prices[node.span] += price;
      if (node.fraction == 0 && node.span > spans.first) report.prices[node.span - 1] += price;
      if (node.fraction == 1 && node.span + 1 < spans.end) report.prices[node.span + 1] += price;
    }
    // The row of a mean, (16a), falls by 2 T / limit a unit of it where it is used.
    const double duration = curve.time({spans.end - 1, 1.0}) - curve.time({spans.first, 0.0});
    const std::vector<EffortLimit> means = mean_limits(task);
    for (std::size_t m = 0; m < means.size(); ++m) {
      const double multiplier = point.constraints[functions.means_first_row + static_cast<int>(m)];
      report_of(LimitPlace::mean, m).price = std::abs(multiplier) * 2 * duration / means[m].limit;
    }
    const int rates = functions.rates ? functions.rates->rows() : 0;
    for (int r = 0; r < rates; ++r) {
      report_of(LimitPlace::rate, static_cast<std::size_t>(functions.rates->limit_of_row(r))).price +=
          std::abs(point.constraints[functions.rates_first_row + r]) * functions.rates->rate(r, curve.lengths());
    }
  }
  for (std::size_t n = program.limit_numbers.count(); n < reports.size(); ++n) {
    const auto row = static_cast<int>(n - program.limit_numbers.count());
    reports[n].price = std::abs(point.constraints[program.fatigue_first_row + row]);
  }
}

namespace {

double worth_of_price(double price, const LimitReport& report, double cost) {
  double size = 0;
  for (const double bound : {report.bounds.lower, report.bounds.upper}) {
    if (std::isfinite(bound)) size = std::max(size, std::abs(bound));
  }
  return price * size / std::max(std::abs(cost), std::numeric_limits<double>::min());
}

}  // namespace

double worth(const LimitReport& report, double cost) {
  return worth_of_price(report.price, report, cost);
}

double worth_on(int span, const LimitReport& report, double cost) {
  return worth_of_price(report.prices[span], report, cost);
}

std::vector<int> idle_freedoms(const Task& task, const std::vector<LimitReport>& reports, double cost,
                               double least_worth) {
  const auto names = task.model.dof_names();
  std::vector<int> idle;
  for (int dof = 0; dof < task.model.nv(); ++dof) {
    const bool pressed = std::any_of(reports.begin(), reports.end(), [&](const LimitReport& report) {
      return report.name.of == names[dof] && worth(report, cost) > least_worth;
    });
    if (!pressed) idle.push_back(dof);
  }
  return idle;
}

std::vector<LimitUse> limit_uses(const Task& task, const std::vector<LimitReport>& reports) {
  std::vector<LimitUse> uses;
  for (const LimitReport& r : reports) {
    const std::string phase = task.phases.empty() || r.of_all_phases ? "" : task.phases[r.stage].name;
    uses.push_back({r.name.kind, r.name.of, r.name.unit, r.bounds, r.utilisation, r.excess, r.active, r.price, phase});
  }
  return in_all_phases(std::move(uses), task.phases.size());
}

}  // namespace verne
