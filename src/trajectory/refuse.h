/// Refusals of the trajectory classes.
#pragma once

#include <stdexcept>
#include <string>

namespace verne {

[[noreturn]] inline void refuse(const char* class_name, const std::string& text) {
  throw std::invalid_argument(std::string(class_name) + ": " + text);
}

}  // namespace verne
