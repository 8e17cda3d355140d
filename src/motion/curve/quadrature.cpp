#include "motion/curve/quadrature.h"

#include <cmath>

namespace verne {

Quadrature gauss_quadrature(const SpanRange& spans, int points) {
  // Roots of the Legendre polynomial P_n by Newton's method from the classical guess cos(π (k − ¼) / (n + ½)).
  std::vector<double> roots, weights;
  for (int k = 1; k <= points; ++k) {
    double x = std::cos(M_PI * (k - 0.25) / (points + 0.5)), slope = 0;
    for (int step = 0; step < 50; ++step) {
      double p = 1, before = 0;
      for (int n = 0; n < points; ++n) {
        const double next = ((2 * n + 1) * x * p - n * before) / (n + 1);
        before = p, p = next;
      }
      slope = points * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    roots.push_back((1 - x) / 2);
    weights.push_back(1 / ((1 - x * x) * slope * slope));
  }
  Quadrature quadrature{{}, {}, points};
  for (int s = spans.first; s < spans.end; ++s) {
    for (int k = 0; k < points; ++k) {
      quadrature.places.push_back({s, roots[k]});
      quadrature.weights.push_back(weights[k]);
    }
  }
  return quadrature;
}

Eigen::MatrixXd squared_rate_form(const Quadrature& quadrature) {
  const int n = quadrature.points;
  const auto xi = [&](int k) { return quadrature.places[k].fraction; };
  Eigen::VectorXd product = Eigen::VectorXd::Ones(n);  // of the distances of a place from the others
  for (int k = 0; k < n; ++k) {
    for (int l = 0; l < n; ++l) product[k] *= l == k ? 1 : xi(k) - xi(l);
  }
  // Slopes at the places of the polynomial through all of them
  Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    for (int l = 0; l < n; ++l) {
      if (l == k) continue;
      slope(k, l) = product[k] / (product[l] * (xi(k) - xi(l)));
      slope(k, k) += 1 / (xi(k) - xi(l));
    }
  }
  const Eigen::Map<const Eigen::VectorXd> weights(quadrature.weights.data(), n);
  return slope.transpose() * weights.asDiagonal() * slope;
}

}  // namespace verne
