/// Sums that stand for integrals over a curve.
#pragma once

#include <vector>

#include "motion/phases.h"

namespace verne {

/// ∫ f dt ≈ Σ weight · (length of the place's span) · f(place)
struct Quadrature {
  std::vector<Place> places;
  std::vector<double> weights;
};

/// Gauss–Legendre with `points` in each of some spans: exact for polynomials of degree 2 · points − 1 on each.
Quadrature gauss_quadrature(const SpanRange& spans, int points);

}  // namespace verne
