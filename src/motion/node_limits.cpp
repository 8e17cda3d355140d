#include "motion/node_limits.h"

#include <algorithm>
#include <cstdio>

namespace verne {

namespace {

/// Names such as "effort of elbow at 37 % of the motion".
std::string name_at(const LimitTerm& term, const Nodes& nodes, int node, const SpanRange& phase) {
  const Place& place = nodes.places()[node];
  const CurveVariables& curve = nodes.curve();
  double before = 0, all = 0;  // in the proportions that spans started with
  for (int s = phase.first; s < phase.end; ++s) {
    all += curve.fraction[s];
    if (s < place.span) before += curve.fraction[s];
  }
  char text[60];
  const bool whole = phase.end - phase.first == curve.basis.spans();
  std::snprintf(text, sizeof text, " at %.1f %% of %s",
                100 * (before + place.fraction * curve.fraction[place.span]) / all,
                whole ? "the motion" : ("phase " + std::to_string(curve.group[place.span] + 1)).c_str());
  return term.name().kind + " of " + term.name().of + text;
}

}  // namespace

NodeLimits::NodeLimits(const Model& model, const Channels& channels, const CurveVariables& curve,
                       std::vector<Place> places, std::vector<std::unique_ptr<LimitTerm>> terms, SpanRange phase)
    : at_(model, channels, curve, std::move(places), std::move(terms)), phase_(phase) {
  for (std::size_t t = 0; t < at_.terms().size(); ++t) {
    term_of_local_row_.insert(term_of_local_row_.end(), at_.terms()[t]->rows(), static_cast<int>(t));
  }
}

std::string NodeLimits::row_name(int row) const {
  return name_at(term_of_row(row), at_.nodes(), node_of_row(row), phase_);
}

NodeLimits::Bounds NodeLimits::bounds() const {
  Bounds all{Eigen::VectorXd(rows()), Eigen::VectorXd(rows())};
  int row = 0;
  for (int n = 0; n < at_.nodes().count(); ++n) {
    for (const auto& term : at_.terms()) {
      for (int r = 0; r < term->rows(); ++r, ++row) {
        const Interval bounds = term->bounds(r);
        all.lower[row] = bounds.lower, all.upper[row] = bounds.upper;
      }
    }
  }
  return all;
}

std::vector<nlp::Entry> NodeLimits::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  const CurveVariables& curve = at_.nodes().curve();
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const std::vector<int>& variables = at_.nodes().variables(at_.nodes().places()[n].span);
    const int points = curve.basis.degree() + 1, dofs = at_.nodes().dofs();
    for (int r = 0; r < at_.rows(); ++r) {
      const int row = n * at_.rows() + r;
      for (int c = 0; c < points; ++c) {
        for (const int dof : at_.dofs(term_index(r))) pattern.push_back({row, variables[c * dofs + dof]});
      }
      for (std::size_t k = points * dofs; k < variables.size(); ++k) pattern.push_back({row, variables[k]});
    }
  }
  for (int row = 0; row < rows(); ++row) {
    if (term_of_row(row).per_second() == 0) continue;
    for (int g = 0; g < curve.groups; ++g) pattern.push_back({row, curve.timing(g)});
  }
  for (int row = 0; row < rows(); ++row) {
    const int peak = term_of_row(row).part_of_peak().peak;
    if (peak >= 0) pattern.push_back({row, curve.peak(peak)});
  }
  return pattern;
}

void NodeLimits::evaluate(std::span<const double> x, std::span<double> values) {
  at_.update(x, TermNodes<LimitTerm>::Level::values);
  for (int n = 0; n < at_.nodes().count(); ++n) at_.values(n, values.data() + n * at_.rows());
  const double duration = at_.nodes().curve().duration(x);
  for (int row = 0; row < rows(); ++row) {
    values[row] -= term_of_row(row).per_second() * duration;
    const auto [peak, share] = term_of_row(row).part_of_peak();
    if (peak >= 0) values[row] -= share * x[at_.nodes().curve().peak(peak)];
  }
}

void NodeLimits::jacobian(std::span<const double> x, std::span<double> entries) {
  at_.update(x, TermNodes<LimitTerm>::Level::first);
  double* at = entries.data();
  for (int n = 0; n < at_.nodes().count(); ++n) at = at_.jacobian(n, at);
  const CurveVariables& curve = at_.nodes().curve();
  for (int row = 0; row < rows(); ++row) {
    const double per_second = term_of_row(row).per_second();
    if (per_second == 0) continue;
    for (int g = 0; g < curve.groups; ++g) *at++ = -per_second * curve.duration_by_timing(g);
  }
  for (int row = 0; row < rows(); ++row) {
    const auto [peak, share] = term_of_row(row).part_of_peak();
    if (peak >= 0) *at++ = -share;
  }
}

void NodeLimits::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  at_.update(x, TermNodes<LimitTerm>::Level::second);
  at_.hessian(Eigen::Map<const Eigen::MatrixXd>(multipliers.data(), at_.rows(), at_.nodes().count()), entries);
}

}  // namespace verne
