#include "dynamics/kernels/scratch.h"

#if VERNE_WATCH_SCRATCH

#include <cstdio>
#include <cstdlib>

namespace verne {

void scratch_exhausted(long missing_values) {
  std::fprintf(stderr, "verne: scratch_size() is too small by %ld values\n", missing_values);
  std::abort();
}

}  // namespace verne

#endif
