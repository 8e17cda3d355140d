/// Which kernels run on this machine.
#pragma once

#include <complex>
#include <string>

#include "dynamics/kernel_table.h"

namespace verne {

/// Kernels for one state, of the widest instruction set that the machine has. The environment variable
/// VERNE_INSTRUCTION_SET narrows the choice.
template <class S>
const KernelTable<S>& single_kernels();
template <>
const KernelTable<double>& single_kernels<double>();
template <>
const KernelTable<std::complex<double>>& single_kernels<std::complex<double>>();

/// Kernels for lane packs; "" means the default. Throws std::invalid_argument when the machine cannot run `name`.
const KernelTable<double>& lane_kernels(const std::string& name);

}  // namespace verne
