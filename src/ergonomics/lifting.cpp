#include "ergonomics/lifting.h"

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

constexpr double kLoadConstant = 23;  // kg

/// Table 5 of the manual: lifts per minute, then for up to 1, 2 and 8 hours with hands below 75 cm and from there on.
constexpr double kFrequencies[17][7] = {
    {0.2, 1.00, 1.00, 0.95, 0.95, 0.85, 0.85}, {0.5, 0.97, 0.97, 0.92, 0.92, 0.81, 0.81},
    {1, 0.94, 0.94, 0.88, 0.88, 0.75, 0.75},   {2, 0.91, 0.91, 0.84, 0.84, 0.65, 0.65},
    {3, 0.88, 0.88, 0.79, 0.79, 0.55, 0.55},   {4, 0.84, 0.84, 0.72, 0.72, 0.45, 0.45},
    {5, 0.80, 0.80, 0.60, 0.60, 0.35, 0.35},   {6, 0.75, 0.75, 0.50, 0.50, 0.27, 0.27},
    {7, 0.70, 0.70, 0.42, 0.42, 0.22, 0.22},   {8, 0.60, 0.60, 0.35, 0.35, 0.18, 0.18},
    {9, 0.52, 0.52, 0.30, 0.30, 0.00, 0.15},   {10, 0.45, 0.45, 0.26, 0.26, 0.00, 0.13},
    {11, 0.41, 0.41, 0.00, 0.23, 0.00, 0.00},  {12, 0.37, 0.37, 0.00, 0.21, 0.00, 0.00},
    {13, 0.00, 0.34, 0.00, 0.00, 0.00, 0.00},  {14, 0.00, 0.31, 0.00, 0.00, 0.00, 0.00},
    {15, 0.00, 0.28, 0.00, 0.00, 0.00, 0.00},
};

/// Between rows of the table it is linear.
double frequency_multiplier(const LiftWork& work, bool high) {
  const int column = (work.hours <= 1 ? 1 : work.hours <= 2 ? 3 : 5) + high;
  if (work.hours > 8) return 0;
  const double f = work.frequency;
  if (f <= kFrequencies[0][0]) return kFrequencies[0][column];
  const auto* const after =
      std::find_if(std::begin(kFrequencies), std::end(kFrequencies), [&](const auto& row) { return row[0] >= f; });
  if (after == std::end(kFrequencies)) return 0;
  const auto& before = *(after - 1);
  return before[column] + (f - before[0]) / ((*after)[0] - before[0]) * ((*after)[column] - before[column]);
}

double coupling_multiplier(int coupling, bool high) {
  if (coupling == 0) return 1;
  if (coupling == 1) return high ? 1 : 0.95;
  return 0.9;
}

}  // namespace

RecommendedWeight recommended_weight(const LiftPlace& place, const LiftWork& work) {
  // (1) of the manual; it has centimetres
  const double H = 100 * place.horizontal, V = 100 * place.vertical, D = 100 * work.distance;
  const double A = std::abs(place.asymmetry);
  const bool high = V >= 75;
  RecommendedWeight r;
  r.horizontal = H > 63 ? 0 : 25 / std::max(H, 25.0);
  r.vertical = V < 0 || V > 175 ? 0 : 1 - 0.003 * std::abs(V - 75);
  r.distance = D > 175 ? 0 : 0.82 + 4.5 / std::max(D, 25.0);
  r.asymmetry = A > 135 ? 0 : 1 - 0.0032 * A;
  r.frequency = frequency_multiplier(work, high);
  r.coupling = coupling_multiplier(work.coupling, high);
  r.limit = kLoadConstant * r.horizontal * r.vertical * r.distance * r.asymmetry * r.frequency * r.coupling;
  return r;
}

}  // namespace verne
