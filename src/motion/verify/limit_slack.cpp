#include "motion/verify/limit_slack.h"

#include <algorithm>
#include <cmath>

#include "motion/values/measuring.h"

namespace verne {

namespace {

constexpr double kBetween[] = {0.125, 0.375, 0.625, 0.875};  // of the way from a node to the next

/// A place between nodes, and the node that it belongs to.
struct Between {
  Place place;
  int node;
  double width;    // time for which it stands
  int same_span;   // the nearest node of its own span, for what jumps where the node is
  int continuous;  // derivatives up to that order do not
  int node_of(int order) const { return order > continuous ? same_span : node; }
};

/// Of the derivative of a position that a limit is about; efforts are as smooth as accelerations.
int order_of(const LimitTerm& term, int nv) {
  const int order = term.inputs().empty() ? 0 : term.inputs().front() / nv;
  return order < kStateOrders ? order : 2;
}

std::vector<Between> places_between(const std::vector<Place>& nodes, const Trajectory& curve) {
  std::vector<int> order(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(nodes[a].span, nodes[a].fraction) < std::pair(nodes[b].span, nodes[b].fraction);
  });
  std::vector<Between> out;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const Place &from = nodes[order[i]], &next = nodes[order[i + 1]];
    const bool follows = next.span == from.span + 1 && next.fraction == 0 && from.fraction < 1;
    if (next.span != from.span && !follows) continue;  // both sides of a knot
    const double to = follows ? 1 : next.fraction, width = (to - from.fraction) * curve.lengths()[from.span];
    const SplineBasis& basis = curve.basis();
    const int continuous = follows ? basis.degree() - basis.multiplicities()[from.span] : basis.degree();
    for (const double part : kBetween) {
      out.push_back({{from.span, from.fraction + part * (to - from.fraction)},
                     order[part < 0.5 ? i : i + 1],
                     width / static_cast<double>(std::size(kBetween)),
                     order[i],
                     continuous});
    }
  }
  return out;
}

double worth_in_stage(const PlacedStage& in, const StageFunctions& functions, const nlp::Point& point,
                      const Trajectory& curve) {
  const Task& task = in.stage.task;
  Measuring measuring(task, curve, in.stage.spans,
                      [&](ChannelLayout& channels) { return path_limits(task, channels); });
  const std::vector<Place>& nodes = functions.limits->nodes().places();
  const std::vector<Between> between = places_between(nodes, curve);
  std::vector<Place> places = nodes;
  for (const Between& b : between) places.push_back(b.place);
  const Eigen::MatrixXd measured = measuring.at(places);
  const int rows = functions.limits->rows(), per_node = rows / static_cast<int>(nodes.size());
  Eigen::MatrixXd prices = Eigen::MatrixXd::Zero(measured.rows(), static_cast<Eigen::Index>(nodes.size()));
  for (int row = 0; row < rows; ++row) {
    prices(functions.limits->term_index(row % per_node), functions.limits->node_of_row(row)) +=
        point.constraints[functions.limits_first_row + row] * functions.limits->term_of_row(row).rate();
  }
  double worth = 0;
  for (Eigen::Index t = 0; t < measured.rows(); ++t) {
    const int order = order_of(*measuring.terms()[static_cast<std::size_t>(t)], task.model.nv());
    std::vector<double> cell(nodes.size());
    for (const Between& b : between) cell[b.node_of(order)] += b.width;
    for (std::size_t k = 0; k < between.size(); ++k) {
      const int node = between[k].node_of(order);
      const auto place = static_cast<Eigen::Index>(nodes.size() + k);
      const double further = measured(t, node) - measured(t, place);  // from an upper limit than at the node
      worth += std::max(0.0, prices(t, node) * further) * between[k].width / cell[node];
    }
  }
  return worth;
}

}  // namespace

double cost_of_limit_slack(const Program& program, const nlp::Point& point, const Trajectory& curve) {
  double worth = 0;
  for (std::size_t k = 0; k < program.stages.size(); ++k) {
    if (!program.functions[k].limits) continue;
    worth += worth_in_stage(program.stages[k], program.functions[k], point, curve);
  }
  return worth;
}

}  // namespace verne
