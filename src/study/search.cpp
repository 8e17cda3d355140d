// Searches by NLopt. Its methods ask for one value after the other; a study is told the next point, gets a result, and
// may be interrupted between. So each question runs the search from its start, with the results that there are: it goes
// the same way, and the first value that is not known yet is the answer.
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "verne/study/sample.h"

namespace verne {

namespace {

constexpr double kFirstStep = 0.2;  // of the range
constexpr double kFailure = 2;      // times the spread of results above the worst: where there is no result
constexpr double kBad = 1e10;       // where there is none, and was none before

nlopt_algorithm algorithm_of(SearchSpec::Method method) {
  using Method = SearchSpec::Method;
  switch (method) {
    case Method::cobyla:
      return NLOPT_LN_COBYLA;
    case Method::nelder_mead:
      return NLOPT_LN_NELDERMEAD;
    case Method::direct:
      return NLOPT_GN_DIRECT_L;
    case Method::bobyqa:
      break;
  }
  return NLOPT_LN_BOBYQA;
}

/// One run through all that is known.
struct Replay {
  nlopt_opt search = nullptr;
  std::span<const double> results;
  double sign = 1;
  std::size_t asked = 0;
  std::optional<double> least{};  // of results so far
  double most = 0;
  std::optional<std::vector<double>> unknown{};

  double value(std::span<const double> place) {
    if (asked == results.size()) {
      if (!unknown) unknown.emplace(place.begin(), place.end());
      nlopt_force_stop(search);
      return std::numeric_limits<double>::infinity();
    }
    const double result = sign * results[asked++];
    // Methods that fit a model need a number: one that is bad, but not beyond all others.
    if (!std::isfinite(result) && !least) return kBad;
    if (!std::isfinite(result)) return most + kFailure * std::max(most - *least, 1e-3 * std::abs(most));
    most = least ? std::max(most, result) : result;
    least = least ? std::min(*least, result) : result;
    return result;
  }
};

double value_for_nlopt(unsigned count, const double* place, double*, void* replay) {
  return static_cast<Replay*>(replay)->value({place, count});
}

/// Whether a search may change it.
bool is_open(const ParameterRange& range) {
  return range.kind != ParameterRange::Kind::values;
}

}  // namespace

const char* to_string(SearchSpec::Method method) {
  using Method = SearchSpec::Method;
  switch (method) {
    case Method::bobyqa:
      return "bobyqa";
    case Method::cobyla:
      return "cobyla";
    case Method::nelder_mead:
      return "nelder_mead";
    case Method::direct:
      return "direct";
  }
  return "";
}

std::optional<std::vector<double>> next_of_search(const std::vector<ParameterRange>& parameters,
                                                  const SampleSpec& sample, std::span<const double> results) {
  constexpr double kMiddle = 0.5;
  std::vector<double> shares = sample.search.start;
  shares.resize(parameters.size(), kMiddle);
  std::vector<double> open;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (is_open(parameters[k])) open.push_back(shares[k]);
  }
  if (open.empty()) return results.empty() ? std::optional(shares) : std::nullopt;
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> search(
      nlopt_create(algorithm_of(sample.search.method), static_cast<unsigned>(open.size())), &nlopt_destroy);
  Replay replay{search.get(), results, sample.search.largest ? -1.0 : 1.0};
  nlopt_set_min_objective(search.get(), &value_for_nlopt, &replay);
  nlopt_set_lower_bounds1(search.get(), 0);
  nlopt_set_upper_bounds1(search.get(), 1);
  nlopt_set_initial_step1(search.get(), kFirstStep);
  nlopt_set_xtol_abs1(search.get(), sample.search.tolerance);
  nlopt_set_maxeval(search.get(), sample.count);
  double best = 0;
  nlopt_optimize(search.get(), open.data(), &best);
  if (!replay.unknown || std::ssize(results) >= sample.count) return std::nullopt;
  auto found = replay.unknown->begin();
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (is_open(parameters[k])) shares[k] = *found++;
  }
  return shares;
}

}  // namespace verne
