#include "structures/mechanism_batch.h"

#include "dynamics/singular.h"
#include "structures/mechanism_batch_parts.h"
#include "structures/single_closing.h"

namespace verne {

MechanismBatch::Parts::Room MechanismBatch::Parts::room(int worker, std::size_t site_count) {
  const std::size_t n = static_cast<std::size_t>(mechanism.model().nv()), lane_count = static_cast<std::size_t>(lanes);
  Room at{};
  double* next = memory[static_cast<std::size_t>(worker)].block(0);
  const auto take = [&](std::size_t values) { return std::exchange(next, next + values * lane_count); };
  at.M = take(n * n), at.torques = take(n), at.poses = take(12 * site_count), at.J = take(6 * n * site_count);
  at.drifts = take(6 * site_count), at.scratch = next;
  return at;
}

void MechanismBatch::Parts::make_room(int workers, std::size_t site_count, long scratch) {
  const std::size_t n = static_cast<std::size_t>(mechanism.model().nv());
  const auto values = static_cast<int>((n * n + n + (18 + 6 * n) * site_count + static_cast<std::size_t>(scratch)) *
                                       static_cast<std::size_t>(lanes));
  if (!memory.empty() && memory[0].rows() >= values) return;
  memory.clear();
  for (int k = 0; k < workers; ++k) memory.emplace_back(values, 1, 1);
}

bool MechanismBatch::Parts::by_clusters() const {
  return elimination.plan().clusters && elimination.plan().clusters->local;
}

long MechanismBatch::Parts::scratch_of_loops() const {
  const ClosingPlan& plan = elimination.plan();
  const long own = closing_scratch(plan);
  if (!plan.clusters) return own;
  return std::max(own, cluster_memory(*plan.clusters, plan.value_count, plan.rank, plan.free_count));
}

MechanismBatch::Parts::Single::Single(const Mechanism& mechanism)
    : held(mechanism),
      q(mechanism.model().nq()),
      v(mechanism.model().nv()),
      a(v.size()),
      tree_tau(v.size()),
      tau(static_cast<Eigen::Index>(mechanism.actuated().size())),
      joints(6, static_cast<Eigen::Index>(mechanism.model().joints().size())) {}

void MechanismBatch::Parts::Single::load(const BatchRunner& run, const MechanismBatch& batch, int state) {
  q = batch.tree.q.column(state), v = batch.tree.v.column(state), a = batch.tree.a.column(state);
  tree_tau = batch.tree.tau.column(state), tau = batch.tau.column(state);
  weights = batch.weights.empty() ? Values() : Values(batch.weights.column(state));
  loads.clear();
  for (const LoadSite& at : run.load_sites()) {
    const auto values = batch.tree.load_values.column(state).segment<9>(9 * loads.size());
    loads.add(
        {at.site, values.head<3>(), values.segment<3>(3), values.tail<3>(), at.world_point ? At::world : At::link});
  }
}

void require_contacts(const Model& model, std::span<const int> contacts) {
  for (const int k : contacts) {
    if (k < 0 || k >= static_cast<int>(model.contacts().size()))
      throw std::invalid_argument("contact " + std::to_string(k) + " does not exist");
  }
}

double* MechanismBatch::Parts::put_given_loads(int worker, const Inputs<double>& in) {
  double* const first = load_memory[static_cast<std::size_t>(worker)].block(0);
  return std::copy_n(in.load_values, 9L * in.load_count * lanes, first);
}

void MechanismBatch::Parts::put_joint_wrenches(const BatchRunner& run, MechanismBatch& batch, int block, int worker,
                                               Inputs<double> in, double* scratch) {
  in.load_count = static_cast<int>(load_sites.size()), in.load_sites = load_sites.data();
  in.load_values = load_memory[static_cast<std::size_t>(worker)].block(0);
  const Room at = room(worker, 0);
  run.kernels().inverse_dynamics(run.tree(), in, at.torques, run.values(batch.tree.joint_wrenches, block), scratch);
}

void put_terms(const BatchRunner& run, int block, std::span<const int> sites, int nv,
               const MechanismBatch::Parts::Room& at, double* scratch) {
  run.kernels().control_terms(
      run.tree(), run.inputs(block),
      {sites.data(), static_cast<int>(sites.size()), at.M, nv, at.torques, at.J, at.drifts, at.poses, false}, scratch);
  if (run.load_sites().empty()) return;
  Inputs<double> in = run.loaded_inputs(block);
  in.a = nullptr;
  run.kernels().inverse_dynamics(run.tree(), in, at.torques, nullptr, scratch);
}

MechanismBatch::MechanismBatch(const Mechanism& mechanism, int count, const BatchOptions& options)
    : tree(mechanism.model(), count, options),
      tau(static_cast<int>(mechanism.actuated().size()), count, tree.lanes()),
      parts_(std::make_unique<Parts>(mechanism, tree)) {
  parts_->lanes = tree.lanes();
  parts_->quality = LaneArray(1, count, tree.lanes());
}
MechanismBatch::MechanismBatch(MechanismBatch&&) noexcept = default;
MechanismBatch& MechanismBatch::operator=(MechanismBatch&&) noexcept = default;
MechanismBatch::~MechanismBatch() = default;

int MechanismBatch::singles() const {
  return parts_->singles;
}

namespace {

/// Room for wrenches, where they are asked for.
void make_room_for_wrenches(const BatchRunner& run, MechanismBatch& batch, std::size_t contacts) {
  const Model& model = batch.parts().mechanism.model();
  run.room(batch.loop_wrenches, 6 * static_cast<int>(model.loops().size() + contacts));
  run.room(batch.tree.joint_wrenches, 6 * static_cast<int>(model.joints().size()));
}

/// call(loops, joints), which fills them, for one state: null unless they are wanted.
template <class Call>
void with_wrenches(MechanismBatch& batch, int k, MechanismBatch::Parts::Single& m, bool wanted, Call&& call) {
  if (wanted) m.loops.resize(6, batch.loop_wrenches.rows() / 6);
  call(wanted ? &m.loops : nullptr, wanted ? &m.joints : nullptr);
  if (!wanted) return;
  if (m.loops.cols() > 0) batch.loop_wrenches.matrix(k, 6) = m.loops;
  batch.tree.joint_wrenches.matrix(k, 6) = m.joints;
}

}  // namespace

namespace {

/// Room for the given loads and for those that `add` puts on further links, and for a quality.
template <class Add>
void make_room_for_loads(const BatchRunner& run, MechanismBatch& batch, Add&& add) {
  auto& s = batch.parts();
  s.load_sites.assign(run.load_sites().begin(), run.load_sites().end());
  add(s.load_sites);
  const int values = (9 * static_cast<int>(s.load_sites.size()) + 1) * s.lanes;
  const auto workers = static_cast<std::size_t>(run.workers());
  if (s.load_memory.size() == workers && s.load_memory[0].rows() >= values) return;
  s.load_memory.clear();
  for (std::size_t k = 0; k < workers; ++k) s.load_memory.emplace_back(values, 1, 1);
}

/// Wrenches of a block's loops and joints, which go with its accelerations and torques; make_room_for_reactions() made
/// room.
void put_reactions(const BatchRunner& run, MechanismBatch& batch, int block, int worker, double* scratch) {
  auto& s = batch.parts();
  const std::vector<int>& sites = s.mechanism.contents().layout.sites;
  const auto at = s.room(worker, sites.size());
  Inputs<double> in = run.loaded_inputs(block);
  run.kernels().inverse_dynamics(run.tree(), in, at.torques, nullptr, scratch);
  double* const loads = s.put_given_loads(worker, in);
  const long own = 9L * (static_cast<long>(s.load_sites.size()) - in.load_count);
  double *const quality = loads + own * s.lanes, *const total = run.values(s.quality, block);
  const ClosingPlan& plan = s.elimination.plan();
  const double* const tau = run.values(std::as_const(batch.tau), block);
  double* const wrenches = run.values(batch.loop_wrenches, block);
  if (s.by_clusters() || !s.mechanism.contents().redundant_rows.empty()) {
    s.kernels.cluster_reactions(run.tree(), in, plan, at.torques, tau, wrenches, loads, quality, at.scratch, scratch);
  } else {
    run.kernels().control_terms(
        run.tree(), run.inputs(block),
        {sites.data(), static_cast<int>(sites.size()), nullptr, 0, nullptr, at.J, nullptr, at.poses, false}, scratch);
    s.kernels.reactions(plan, at.terms(), tau, wrenches, loads, quality, at.scratch);
  }
  for (int k = 0; k < s.lanes; ++k) {
    if (!(quality[k] >= total[k])) total[k] = quality[k];  // also what is not a number
  }
  s.put_joint_wrenches(run, batch, block, worker, in, scratch);
}

/// Room for it. False where equations repeat others beside coupled joints: then states are computed one by one.
bool make_room_for_reactions(const BatchRunner& run, MechanismBatch& batch) {
  auto& s = batch.parts();
  make_room_for_wrenches(run, batch, 0);
  const bool apart = s.elimination.plan().clusters || s.mechanism.contents().redundant_rows.empty();
  if (!apart || batch.loop_wrenches.rows() == 0) return false;
  make_room_for_loads(run, batch,
                      [&](std::vector<LoadSite>& all) { put_load_sites(s.mechanism.contents().layout, all); });
  return true;
}

}  // namespace

void inverse_dynamics(MechanismBatch& batch, bool wrenches) {
  auto& s = batch.parts();
  const BatchRunner run("inverse_dynamics", s.mechanism.model(), batch.tree);
  run.check("tau", batch.tau, static_cast<int>(s.mechanism.actuated().size()));
  const ClosingPlan& plan = s.elimination.plan();
  if (plan.actuated_count < plan.free_count) {
    throw InputError("the mechanism has " + std::to_string(plan.free_count) + " degrees of freedom but " +
                     std::to_string(plan.actuated_count) + " actuators: no torques give any motion");
  }
  const bool alone = (wrenches && !make_room_for_reactions(run, batch)) || !batch.weights.empty();
  if (!alone) {
    const std::vector<int>& sites = s.mechanism.contents().layout.sites;
    s.make_room(run.workers(), sites.size(), s.scratch_of_loops());
    run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
      const auto at = s.room(worker, sites.size());
      const Inputs<double> in = run.loaded_inputs(b);
      run.kernels().inverse_dynamics(run.tree(), in, at.torques, nullptr, scratch);
      if (plan.direct && s.by_clusters()) {
        s.kernels.cluster_balance(run.tree(), in, plan, at.torques, run.values(batch.tau, b), run.values(s.quality, b),
                                  at.scratch, scratch);
      } else {
        run.kernels().control_terms(
            run.tree(), run.inputs(b),
            {sites.data(), static_cast<int>(sites.size()), nullptr, 0, nullptr, at.J, nullptr, at.poses, false},
            scratch);
        s.kernels.inverse(plan, at.terms(), run.values(batch.tau, b), run.values(s.quality, b), at.scratch);
      }
      if (wrenches) put_reactions(run, batch, b, worker, scratch);
    });
  }
  compute_singles(run, batch, alone, [&](int k, MechanismBatch::Parts::Single& m) {
    with_wrenches(batch, k, m, wrenches, [&](Matrix6X<double>* loops, Matrix6X<double>* joints) {
      inverse_dynamics<double>(s.mechanism, m.closed(), m.q, m.v, m.a, m.tau, &m.loads, loops, joints, m.weighing());
    });
    batch.tau.set(k, m.tau);
  });
}

void forward_dynamics(MechanismBatch& batch, bool wrenches) {
  auto& s = batch.parts();
  const BatchRunner run("forward_dynamics", s.mechanism.model(), batch.tree);
  require_inertia(s.mechanism.contents());
  run.check("tau", batch.tau, static_cast<int>(s.mechanism.actuated().size()));
  const bool alone = wrenches && !make_room_for_reactions(run, batch);
  if (!alone) {
    const ClosingPlan& plan = s.elimination.plan();
    const std::vector<int>& sites = s.mechanism.contents().layout.sites;
    s.make_room(run.workers(), sites.size(), s.scratch_of_loops());
    run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
      const auto at = s.room(worker, sites.size());
      if (s.by_clusters()) {
        s.kernels.cluster_forward(run.tree(), run.loaded_inputs(b), plan, run.values(batch.tau, b),
                                  run.values(batch.tree.a, b), run.values(s.quality, b), at.scratch, scratch);
      } else {
        put_terms(run, b, sites, plan.nv, at, scratch);
        s.kernels.forward(plan, at.terms(), run.values(batch.tree.v, b), run.values(batch.tau, b),
                          run.values(batch.tree.a, b), run.values(s.quality, b), at.scratch);
      }
      if (wrenches) put_reactions(run, batch, b, worker, scratch);
    });
  }
  compute_singles(run, batch, alone, [&](int k, MechanismBatch::Parts::Single& m) {
    with_wrenches(batch, k, m, wrenches, [&](Matrix6X<double>* loops, Matrix6X<double>* joints) {
      forward_dynamics<double>(s.mechanism, m.closed(), m.q, m.v, m.tau, m.a, &m.loads, loops, joints);
    });
    batch.tree.a.set(k, m.a);
  });
}

void inverse_dynamics(MechanismBatch& batch, std::span<const int> contacts, bool wrenches) {
  auto& s = batch.parts();
  const BatchRunner run("inverse_dynamics", s.mechanism.model(), batch.tree);
  require_contacts(s.mechanism.model(), contacts);
  if (wrenches) make_room_for_wrenches(run, batch, contacts.size());
  compute_singles(run, batch, true, [&](int k, MechanismBatch::Parts::Single& m) {
    with_wrenches(batch, k, m, wrenches, [&](Matrix6X<double>* loops, Matrix6X<double>* joints) {
      inverse_dynamics(s.mechanism, m.held, contacts, m.q, m.v, m.a, m.tree_tau, &m.loads, loops, joints, m.weighing());
    });
    batch.tree.tau.set(k, m.tree_tau);
  });
}

void forward_dynamics(MechanismBatch& batch, std::span<const int> contacts, bool wrenches) {
  auto& s = batch.parts();
  const Model& model = s.mechanism.model();
  const BatchRunner run("forward_dynamics", model, batch.tree);
  if (model.loops().empty()) require_invertible("forward_dynamics", model);
  require_contacts(model, contacts);
  const std::vector<int> parent = velocity_parents(model);
  const bool articulated = !model.coupled();
  std::vector<int> sites;
  std::vector<HeldPlan> held;
  int equations = 0;
  for (const int k : contacts) {
    const ContactSpec& contact = model.contacts()[static_cast<std::size_t>(k)];
    const int link = model.link(contact.link);
    const Transform<double> X_LC{contact.R_LC, contact.point};
    held.push_back({equations, equations_of(contact.type), last_velocity(model, link),
                    articulated ? end_on_body(model, link, X_LC) : closing_end(static_cast<int>(sites.size()), X_LC)});
    sites.push_back(link);
    equations += held.back().rows;
  }
  const ContactPlan plan{model.nv(),    equations,  static_cast<int>(held.size()), equations, s.mechanism.length(),
                         parent.data(), held.data()};
  // More equations than velocities repeat each other, which only single states can tell apart; where joints are coupled
  // wrenches are theirs, too.
  const bool alone = !model.loops().empty() || equations > model.nv() || (wrenches && !articulated);
  if (wrenches) {
    make_room_for_wrenches(run, batch, contacts.size());
    make_room_for_loads(run, batch, [&](std::vector<LoadSite>& all) {
      for (const int site : sites) all.push_back({site, false});
    });
  }
  if (!alone) {
    s.make_room(run.workers(), sites.size(), std::max(closing_scratch(plan), articulated_memory(plan)));
    run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
      const auto at = s.room(worker, sites.size());
      if (articulated) {
        Inputs<double> in = run.loaded_inputs(b);
        double* const loads = wrenches ? s.put_given_loads(worker, in) : nullptr;
        s.kernels.forward_articulated(run.tree(), in, plan, run.values(batch.tree.a, b),
                                      wrenches ? run.values(batch.loop_wrenches, b) : nullptr, loads,
                                      run.values(s.quality, b), at.scratch, scratch);
        for (std::size_t k = 0; k < contacts.size() && wrenches; ++k) {
          const Vec3<double>& p = model.contacts()[static_cast<std::size_t>(contacts[k])].point;
          for (int i = 0; i < 3; ++i) std::fill_n(loads + (9 * static_cast<long>(k) + 6 + i) * s.lanes, s.lanes, p[i]);
        }
        if (wrenches) s.put_joint_wrenches(run, batch, b, worker, in, scratch);
        return;
      }
      put_terms(run, b, sites, plan.nv, at, scratch);
      s.kernels.forward_held(plan, at.terms(), at.M, run.values(batch.tree.v, b), run.values(batch.tree.tau, b),
                             run.values(batch.tree.a, b), run.values(s.quality, b), at.scratch);
    });
  }
  compute_singles(run, batch, alone, [&](int k, MechanismBatch::Parts::Single& m) {
    with_wrenches(batch, k, m, wrenches, [&](Matrix6X<double>* loops, Matrix6X<double>* joints) {
      forward_dynamics(s.mechanism, m.held, contacts, m.q, m.v, m.tree_tau, m.a, &m.loads, loops, joints);
    });
    batch.tree.a.set(k, m.a);
  });
}

}  // namespace verne
