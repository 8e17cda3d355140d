/// Where memory of the kernels begins: at a cache line, so that no pack of lanes lies across two.
#pragma once

#include <new>

namespace verne {

inline constexpr std::align_val_t kCacheLine{64};

}  // namespace verne
