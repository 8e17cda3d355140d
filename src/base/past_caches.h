/// Results that are larger than caches go past them.
#pragma once

#include <cstddef>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace verne {

/// More than that is taken for larger than caches, which virtual machines do not tell the truth about.
constexpr std::size_t kCacheBytes = std::size_t{64} << 20;

/// to[k] = from[k], without reading what `to`, at a multiple of 16 bytes, held before, and without leaving it in
/// caches.
inline void write_past_caches(const double* from, std::size_t count, double* to) {
#ifdef __SSE2__
  const std::size_t pairs = count / 2 * 2;
  for (std::size_t k = 0; k < pairs; k += 2) _mm_stream_pd(to + k, _mm_loadu_pd(from + k));
  if (pairs < count) to[pairs] = from[pairs];
  _mm_sfence();
#else
  std::memcpy(to, from, count * sizeof(double));
#endif
}

}  // namespace verne
