#include "peaks.h"

#include <cstring>
#include <vector>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace verne::cli {

namespace {

/// So many sums that none waits for itself: two units, each four to five cycles long.
constexpr int kFusedSums = 12;
constexpr int kFusedRounds = 2000;

#define VERNE_EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define VERNE_START(k) auto s##k = b * (1.0 / (k + 1));
#define VERNE_STEP(k) s##k = VERNE_MADD(s##k, a, b);
#define VERNE_KEEP(k) asm volatile("" : "+x"(s##k));

/// kFusedSums · kFusedRounds times x·a + b, on numbers of type V. Written out: an array would live in memory.
#define VERNE_FUSED(V)                     \
  V a = V{} + 0.999, b = V{} + 0.001;      \
  asm volatile("" : "+x"(a), "+x"(b));     \
  VERNE_EACH(VERNE_START)                  \
  for (int i = 0; i < kFusedRounds; ++i) { \
    VERNE_EACH(VERNE_STEP)                 \
  }                                        \
  VERNE_EACH(VERNE_KEEP)

#define VERNE_MADD(x, a, b) ((x) * (a) + (b))
using Two = double __attribute__((vector_size(16)));
void in_baseline() {
  VERNE_FUSED(Two)
}
#undef VERNE_MADD
#ifdef __x86_64__
#define VERNE_MADD _mm256_fmadd_pd
__attribute__((target("avx2,fma"))) void in_avx2() {
  VERNE_FUSED(__m256d)
}
#undef VERNE_MADD
#define VERNE_MADD _mm512_fmadd_pd
__attribute__((target("avx512f"))) void in_avx512() {
  VERNE_FUSED(__m512d)
}
#undef VERNE_MADD
#endif
#undef VERNE_FUSED
#undef VERNE_KEEP
#undef VERNE_STEP
#undef VERNE_START
#undef VERNE_EACH

struct Fused {
  void (*run)();
  int width;
};
Fused fused_for(const std::string& instruction_set) {
#ifdef __x86_64__
  if (instruction_set == "avx512") return {in_avx512, 8};
  if (instruction_set == "avx2") return {in_avx2, 4};
#endif
  return {in_baseline, 2};
}

}  // namespace

Peaks measure_peaks(const std::string& instruction_set, Stopwatch& stopwatch, double seconds) {
  constexpr std::size_t kCopied = std::size_t{64} << 20;  // beyond every cache, also with what is read
  const Fused fused = fused_for(instruction_set);
  const auto calls = [run = fused.run](int count) {
    for (int i = 0; i < count; ++i) run();
  };
  Peaks peaks;
  peaks.operations_per_ns = 2.0 * fused.width * kFusedSums * kFusedRounds / stopwatch.median_ns(calls, seconds);
  peaks.scalar_operations_per_ns = peaks.operations_per_ns / fused.width;
  std::vector<char> from(kCopied, 1), to(kCopied);
  const auto copy = [&](int count) {
    for (int i = 0; i < count; ++i) {
      std::memcpy(to.data(), from.data(), kCopied);
      asm volatile("" : : "r"(to.data()) : "memory");
    }
  };
  peaks.bytes_per_ns = 2.0 * kCopied / stopwatch.median_ns(copy, seconds);
  return peaks;
}

}  // namespace verne::cli
