/// Many names in one line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verne/base/export.h"

namespace verne {

inline constexpr std::size_t kNamesShown = 5;

/// `'a', 'b', 'c' and 7 more`: the first few names.
std::string first_few(const std::vector<std::string>& names, std::size_t shown = kNamesShown);
/// `no effort limits: 2 joints ('a', 'b')`
VERNE_API std::string group_text(const std::string& what, const std::string& subject,
                                 const std::vector<std::string>& names, std::size_t shown = kNamesShown);

}  // namespace verne
