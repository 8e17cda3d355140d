#include <stdexcept>
#include <string>
#include <string_view>

#include "structures/kernels/closing_plan.h"
#include "verne/base/isa.h"

namespace verne {

#ifdef VERNE_HAVE_baseline
inline namespace baseline {
extern const ClosingTable kClosingKernels;
}
#endif
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

const ClosingTable& closing_kernels(const char* instruction_set) {
  const std::string_view name = instruction_set;
#ifdef VERNE_HAVE_avx512
  if (name == "avx512") return avx512::kClosingKernels;
#endif
#ifdef VERNE_HAVE_avx2
  if (name == "avx2") return avx2::kClosingKernels;
#endif
#ifdef VERNE_HAVE_baseline
  if (name == "baseline") return baseline::kClosingKernels;
#endif
  throw std::invalid_argument("no kernels for instruction set '" + std::string(name) + "'");
}

}  // namespace verne
