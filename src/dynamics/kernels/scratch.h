/// Scratch memory of a kernel call: one block of S, handed out in order. Nothing is allocated or initialised.
#pragma once

#include "verne/base/isa.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class Scratch {
 public:
  explicit Scratch(S* memory) : next_(memory) {}

  /// Room for `count` objects that consist of S, or of registers full of S.
  template <class T = S>
  VERNE_INLINE T* take(int count) {
    static_assert(sizeof(T) % sizeof(S) == 0 && alignof(T) <= 64);
    while (alignof(T) > alignof(S) && reinterpret_cast<__UINTPTR_TYPE__>(next_) % alignof(T) != 0) ++next_;
    S* const here = next_;
    next_ += static_cast<long>(count) * static_cast<long>(sizeof(T) / sizeof(S));
    return reinterpret_cast<T*>(here);
  }
  VERNE_INLINE S* zeros(int count) {
    S* const here = take(count);
    for (int i = 0; i < count; ++i) here[i] = S(0);
    return here;
  }

 private:
  S* next_;
};

}  // namespace VERNE_ISA
}  // namespace verne
