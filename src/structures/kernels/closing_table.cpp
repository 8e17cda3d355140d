/// Compiled once per instruction set (see dynamics/kernels.cmake).
#include "structures/kernels/closing.h"

#include "base/lanes.h"

namespace verne {
inline namespace VERNE_ISA {

namespace {

Lanes* lanes(double* p) {
  return reinterpret_cast<Lanes*>(p);
}
const Lanes* lanes(const double* p) {
  return reinterpret_cast<const Lanes*>(p);
}

}  // namespace

extern const ClosingTable kClosingKernels;
const ClosingTable kClosingKernels = {
    [](const ClosingPlan& plan, const ClosingTerms& t, double* tau, double* quality, double* scratch) {
      Closing<Lanes>::inverse(plan, t, lanes(tau), lanes(quality), lanes(scratch));
    },
    [](const ClosingPlan& plan, const ClosingTerms& t, const double* v, const double* tau, double* a, double* quality,
       double* scratch) {
      Closing<Lanes>::forward(plan, t, lanes(v), lanes(tau), lanes(a), lanes(quality), lanes(scratch));
    },
    [](const ContactPlan& plan, const ClosingTerms& t, double* M, const double* v, const double* tau, double* a,
       double* quality, double* scratch) {
      Closing<Lanes>::forward_held(plan, t, lanes(M), lanes(v), lanes(tau), lanes(a), lanes(quality), lanes(scratch));
    },
    Closing<double>::respond,
    Closing<double>::release,
};

}  // namespace VERNE_ISA
}  // namespace verne
