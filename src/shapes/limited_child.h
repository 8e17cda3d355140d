/// Work that may fail in any way, done in a process of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "verne/base/export.h"

namespace verne {

struct ChildLimits {
  std::size_t memory = std::size_t{2} << 30;  ///< bytes, beyond what this process has
  int seconds = 30;                           ///< of processor time; three times as many on the clock
  std::size_t output = std::size_t{1} << 30;  ///< bytes
};

struct ChildResult {
  std::string output;
  std::string failure;  ///< in words; "" when the work was done
};

/// What `work` returns, which a child of this process computes: when it crashes, hangs, throws or takes too much
/// memory, this process only learns of it. The child has a copy of all memory but only one thread, opens no files and
/// says nothing.
VERNE_API ChildResult run_in_child(const std::function<std::string()>& work, const ChildLimits& limits = {});

}  // namespace verne
