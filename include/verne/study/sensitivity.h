/// How much each parameter matters for a result, from the samples `saltelli` and `morris`.
#pragma once

#include <span>
#include <vector>

#include "verne/base/export.h"
#include "verne/study/sample.h"

namespace verne {

/// Sobol indices of one parameter: shares of the variance of a result.
struct SobolIndices {
  double first = 0;  ///< that goes away when the parameter is known
  double total = 0;  ///< that is left when all others are known
  int rows = 0;      ///< of the sample that were used: all of whose points have a result
};

/// Measures of Morris for one parameter, per width of its range.
struct MorrisMeasures {
  double mean = 0, mean_size = 0;  ///< of the elementary effects, and of their sizes
  double deviation = 0;            ///< of the effects: large where it is not linear, or meets other parameters
  int effects = 0;                 ///< that were used
};

/// One for each parameter. `results` belong to the points of Kind::saltelli (Saltelli's and Jansen's estimators); NaN
/// is a point without a result.
VERNE_API std::vector<SobolIndices> sobol_indices(const SamplePoints& points, std::span<const double> results);

/// One for each parameter. `results` belong to the points of Kind::morris.
VERNE_API std::vector<MorrisMeasures> morris_measures(const SamplePoints& points, std::span<const double> results);

}  // namespace verne
