/// Compiled once per instruction set (see dynamics/kernels.cmake).
#include "structures/kernels/closing.h"

#include "base/lanes.h"
#include "structures/kernels/articulated_contacts.h"
#include "structures/kernels/cluster_dynamics.h"
#include "structures/kernels/cluster_reactions.h"
#include "structures/kernels/held_joints.h"
#include "structures/kernels/leg_batch.h"
#include "structures/kernels/legs.h"
#include "structures/kernels/loop_results.h"
#include "structures/kernels/reactions.h"

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
                         double* wrenches, double* loads, double* quality, double* memory, double* scratch) {
  const long m = plan.equations, n = plan.nv;
  Lanes* const rows = lanes(memory);
  Lanes* const axes = rows + 2 * m * n + m + m * m;
  const ContactRoom<Lanes> room{rows, rows + m * n, rows + 2 * m * n, rows + 2 * m * n + m, axes};
  const Scratch<Lanes> left(lanes(scratch), scratch_size(tree));
  ArticulatedContacts<Lanes>::respond(tree, lanes(in), plan, room, lanes(a), left);
  for (int k = 0; k < plan.equations; ++k) room.drift[k] = -room.drift[k];
  *lanes(quality) = Closing<Lanes>::solve_positive(plan.equations, room.response, room.drift);
  ArticulatedContacts<Lanes>::release(tree, plan, room.rows, room.drift, lanes(a), left);
  for (int c = 0; c < plan.contact_count && wrenches; ++c) {
    const HeldPlan& at = plan.contacts[c];
    Lanes* const wrench = lanes(wrenches) + 6 * c;
    for (int k = 0; k < 6; ++k) {
      wrench[k] = k < at.rows ? room.drift[at.first + k] * (k < 3 ? 1 : plan.length) : Lanes(0.0);
    }
    Mat3<Lanes> R;
    for (int k = 0; k < 9; ++k) R.m[k] = axes[9 * c + k];
    (R * Vec3<Lanes>::load(wrench)).store(lanes(loads) + 9 * c);
    (R * Vec3<Lanes>::load(wrench + 3)).store(lanes(loads) + 9 * c + 3);
  }
}

Blocks<Lanes> lanes(const Blocks<double>& blocks) {
  return {lanes(blocks.dq), lanes(blocks.dv), lanes(blocks.dx), blocks.ld};
}

ClosedBlocks<Lanes> lanes(const ClosedBlocks<double>& blocks) {
  return {lanes(blocks.found), lanes(blocks.tree), lanes(blocks.loops), lanes(blocks.joints)};
}

template <class S>
S* values(double* p) {
  return reinterpret_cast<S*>(p);
}
template <class S>
const S* values(const double* p) {
  return reinterpret_cast<const S*>(p);
}

template <class S>
void loop_derivatives(const Tree& tree, const Inputs<S>& in, const ClosingPlan& plan, const ClosingSolution& at,
                      const ClosedBlocks<S>& out, double* scratch) {
  const bool inverse = at.tau == nullptr;
  LoopDerivatives<S> derivatives(tree, plan, at.terms, at.sites, values<S>(at.of_forward), values<S>(at.memory),
                                 loop_derivative_memory(plan, out.joints.dq ? tree.joint_count : 0));
  Scratch<S> left(values<S>(scratch), scratch_size(tree));
  const LoopChanges<S> changes = derivatives.compute(in, values<S>(at.torques), inverse ? nullptr : values<S>(at.tau),
                                                     out.loops.dq || out.joints.dq, left);
  LoopResults<S>(changes, out, derivatives.left()).put(inverse);
}

/// Kernels of clusters for S, on memory of doubles.
template <class S>
struct ByClusters {
  static Scratch<S> left(const Tree& tree, double* scratch) { return {values<S>(scratch), scratch_size(tree)}; }
  static Inputs<S> inputs(const Inputs<double>& in) {
    return {values<S>(in.q), values<S>(in.v), values<S>(in.a),          values<S>(in.tau),
            in.load_count,   in.load_sites,   values<S>(in.load_values)};
  }
  static void forward(const Tree& tree, const Inputs<double>& in, const ClosingPlan& plan, const double* tau, double* a,
                      double* quality, double* memory, double* scratch) {
    *values<S>(quality) = ClusterDynamics<S>(tree, plan, values<S>(memory))
                              .forward(inputs(in), values<S>(tau), values<S>(a), left(tree, scratch));
  }
  static void balance(const Tree& tree, const Inputs<double>& in, const ClosingPlan& plan, const double* torques,
                      double* forces, double* quality, double* memory, double* scratch) {
    *values<S>(quality) = ClusterReactions<S>(tree, plan, values<S>(memory))
                              .balance(inputs(in), values<S>(torques), values<S>(forces), left(tree, scratch));
  }
  static void reactions(const Tree& tree, const Inputs<double>& in, const ClosingPlan& plan, const double* torques,
                        const double* tau, double* wrenches, double* loads, double* quality, double* memory,
                        double* scratch) {
    *values<S>(quality) = ClusterReactions<S>(tree, plan, values<S>(memory))
                              .reactions(inputs(in), values<S>(torques), values<S>(tau), values<S>(wrenches),
                                         values<S>(loads), left(tree, scratch));
  }
};

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
    [](const Tree& tree, const Inputs<double>& in, const ClosingPlan& plan, const ClosingSolution& at,
       const ClosedBlocks<double>& out,
       double* scratch) { loop_derivatives<Lanes>(tree, lanes(in), plan, at, lanes(out), scratch); },
    [](const ClosingPlan& plan, const ClosingTerms& t, const double* tau, double* wrenches, double* loads,
       double* quality, double* scratch) {
      put_reactions(plan, t, lanes(tau), lanes(wrenches), lanes(loads), lanes(quality), lanes(scratch));
    },
    ByClusters<Lanes>::forward,
    ByClusters<Lanes>::balance,
    ByClusters<Lanes>::reactions,
    [](const ContactPlan& plan, const ClosingTerms& t, double* M, const double* v, const double* tau, double* a,
       double* quality, double* scratch) {
      Closing<Lanes>::forward_held(plan, t, lanes(M), lanes(v), lanes(tau), lanes(a), lanes(quality), lanes(scratch));
    },
    forward_articulated,
    [](const Tree& tree, const Inputs<double>& in, const ContactPlan& plan, double* a, const ClosedBlocks<double>& out,
       double* quality, double* memory, double* scratch) {
      *lanes(quality) = held_derivatives<Lanes>(tree, lanes(in), plan, lanes(a), lanes(out), lanes(memory),
                                                {lanes(scratch), scratch_size(tree)});
    },
    [](const ClosingPlan& plan, const ClosingTerms& t, double* opening) {
      Closing<Lanes>::openings(plan, t, lanes(opening));
    },
    [](const ClosingPlan& plan, const ClosingTerms& t, const double* keep, const double* v, double* x, double* quality,
       double* scratch) {
      Closing<Lanes>::complete(plan, t, lanes(keep), lanes(v), lanes(x), lanes(quality), lanes(scratch));
    },
    Closing<double>::inverse,
    Closing<double>::forward,
    put_reactions<double>,
    ByClusters<double>::forward,
    ByClusters<double>::balance,
    ByClusters<double>::reactions,
    loop_derivatives<double>,
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
    [](const Tree& tree, const Inputs<double>& in, const ContactPlan& plan, double* a, const ClosedBlocks<double>& out,
       double* quality, double* memory, double* scratch) {
      *quality = held_derivatives<double>(tree, in, plan, a, out, memory, {scratch, scratch_size(tree)});
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
