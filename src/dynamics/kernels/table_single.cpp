/// One state; compiled once per instruction set (see kernels.cmake).
#include "dynamics/kernels/table.h"

namespace verne {
inline namespace VERNE_ISA {

extern const KernelTable<double> kSingleKernels;
const KernelTable<double> kSingleKernels = make_table<double, double>();

}  // namespace VERNE_ISA
}  // namespace verne
