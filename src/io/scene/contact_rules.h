/// Which shapes of a model's links are not to be kept apart, as files say: SRDF, MJCF.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace verne {

struct ContactRules {
  /// Of one shape: what it is, and what it touches (`contype`, `conaffinity`); bits from 32 on are of `<pair>`.
  using Mask = std::array<std::uint64_t, 2>;
  std::vector<std::pair<std::string, std::string>> allowed{};  ///< links
  std::map<std::string, std::vector<Mask>> masks{};            ///< of the collision shapes of links, in their order
};

}  // namespace verne
