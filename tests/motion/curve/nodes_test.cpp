// The state at places of the curve as a function of the decision variables.
#include "motion/curve/nodes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/values/span_hessians.h"
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
  return {
      {"one duration", CurveVariables::with_duration(simple, 2, lengths)},
      {"one duration, repeated knots", CurveVariables::with_duration(repeated, 2, lengths)},
      {"free knots", CurveVariables::with_free_knots(simple, 2)},
      {"free knots, repeated knots", CurveVariables::with_free_knots(repeated, 2)},
      // Two timing variables: spans 0, 1, 4 and 2, 3
      {"groups", {simple, 2, 2, {0, 0, 1, 1, 0}, {0.2, 0.3, 1, 0.5, 0.7}}},
      // Spans that depend on one, two and three timing variables
      {"phases", CurveVariables::with_groups(SplineBasis(4, {1, 1, 2, 1, 1, 3, 1, 1, 1}), 2,
                                             Eigen::VectorXd::LinSpaced(10, 1, 2), {0, 0, 0, 0, 0, 1, 2, 2, 2, 2})}};
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

/// A function of z with all derivatives: Σ w sin(s z) for positions and velocities, Σ w s z for the rest, and ½ (s z)ᵀ
/// A (s z), where A couples positions with all but the jerk, and velocities with each other. The scales s keep
/// velocities, accelerations and jerks, which are large, from making it wild. With a direction g also ½ (gᵀ s z)².
struct Probe {
  Probe(std::mt19937_64& rng, int nv, bool with_product)
      : dofs(nv),
        s(kStateOrders * nv),
        w(random_values(rng, kStateOrders * nv, 1)),
        g(with_product ? random_values(rng, kStateOrders * nv, 1) : Eigen::VectorXd::Zero(kStateOrders * nv)),
        A(s.size(), s.size()) {
    for (int d = 0; d < kStateOrders; ++d) s.segment(d * dofs, dofs).setConstant(std::pow(0.1, d));
    for (Eigen::Index k = 0; k < A.cols(); ++k) A.col(k) = random_values(rng, static_cast<int>(s.size()), 1);
    A = (A + A.transpose()).eval();
    A.bottomRows(dofs).setZero(), A.rightCols(dofs).setZero();
    A.block(dofs, 2 * dofs, 2 * dofs, dofs).setZero(), A.block(2 * dofs, dofs, dofs, 2 * dofs).setZero();
  }
  double value(const Eigen::ArrayXd& z) const {
    const Eigen::VectorXd scaled = s * z;
    return (w * waves(scaled, scaled.array().sin())).sum() + 0.5 * scaled.dot(A * scaled) +
           0.5 * std::pow(g.dot(scaled), 2);
  }
  Eigen::VectorXd gradient(const Eigen::ArrayXd& z) const {
    const Eigen::VectorXd scaled = s * z;
    return s * (w * waves(Eigen::VectorXd::Ones(s.size()), scaled.array().cos()) + (A * scaled).array() +
                g.dot(scaled) * g.array());
  }
  /// Without the product.
  Eigen::MatrixXd hessian(const Eigen::ArrayXd& z) const {
    Eigen::MatrixXd H = A;
    H.diagonal().array() -= w * waves(Eigen::VectorXd::Zero(s.size()), (s * z).sin());
    return s.matrix().asDiagonal() * H * s.matrix().asDiagonal();
  }
  Eigen::VectorXd direction() const { return s * g.array(); }

  int dofs;
  Eigen::ArrayXd s, w;
  Eigen::VectorXd g;
  Eigen::MatrixXd A;

 private:
  /// Sines or so of positions and velocities, lines of the rest.
  Eigen::ArrayXd waves(const Eigen::VectorXd& lines, const Eigen::ArrayXd& curves) const {
    Eigen::ArrayXd out = lines;
    out.head(2 * dofs) = curves.head(2 * dofs);
    return out;
  }
};

/// The probe at a node, its gradient and second derivatives over all variables.
class Pulled {
 public:
  Pulled(const CurveVariables& curve, const Place& place, const Probe& probe)
      : nodes_(curve, {place}),
        local_(nodes_.variables(place.span)),
        probe_(probe),
        hessians_(nodes_, DofPairs(curve.dofs, {{0, 1}}, {{0, 1}})) {}

  double value(const Eigen::VectorXd& x) {
    nodes_.evaluate(nlp::view(x), SplineBasis::Want::values);
    return probe_.value(nodes_.z().col(0));
  }
  Eigen::VectorXd gradient(const Eigen::VectorXd& x) {
    nodes_.evaluate(nlp::view(x), SplineBasis::Want::first_derivatives);
    const Eigen::VectorXd by_variables = pulled(probe_.gradient(nodes_.z().col(0)));
    Eigen::VectorXd all = Eigen::VectorXd::Zero(x.size());
    for (std::size_t k = 0; k < local_.size(); ++k) all[local_[k]] = by_variables[static_cast<Eigen::Index>(k)];
    return all;
  }
  Eigen::MatrixXd hessian(const Eigen::VectorXd& x) {
    nodes_.evaluate(nlp::view(x), SplineBasis::Want::second_derivatives);
    const Eigen::VectorXd z = nodes_.z().col(0);
    const std::vector<nlp::Entry> pattern = hessians_.pattern();
    std::vector<double> entries(pattern.size(), NAN);
    hessians_.start(entries);
    hessians_.add_node(0, curvature(probe_.hessian(z)).data(), probe_.gradient(z).data());
    hessians_.end_nodes();
    const Eigen::VectorXd product = pulled(probe_.direction());
    hessians_.add_block(nodes_.places()[0].span, hessians_.block({0, 1}),
                        Eigen::MatrixXd(product * product.transpose()));
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(x.size(), x.size());
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      EXPECT_GE(pattern[k].row, pattern[k].column);
      all(pattern[k].row, pattern[k].column) += entries[k];
    }
    return all.selfadjointView<Eigen::Lower>();
  }

 private:
  Eigen::VectorXd pulled(const Eigen::VectorXd& by_z) const {
    Eigen::VectorXd by_variables(local_.size());
    nodes_.pull_back(0, by_z.data(), by_variables.data());
    return by_variables;
  }
  /// The second derivatives of the probe as arrays over pairs.
  Eigen::VectorXd curvature(const Eigen::MatrixXd& H) const {
    using C = NodeCurvature;
    const DofPairs& pairs = hessians_.pairs();
    const int nv = pairs.nv();
    Eigen::MatrixXd arrays(pairs.curved(), static_cast<int>(C::kArrays));
    for (int p = 0; p < pairs.curved(); ++p) {
      const auto [i, k] = pairs[pairs.first_curved() + p];
      arrays(p, C::qq) = H(i, k);
      arrays(p, C::vv) = H(nv + i, nv + k);
      arrays(p, C::qv_sum) = (H(i, nv + k) + H(k, nv + i)) / 2;
      arrays(p, C::qv_difference) = (H(i, nv + k) - H(k, nv + i)) / 2;
      arrays(p, C::qa_sum) = (H(i, 2 * nv + k) + H(k, 2 * nv + i)) / 2;
      arrays(p, C::qa_difference) = (H(i, 2 * nv + k) - H(k, 2 * nv + i)) / 2;
    }
    return arrays.reshaped();
  }

  Nodes nodes_;
  std::vector<int> local_;
  const Probe& probe_;
  SpanHessians hessians_;
};

void expect_chain_rule(bool with_product) {
  std::mt19937_64 rng(2);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Probe probe(rng, c.curve.dofs, with_product);
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

TEST(Nodes, ChainRuleToSecondOrder) {
  expect_chain_rule(false);
}

TEST(Nodes, ProductsOfFirstDerivatives) {
  expect_chain_rule(true);
}

TEST(DofPairs, CurvedOnesAreTheLast) {
  const DofPairs pairs(5, {{0, 1, 3}, {4}}, {{0, 3}, {2, 3}});
  std::string order;
  for (int p = 0; p < pairs.size(); ++p) order += std::to_string(pairs[p].i) + std::to_string(pairs[p].k) + " ";
  EXPECT_EQ(order, "10 31 30 32 00 11 22 33 44 ");
  EXPECT_EQ(pairs.first_curved(), 2);
  EXPECT_EQ(pairs.different(), 4);
  EXPECT_EQ(pairs.index(3, 0), 2);
  EXPECT_EQ(pairs.index(0, 3), 2);
  EXPECT_EQ(pairs.index(0, 2), -1);
  EXPECT_EQ(DofPairs(2, {{0, 1}}, {}).curved(), 0);
  EXPECT_EQ(DofPairs(2, {}, {}).size(), 0);
}

}  // namespace
}  // namespace verne
