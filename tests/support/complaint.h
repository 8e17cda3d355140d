/// What a call complains of, as text to compare.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace verne::test {

/// The message of the exception of this kind that a call throws, or "none".
template <class Exception = std::invalid_argument>
std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "none";
}

}  // namespace verne::test
