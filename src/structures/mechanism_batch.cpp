#include "verne/structures/mechanism_batch.h"

#include <optional>

#include "dynamics/batch_runner.h"
#include "dynamics/singular.h"
#include "structures/contact_parts.h"
#include "structures/elimination.h"
#include "verne/structures/closed_dynamics.h"

namespace verne {

struct MechanismBatch::Parts {
  Parts(const Mechanism& of, const Batch& batch)
      : mechanism(of), elimination(of.contents()), kernels(closing_kernels(batch.instruction_set())) {}

  /// Memory of one thread: what the tree's kernels write of the sites of a block, and scratch for ours.
  struct Room {
    double *M, *torques, *poses, *J, *drifts, *scratch;
    ClosingTerms terms() const { return {M, torques, poses, J, drifts}; }
  };
  Room room(int worker, std::size_t site_count) {
    const std::size_t n = static_cast<std::size_t>(mechanism.model().nv()),
                      lane_count = static_cast<std::size_t>(lanes);
    Room at{};
    double* next = memory[static_cast<std::size_t>(worker)].block(0);
    const auto take = [&](std::size_t values) { return std::exchange(next, next + values * lane_count); };
    at.M = take(n * n), at.torques = take(n), at.poses = take(12 * site_count), at.J = take(6 * n * site_count);
    at.drifts = take(6 * site_count), at.scratch = next;
    return at;
  }
  void make_room(int workers, std::size_t site_count, long scratch) {
    const std::size_t n = static_cast<std::size_t>(mechanism.model().nv());
    const auto values = static_cast<int>((n * n + n + (18 + 6 * n) * site_count + static_cast<std::size_t>(scratch)) *
                                         static_cast<std::size_t>(lanes));
    if (!memory.empty() && memory[0].rows() >= values) return;
    memory.clear();
    for (int k = 0; k < workers; ++k) memory.emplace_back(values, 1, 1);
  }

  Mechanism mechanism;
  Elimination elimination;
  const ClosingTable& kernels;
  int lanes = 1;
  std::vector<LaneArray> memory;
  LaneArray quality;
  int singles = 0;
};

namespace {

Loads<double> loads_of(const BatchRunner& run, const Batch& batch, int state) {
  Loads<double> loads;
  int row = 0;
  const auto three = [&] {
    row += 3;
    return Eigen::Vector3d(batch.load_values(row - 3, state), batch.load_values(row - 2, state),
                           batch.load_values(row - 1, state));
  };
  for (const LoadSite& at : run.load_sites()) {
    const Eigen::Vector3d force = three(), moment = three(), point = three();
    loads.add({at.site, force, moment, point, at.world_point ? At::world : At::link});
  }
  return loads;
}

/// single(state, loads) for each state whose quality is below one.
template <class F>
void compute_singles(MechanismBatch::Parts& s, const BatchRunner& run, const Batch& batch, F&& single) {
  s.singles = 0;
  for (int k = 0; k < batch.count(); ++k) {
    if (s.quality(0, k) >= 1) continue;
    ++s.singles;
    const Loads<double> loads = loads_of(run, batch, k);
    try {
      single(k, loads);
    } catch (const InputError& error) {
      throw InputError("state " + std::to_string(k) + ": " + error.what());
    }
  }
}

/// M, torques (bias, with loads) and the sites of a block, as forward dynamics needs them.
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

}  // namespace

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

void inverse_dynamics(MechanismBatch& batch) {
  auto& s = batch.parts();
  const BatchRunner run("inverse_dynamics", s.mechanism.model(), batch.tree);
  run.check("tau", batch.tau, static_cast<int>(s.mechanism.actuated().size()));
  const ClosingPlan& plan = s.elimination.plan();
  if (plan.actuated_count < plan.free_count) {
    throw InputError("the mechanism has " + std::to_string(plan.free_count) + " degrees of freedom but " +
                     std::to_string(plan.actuated_count) + " actuators: no torques give any motion");
  }
  const std::vector<int>& sites = s.mechanism.contents().layout.sites;
  s.make_room(run.workers(), sites.size(), closing_scratch(plan));
  run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
    const auto at = s.room(worker, sites.size());
    run.kernels().inverse_dynamics(run.tree(), run.loaded_inputs(b), at.torques, nullptr, scratch);
    run.kernels().control_terms(
        run.tree(), run.inputs(b),
        {sites.data(), static_cast<int>(sites.size()), nullptr, 0, nullptr, at.J, nullptr, at.poses, false}, scratch);
    s.kernels.inverse(plan, at.terms(), run.values(batch.tau, b), run.values(s.quality, b), at.scratch);
  });
  std::optional<MechanismData<double>> data;
  compute_singles(s, run, batch.tree, [&](int k, const Loads<double>& loads) {
    if (!data) data.emplace(s.mechanism);
    Eigen::VectorXd tau(plan.actuated_count);
    inverse_dynamics<double>(s.mechanism, *data, batch.tree.q.get(k), batch.tree.v.get(k), batch.tree.a.get(k), tau,
                             &loads);
    batch.tau.set(k, tau);
  });
}

void forward_dynamics(MechanismBatch& batch) {
  auto& s = batch.parts();
  const BatchRunner run("forward_dynamics", s.mechanism.model(), batch.tree);
  run.check("tau", batch.tau, static_cast<int>(s.mechanism.actuated().size()));
  const ClosingPlan& plan = s.elimination.plan();
  const std::vector<int>& sites = s.mechanism.contents().layout.sites;
  s.make_room(run.workers(), sites.size(), closing_scratch(plan));
  run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
    const auto at = s.room(worker, sites.size());
    put_terms(run, b, sites, plan.nv, at, scratch);
    s.kernels.forward(plan, at.terms(), run.values(batch.tree.v, b), run.values(batch.tau, b),
                      run.values(batch.tree.a, b), run.values(s.quality, b), at.scratch);
  });
  std::optional<MechanismData<double>> data;
  compute_singles(s, run, batch.tree, [&](int k, const Loads<double>& loads) {
    if (!data) data.emplace(s.mechanism);
    Eigen::VectorXd a(plan.nv);
    forward_dynamics<double>(s.mechanism, *data, batch.tree.q.get(k), batch.tree.v.get(k), batch.tau.get(k), a, &loads);
    batch.tree.a.set(k, a);
  });
}

void forward_dynamics(MechanismBatch& batch, std::span<const int> contacts) {
  auto& s = batch.parts();
  const Model& model = s.mechanism.model();
  const BatchRunner run("forward_dynamics", model, batch.tree);
  require_invertible("forward_dynamics", model);
  const std::vector<int> parent = velocity_parents(model);
  const bool articulated = !model.coupled();
  std::vector<int> sites;
  std::vector<HeldPlan> held;
  int equations = 0;
  for (const int k : contacts) {
    if (k < 0 || k >= static_cast<int>(model.contacts().size()))
      throw std::invalid_argument("contact " + std::to_string(k) + " does not exist");
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
  // More equations than velocities repeat each other, which only single states can tell apart.
  if (s.mechanism.model().loops().empty() && equations <= model.nv()) {
    s.make_room(run.workers(), sites.size(), std::max(closing_scratch(plan), articulated_memory(plan)));
    run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
      const auto at = s.room(worker, sites.size());
      if (articulated) {
        s.kernels.forward_articulated(run.tree(), run.loaded_inputs(b), plan, run.values(batch.tree.a, b),
                                      run.values(s.quality, b), at.scratch, scratch);
        return;
      }
      put_terms(run, b, sites, plan.nv, at, scratch);
      s.kernels.forward_held(plan, at.terms(), at.M, run.values(batch.tree.v, b), run.values(batch.tree.tau, b),
                             run.values(batch.tree.a, b), run.values(s.quality, b), at.scratch);
    });
  } else {
    for (int k = 0; k < batch.tree.count(); ++k) s.quality(0, k) = 0;
  }
  std::optional<ContactData> data;
  compute_singles(s, run, batch.tree, [&](int k, const Loads<double>& loads) {
    if (!data) data.emplace(s.mechanism);
    Eigen::VectorXd a(plan.nv);
    forward_dynamics(s.mechanism, *data, contacts, batch.tree.q.get(k), batch.tree.v.get(k), batch.tree.tau.get(k), a,
                     &loads);
    batch.tree.a.set(k, a);
  });
}

}  // namespace verne
