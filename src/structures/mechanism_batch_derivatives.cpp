#include "structures/mechanism_batch_derivatives.h"

#include "structures/contact_derivatives.h"
#include "structures/mechanism_batch_parts.h"

namespace verne {

namespace {

/// The results of one state, and where they go.
class SingleDerivatives {
 public:
  SingleDerivatives(const Mechanism& mechanism, Eigen::Index rows, Eigen::Index inputs, std::size_t contacts,
                    const BatchReactions& wrenches)
      : dq(rows, mechanism.mobility()),
        dv(dq),
        dx(rows, inputs),
        loops_(mechanism, inputs, contacts),
        joints_(mechanism, inputs),
        wanted_(wrenches) {}

  void make_room(const BatchRunner& run, BatchDerivatives& out) const {
    room(run, dq.size(), dx.size(), out);
    if (wanted_.loops) room(run, loops_.dq.size(), loops_.dx.size(), *wanted_.loops);
    if (wanted_.joints) room(run, joints_.dq.size(), joints_.dx.size(), *wanted_.joints);
  }
  void put(int state, BatchDerivatives& out) const {
    put(dq, state, out.dq), put(dv, state, out.dv), put(dx, state, out.dx);
    if (wanted_.loops) put(loops_, state, *wanted_.loops);
    if (wanted_.joints) put(joints_, state, *wanted_.joints);
  }

  LoopWrenchDerivatives* loops() { return wanted_.loops ? &loops_ : nullptr; }
  JointWrenchDerivatives* joints() { return wanted_.joints ? &joints_ : nullptr; }

  Eigen::MatrixXd dq, dv, dx;

 private:
  static void room(const BatchRunner& run, Eigen::Index along_state, Eigen::Index along_x, BatchDerivatives& out) {
    run.room(out.dq, static_cast<int>(along_state));
    run.room(out.dv, static_cast<int>(along_state));
    run.room(out.dx, static_cast<int>(along_x));
  }
  static void put(const Eigen::Ref<const Eigen::MatrixXd>& block, int state, LaneArray& out) {
    if (block.size() > 0) out.matrix(state, static_cast<int>(block.rows())) = block;
  }
  static void put(const ReactionDerivatives& of, int state, BatchDerivatives& out) {
    put(of.dq, state, out.dq), put(of.dv, state, out.dv), put(of.dx, state, out.dx);
  }

  LoopWrenchDerivatives loops_;
  JointWrenchDerivatives joints_;
  BatchReactions wanted_;
};

/// compute(the state, its results) for each state, where `first` has the shape of the results.
template <class F>
void differentiate_states(const BatchRunner& run, MechanismBatch& batch, const SingleDerivatives& first,
                          BatchDerivatives& out, F&& compute) {
  first.make_room(run, out);
  compute_singles(run, batch, true, [&](int k, MechanismBatch::Parts::Single& m) {
    SingleDerivatives d = first;
    compute(k, m, d);
    d.put(k, out);
  });
}

}  // namespace

void inverse_dynamics_derivatives(MechanismBatch& batch, BatchDerivatives& tau, BatchReactions wrenches) {
  const Mechanism& mechanism = batch.parts().mechanism;
  const BatchRunner run("inverse_dynamics_derivatives", mechanism.model(), batch.tree);
  run.check("tau", batch.tau, static_cast<int>(mechanism.actuated().size()));
  const SingleDerivatives first(mechanism, batch.tau.rows(), mechanism.mobility(), 0, wrenches);
  differentiate_states(run, batch, first, tau, [&](int, MechanismBatch::Parts::Single& m, SingleDerivatives& d) {
    inverse_dynamics_derivatives(mechanism, m.closed(), m.q, m.v, m.a, d.dq, d.dv, d.dx, &m.loads, d.loops(),
                                 d.joints());
  });
}

void forward_dynamics_derivatives(MechanismBatch& batch, BatchDerivatives& a, BatchReactions wrenches) {
  const Mechanism& mechanism = batch.parts().mechanism;
  const BatchRunner run("forward_dynamics_derivatives", mechanism.model(), batch.tree);
  run.check("tau", batch.tau, static_cast<int>(mechanism.actuated().size()));
  const SingleDerivatives first(mechanism, mechanism.mobility(), batch.tau.rows(), 0, wrenches);
  differentiate_states(run, batch, first, a, [&](int k, MechanismBatch::Parts::Single& m, SingleDerivatives& d) {
    forward_dynamics_derivatives(mechanism, m.closed(), m.q, m.v, m.tau, m.a, d.dq, d.dv, d.dx, &m.loads, d.loops(),
                                 d.joints());
    batch.tree.a.set(k, m.a);
  });
}

void inverse_dynamics_derivatives(MechanismBatch& batch, std::span<const int> contacts, BatchDerivatives& tau,
                                  BatchReactions wrenches) {
  const Mechanism& mechanism = batch.parts().mechanism;
  const BatchRunner run("inverse_dynamics_derivatives", mechanism.model(), batch.tree);
  require_contacts(mechanism.model(), contacts);
  const SingleDerivatives first(mechanism, mechanism.model().nv(), mechanism.mobility(), contacts.size(), wrenches);
  differentiate_states(run, batch, first, tau, [&](int, MechanismBatch::Parts::Single& m, SingleDerivatives& d) {
    inverse_dynamics_derivatives(mechanism, m.held, contacts, m.q, m.v, m.a, d.dq, d.dv, d.dx, &m.loads, d.loops(),
                                 d.joints());
  });
}

void forward_dynamics_derivatives(MechanismBatch& batch, std::span<const int> contacts, BatchDerivatives& a,
                                  BatchReactions wrenches) {
  const Mechanism& mechanism = batch.parts().mechanism;
  const BatchRunner run("forward_dynamics_derivatives", mechanism.model(), batch.tree);
  require_contacts(mechanism.model(), contacts);
  const SingleDerivatives first(mechanism, mechanism.mobility(), mechanism.model().nv(), contacts.size(), wrenches);
  differentiate_states(run, batch, first, a, [&](int k, MechanismBatch::Parts::Single& m, SingleDerivatives& d) {
    forward_dynamics_derivatives(mechanism, m.held, contacts, m.q, m.v, m.tree_tau, m.a, d.dq, d.dv, d.dx, &m.loads,
                                 d.loops(), d.joints());
    batch.tree.a.set(k, m.a);
  });
}

}  // namespace verne
