#include "dynamics/dispatch.h"

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "verne/base/isa.h"
#include "verne/dynamics/batch.h"

namespace verne {

inline namespace baseline {
#ifdef VERNE_HAVE_baseline
extern const KernelTable<double> kSingleKernels, kLaneKernels;
#endif
extern const KernelTable<std::complex<double>> kComplexKernels;
}  // namespace baseline
#ifdef VERNE_HAVE_avx2
namespace avx2 {
extern const KernelTable<double> kSingleKernels, kLaneKernels;
}
#endif
#ifdef VERNE_HAVE_avx512
namespace avx512 {
extern const KernelTable<double> kSingleKernels, kLaneKernels;
}
#endif

namespace {

struct KernelSet {
  const KernelTable<double>*single, *lanes;
};

/// Narrowest first.
const std::vector<KernelSet>& available() {
  static const std::vector<KernelSet> sets = [] {
    std::vector<KernelSet> found;
#ifdef VERNE_HAVE_baseline
    found.push_back({&baseline::kSingleKernels, &baseline::kLaneKernels});
#endif
#ifdef VERNE_HAVE_avx2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      found.push_back({&avx2::kSingleKernels, &avx2::kLaneKernels});
    }
#endif
#ifdef VERNE_HAVE_avx512
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("fma")) {
      found.push_back({&avx512::kSingleKernels, &avx512::kLaneKernels});
    }
#endif
    if (found.empty())
      throw std::runtime_error("verne was built for processors with wider instructions than this one has");
    return found;
  }();
  return sets;
}

const KernelSet& find(const std::string& name) {
  for (const KernelSet& set : available()) {
    if (name == set.lanes->name) return set;
  }
  std::string known;
  for (const std::string& isa : instruction_sets()) known += " " + isa;
  throw std::invalid_argument("instruction set '" + name + "' is not available here; there are:" + known);
}

const KernelSet& preferred() {
  static const KernelSet& set = [&]() -> const KernelSet& {
    const char* const wish = std::getenv("VERNE_INSTRUCTION_SET");
    return wish && *wish ? find(wish) : available().back();
  }();
  return set;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const KernelSet& set : available()) names.push_back(set.lanes->name);
  return names;
}

template <>
const KernelTable<double>& single_kernels<double>() {
  return *preferred().single;
}
template <>
const KernelTable<std::complex<double>>& single_kernels<std::complex<double>>() {
  return baseline::kComplexKernels;
}

const KernelTable<double>& lane_kernels(const std::string& name) {
  return name.empty() ? *preferred().lanes : *find(name).lanes;
}

}  // namespace verne
