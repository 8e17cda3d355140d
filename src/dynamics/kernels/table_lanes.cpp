/// As many states as a register holds; compiled once per instruction set (see kernels.cmake).
#include "dynamics/kernels/table.h"

namespace verne {
inline namespace VERNE_ISA {

extern const KernelTable<double> kLaneKernels;
const KernelTable<double> kLaneKernels = make_table<Lanes, double>();

}  // namespace VERNE_ISA
}  // namespace verne
