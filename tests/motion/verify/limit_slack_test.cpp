#include "motion/verify/limit_slack.h"

#include <gtest/gtest.h>

#include "motion/task_text.h"

namespace verne {
namespace {

/// An acceleration that grows evenly, with a price of one at every node: before a node it is below what it is there, on
/// the half of the way to the one before by a quarter of that way on average.
TEST(LimitSlack, AnAccelerationThatGrows) {
  constexpr int kSpans = 4, kNodesInAll = 9;
  const Task task = test::read(R"(format: verne-task/1
model: two_link.yaml
trajectory: {degree: 3, control_points: 7, nodes: 9}
duration: 2
minimize: [{effort: 1}]
subject_to:
  start: {position: 0}
  limits: {acceleration: {elbow: 5}}
)");
  const SplineBasis basis(3, kSpans);
  const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(kSpans, 0.5);
  std::vector<Place> places;
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(2, 4 * kSpans + 1);
  for (int k = 0; k <= 4 * kSpans; ++k) {
    const double t = k / 8.0;
    places.push_back(k < 4 * kSpans ? Place{k / 4, k % 4 / 4.0} : Place{kSpans - 1, 1.0});
    values(1, k) = t * t * t / 6;
  }
  const Trajectory curve(basis, lengths, fit_control_points(basis, lengths, places, values));
  const std::vector<int> phases(kSpans, 0);
  const Grid grid{variables_of(task, curve, phases), even_nodes(curve, phases, kNodesInAll), {}};
  Program program = make_program(task, grid, curve);
  nlp::Point point;
  point.constraints.resize(program.problem.constraints());
  EXPECT_EQ(cost_of_limit_slack(program, point, curve), 0);
  const StageFunctions& functions = program.functions.at(0);
  int priced = 0;
  for (int row = 0; row < functions.limits->rows(); ++row) {
    const LimitTerm& term = functions.limits->term_of_row(row);
    if (term.name().kind != "acceleration") continue;
    point.constraints[functions.limits_first_row + row] = 1 / term.rate(), ++priced;
  }
  ASSERT_EQ(priced, kNodesInAll);
  const double way = 2.0 / (kNodesInAll - 1);
  EXPECT_NEAR(cost_of_limit_slack(program, point, curve), (kNodesInAll - 2) * way / 8 + way / 4, 1e-9);
  // At the lower limit it is after a node that it is further from it.
  point.constraints.eigen() *= -1;
  EXPECT_NEAR(cost_of_limit_slack(program, point, curve), (kNodesInAll - 2) * way / 8 + way / 4, 1e-9);
}

}  // namespace
}  // namespace verne
