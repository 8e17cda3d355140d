// The state at places of the curve as a function of the decision variables.
#include "motion/nodes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/compare.h"
#include "support/states.h"
#include "verne/nlp/problem.h"

namespace verne {
namespace {

using test::close;
using test::random_values;

struct Case {
  const char* name;
  CurveVariables curve;
};

std::vector<Case> cases() {
  const Eigen::VectorXd lengths = (Eigen::VectorXd(5) << 1, 2, 0.5, 1.5, 1).finished();
  const SplineBasis simple(3, 5), repeated(4, {1, 3, 1, 4});
  return {{"one duration", CurveVariables::with_duration(simple, 2, lengths)},
          {"one duration, repeated knots", CurveVariables::with_duration(repeated, 2, lengths)},
          {"free knots", CurveVariables::with_free_knots(simple, 2)},
          {"free knots, repeated knots", CurveVariables::with_free_knots(repeated, 2)},
          // Two timing variables: spans 0, 1, 4 and 2, 3
          {"groups", {simple, 2, 2, {0, 0, 1, 1, 0}, {0.2, 0.3, 1, 0.5, 0.7}}}};
}

Eigen::VectorXd random_variables(const CurveVariables& curve, std::mt19937_64& rng) {
  Eigen::VectorXd x = random_values(rng, curve.size(), 1);
  x.tail(curve.groups) = random_values(rng, curve.groups, 0.3).array() + 1;
  return x;
}

std::vector<Place> some_places(const CurveVariables& curve) {
  std::vector<Place> places;
  for (int span = 0; span < curve.basis.spans(); ++span) {
    for (const double fraction : {0.0, 0.37, 1.0}) places.push_back({span, fraction});
  }
  return places;
}

TEST(Nodes, StatesAreThoseOfTheTrajectory) {
  std::mt19937_64 rng(1);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Eigen::VectorXd x = random_variables(c.curve, rng);
    const Trajectory trajectory = c.curve.trajectory(nlp::view(x));
    EXPECT_TRUE(close(c.curve.variables(trajectory), x, 1e-14));
    Nodes nodes(c.curve, some_places(c.curve));
    nodes.evaluate(nlp::view(x), SplineBasis::Want::values);
    for (int n = 0; n < nodes.count(); ++n) {
      for (int order = 0; order < kStateOrders; ++order) {
        EXPECT_TRUE(close(nodes.z().col(n).segment(2 * order, 2), trajectory.at(nodes.places()[n], order), 1e-11));
      }
    }
  }
}

/// A function of z with all derivatives: Σ w sin(s z) + ½ (s z)ᵀ A (s z); the scales s keep velocities, accelerations
/// and jerks, which are large, from making it wild.
struct Probe {
  explicit Probe(std::mt19937_64& rng, int dofs)
      : s(kStateOrders * dofs), w(random_values(rng, kStateOrders * dofs, 1)), A(s.size(), s.size()) {
    for (int d = 0; d < kStateOrders; ++d) s.segment(d * dofs, dofs).setConstant(std::pow(0.1, d));
    for (Eigen::Index k = 0; k < A.cols(); ++k) A.col(k) = random_values(rng, static_cast<int>(s.size()), 1);
    A = (A + A.transpose()).eval();
  }
  double value(const Eigen::ArrayXd& z) const {
    const Eigen::VectorXd scaled = s * z;
    return (w * scaled.array().sin()).sum() + 0.5 * scaled.dot(A * scaled);
  }
  Eigen::VectorXd gradient(const Eigen::ArrayXd& z) const {
    return s * (w * (s * z).cos() + (A * (s * z).matrix()).array());
  }
  Eigen::MatrixXd hessian(const Eigen::ArrayXd& z) const {
    Eigen::MatrixXd H = A;
    H.diagonal().array() -= w * (s * z).sin();
    return s.matrix().asDiagonal() * H * s.matrix().asDiagonal();
  }
  Eigen::ArrayXd s, w;
  Eigen::MatrixXd A;
};

/// The probe at a node, its gradient and second derivatives over all variables.
class Pulled {
 public:
  Pulled(const CurveVariables& curve, const Place& place, const Probe& probe)
      : nodes_(curve, {place}), local_(nodes_.variables(place.span)), probe_(probe) {}

  double value(const Eigen::VectorXd& x) {
    nodes_.evaluate(nlp::view(x), SplineBasis::Want::values);
    return probe_.value(nodes_.z().col(0));
  }
  Eigen::VectorXd gradient(const Eigen::VectorXd& x) {
    nodes_.evaluate(nlp::view(x), SplineBasis::Want::first_derivatives);
    const Eigen::VectorXd by_z = probe_.gradient(nodes_.z().col(0));
    std::vector<double> entries(local_.size());
    nodes_.pull_back(0, by_z.data(), entries.data());
    Eigen::VectorXd all = Eigen::VectorXd::Zero(x.size());
    for (std::size_t k = 0; k < local_.size(); ++k) all[local_[k]] = entries[k];
    return all;
  }
  Eigen::MatrixXd hessian(const Eigen::VectorXd& x) {
    nodes_.evaluate(nlp::view(x), SplineBasis::Want::second_derivatives);
    const Eigen::VectorXd z = nodes_.z().col(0), by_z = probe_.gradient(z);
    Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(local_.size(), local_.size());
    nodes_.pull_back(0, by_z.data(), probe_.hessian(z), lower);
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(x.size(), x.size());
    for (std::size_t i = 0; i < local_.size(); ++i) {
      for (std::size_t k = 0; k <= i; ++k) all(local_[i], local_[k]) = all(local_[k], local_[i]) = lower(i, k);
      for (std::size_t k = i + 1; k < local_.size(); ++k) EXPECT_EQ(lower(i, k), 0);  // the lower triangle only
    }
    return all;
  }

 private:
  Nodes nodes_;
  std::vector<int> local_;
  const Probe& probe_;
};

TEST(Nodes, ChainRuleToSecondOrder) {
  std::mt19937_64 rng(2);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Probe probe(rng, c.curve.dofs);
    const Eigen::VectorXd x = random_variables(c.curve, rng);
    for (const Place& place : some_places(c.curve)) {
      Pulled pulled(c.curve, place, probe);
      Eigen::VectorXd gradient(x.size());
      Eigen::MatrixXd hessian(x.size(), x.size());
      for (Eigen::Index k = 0; k < x.size(); ++k) {
        constexpr double h = 1e-4;
        const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(x.size(), k);
        gradient[k] = (8 * (pulled.value(x + step) - pulled.value(x - step)) - pulled.value(x + 2 * step) +
                       pulled.value(x - 2 * step)) /
                      (12 * h);
        hessian.col(k) = (8 * (pulled.gradient(x + step) - pulled.gradient(x - step)) - pulled.gradient(x + 2 * step) +
                          pulled.gradient(x - 2 * step)) /
                         (12 * h);
      }
      EXPECT_TRUE(close(pulled.gradient(x), gradient, 1e-7));
      EXPECT_TRUE(close(pulled.hessian(x), hessian, 1e-7));
    }
  }
}

}  // namespace
}  // namespace verne
