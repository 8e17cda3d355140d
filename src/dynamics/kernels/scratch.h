/// Scratch memory of a kernel call: one block of S, handed out in order. Nothing is allocated or initialised.
/// A copy hands out what the original has left: so one algorithm lends its memory to another.
#pragma once

#include "verne/base/isa.h"

// Builds with assertions and sanitizers watch the end of the memory, since scratch_size() is counted by hand.
#if !defined(NDEBUG) || defined(VERNE_SANITIZE)
#define VERNE_WATCH_SCRATCH 1
#else
#define VERNE_WATCH_SCRATCH 0
#endif

namespace verne {

#if VERNE_WATCH_SCRATCH
/// Says how much is missing, and aborts.
[[noreturn]] void scratch_exhausted(long missing_values);
#endif

inline namespace VERNE_ISA {

template <class S>
class Scratch {
 public:
#if VERNE_WATCH_SCRATCH
  Scratch(S* memory, long size) : next_(memory), end_(memory + size) {}
#else
  Scratch(S* memory, long /*size*/) : next_(memory) {}
#endif

  /// Room for `count` objects that consist of S, or of registers full of S.
  template <class T = S>
  VERNE_INLINE T* take(int count) {
    static_assert(sizeof(T) % sizeof(S) == 0 && alignof(T) <= 64);
    while (alignof(T) > alignof(S) && reinterpret_cast<__UINTPTR_TYPE__>(next_) % alignof(T) != 0) ++next_;
    S* const here = next_;
    next_ += static_cast<long>(count) * static_cast<long>(sizeof(T) / sizeof(S));
#if VERNE_WATCH_SCRATCH
    if (next_ > end_) scratch_exhausted(next_ - end_);
#endif
    return reinterpret_cast<T*>(here);
  }
  VERNE_INLINE S* zeros(int count) {
    S* const here = take(count);
    for (int i = 0; i < count; ++i) here[i] = S(0);
    return here;
  }

 private:
  S* next_;
#if VERNE_WATCH_SCRATCH
  S* end_;
#endif
};

}  // namespace VERNE_ISA
}  // namespace verne
