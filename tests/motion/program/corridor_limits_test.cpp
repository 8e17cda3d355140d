// Planes of a corridor as rows: values by hand, derivatives against differences.
#include "motion/program/corridor_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "motion/guess/first_guess.h"
#include "motion/task_text.h"
#include "motion/terms/corridor.h"
#include "verne/dynamics/kinematics.h"
#include "verne/nlp/check_derivatives.h"

namespace verne {
namespace {

TEST(CorridorLimits, AreCornersBeyondPlanes) {
  Task task = test::read(
      "format: verne-task/1\nmodel: two_link.yaml\nduration: {free: [0.2, 5], guess: 1}\nminimize: [{time: 1}]\n"
      "trajectory: {control_points: 8, nodes: 8}\n"
      "subject_to:\n  start: {position: [0, 0.4]}\n  end: {position: [2.2, 0.9]}\n");
  const int link1 = task.model.link("link1"), link2 = task.model.link("link2");
  auto corridor = std::make_shared<Corridor>();
  const SeparatingPlane wall{link2, {{0.5, 0.1, 0}, {0.2, -0.1, 0.3}}, -1, {}, {0.6, 0.8, 0}, -0.1, "link2 from wall"};
  const SeparatingPlane both{link2, {{0.5, 0, 0}}, link1, {{0.1, 0.2, 0}, {0, 0, 0}}, {0, 0.6, 0.8}, -0.3, "links"};
  corridor->places = {{0, 0.3, {wall}}, {0, 0.5, {}}, {0, 0.8, {both, wall}}};
  task.corridor = corridor;
  const Trajectory guess = first_guess(task);
  const std::vector<int> phases(static_cast<std::size_t>(guess.basis().spans()), 0);
  const Grid grid{variables_of(task, guess, phases), even_nodes(guess, phases, task.curve.nodes), {}};
  Program program = make_program(task, grid, guess);
  const std::vector<nlp::ConstraintBlock>& blocks = program.problem.constraint_blocks();
  const auto block = std::ranges::find(blocks, "clearance", &nlp::ConstraintBlock::name);
  ASSERT_NE(block, blocks.end());
  Eigen::VectorXd x = program.curve.variables(guess);
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += 0.05 * ((7 * i) % 5) / 5;
  const Trajectory curve = program.curve.trajectory({x.data(), static_cast<std::size_t>(x.size())});
  std::vector<double> expected, values(static_cast<std::size_t>(block->function->rows()));
  Data<double> data(task.model);
  for (const CorridorPlace& place : corridor->places) {
    const Kinematics<double> at = forward_kinematics(task.model, data, curve.at(place.at * curve.duration()));
    const auto along = [&](int link, const Vec3<double>& p, const Vec3<double>& n) {
      const Eigen::Vector3d world = at.position(link) + at.rotation(link) * Eigen::Vector3d(p.x, p.y, p.z);
      return world.dot(Eigen::Vector3d(n.x, n.y, n.z));
    };
    for (const SeparatingPlane& plane : place.planes) {
      for (const Vec3<double>& corner : plane.corners) {
        const double height = along(plane.link, corner, plane.normal);
        if (plane.other < 0) expected.push_back(height);
        for (const Vec3<double>& other : plane.others) {
          expected.push_back(height - along(plane.other, other, plane.normal));
        }
      }
    }
  }
  block->function->evaluate(nlp::view(x), values);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], expected[k], 1e-12) << k;
  EXPECT_EQ(block->lower.eigen()[2], -0.3);
  EXPECT_EQ(block->function->row_name(0), "clearance of link2 from wall at place 1");
  const nlp::DerivativeReport report = nlp::check_derivatives(program.problem, nlp::view(x), 1e-6);
  for (const auto* list : {&report.gradient, &report.jacobian, &report.hessian}) {
    for (const nlp::DerivativeError& error : *list) {
      ADD_FAILURE() << error.where << ": " << error.exact << ", by differences " << error.difference
                    << (error.outside ? " (not in the pattern)" : "");
    }
  }
}

}  // namespace
}  // namespace verne
