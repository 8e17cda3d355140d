#include "number_option.h"

#include <fmt/core.h>

#include <string>

namespace verne::cli {

CLI::Validator number_between(double least, double most) {
  const auto judge = [least, most](const std::string& text) {
    double value = 0;
    const bool is_within = CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
    return is_within ? "" : fmt::format("expected a number from {:g} to {:g}, found '{}'", least, most, text);
  };
  return {judge, fmt::format("FLOAT in [{:g} - {:g}]", least, most)};
}

}  // namespace verne::cli
