#include <string_view>

#include "structures/kernels/closing_plan.h"
#include "verne/base/isa.h"

namespace verne {

inline namespace baseline {
extern const ClosingTable kClosingKernels;
}
#ifdef VERNE_HAVE_avx2
namespace avx2 {
extern const ClosingTable kClosingKernels;
}
#endif
#ifdef VERNE_HAVE_avx512
namespace avx512 {
extern const ClosingTable kClosingKernels;
}
#endif

const ClosingTable& closing_kernels([[maybe_unused]] const char* instruction_set) {
#ifdef VERNE_HAVE_avx512
  if (std::string_view(instruction_set) == "avx512") return avx512::kClosingKernels;
#endif
#ifdef VERNE_HAVE_avx2
  if (std::string_view(instruction_set) == "avx2") return avx2::kClosingKernels;
#endif
  return baseline::kClosingKernels;
}

}  // namespace verne
