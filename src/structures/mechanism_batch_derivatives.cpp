#include "structures/mechanism_batch_derivatives.h"

#include "dynamics/batch_blocks.h"
#include "dynamics/singular.h"
#include "structures/closed_balance.h"
#include "structures/contact_derivatives.h"
#include "structures/kernels/closed_blocks.h"
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
        tree_(mechanism, inputs),
        wanted_(wrenches) {}

  void make_room(const BatchRunner& run, BatchDerivatives& out) const {
    room(run, dq.size(), dx.size(), out);
    if (wanted_.loops) room(run, loops_.dq.size(), loops_.dx.size(), *wanted_.loops);
    if (wanted_.joints) room(run, joints_.dq.size(), joints_.dx.size(), *wanted_.joints);
    if (wanted_.tree) room(run, tree_.dq.size(), tree_.dx.size(), *wanted_.tree);
    if (!wanted_.by_loads) return;
    run.room(*wanted_.by_loads, static_cast<int>(9 * dq.rows()) * static_cast<int>(run.load_sites().size()));
  }
  void put(int state, BatchDerivatives& out) const {
    put(dq, state, out.dq), put(dv, state, out.dv), put(dx, state, out.dx);
    if (wanted_.loops) put(loops_, state, *wanted_.loops);
    if (wanted_.joints) put(joints_, state, *wanted_.joints);
    if (wanted_.tree) put(tree_, state, *wanted_.tree);
    if (wanted_.by_loads) put(by_loads_, state, *wanted_.by_loads);
  }

  LoopWrenchDerivatives* loops() { return wanted_.loops ? &loops_ : nullptr; }
  JointWrenchDerivatives* joints() { return wanted_.joints ? &joints_ : nullptr; }
  TreeAccelerationDerivatives* tree() { return wanted_.tree ? &tree_ : nullptr; }
  /// compute(results), which fills them, where there are loads and they are wanted.
  template <class F>
  void add_by_loads(const Loads<double>& loads, F&& compute) {
    if (!wanted_.by_loads || loads.size() == 0) return;
    by_loads_.resize(dq.rows(), 9 * loads.size());
    compute(by_loads_);
  }

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
  template <class Of>
  static void put(const Of& of, int state, BatchDerivatives& out) {
    put(of.dq, state, out.dq), put(of.dv, state, out.dv), put(of.dx, state, out.dx);
  }

  LoopWrenchDerivatives loops_;
  JointWrenchDerivatives joints_;
  TreeAccelerationDerivatives tree_;
  Eigen::MatrixXd by_loads_;
  BatchReactions wanted_;
};

/// compute(the state, its results) for each state, or for those of little quality, where `first` has the shape of the
/// results and room was made for them.
template <class F>
void differentiate_states(const BatchRunner& run, MechanismBatch& batch, const SingleDerivatives& first,
                          BatchDerivatives& out, bool all, F&& compute) {
  compute_singles(run, batch, all, [&](int k, MechanismBatch::Parts::Single& m) {
    SingleDerivatives d = first;
    compute(k, m, d);
    d.put(k, out);
  });
}

}  // namespace

namespace {

/// Of more freedoms the columns of one state fill registers as well as lanes do, and need less memory.
constexpr int kMostFreedoms = 8;

/// Rows that motion and torques do not determine become NaN.
void forget_all_undetermined(const std::vector<std::array<bool, 6>>& determined, int states, BatchDerivatives* of) {
  if (!of || determined.empty()) return;
  for (LaneArray* const block : {&of->dq, &of->dv, &of->dx}) {
    const auto wrenches = static_cast<Eigen::Index>(determined.size()), columns = block->rows() / 6 / wrenches;
    for (Eigen::Index k = 0; k < wrenches; ++k) {
      const std::array<bool, 6>& known = determined[static_cast<std::size_t>(k)];
      if (std::ranges::find(known, false) == known.end()) continue;
      for (int state = 0; state < states; ++state) {
        Matrix6X<double> own = block->matrix(state, 6).middleCols(k * columns, columns);
        forget_undetermined(known, own);
        block->matrix(state, 6).middleCols(k * columns, columns) = own;
      }
    }
  }
}

/// Loops, on lanes: of accelerations under tau, or of the torques of a motion. False, with nothing done, where states
/// have to be computed one by one.
bool differentiate_closed(const BatchRunner& run, MechanismBatch& batch, bool inverse, BatchDerivatives& found,
                          const BatchReactions& extras) {
  auto& s = batch.parts();
  const Mechanism::Contents& c = s.mechanism.contents();
  const ClosingPlan& plan = s.elimination.plan();
  const int free = s.mechanism.mobility(), n = c.model.nv();
  if (extras.by_loads || c.model.coupled() || free == 0 || free > kMostFreedoms) return false;
  if (inverse && (!plan.direct || !c.without_inertia.empty() || !batch.weights.empty())) return false;
  require_inertia(c);
  require_smooth(c.model, batch.tree);
  const std::vector<int>& sites = c.layout.sites;
  const long of_forward = closing_scratch(plan),
             of_derivatives = loop_derivative_memory(plan, extras.joints ? run.tree().joint_count : 0);
  s.make_room(run.workers(), sites.size(), of_forward + of_derivatives + n);
  run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
    const auto at = s.room(worker, sites.size());
    put_terms(run, b, sites, plan.nv, at, scratch);
    const double* const tau = run.values(std::as_const(batch.tau), b);
    double* const memory = at.scratch + of_forward * s.lanes;
    // Of given motions G and M G are wanted, not accelerations.
    double* const a = inverse ? memory + of_derivatives * s.lanes : run.values(batch.tree.a, b);
    s.kernels.forward(plan, at.terms(), run.values(batch.tree.v, b), tau, a, run.values(s.quality, b), at.scratch);
    const Inputs<double> in = run.loaded_inputs(b);
    run.kernels().inverse_dynamics(run.tree(), in, at.torques, nullptr, scratch);
    s.kernels.loop_derivatives(run.tree(), in, plan,
                               {at.terms(), sites.data(), at.scratch, at.torques, inverse ? nullptr : tau, memory},
                               {blocks_at(b, &found, free), blocks_at(b, extras.tree, n), blocks_at(b, extras.loops, 6),
                                blocks_at(b, extras.joints, 6)},
                               scratch);
  });
  forget_all_undetermined(c.loop_determined, batch.tree.count(), extras.loops);
  forget_all_undetermined(c.joint_determined, batch.tree.count(), extras.joints);
  return true;
}

}  // namespace

void inverse_dynamics_derivatives(MechanismBatch& batch, BatchDerivatives& tau, BatchReactions wrenches) {
  const Mechanism& mechanism = batch.parts().mechanism;
  const BatchRunner run("inverse_dynamics_derivatives", mechanism.model(), batch.tree);
  run.check("tau", batch.tau, static_cast<int>(mechanism.actuated().size()));
  const SingleDerivatives first(mechanism, batch.tau.rows(), mechanism.mobility(), 0, wrenches);
  first.make_room(run, tau);
  const bool alone = !differentiate_closed(run, batch, true, tau, wrenches);
  differentiate_states(run, batch, first, tau, alone, [&](int, MechanismBatch::Parts::Single& m, SingleDerivatives& d) {
    inverse_dynamics_derivatives(mechanism, m.closed(), m.q, m.v, m.a, d.dq, d.dv, d.dx, &m.loads, d.loops(),
                                 d.joints(), m.weighing(), d.tree());
    d.add_by_loads(m.loads, [&](Eigen::MatrixXd& out) {
      load_derivatives(mechanism, m.closed(), m.q, m.loads, out, m.weighing());
    });
  });
}

void forward_dynamics_derivatives(MechanismBatch& batch, BatchDerivatives& a, BatchReactions wrenches) {
  const Mechanism& mechanism = batch.parts().mechanism;
  const BatchRunner run("forward_dynamics_derivatives", mechanism.model(), batch.tree);
  run.check("tau", batch.tau, static_cast<int>(mechanism.actuated().size()));
  const SingleDerivatives first(mechanism, mechanism.mobility(), batch.tau.rows(), 0, wrenches);
  first.make_room(run, a);
  const bool alone = !differentiate_closed(run, batch, false, a, wrenches);
  differentiate_states(run, batch, first, a, alone, [&](int k, MechanismBatch::Parts::Single& m, SingleDerivatives& d) {
    forward_dynamics_derivatives(mechanism, m.closed(), m.q, m.v, m.tau, m.a, d.dq, d.dv, d.dx, &m.loads, d.loops(),
                                 d.joints(), d.tree());
    d.add_by_loads(m.loads,
                   [&](Eigen::MatrixXd& out) { forward_load_derivatives(mechanism, m.closed(), m.q, m.loads, out); });
    batch.tree.a.set(k, m.a);
  });
}

void inverse_dynamics_derivatives(MechanismBatch& batch, std::span<const int> contacts, BatchDerivatives& tau,
                                  BatchReactions wrenches) {
  const Mechanism& mechanism = batch.parts().mechanism;
  const BatchRunner run("inverse_dynamics_derivatives", mechanism.model(), batch.tree);
  require_contacts(mechanism.model(), contacts);
  const SingleDerivatives first(mechanism, mechanism.model().nv(), mechanism.mobility(), contacts.size(), wrenches);
  first.make_room(run, tau);
  differentiate_states(run, batch, first, tau, true, [&](int, MechanismBatch::Parts::Single& m, SingleDerivatives& d) {
    inverse_dynamics_derivatives(mechanism, m.held, contacts, m.q, m.v, m.a, d.dq, d.dv, d.dx, &m.loads, d.loops(),
                                 d.joints(), m.weighing(), d.tree());
    d.add_by_loads(m.loads, [&](Eigen::MatrixXd& out) {
      load_derivatives(mechanism, m.held, contacts, m.q, m.loads, out, m.weighing());
    });
  });
}

namespace {

/// Contacts on a tree, on lanes. False, with nothing done, where states have to be computed one by one.
bool differentiate_held(const BatchRunner& run, MechanismBatch& batch, std::span<const int> contacts,
                        BatchDerivatives& a, const BatchReactions& wrenches) {
  auto& s = batch.parts();
  const Model& model = s.mechanism.model();
  if (wrenches.by_loads || wrenches.tree || !model.loops().empty() || model.coupled()) return false;
  std::vector<HeldPlan> held;
  int equations = 0;
  for (const int k : contacts) {
    const ContactSpec& contact = model.contacts()[static_cast<std::size_t>(k)];
    const int link = model.link(contact.link);
    held.push_back({equations, equations_of(contact.type), last_velocity(model, link),
                    end_on_body(model, link, {contact.R_LC, contact.point}), link});
    if (held.back().frame.slot < 0) return false;
    equations += held.back().rows;
  }
  const int n = model.nv();
  if (equations > n) return false;  // which repeat each other
  require_invertible("forward_dynamics_derivatives", model);
  require_smooth(model, batch.tree);
  const std::vector<int> parent = velocity_parents(model);
  const ContactPlan plan{
      n, equations, static_cast<int>(held.size()), equations, s.mechanism.length(), parent.data(), held.data()};
  s.make_room(run.workers(), 0, held_memory(plan, wrenches.joints ? run.tree().joint_count : 0));
  run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
    s.kernels.held_derivatives(
        run.tree(), run.loaded_inputs(b), plan, run.values(batch.tree.a, b),
        {blocks_at(b, &a, n), {}, blocks_at(b, wrenches.loops, 6), blocks_at(b, wrenches.joints, 6)},
        run.values(s.quality, b), s.room(worker, 0).scratch, scratch);
  });
  return true;
}

}  // namespace

void forward_dynamics_derivatives(MechanismBatch& batch, std::span<const int> contacts, BatchDerivatives& a,
                                  BatchReactions wrenches) {
  const Mechanism& mechanism = batch.parts().mechanism;
  const BatchRunner run("forward_dynamics_derivatives", mechanism.model(), batch.tree);
  require_contacts(mechanism.model(), contacts);
  const SingleDerivatives first(mechanism, mechanism.mobility(), mechanism.model().nv(), contacts.size(), wrenches);
  first.make_room(run, a);
  const bool alone = !differentiate_held(run, batch, contacts, a, wrenches);
  differentiate_states(run, batch, first, a, alone, [&](int k, MechanismBatch::Parts::Single& m, SingleDerivatives& d) {
    forward_dynamics_derivatives(mechanism, m.held, contacts, m.q, m.v, m.tree_tau, m.a, d.dq, d.dv, d.dx, &m.loads,
                                 d.loops(), d.joints(), d.tree());
    d.add_by_loads(m.loads, [&](Eigen::MatrixXd& out) {
      forward_load_derivatives(mechanism, m.held, contacts, m.q, m.loads, out);
    });
    batch.tree.a.set(k, m.a);
  });
}

}  // namespace verne
