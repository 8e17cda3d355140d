/// Where a study looks: ranges of parameters, and samples of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verne/base/export.h"

namespace verne {

/// The values that a parameter takes.
struct ParameterRange {
  /// How likely they are.
  enum class Kind { values, uniform, log_uniform, normal };
  std::string name;                                ///< of the parameter
  Kind kind = Kind::uniform;                       ///< how likely values are
  std::vector<double> values{};                    ///< Kind::values: these alone, alike
  double lower = -kUnbounded, upper = kUnbounded;  ///< between which they lie
  double mean = 0, deviation = 1;                  ///< Kind::normal
  int line = 0;                                    ///< of the file; 0: none
  static const double kUnbounded;                  ///< where there is no bound

  /// The value that a share 0 < u < 1 of all values lies below.
  VERNE_API double at(double u) const;
};

/// A search for the point with the best result, without derivatives (NLopt).
struct SearchSpec {
  /// Powell's quadratic and linear models, a simplex, and rectangles of the whole range.
  enum class Method { bobyqa, cobyla, nelder_mead, direct };
  Method method = Method::bobyqa;  ///< of the search
  std::string result;              ///< that is made small
  bool largest = false;            ///< or large
  double tolerance = 1e-4;         ///< of parameters, as a share of their ranges, at which it ends
  std::vector<double> start{};     ///< shares of all ranges where it begins; empty: the middle
};
/// "bobyqa", "nelder_mead" and so on, as in study files.
VERNE_API const char* to_string(SearchSpec::Method method);

/// Which points are taken.
struct SampleSpec {
  /// Samples: `saltelli` and `morris` are for sensitivity indices; points of a `search` follow from results.
  enum class Kind { grid, sobol, latin_hypercube, random, file, saltelli, morris, search };
  Kind kind = Kind::sobol;  ///< of the sample
  int count = 0;            ///< points; of a grid: for each parameter; saltelli: rows; morris: paths; search: at most
  unsigned long long seed = 1;  ///< of random numbers
  std::string file{};           ///< Kind::file: a CSV file
  SearchSpec search{};          ///< Kind::search
  int line = 0;                 ///< of the study file; 0: none
};
/// "grid", "sobol" and so on, as in study files.
VERNE_API const char* to_string(SampleSpec::Kind kind);

/// More would be a slip rather than a wish.
inline constexpr double kMostPoints = 1e7;

/// Points of parameters, row by row.
struct SamplePoints {
  int parameters = 0;          ///< entries of a row
  std::vector<double> values;  ///< of the parameters
  std::vector<double> unit;    ///< the same as shares of all values, 0 to 1, for distances between points
  /// How many there are.
  int count() const { return parameters > 0 ? static_cast<int>(values.size()) / parameters : 0; }
  /// Values of point k.
  std::span<const double> point(int k) const { return row(values, k); }
  /// Shares of point k.
  std::span<const double> shares(int k) const { return row(unit, k); }

 private:
  std::span<const double> row(const std::vector<double>& table, int k) const {
    const auto columns = static_cast<std::size_t>(parameters);
    return std::span(table).subspan(static_cast<std::size_t>(k) * columns, columns);
  }
};

/// How many points a sample has; as a double, since a slip may ask for more than an integer holds.
VERNE_API double sample_size(const std::vector<ParameterRange>& parameters, const SampleSpec& sample);

/// The points of a sample, but not Kind::file: the same on every machine; of a search the first one. Throws InputError
/// for too many.
VERNE_API SamplePoints sample_points(const std::vector<ParameterRange>& parameters, const SampleSpec& sample);

/// Where a search goes next: shares of all ranges. `results`: of all points before, NaN where they failed. Nothing
/// where it has ended.
VERNE_API std::optional<std::vector<double>> next_of_search(const std::vector<ParameterRange>& parameters,
                                                            const SampleSpec& sample, std::span<const double> results);
/// Adds a point with these shares.
VERNE_API void append_point(SamplePoints& points, const std::vector<ParameterRange>& parameters,
                            const std::vector<double>& shares);

/// The points of a CSV file with a column for each parameter. Throws InputError with line and column.
VERNE_API SamplePoints read_points(const std::string& text, const std::string& file,
                                   const std::vector<ParameterRange>& parameters);

}  // namespace verne
