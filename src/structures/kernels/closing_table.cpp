/// Compiled once per instruction set (see dynamics/kernels.cmake).
#include "structures/kernels/closing.h"

#include "base/lanes.h"
#include "structures/kernels/articulated_contacts.h"
#include "structures/kernels/leg_batch.h"
#include "structures/kernels/legs.h"

namespace verne {
inline namespace VERNE_ISA {

namespace {

Lanes* lanes(double* p) {
  return reinterpret_cast<Lanes*>(p);
}
const Lanes* lanes(const double* p) {
  return reinterpret_cast<const Lanes*>(p);
}

Inputs<Lanes> lanes(const Inputs<double>& in) {
  return {lanes(in.q), lanes(in.v), lanes(in.a), lanes(in.tau), in.load_count, in.load_sites, lanes(in.load_values)};
}

void forward_articulated(const Tree& tree, const Inputs<double>& in, const ContactPlan& plan, double* a,
                         double* quality, double* memory, double* scratch) {
  const long m = plan.equations, n = plan.nv;
  Lanes* const rows = lanes(memory);
  const ContactRoom<Lanes> room{rows, rows + m * n, rows + 2 * m * n, rows + 2 * m * n + m, nullptr};
  const Scratch<Lanes> left(lanes(scratch), scratch_size(tree));
  ArticulatedContacts<Lanes>::respond(tree, lanes(in), plan, room, lanes(a), left);
  for (int k = 0; k < plan.equations; ++k) room.drift[k] = -room.drift[k];
  *lanes(quality) = Closing<Lanes>::solve_positive(plan.equations, room.response, room.drift);
  ArticulatedContacts<Lanes>::release(tree, plan, room.rows, room.drift, lanes(a), left);
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
    forward_articulated,
    [](const ClosingPlan& plan, const ClosingTerms& t, double* opening) {
      Closing<Lanes>::openings(plan, t, lanes(opening));
    },
    [](const ClosingPlan& plan, const ClosingTerms& t, const double* keep, const double* v, double* x, double* quality,
       double* scratch) {
      Closing<Lanes>::complete(plan, t, lanes(keep), lanes(v), lanes(x), lanes(quality), lanes(scratch));
    },
    Closing<double>::inverse,
    Closing<double>::forward,
    Closing<double>::respond,
    Closing<double>::release,
    [](const Tree& tree, const Inputs<double>& in, const ContactPlan& plan, const ContactRoom<double>& room, double* a,
       double* scratch) {
      ArticulatedContacts<double>::respond(tree, in, plan, room, a, Scratch<double>(scratch, scratch_size(tree)));
    },
    [](const Tree& tree, const ContactPlan& plan, const double* rows, const double* lambda, double* a,
       double* scratch) {
      ArticulatedContacts<double>::release(tree, plan, rows, lambda, a, Scratch<double>(scratch, scratch_size(tree)));
    },
    LegByLeg::inverse,
    LegByLeg::forward,
    [](const LegPlan& plan, const Inputs<double>& in, const double* torques, double* tau, double* quality,
       double* scratch) {
      LegBatch::inverse(plan, lanes(in), lanes(torques), lanes(tau), lanes(quality), lanes(scratch));
    },
    [](const LegPlan& plan, const Inputs<double>& in, const double* torques, double* a, double* quality,
       double* scratch) {
      LegBatch::forward(plan, lanes(in), lanes(torques), lanes(a), lanes(quality), lanes(scratch));
    },
};

}  // namespace VERNE_ISA
}  // namespace verne
