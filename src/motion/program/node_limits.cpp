#include "motion/program/node_limits.h"

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

/// At a knot between two spans, what holds in either of them.
double largest_at(const Place& node, const SpanRange& phase, std::span<const double> of_spans) {
  double largest = of_spans[node.span];
  if (node.fraction == 0 && node.span > phase.first) largest = std::max(largest, of_spans[node.span - 1]);
  if (node.fraction == 1 && node.span + 1 < phase.end) largest = std::max(largest, of_spans[node.span + 1]);
  return largest;
}

}  // namespace

NodeLimits::NodeLimits(const Model& model, const ChannelLayout& channels, const CurveVariables& curve,
                       std::vector<Place> places, std::vector<std::unique_ptr<LimitTerm>> terms, SpanRange phase)
    : at_(model, channels, curve, std::move(places), std::move(terms)), phase_(phase) {
  for (std::size_t t = 0; t < at_.terms().size(); ++t) {
    term_of_local_row_.insert(term_of_local_row_.end(), at_.terms()[t]->rows(), static_cast<int>(t));
  }
  for (int r = 0; r < at_.rows(); ++r) {
    if (term_of_local(r).per_second() != 0) timed_.push_back(r);
    if (term_of_local(r).part_of_peak().peak >= 0) peaked_.push_back(r);
  }
}

std::string NodeLimits::row_name(int row) const {
  return name_at(term_of_row(row), at_.nodes(), node_of_row(row), phase_);
}

NodeLimits::Bounds NodeLimits::bounds(std::span<const double> tightening) const {
  const auto spans = static_cast<std::size_t>(at_.nodes().curve().basis.spans());
  Bounds all{Eigen::VectorXd(rows()), Eigen::VectorXd(rows())};
  int row = 0;
  for (int n = 0; n < at_.nodes().count(); ++n) {
    for (std::size_t t = 0; t < at_.terms().size(); ++t) {
      const LimitTerm& term = *at_.terms()[t];
      const double tighter =
          tightening.empty() ? 0 : largest_at(at_.nodes().places()[n], phase_, tightening.subspan(t * spans, spans));
      for (int r = 0; r < term.rows(); ++r, ++row) {
        const Interval bounds = term.tighter_bounds(r, tighter);
        all.lower[row] = bounds.lower, all.upper[row] = bounds.upper;
      }
    }
  }
  for (const int left_out : left_out_) all.lower[left_out] = -kInfinity, all.upper[left_out] = kInfinity;
  return all;
}

void NodeLimits::leave_out(int term, int node) {
  for (int r = 0; r < at_.rows(); ++r) {
    if (term_of_local_row_[r] == term) left_out_.push_back(node * at_.rows() + r);
  }
}

std::vector<nlp::Entry> NodeLimits::jacobian_pattern() const {
  const CurveVariables& curve = at_.nodes().curve();
  const int count = at_.nodes().count(), points = at_.nodes().points(), dofs = at_.nodes().dofs();
  std::vector<nlp::Entry> pattern;
  std::size_t entries = (timed_.size() * curve.groups + peaked_.size()) * count;
  for (int n = 0; n < count; ++n) {
    const std::size_t timings = at_.nodes().timings(at_.nodes().places()[n].span);
    for (int r = 0; r < at_.rows(); ++r) entries += at_.dofs(term_index(r)).size() * points + timings;
  }
  pattern.reserve(entries);
  for (int n = 0; n < count; ++n) {
    const std::vector<int>& variables = at_.nodes().variables(at_.nodes().places()[n].span);
    for (int r = 0; r < at_.rows(); ++r) {
      const int row = n * at_.rows() + r;
      for (int c = 0; c < points; ++c) {
        for (const int dof : at_.dofs(term_index(r))) pattern.push_back({row, variables[c * dofs + dof]});
      }
      for (std::size_t k = points * dofs; k < variables.size(); ++k) pattern.push_back({row, variables[k]});
    }
  }
  for (int n = 0; n < count; ++n) {
    for (const int r : timed_) {
      for (int g = 0; g < curve.groups; ++g) pattern.push_back({n * at_.rows() + r, curve.timing(g)});
    }
  }
  for (int n = 0; n < count; ++n) {
    for (const int r : peaked_) {
      pattern.push_back({n * at_.rows() + r, curve.peak(term_of_local(r).part_of_peak().peak)});
    }
  }
  return pattern;
}

void NodeLimits::evaluate(std::span<const double> x, std::span<double> values) {
  at_.update(x, TermNodes<LimitTerm>::Level::values);
  const double duration = at_.nodes().curve().duration(x);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    double* const rows = values.data() + n * at_.rows();
    at_.values(n, rows);
    for (const int r : timed_) rows[r] -= term_of_local(r).per_second() * duration;
    for (const int r : peaked_) {
      const auto [peak, share] = term_of_local(r).part_of_peak();
      rows[r] -= share * x[at_.nodes().curve().peak(peak)];
    }
  }
}

void NodeLimits::jacobian(std::span<const double> x, std::span<double> entries) {
  at_.update(x, TermNodes<LimitTerm>::Level::first);
  const CurveVariables& curve = at_.nodes().curve();
  const int count = at_.nodes().count();
  double* at = entries.data();
  for (int n = 0; n < count; ++n) at = at_.jacobian(n, at);
  for (int n = 0; n < count; ++n) {
    for (const int r : timed_) {
      for (int g = 0; g < curve.groups; ++g) *at++ = -term_of_local(r).per_second() * curve.duration_by_timing(g);
    }
  }
  for (int n = 0; n < count; ++n) {
    for (const int r : peaked_) *at++ = -term_of_local(r).part_of_peak().share;
  }
}

void NodeLimits::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  at_.update(x, TermNodes<LimitTerm>::Level::second);
  at_.hessian(Eigen::Map<const Eigen::MatrixXd>(multipliers.data(), at_.rows(), at_.nodes().count()), entries);
}

}  // namespace verne
