#include "motion/quadrature.h"

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
  Quadrature quadrature;
  for (int s = spans.first; s < spans.end; ++s) {
    for (int k = 0; k < points; ++k) {
      quadrature.places.push_back({s, roots[k]});
      quadrature.weights.push_back(weights[k]);
    }
  }
  return quadrature;
}

}  // namespace verne
