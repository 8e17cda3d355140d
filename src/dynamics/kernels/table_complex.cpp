/// One state of complex numbers, for derivatives by complex step; baseline only.
#include "dynamics/kernels/table.h"

namespace verne {
inline namespace VERNE_ISA {

extern const KernelTable<std::complex<double>> kComplexKernels;
const KernelTable<std::complex<double>> kComplexKernels = make_table<std::complex<double>, std::complex<double>>();

}  // namespace VERNE_ISA
}  // namespace verne
