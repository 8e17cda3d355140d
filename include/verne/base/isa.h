/// The instruction set that a translation unit is compiled for, as an inline namespace.
///
/// Small templates (vectors, transforms, kernels) live in `verne::VERNE_ISA`, which is `verne::baseline` for every
/// user of the library. The lane kernels are compiled once more per instruction set with VERNE_ISA set to its name,
/// so that no symbol built with wider instructions can be picked by the linker for baseline code.
#pragma once

#ifndef VERNE_ISA
#define VERNE_ISA baseline
#define VERNE_ISA_IS_BASELINE 1
#else
#define VERNE_ISA_IS_BASELINE 0
#endif

// Forced inlining is what makes the kernels fast; with sanitizers it would make their compilation endless.
#ifdef VERNE_SANITIZE
#define VERNE_INLINE inline
#define VERNE_INLINE_LAMBDA
#else
/// Inlined always, except with sanitizers.
#define VERNE_INLINE inline __attribute__((always_inline))
/// The same for a lambda.
#define VERNE_INLINE_LAMBDA __attribute__((always_inline))  // stands before the lambda's body
#endif
// A sweep over all bodies is compiled by itself: in one function with the others it gets fewer registers (g++ 12, 15
// %).
/// A function that is never inlined.
#define VERNE_SWEEP inline __attribute__((noinline))
/// Promises that no other argument points to the same memory.
#define VERNE_RESTRICT __restrict__

namespace verne {
inline namespace VERNE_ISA {}
}  // namespace verne
