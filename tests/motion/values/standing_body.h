/// A body that stands and holds things with both hands, at motions and forces that are made up.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <string>
#include <tuple>

#include "motion/curve/phases.h"
#include "motion/program/program.h"
#include "support/states.h"
#include "verne/nlp/check_derivatives.h"

namespace verne::test {

inline Eigen::Vector3d eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

/// A body in the plane on two legs, with two arms that move in space.
inline std::string standing_body() {
  std::string text =
      "  - {name: x, parent: ground, joint: {name: x, type: prismatic, axis: [1, 0, 0], actuated: false}, mass: 0}\n"
      "  - {name: y, joint: {name: y, type: prismatic, axis: [0, 1, 0], actuated: false}, mass: 0}\n"
      "  - {name: trunk, joint: {name: tilt, type: revolute, axis: [0, 0, 1], actuated: false}, mass: 30,\n"
      "     com: [0, 0.3, 0], inertia: [1.5, 0.5, 1.5]}\n"
      "  - {name: chest, joint: {name: spine, type: revolute, axis: [0, 0, 1]}, pose: {xyz: [0, 0.4, 0]}, mass: 10}\n";
  for (const auto& [side, z] :
       {std::pair<std::string, double>("_r", 0.2), std::pair<std::string, double>("_l", -0.2)}) {
    const std::string at = std::to_string(z);
    text += "  - {name: leg" + side + ", parent: trunk, pose: {xyz: [0, 0, " + at + "]}, joint: {name: hip" + side +
            ", type: revolute, axis: [0, 0, 1]}, mass: 8, com: [0.02, -0.4, 0], inertia: [0.1, 0.02, 0.1]}\n";
    text += "  - {name: arm" + side + ", parent: chest, pose: {xyz: [0, 0.1, " + at + "]}, joint: {name: shoulder" +
            side + ", type: revolute, axis: [0, 0, 1]}, mass: 2, com: [0, -0.15, 0], inertia: [0.02, 0.01, 0.02]}\n";
    text += "  - {name: fore" + side + ", pose: {xyz: [0, -0.3, 0]}, joint: {name: elbow" + side +
            ", type: revolute, axis: [1, 0, 0]}, mass: 1, com: [0, -0.1, 0], inertia: [0.01, 0.01, 0.01]}\n";
    text += "  - {name: hand" + side + ", pose: {xyz: [0, -0.25, 0]}, joint: {name: wrist" + side +
            ", type: revolute, axis: [0, 1, 0]}, mass: 0.5, com: [0, -0.05, 0], inertia: [0.001, 0.001, 0.001]}\n";
  }
  text += "contacts:\n";
  for (const std::string side : {"_r", "_l"}) {
    for (const auto& [name, x, z] :
         {std::tuple("heel", -0.08, 0.0), std::tuple("ball", 0.1, 0.04), std::tuple("toe", 0.15, -0.04)}) {
      text += std::string("  - {name: ") + name + side + ", link: leg" + side + ", point: [" + std::to_string(x) +
              ", -0.9, " + std::to_string(z) + "]}\n";
    }
  }
  return text + "gravity: [0, -9.81, 0]\nbase: {type: fixed, name: ground}\n";
}

/// A program at a made-up motion and made-up forces.
struct Somewhere {
  explicit Somewhere(const Task& task) : program(make_program(task, grid(task), guess(task))) {
    std::mt19937_64 rng(3);
    x = program.problem.initial().eigen();
    x.head(program.curve.timing(0)) += test::random_values(rng, program.curve.timing(0), 0.2);
    const auto rest = x.size() - program.curve.size();
    x.tail(rest) += test::random_values(rng, static_cast<int>(rest), 0.2);
  }
  static Trajectory guess(const Task& task) {
    const SplineBasis basis(task.curve.degree, static_cast<int>(phase_of_spans(task).size()));
    const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(basis.spans(), 0.6);
    return {basis, lengths, Eigen::MatrixXd::Constant(basis.control_points(), task.model.nv(), 0.1)};
  }
  static Grid grid(const Task& task) {
    const Trajectory curve = guess(task);
    const std::vector<int> phases = phase_of_spans(task);
    return {variables_of(task, curve, phases), even_nodes(curve, phases, task.curve.nodes), {}};
  }
  Program program;
  Eigen::VectorXd x;
};

inline void expect_exact_somewhere(const Task& task) {
  Somewhere at(task);
  const nlp::DerivativeReport report = nlp::check_derivatives(at.program.problem, nlp::view(at.x), 2e-6);
  for (const auto* list : {&report.gradient, &report.jacobian, &report.hessian}) {
    for (const nlp::DerivativeError& error : *list) {
      ADD_FAILURE() << error.where << ": " << error.exact << ", by differences " << error.difference
                    << (error.outside ? " (not in the pattern)" : "");
    }
  }
  EXPECT_TRUE(report.good());
}

}  // namespace verne::test
