#include "study/warm_start.h"

#include "study/wire.h"

namespace verne {

namespace {

void put(WireWriter& out, const Trajectory& curve) {
  const std::span<const int> multiplicities(curve.basis().multiplicities());
  const auto lengths = curve.lengths();
  const auto points = curve.control_points();
  out.put(curve.basis().degree()).put(multiplicities);
  out.put(std::span(lengths.data(), static_cast<std::size_t>(lengths.size())));
  out.put(curve.coordinates()).put(std::span(points.data(), static_cast<std::size_t>(points.size())));
}

Trajectory take_curve(WireReader& in) {
  const int degree = in.take<int>();
  std::vector<int> multiplicities = in.take_numbers<int>();
  const std::vector<double> lengths = in.take_numbers<double>();
  const int coordinates = in.take<int>();
  const std::vector<double> points = in.take_numbers<double>();
  const Eigen::Map<const Eigen::VectorXd> spans(lengths.data(), static_cast<Eigen::Index>(lengths.size()));
  const Eigen::Map<const Eigen::MatrixXd> table(
      points.data(), coordinates > 0 ? static_cast<Eigen::Index>(points.size()) / coordinates : 0, coordinates);
  return {SplineBasis(degree, std::move(multiplicities)), spans, table};
}

void put(WireWriter& out, const SolverState& state) {
  std::vector<int> spans;
  std::vector<double> fractions;
  for (const Place& node : state.nodes) spans.push_back(node.span), fractions.push_back(node.fraction);
  out.put(std::span<const int>(spans)).put(std::span<const double>(fractions));
  out.put(std::span<const double>(state.tightening));
  for (const Values* values : {&state.constraints, &state.lower, &state.upper}) {
    out.put(std::span<const double>(*values));
  }
}

SolverState take_state(WireReader& in) {
  SolverState state;
  const std::vector<int> spans = in.take_numbers<int>();
  const std::vector<double> fractions = in.take_numbers<double>();
  for (std::size_t k = 0; k < spans.size(); ++k) state.nodes.push_back({spans[k], fractions[k]});
  state.tightening = in.take_numbers<double>();
  for (Values* values : {&state.constraints, &state.lower, &state.upper}) *values = in.take_numbers<double>();
  return state;
}

}  // namespace

std::string packed_motion(const Solution& solution) {
  WireWriter out;
  put(out, solution.trajectory);
  out.put(static_cast<int>(solution.phases.size()));
  for (const PhaseResult& phase : solution.phases) {
    out.put(phase.name).put(phase.start).put(phase.end).put(phase.first_span).put(phase.end_span);
  }
  out.put(static_cast<int>(solution.contact_forces.size()));
  for (const std::optional<Trajectory>& forces : solution.contact_forces) {
    out.put(forces.has_value());
    if (forces) put(out, *forces);
  }
  out.put(solution.state.has_value());
  if (solution.state) put(out, *solution.state);
  out.put(static_cast<int>(solution.design.size()));
  for (const DesignResult& design : solution.design) out.put(design.parameter).put(design.value);
  return out.bytes();
}

Solution unpacked_motion(std::string_view bytes) {
  WireReader in(bytes);
  Solution solution(take_curve(in));
  for (int phases = in.take<int>(); phases > 0; --phases) {
    PhaseResult phase;
    phase.name = in.take_text();
    phase.start = in.take<double>(), phase.end = in.take<double>();
    phase.first_span = in.take<int>(), phase.end_span = in.take<int>();
    solution.phases.push_back(std::move(phase));
  }
  for (int forces = in.take<int>(); forces > 0; --forces) {
    solution.contact_forces.emplace_back();
    if (in.take<bool>()) solution.contact_forces.back() = take_curve(in);
  }
  if (in.take<bool>()) solution.state = take_state(in);
  for (int designs = in.take<int>(); designs > 0; --designs) {
    DesignResult& design = solution.design.emplace_back();
    design.parameter = in.take_text();
    design.value = in.take<double>();
  }
  return solution;
}

}  // namespace verne
