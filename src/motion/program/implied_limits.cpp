#include "motion/program/implied_limits.h"

#include <algorithm>
#include <cmath>

#include "motion/terms/channel_limit.h"

namespace verne {

namespace {

constexpr double kAtLimit = 1e-3;  // relative

/// A state that is given at a place of the curve.
struct PlacedState {
  Place place;
  const StateSpec* state;
};

std::vector<PlacedState> placed_states(const Task& task, const Program& program) {
  std::vector<PlacedState> all{{{0, 0.0}, &task.start}, {{program.curve.basis.spans() - 1, 1.0}, &task.end}};
  for (const PlacedStage& in : program.stages) {
    for (std::size_t v = 0; v < in.via.size(); ++v) all.push_back({in.via[v], &in.stage.task.via[v].state});
  }
  return all;
}

/// The end of a span is the start of the next one.
bool are_at_one_time(const Place& a, const Place& b) {
  if (a.span == b.span) return a.fraction == b.fraction;
  const auto& [before, after] = std::minmax(a, b, [](const Place& x, const Place& y) { return x.span < y.span; });
  return before.span + 1 == after.span && before.fraction == 1 && after.fraction == 0;
}

/// Whether a state keeps a limit, of which it is at a bound.
bool keeps_at_bound(const StateSpec& state, const LimitTerm& term, int nv, bool acceleration_too) {
  if (!dynamic_cast<const ChannelLimit*>(&term)) return false;
  const std::vector<Interval>* const orders[] = {&state.position, &state.velocity, &state.acceleration};
  const int channel = term.inputs().front(), order = channel / nv;
  if (order > (acceleration_too ? 2 : 1)) return false;
  const Interval limit = term.measured_bounds(), given = (*orders[order])[channel % nv];
  const auto near = [&](double value, double bound) {
    return std::isfinite(bound) && std::abs(value - bound) <= kAtLimit * scale_of(bound, limit);
  };
  const bool within = given.lower >= limit.lower && given.upper <= limit.upper;
  return within && (near(given.lower, limit.lower) || near(given.upper, limit.upper));
}

}  // namespace

std::vector<TermAtNode> implied_by_states(const Task& task, const Program& program, const std::vector<Place>& nodes,
                                          const LimitTerms& terms, int nv) {
  std::vector<TermAtNode> implied;
  for (const auto& [place, state] : placed_states(task, program)) {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!are_at_one_time(nodes[n], place)) continue;
      const bool same_side = nodes[n].span == place.span;  // the acceleration may jump from one span to the next
      for (std::size_t t = 0; t < terms.size(); ++t) {
        if (!keeps_at_bound(*state, *terms[t], nv, same_side)) continue;
        implied.push_back({static_cast<int>(t), static_cast<int>(n)});
      }
    }
  }
  return implied;
}

}  // namespace verne
