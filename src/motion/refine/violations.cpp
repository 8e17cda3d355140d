#include "motion/refine/violations.h"

#include <algorithm>
#include <cmath>

#include "motion/values/measuring.h"
#include "motion/verify/limit_uses.h"

namespace verne {

namespace {

constexpr double kSameNode = 1e-3;     // of a span: closer peaks are at an existing node
constexpr double kMarginCost = 2e-4;   // of the cost, at most
constexpr double kMore = 1.2;          // times what a limit is exceeded by, to be sure
constexpr double kHelped = 0.5;        // times the excess before: less than that is left where tightening helps
constexpr double kLeftBetween = 0.25;  // of that, where a node comes between
constexpr double kMargin = 5e-4;       // of a limit: such a one still counts as used
constexpr double kBeside = 2e-6;       // of one that is exceeded elsewhere
constexpr double kIdleMargin = 5e-3;   // of one that is not, and should count as such if it comes to be
constexpr double kLargestTightening = 5e-2, kMostTightening = 0.2;  // what exceeds a limit by more needs nodes
constexpr double kNodesPay = 10;                                    // times the allowance: a tightening that costs more
constexpr double kNearlyActive = 0.02;                              // of a limit
constexpr int kPointsBetweenNodes = 7;
constexpr double kBesideKnot = 0.02;  // of a span

/// Where a limit goes above the nodes at both sides.
struct Bulge {
  Place place;
  double beyond;  // by how much
};
struct BetweenNodes {
  double at_nodes = -kInfinity;  // largest excess at nodes
  std::vector<Bulge> bulges;

  double beyond() const {
    double most = 0;
    for (const Bulge& bulge : bulges) most = std::max(most, bulge.beyond);
    return most;
  }
};

/// How far the limits of a stage go between their nodes on each of its spans, where they are nearly active.
std::vector<std::vector<BetweenNodes>> look_between(const PlacedStage& in, const Trajectory& curve) {
  const Task& task = in.stage.task;
  const SpanRange& spans = in.stage.spans;
  Measuring measuring(task, curve, spans, [&](ChannelLayout& channels) { return path_limits(task, channels); });
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
  std::vector<std::vector<BetweenNodes>> out(measuring.terms().size());
  for (std::size_t t = 0; t < out.size(); ++t) {
    out[t].resize(marks.size());
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
      BetweenNodes& here = out[t][places[n].span - spans.first];
      here.at_nodes = std::max(here.at_nodes, excess(n));
      const double beyond = excess(highest) - std::max(excess(last_node), excess(n));
      if (!is_node[highest] && beyond > 0 && excess(highest) > -kNearlyActive) {
        here.bulges.push_back({places[highest], beyond});
      }
      last_node = highest = n;
    }
  }
  return out;
}

/// Spans on which a limit is tightened alike.
struct Section {
  SpanRange spans;
  double worth;  // of the limit there
};

/// One by one, or all where the limit can only be tightened as a whole. Where a limit is not used at nodes it still has
/// a share of its worth: what it costs to keep it between them is not known.
std::vector<Section> sections_of(const LimitReport& limit, const SpanRange& spans, double cost) {
  const double whole = worth(limit, cost);
  if (limit.prices.empty()) return {{spans, whole}};
  std::vector<Section> sections;
  for (int s = spans.first; s < spans.end; ++s) {
    sections.push_back({{s, s + 1}, std::max(worth_on(s, limit, cost), whole / (spans.end - spans.first))});
  }
  return sections;
}

/// A grid in which limits hold better.
class FinerGrid {
 public:
  FinerGrid(const Result& found, double allowance) : allowance_(allowance), grid_(found.grid) {
    grid_.tightening.resize(found.measured.limits.size() * grid_.curve.basis.spans());
  }

  void tighten(std::size_t limit, const SpanRange& spans, double by) {
    for (int s = spans.first; s < spans.end; ++s) {
      double& now = grid_.tightening[limit * grid_.curve.basis.spans() + s];
      now = std::max(now, std::min(now + by, kMostTightening));
    }
  }
  /// Unless one is there.
  bool add_node(const Place& place) {
    const bool there = std::any_of(grid_.nodes.begin(), grid_.nodes.end(), [&](const Place& node) {
      return node.span == place.span && std::abs(node.fraction - place.fraction) < kSameNode;
    });
    if (!there) grid_.nodes.push_back(place);
    return !there;
  }
  /// Whether a tightening on one of `sections` costs more than nodes.
  bool dear(double tightening, double worth, std::size_t sections) const {
    return tightening >= kLargestTightening ||
           tightening * worth * static_cast<double>(sections) >= kNodesPay * allowance_;
  }
  /// What costs next to nothing.
  double margin(double worth, double largest) const {
    const double allowance = std::min(allowance_, kMarginCost);
    return worth * largest > allowance ? allowance / worth : largest;
  }
  Grid take() { return std::move(grid_); }

 private:
  double allowance_;
  Grid grid_;
};

/// The highest peak on some spans; none: 0.
double excess_on(const SpanRange& spans, const std::vector<Peak>& peaks) {
  double excess = 0;
  for (const Peak& peak : peaks) {
    if (spans.holds(peak.place)) excess = std::max(excess, peak.excess);
  }
  return excess;
}

/// What a limit does on all the spans of a section.
BetweenNodes together(const std::vector<BetweenNodes>& stage, const SpanRange& section, int first) {
  BetweenNodes all;
  for (int s = section.first; s < section.end; ++s) {
    const BetweenNodes& here = stage[s - first];
    all.at_nodes = std::max(all.at_nodes, here.at_nodes);
    all.bulges.insert(all.bulges.end(), here.bulges.begin(), here.bulges.end());
  }
  return all;
}

}  // namespace

std::optional<Grid> with_violations_refined(const Result& found, double allowance,
                                            const std::vector<LimitReport>& before) {
  FinerGrid finer(found, allowance);
  bool changed = false;
  for (std::size_t t = 0; t < found.measured.limits.size(); ++t) {
    const LimitReport& limit = found.measured.limits[t];
    changed = changed || !limit.peaks.empty();
    const double margin = finer.margin(worth(limit, found.motion.cost), kMargin);
    for (const Section& section : sections_of(limit, found.stages[limit.stage].stage.spans, found.motion.cost)) {
      const double excess = excess_on(section.spans, limit.peaks);
      if (excess == 0) {  // it would go there instead
        if (!limit.peaks.empty()) finer.tighten(t, section.spans, kBeside);
        continue;
      }
      const auto dear = [&](double by) { return finer.dear(by, section.worth, limit.peaks.size()); };
      // Nodes that are far below a limit which is exceeded between them do not feel that it is tighter.
      const double last = before.empty() ? 0 : excess_on(section.spans, before[t].peaks);
      const bool nodes = dear(kMore * excess) || (last > 0 && excess > kHelped * last);
      const double by = kMore * excess * (nodes ? kLeftBetween : 1);
      if (!dear(by)) finer.tighten(t, section.spans, by + margin);
      for (const Peak& peak : limit.peaks) {
        if (!nodes || !section.spans.holds(peak.place) || finer.add_node(peak.place)) continue;
        finer.tighten(t, section.spans, excess);
        break;
      }
    }
  }
  if (!changed) return std::nullopt;
  return finer.take();
}

Grid prepared(const Result& found, double allowance) {
  FinerGrid finer(found, allowance);
  for (std::size_t k = 0; k < found.stages.size(); ++k) {
    const PlacedStage& in = found.stages[k];
    const std::vector<std::vector<BetweenNodes>> limits = look_between(in, found.motion.trajectory);
    for (std::size_t n = 0; n < limits.size(); ++n) {  // others have no nodes, and are only looked at when solved
      const std::vector<BetweenNodes>& spans = limits[n];
      const std::size_t t = found.limit_numbers.of(k, LimitPlace::node, n);
      const LimitReport& limit = found.measured.limits[t];
      const auto bulging = static_cast<std::size_t>(
          std::count_if(spans.begin(), spans.end(), [](const BetweenNodes& b) { return !b.bulges.empty(); }));
      for (const Section& section : sections_of(limit, in.stage.spans, found.motion.cost)) {
        const BetweenNodes here = together(spans, section.spans, in.stage.spans.first);
        // No more than half of the room that there is, so that the motion at hand remains possible
        const double room = std::max(0.0, -here.at_nodes / 2);
        if (here.at_nodes < -kNearlyActive && here.bulges.empty()) {
          finer.tighten(t, section.spans, std::min(kIdleMargin, room));
          continue;
        }
        const auto dear = [&](double by) { return finer.dear(by, section.worth, bulging); };
        const double ahead = kMore * here.beyond();
        const double by = ahead * (dear(ahead) ? kLeftBetween : 1);
        const double margin = std::min(finer.margin(worth(limit, found.motion.cost), kMargin), room);
        if (!dear(by)) finer.tighten(t, section.spans, by + margin);
        for (const Bulge& bulge : here.bulges) {
          if (dear(kMore * bulge.beyond)) finer.add_node(bulge.place);
        }
      }
    }
  }
  return finer.take();
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
