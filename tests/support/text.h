/// What tests ask of text.
#pragma once

#include <string>

namespace verne::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace verne::test
