#include "model/names_text.h"

#include <algorithm>

namespace verne {

std::string first_few(const std::vector<std::string>& names, std::size_t shown) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) text += (i ? ", '" : "'") + names[i] + "'";
  return names.size() > shown ? text + " and " + std::to_string(names.size() - shown) + " more" : text;
}

std::string group_text(const std::string& what, const std::string& subject, const std::vector<std::string>& names,
                       std::size_t shown) {
  const std::string plural = names.size() == 1 ? "" : "s";
  return what + ": " + std::to_string(names.size()) + " " + subject + plural + " (" + first_few(names, shown) + ")";
}

}  // namespace verne
