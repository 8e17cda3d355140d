/// Owners of what functions of SUNDIALS [SUN22] make.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <cmath>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace verne {

/// Owner of what one library function made and another one frees.
template <class T, auto destroy>
struct SundialsDestroyer {
  void operator()(T* object) const { destroy(object); }
};
template <class T, auto destroy>
using SundialsOwner = std::unique_ptr<T, SundialsDestroyer<T, destroy>>;

template <class T>
T* require_made(T* object) {
  if (!object) throw std::bad_alloc();
  return object;
}

inline void free_sundials_context(SUNContext context) {
  SUNContext_Free(&context);
}
inline SUNContext make_sundials_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return require_made(context);
}

using SundialsContext = SundialsOwner<std::remove_pointer_t<SUNContext>, free_sundials_context>;
using SundialsVector = SundialsOwner<std::remove_pointer_t<N_Vector>, N_VDestroy>;

/// The entries of a vector.
inline std::span<double> entries(N_Vector vector) {
  return {NV_DATA_S(vector), static_cast<std::size_t>(NV_LENGTH_S(vector))};
}
inline bool is_finite(N_Vector vector) {
  return std::isfinite(N_VMaxNorm(vector));
}

}  // namespace verne
