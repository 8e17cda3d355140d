/// Sums that stand for integrals over a curve.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "motion/curve/phases.h"

namespace verne {

/// ∫ f dt ≈ Σ weight · (length of the place's span) · f(place)
struct Quadrature {
  std::vector<Place> places;
  std::vector<double> weights;
  int points;  ///< in each span, one span after the other
};

/// Gauss–Legendre with `points` in each of some spans: exact for polynomials of degree 2 · points − 1 on each.
Quadrature gauss_quadrature(const SpanRange& spans, int points);

/// S of docs/theory/motion.md, (16e): ∫ ḟ² dt ≈ Σ f(place k) S_kl f(place l) / (length of the span) over a span.
Eigen::MatrixXd squared_rate_form(const Quadrature& quadrature);

}  // namespace verne
