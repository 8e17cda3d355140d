/// Contents that copies of an object share.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace verne {

/// What an object holds. One that was moved from holds nothing: to use it is the caller's mistake.
template <class Contents>
const Contents& held(const std::shared_ptr<const Contents>& contents, const char* type) {
  if (!contents) throw std::invalid_argument(std::string(type) + ": it was moved from and holds nothing");
  return *contents;
}

}  // namespace verne
