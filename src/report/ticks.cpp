#include "report/ticks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace verne {

std::vector<double> ticks(double low, double high, int count) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  // A rough step that is round already must not be missed by a rounding error.
  const auto fits = [&](double k) { return k * power >= rough * (1 - 1e-9); };
  const double step = power * (fits(1) ? 1 : fits(2) ? 2 : fits(5) ? 5 : 10);
  std::vector<double> found;
  const double last = std::floor(high / step + 1e-9);
  for (double i = std::ceil(low / step - 1e-9); i <= last; ++i) found.push_back(i * step);
  return found;
}

std::string tick_label(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  std::string text;
  if (std::abs(value) >= 1e5 || step < 1e-4) {
    text = fmt::format("{:.4g}", value);
  } else {
    const int decimals = std::max(0, int(-std::floor(std::log10(step * (1 + 1e-9)))));
    text = fmt::format("{:.{}f}", value, decimals);
  }
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1)) text.replace(at, 1, "−");
  return text;
}

}  // namespace verne
