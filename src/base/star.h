/// Names that are asked for by a part of them.
#pragma once

#include <string_view>

namespace verne {

/// Whether a name begins and ends as a pattern with one star does: `hip_*`, `spine*_flexion`.
inline bool fits_star(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos || name.size() + 1 < pattern.size()) return false;
  return name.starts_with(pattern.substr(0, star)) && name.ends_with(pattern.substr(star + 1));
}

}  // namespace verne
