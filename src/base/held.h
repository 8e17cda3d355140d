/// Contents that copies of an object share.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace verne {

[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_moved_from(const char* type) {
  throw std::invalid_argument(std::string(type) + ": it was moved from and holds nothing");
}

/// What an object holds. One that was moved from holds nothing: to use it is the caller's mistake.
template <class Contents>
inline const Contents& held(const std::shared_ptr<const Contents>& contents, const char* type) {
  if (!contents) refuse_moved_from(type);
  return *contents;
}

}  // namespace verne
