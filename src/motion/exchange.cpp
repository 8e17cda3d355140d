#include "motion/exchange.h"

#include <algorithm>
#include <cmath>

#include "motion/limit_uses.h"
#include "motion/measuring.h"

namespace verne {

namespace {

constexpr double kSameNode = 1e-3;                                  // of a span: closer peaks are at an existing node
constexpr double kMarginCost = 1e-5;                                // of the cost, at most
constexpr double kMore = 1.2;                                       // times what a limit is exceeded by, to be sure
constexpr double kLargestMargin = 5e-4, kLargestTightening = 2e-2;  // of a limit
constexpr double kMostTightening = 0.2;                             // of a limit: what exceeds it by more needs nodes
constexpr double kNodesPay = 10;                                    // times the allowance: a tightening that costs more
constexpr double kNearlyActive = 0.02;                              // of a limit
constexpr int kPointsBetweenNodes = 7;
constexpr double kBesideKnot = 0.02;  // of a span

bool has_node(const std::vector<Place>& nodes, const Place& place) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Place& node) {
    return node.span == place.span && std::abs(node.fraction - place.fraction) < kSameNode;
  });
}

/// A margin that costs next to nothing.
double margin(double worth, double allowance) {
  allowance = std::min(allowance, kMarginCost);
  return worth * kLargestMargin > allowance ? allowance / worth : kLargestMargin;
}

struct Peak {
  Place place;
  double beyond;  // by how much it is above the nodes at both sides
};
struct BetweenNodes {
  double at_nodes = -kInfinity;  // largest excess at nodes
  double beyond = 0;             // of the highest peak
  std::vector<Peak> peaks;
};

/// How far the limits of a stage go between their nodes, where they are nearly active.
std::vector<BetweenNodes> look_between(const PlacedStage& in, const Trajectory& curve) {
  const Task& task = in.stage.task;
  const SpanRange& spans = in.stage.spans;
  const Measuring measuring(task, curve, spans, [&](Channels& channels) { return path_limits(task, channels); });
  if (measuring.terms().empty()) return {};
  std::vector<std::vector<double>> marks(spans.end - spans.first, {0.0, 1.0});
  for (const Place& node : in.nodes) marks[node.span - spans.first].push_back(node.fraction);
  std::vector<Place> places;
  std::vector<bool> is_node;
  for (int span = spans.first; span < spans.end; ++span) {
    std::vector<double>& m = marks[span - spans.first];
    std::sort(m.begin(), m.end());
    m.erase(std::unique(m.begin(), m.end()), m.end());
    for (std::size_t k = 0; k < m.size(); ++k) {
      places.push_back({span, m[k]});
      is_node.push_back(true);
      for (int i = 1; k + 1 < m.size() && i <= kPointsBetweenNodes; ++i) {
        places.push_back({span, m[k] + (m[k + 1] - m[k]) * i / (kPointsBetweenNodes + 1)});
        is_node.push_back(false);
      }
    }
  }
  const Eigen::MatrixXd measured = measuring.at(places);
  std::vector<BetweenNodes> out(measuring.terms().size());
  for (std::size_t t = 0; t < out.size(); ++t) {
    const Interval bounds = measuring.terms()[t]->measured_bounds();
    const auto excess = [&](std::size_t n) {
      return excess_of(measured(static_cast<Eigen::Index>(t), static_cast<Eigen::Index>(n)), bounds);
    };
    std::size_t last_node = 0, highest = 0;
    for (std::size_t n = 0; n < places.size(); ++n) {
      if (!is_node[n]) {
        if (excess(n) > excess(highest)) highest = n;
        continue;
      }
      out[t].at_nodes = std::max(out[t].at_nodes, excess(n));
      const double beyond = excess(highest) - std::max(excess(last_node), excess(n));
      if (!is_node[highest] && beyond > 0 && excess(highest) > -kNearlyActive) {
        out[t].beyond = std::max(out[t].beyond, beyond);
        out[t].peaks.push_back({places[highest], beyond});
      }
      last_node = highest = n;
    }
  }
  return out;
}

/// Adds the nodes that a limit will need, or tightens it.
void prepare(const BetweenNodes& b, double worth_of_it, double allowance, std::vector<Place>& nodes,
             double& tightening) {
  if (b.at_nodes < -kNearlyActive && b.beyond == 0) return;
  const auto needs_node = [&](double beyond) {
    return beyond >= kLargestTightening || beyond * worth_of_it >= kNodesPay * allowance;
  };
  if (!needs_node(b.beyond)) {
    // No more than half of the room that there is, so that the motion at hand remains possible
    tightening += kMore * b.beyond + std::min(margin(worth_of_it, allowance), std::max(0.0, -b.at_nodes / 2));
    return;
  }
  for (const Peak& peak : b.peaks) {
    if (needs_node(peak.beyond) && !has_node(nodes, peak.place)) nodes.push_back(peak.place);
  }
}

}  // namespace

std::optional<Grid> exchanged(const Result& found, double allowance) {
  const std::vector<LimitReport>& limits = found.measured.limits;
  Grid finer = found.grid;
  finer.tightening.resize(limits.size());
  bool changed = false;
  for (std::size_t t = 0; t < limits.size(); ++t) {
    if (limits[t].peaks.empty()) continue;
    changed = true;
    const double worth_of_it = worth(limits[t], found.motion.cost), excess = limits[t].excess;
    const double tightening = kMore * excess + margin(worth_of_it, allowance);
    if (tightening < kLargestTightening && tightening * worth_of_it < kNodesPay * allowance) {
      finer.tightening[t] += tightening;
      continue;
    }
    for (const Place& peak : limits[t].peaks) {
      if (has_node(finer.nodes, peak)) {
        finer.tightening[t] = std::min(finer.tightening[t] + excess, kMostTightening);
        break;
      }
      finer.nodes.push_back(peak);
    }
  }
  if (!changed) return std::nullopt;
  return finer;
}

Grid prepared(const Result& found, double allowance) {
  const std::vector<LimitReport>& limits = found.measured.limits;
  Grid finer = found.grid;
  finer.tightening.resize(limits.size());
  for (std::size_t k = 0, t = 0; k < found.stages.size(); ++k) {
    for (const BetweenNodes& b : look_between(found.stages[k], found.motion.trajectory)) {
      prepare(b, worth(limits[t], found.motion.cost), allowance, finer.nodes, finer.tightening[t]);
      ++t;
    }
    const Task& task = found.stages[k].stage.task;
    t += mean_limits(task).size() + rate_limits(task).size();  // without nodes, and only looked at when solved
  }
  return finer;
}

std::vector<Place> nodes_between_knots(const CurveVariables& curve, int per_span) {
  const SplineBasis& basis = curve.basis;
  std::vector<Place> nodes;
  for (int s = 0; s < basis.spans(); ++s) {
    const bool last = s + 1 == basis.spans();
    const bool jumps_before = s > 0 && basis.multiplicities()[s - 1] > 1;
    const bool jumps_after = !last && basis.multiplicities()[s] > 1;
    const bool phase_ends = last || curve.group[s] != curve.group[s + 1];
    for (int k = 0; k < per_span; ++k) nodes.push_back({s, static_cast<double>(k) / per_span});
    if (jumps_before) nodes.push_back({s, kBesideKnot});
    if (jumps_after) nodes.push_back({s, 1 - kBesideKnot});
    if (jumps_after || phase_ends) nodes.push_back({s, 1.0});
  }
  return nodes;
}

}  // namespace verne
