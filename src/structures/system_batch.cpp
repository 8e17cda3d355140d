#include "verne/structures/system_batch.h"

#include <utility>

#include "dynamics/hybrid.h"
#include "structures/batch_assembly.h"
#include "structures/closed_hybrid.h"
#include "structures/parallel_robot_batch.h"
#include "structures/system_batch_parts.h"

namespace verne {

namespace {

/// By how much the loops of a state of the tree may be open.
constexpr double kToldTolerance = 1e-9;

void fill(LaneArray& rows, const Values& column) {
  for (int k = 0; k < rows.count(); ++k) rows.set(k, column.eigen());
}

/// Runs a function of a tree's batch, and moves what it found to the place of systems.
template <class F>
void of_tree(SystemBatch& batch, LaneArray Batch::*from, LaneArray& to, F&& function) {
  function(batch.system().model(), batch.tree());
  std::swap(batch.tree().*from, to);
}

/// A vector or matrix of each state of a mechanism: compute(memory) → numbers.
template <class F>
void of_mechanism(SystemBatch& batch, const char* name, LaneArray& to, int rows, F&& compute) {
  SystemBatch::Parts& s = batch.parts();
  const BatchRunner run(name, s.c.model, s.tree());
  run.room(to, rows);
  s.for_each_single(run, [&](int k, MechanismBatch::Parts::Single& m) {
    const Eigen::MatrixXd found = compute(m);
    if (rows > 0) to.set(k, found.reshaped());
  });
}

/// Forces along the independent coordinates at rest, or as fast as the state is.
Eigen::MatrixXd closed_forces(const Mechanism& mechanism, MechanismBatch::Parts::Single& m, bool at_rest) {
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(mechanism.mobility());
  Eigen::VectorXd free = none, v(m.v.size()), a(m.a.size()), forces(none.size());
  for (Eigen::Index k = 0; k < free.size() && !at_rest; ++k) {
    free[k] = m.v[mechanism.independent()[static_cast<std::size_t>(k)]];
  }
  closed_motion<double>(mechanism, m.closed(), m.q, free, none, v, a);
  generalized_forces<double>(mechanism, m.closed(), m.q, v, a, forces);
  return forces;
}

Eigen::MatrixXd closed_mass(const Mechanism& mechanism, MechanismBatch::Parts::Single& m) {
  Eigen::MatrixXd M(mechanism.mobility(), mechanism.mobility());
  mass_matrix<double>(mechanism, m.closed(), m.q, M);
  return M;
}

}  // namespace

SystemBatch::SystemBatch(const System& system, int count, const BatchOptions& options)
    : parts_(std::make_unique<Parts>(system, count, options)) {
  Parts& s = *parts_;
  s.connected.assign(static_cast<std::size_t>(count), 1);
  s.spare = LaneArray(system.model().nv(), count, s.tree().lanes());
  if (!s.c.closed()) return;
  s.q = LaneArray(system.nq(), count, s.tree().lanes());
  s.v = LaneArray(system.nv(), count, s.tree().lanes());
  s.a = LaneArray(system.nv(), count, s.tree().lanes());
  fill(s.q, s.c.mechanism.independent_home());
  fill(s.tree().q, s.c.mechanism.home());
}
SystemBatch::SystemBatch(SystemBatch&&) noexcept = default;
SystemBatch& SystemBatch::operator=(SystemBatch&&) noexcept = default;
SystemBatch::~SystemBatch() = default;

const System& SystemBatch::system() const {
  return parts_->system;
}
LaneArray& SystemBatch::q() {
  return parts_->c.closed() ? parts_->q : tree().q;
}
LaneArray& SystemBatch::v() {
  return parts_->c.closed() ? parts_->v : tree().v;
}
LaneArray& SystemBatch::a() {
  return parts_->c.closed() ? parts_->a : tree().a;
}
LaneArray& SystemBatch::tau() {
  return parts_->c.closed() ? parts_->mechanism.tau : tree().tau;
}
Batch& SystemBatch::tree() {
  return parts_->tree();
}
const Batch& SystemBatch::tree() const {
  return parts_->mechanism.tree;
}
std::span<const char> SystemBatch::connected() const {
  return parts_->connected;
}
void SystemBatch::count_from(std::size_t number) {
  parts_->mechanism.parts().first_number = number;
}
int SystemBatch::singles() const {
  return parts_->singles;
}

void SystemBatch::Parts::put_motor_torques() {
  if (!c.closed()) return;
  const auto actuated = c.mechanism.actuated();
  for (int k = 0; k < tree().count(); ++k) {
    auto all = tree().tau.column(k);
    all.setZero();
    for (std::size_t i = 0; i < actuated.size(); ++i) all[actuated[i]] = mechanism.tau(static_cast<int>(i), k);
  }
}

void SystemBatch::Parts::take_motor_torques() {
  if (!c.closed()) return;
  const auto actuated = c.mechanism.actuated();
  for (int k = 0; k < tree().count(); ++k) {
    for (std::size_t i = 0; i < actuated.size(); ++i) {
      mechanism.tau(static_cast<int>(i), k) = tree().tau.column(k)[actuated[i]];
    }
  }
}

void SystemBatch::Parts::take_accelerations() {
  if (!c.closed()) return;
  const auto independent = c.mechanism.independent();
  for (int k = 0; k < tree().count(); ++k) {
    for (std::size_t i = 0; i < independent.size(); ++i) {
      a(static_cast<int>(i), k) = tree().a.column(k)[independent[i]];
    }
  }
}

void SystemBatch::Parts::put_weights(const LaneArray& weights) {
  if (weights.empty()) {
    mechanism.weights = {};
    return;
  }
  const auto actuated = c.mechanism.actuated();
  BatchRunner("inverse_dynamics", c.model, tree()).check("weights", weights, system.torques());
  mechanism.weights = LaneArray(c.motors(), weights.count(), weights.lanes());
  for (int k = 0; k < weights.count(); ++k) {
    for (int i = 0; i < c.motors(); ++i) {
      mechanism.weights(i, k) = weights(c.closed() ? i : actuated[static_cast<std::size_t>(i)], k);
    }
  }
}

void SystemBatch::set_tree(int state, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a) {
  Parts& s = *parts_;
  if (!s.c.closed()) {
    tree().q.set(state, q), tree().v.set(state, v), tree().a.set(state, a);
    return;
  }
  if (s.told_q.empty()) {
    s.told_q = LaneArray(s.c.model.nq(), count(), tree().lanes());
    s.told_v = LaneArray(s.c.model.nv(), count(), tree().lanes());
    s.told_a = LaneArray(s.c.model.nv(), count(), tree().lanes());
  }
  s.told_q.set(state, q), s.told_v.set(state, v), s.told_a.set(state, a);
  s.told.resize(static_cast<std::size_t>(count()));
  s.told[static_cast<std::size_t>(state)] = 1;
}

void SystemBatch::Parts::leave_told(LaneArray& guess) {
  for (int k = 0; k < static_cast<int>(told.size()); ++k) {
    if (!told[static_cast<std::size_t>(k)]) continue;
    q.set(k, c.mechanism.independent_home().eigen());
    v.column(k).setZero(), a.column(k).setZero();
    if (!guess.empty()) guess.set(k, c.mechanism.home().eigen());
  }
}

void SystemBatch::Parts::take_told() {
  if (told.empty()) return;
  const std::vector<char> these = std::exchange(told, {});
  const BatchRunner run("assemble", c.model, tree());
  compute_singles(run, mechanism, true, [&](int k, MechanismBatch::Parts::Single& m) {
    if (!these[static_cast<std::size_t>(k)]) return;
    m.q = told_q.column(k), m.v = told_v.column(k), m.a = told_a.column(k);
    if (c.given) {  // accelerations that are found need not be told
      const std::vector<int> independent(c.mechanism.independent().begin(), c.mechanism.independent().end());
      const Eigen::VectorXd own_v = m.v(independent), own_a = m.a(independent);
      Eigen::VectorXd all_v(m.v.size());
      closed_motion<double>(c.mechanism, m.closed(), m.q, own_v, own_a, all_v, m.a);
    }
    require_closed(c.mechanism, m.closed(), m.q, m.v, m.a, kToldTolerance);
    tree().q.set(k, m.q), tree().v.set(k, m.v), tree().a.set(k, m.a);
    connected[static_cast<std::size_t>(k)] = 1;
  });
}

void assemble(SystemBatch& batch) {
  SystemBatch::Parts& s = batch.parts();
  if (!s.c.closed()) return;
  s.leave_told(batch.guess);
  assemble(s.mechanism, s.q, s.v, s.a, batch.guess.empty() ? nullptr : &batch.guess, s.connected);
  s.singles = s.mechanism.singles();
  s.take_told();
}

void inverse_dynamics(SystemBatch& batch, bool wrenches) {
  SystemBatch::Parts& s = batch.parts();
  s.singles = 0;
  if (!s.c.joined()) {
    inverse_dynamics(s.c.model, s.tree(), wrenches);
    if (wrenches) std::swap(s.tree().joint_wrenches, batch.joint_wrenches);
    return;
  }
  s.put_weights(batch.weights);
  if (!s.c.contacts.empty()) {
    inverse_dynamics(s.mechanism, s.c.contacts, wrenches);
    s.take_motor_torques();
  } else if (s.c.legs && !wrenches && batch.weights.empty()) {
    inverse_dynamics(*s.c.legs, s.mechanism);
  } else {
    inverse_dynamics(s.mechanism, wrenches);
  }
  s.singles = s.mechanism.singles();
  if (!wrenches) return;
  std::swap(s.tree().joint_wrenches, batch.joint_wrenches);
  std::swap(s.mechanism.loop_wrenches, batch.loop_wrenches);
}

namespace {

/// Accelerations that are given are read, and their torques found.
void complete_motions(SystemBatch& batch, bool wrenches) {
  SystemBatch::Parts& s = batch.parts();
  if (!s.c.closed()) return hybrid_dynamics(s.c.model, s.tree(), *s.c.given, wrenches);
  const Mechanism& mechanism = s.c.mechanism;
  const BatchRunner run("forward_dynamics", s.c.model, s.tree());
  if (wrenches) {
    run.room(s.mechanism.loop_wrenches, 6 * batch.system().closures());
    run.room(s.tree().joint_wrenches, 6 * static_cast<int>(s.c.model.joints().size()));
  }
  s.for_each_single(run, [&](int k, MechanismBatch::Parts::Single& m) {
    Eigen::VectorXd tau = all_torques(s.c, m.tau);
    if (wrenches) m.loops.resize(6, batch.system().closures());
    hybrid_dynamics(mechanism, m.closed(), *s.c.given, m.q, m.v, m.a, tau, &m.loads, wrenches ? &m.loops : nullptr,
                    wrenches ? &m.joints : nullptr);
    keep_motors(s.c, tau, m.tau);
    s.tree().a.set(k, m.a), s.mechanism.tau.set(k, m.tau);
    if (!wrenches) return;
    s.mechanism.loop_wrenches.matrix(k, 6) = m.loops;
    s.tree().joint_wrenches.matrix(k, 6) = m.joints;
  });
}

}  // namespace

void forward_dynamics(SystemBatch& batch, bool wrenches) {
  SystemBatch::Parts& s = batch.parts();
  s.singles = 0;
  if (s.c.given) {
    complete_motions(batch, wrenches);
  } else if (!s.c.joined()) {
    forward_dynamics(s.c.model, s.tree(), wrenches);
  } else {
    if (!s.c.contacts.empty()) {
      s.put_motor_torques();
      forward_dynamics(s.mechanism, s.c.contacts, wrenches);
    } else if (s.c.legs && !wrenches) {
      forward_dynamics(*s.c.legs, s.mechanism);
    } else {
      forward_dynamics(s.mechanism, wrenches);
    }
    s.singles = s.mechanism.singles();
  }
  s.take_accelerations();
  if (!wrenches) return;
  std::swap(s.tree().joint_wrenches, batch.joint_wrenches);
  std::swap(s.mechanism.loop_wrenches, batch.loop_wrenches);
}

void bias_torques(SystemBatch& batch) {
  const System::Contents& c = batch.parts().c;
  if (!c.closed()) {
    return of_tree(batch, &Batch::bias, batch.bias, [](const Model& m, Batch& b) { bias_torques(m, b); });
  }
  of_mechanism(batch, "bias_torques", batch.bias, batch.system().nv(),
               [&](MechanismBatch::Parts::Single& m) { return closed_forces(c.mechanism, m, false); });
}

void gravity_torques(SystemBatch& batch) {
  const System::Contents& c = batch.parts().c;
  if (!c.closed()) {
    return of_tree(batch, &Batch::gravity, batch.gravity, [](const Model& m, Batch& b) { gravity_torques(m, b); });
  }
  of_mechanism(batch, "gravity_torques", batch.gravity, batch.system().nv(),
               [&](MechanismBatch::Parts::Single& m) { return closed_forces(c.mechanism, m, true); });
}

void mass_matrix(SystemBatch& batch) {
  const System::Contents& c = batch.parts().c;
  if (!c.closed()) {
    return of_tree(batch, &Batch::mass_matrix, batch.mass_matrix, [](const Model& m, Batch& b) { mass_matrix(m, b); });
  }
  const int n = batch.system().nv();
  of_mechanism(batch, "mass_matrix", batch.mass_matrix, n * n,
               [&](MechanismBatch::Parts::Single& m) { return closed_mass(c.mechanism, m); });
}

void inverse_mass_matrix(SystemBatch& batch) {
  const System::Contents& c = batch.parts().c;
  if (!c.closed()) {
    return of_tree(batch, &Batch::inverse_mass_matrix, batch.inverse_mass_matrix,
                   [](const Model& m, Batch& b) { inverse_mass_matrix(m, b); });
  }
  require_inertia(c.mechanism.contents());
  const int n = batch.system().nv();
  of_mechanism(batch, "inverse_mass_matrix", batch.inverse_mass_matrix, n * n, [&](MechanismBatch::Parts::Single& m) {
    return solution(closed_mass(c.mechanism, m), Eigen::MatrixXd::Identity(n, n));
  });
}

}  // namespace verne
