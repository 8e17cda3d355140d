#include "nlp/kernels/panel_kernels.h"

#include <cstdlib>
#include <string_view>

namespace verne {

inline namespace baseline {
extern const nlp::PanelKernels kPanelKernels;
}
#ifdef VERNE_HAVE_avx2
namespace avx2 {
extern const nlp::PanelKernels kPanelKernels;
}
#endif
#ifdef VERNE_HAVE_avx512
namespace avx512 {
extern const nlp::PanelKernels kPanelKernels;
}
#endif

namespace nlp {

/// As for the dynamics, VERNE_INSTRUCTION_SET may ask for narrower instructions.
const PanelKernels& panel_kernels() {
  static const PanelKernels& chosen = []() -> const PanelKernels& {
    const char* const variable = std::getenv("VERNE_INSTRUCTION_SET");
    [[maybe_unused]] const std::string_view wish = variable ? variable : "";
#ifdef VERNE_HAVE_avx512
    if ((wish.empty() || wish == "avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      return avx512::kPanelKernels;
    }
#endif
#ifdef VERNE_HAVE_avx2
    if (wish != "baseline" && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      return avx2::kPanelKernels;
    }
#endif
    return baseline::kPanelKernels;
  }();
  return chosen;
}

}  // namespace nlp
}  // namespace verne
