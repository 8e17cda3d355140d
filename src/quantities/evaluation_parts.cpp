#include "quantities/evaluation_parts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "verne/dynamics/regressor.h"

namespace verne {

namespace {

/// All numbers of arrays that have the same shape.
void copy_numbers(LaneArray& from, LaneArray& to) {
  if (from.empty() || from.count() == 0) return;
  const int blocks = (from.count() + from.lanes() - 1) / from.lanes();
  std::copy_n(from.block(0), static_cast<std::ptrdiff_t>(blocks) * from.rows() * from.lanes(), to.block(0));
}

/// Two arrays in each other's place for as long as this lives, whatever is thrown.
class Swapped {
 public:
  Swapped(LaneArray& a, LaneArray& b) : a_(a), b_(b) { std::swap(a_, b_); }
  ~Swapped() { std::swap(a_, b_); }
  Swapped(const Swapped&) = delete;
  Swapped& operator=(const Swapped&) = delete;

 private:
  LaneArray &a_, &b_;
};

/// Numbers that are put back when this ends, whatever is thrown.
class Kept {
 public:
  Kept(LaneArray& of, LaneArray& memory) : of_(of), memory_(memory) { copy_numbers(of_, memory_); }
  ~Kept() { copy_numbers(memory_, of_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  LaneArray &of_, &memory_;
};

}  // namespace

EvaluationParts::EvaluationParts(const System& of, int capacity, const BatchOptions& options)
    : system(of),
      model(of.model()),
      states(of, capacity, options),
      batch(states.tree()),
      torques(of.torques(), capacity, batch.lanes()),
      accelerations(of.nv(), capacity, batch.lanes()),
      of_tree(model.nv(), capacity, batch.lanes()),
      of_site(static_cast<std::size_t>(model.site_count())) {
  if (!of.given()) return;
  given_a = LaneArray(of.nv(), capacity, batch.lanes()), given_tau = LaneArray(of.torques(), capacity, batch.lanes());
}

bool EvaluationParts::wants_any(Quantity quantity) const {
  return std::any_of(wants.begin(), wants.end(), [&](const WantedQuantity& w) { return w.quantity == quantity; });
}

bool EvaluationParts::wrenches_by_tau() const {
  return wants_any(Quantity::acceleration) && !wants_any(Quantity::tau);
}

bool EvaluationParts::wrench_derivatives_by_tau() const {
  const bool forward = wants_any(Quantity::acceleration) || wants_any(Quantity::d_acceleration);
  return closures() > 0 && forward && !wants_any(Quantity::tau) && !wants_any(Quantity::d_tau);
}

void EvaluationParts::make_arrays() {
  arrays.clear();
  for (std::size_t k = 0; k < wants.size(); ++k)
    arrays.push_back(entry_of(wants[k].quantity).arrays(*this, wants[k], k));
}

/// The batch has a place for every kind of load (its site, and where its point is fixed), as often as one state needs
/// it; where a state does not use it, it has a force of zero. The map's order makes the order of summation that of the
/// kinds, whatever the states are.
void EvaluationParts::set_loads(std::span<const Loads<double>> lists) {
  using Kind = std::pair<int, int>;
  const auto kind_of = [](const LoadSite& site) { return Kind{site.site, site.world_point}; };
  std::map<Kind, int> needed, first;
  for (const Loads<double>& list : lists) {
    std::map<Kind, int> used;
    for (int i = 0; i < list.size(); ++i) {
      int& count = needed[kind_of(list.sites()[i])];
      count = std::max(count, ++used[kind_of(list.sites()[i])]);
    }
  }
  loads_of.clear();
  if (needed.empty() && load_count == 0) return;
  std::vector<LoadSite> sites;
  for (const auto& [kind, count] : needed) {
    first[kind] = static_cast<int>(sites.size());
    sites.insert(sites.end(), static_cast<std::size_t>(count), LoadSite{kind.first, kind.second});
  }
  const bool changed = static_cast<int>(sites.size()) != load_count;
  load_count = static_cast<int>(sites.size());
  batch.set_loads(std::move(sites));
  loads_of.resize(lists.size() == 1 ? 1 : static_cast<std::size_t>(batch.count()));
  for (std::size_t s = 0; s < lists.size(); ++s) {
    std::map<Kind, int> next = first;
    for (int i = 0; i < lists[s].size(); ++i) loads_of[s].push_back(next[kind_of(lists[s].sites()[i])]++);
  }
  for (int k = 0; k < batch.count() && !lists.empty(); ++k) {
    const std::size_t s = lists.size() == 1 ? 0 : static_cast<std::size_t>(k);
    if (s >= lists.size()) break;
    for (int i = 0; i < lists[s].size(); ++i) {
      const int row = kLoadRows * loads_of[s][static_cast<std::size_t>(i)];
      for (int j = 0; j < kLoadRows; ++j) batch.load_values(row + j, k) = lists[s].values()[kLoadRows * i + j];
    }
  }
  if (changed) make_arrays();
}

/// Wrenches go with the torques, or with the accelerations where these alone are wanted; motions hold poses, too.
void EvaluationParts::add_step(Quantity quantity) {
  QuantityStep step = entry_of(quantity).step;
  const bool motions = wants_any(Quantity::link_velocities) || wants_any(Quantity::link_accelerations);
  if (step == QuantityStep::poses && motions) step = QuantityStep::motions;
  const bool of_wrenches = quantity == Quantity::joint_wrenches || quantity == Quantity::loop_wrenches;
  if (of_wrenches && wrenches_by_tau()) step = QuantityStep::forward_dynamics;
  const bool by_tau = quantity != Quantity::d_tau && wrench_derivatives_by_tau();
  if (step == QuantityStep::torque_derivatives && (system.given() || by_tau)) {
    step = QuantityStep::acceleration_derivatives;
  }
  if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
}

void EvaluationParts::run(QuantityStep step) {
  const bool wrenches = wants_any(Quantity::joint_wrenches) || wants_any(Quantity::loop_wrenches);
  const bool forward_wrenches = wrenches && wrenches_by_tau();
  switch (step) {
    case QuantityStep::inverse_dynamics:
      return run_inverse(wrenches && !forward_wrenches);
    case QuantityStep::forward_dynamics:
      return run_forward(forward_wrenches);
    case QuantityStep::bias:
      return done_by_others(Quantity::bias) ? void() : bias_torques(states);
    case QuantityStep::gravity:
      return done_by_others(Quantity::gravity) ? void() : gravity_torques(states);
    case QuantityStep::mass_matrix:
      return done_by_others(Quantity::mass_matrix) ? void() : verne::mass_matrix(states);
    case QuantityStep::inverse_mass_matrix:
      return verne::inverse_mass_matrix(states);
    case QuantityStep::coriolis_matrix:
      return verne::coriolis_matrix(model, batch);
    case QuantityStep::centroidal_momentum_matrix:
      return verne::centroidal_momentum_matrix(model, batch);
    case QuantityStep::poses:
    case QuantityStep::motions:
      return forward_kinematics(model, batch, step == QuantityStep::motions);
    case QuantityStep::jacobians:
      return run_jacobians();
    case QuantityStep::whole_body:
      return whole_body_state(model, batch);
    case QuantityStep::torque_derivatives:
      return run_torque_derivatives();
    case QuantityStep::acceleration_derivatives:
      return system.given() ? run_completed_derivatives() : run_acceleration_derivatives();
    case QuantityStep::site_derivatives:
      return run_sites();
    case QuantityStep::centroidal_derivatives:
      return centroidal_derivatives(model, batch, centroidal);
    case QuantityStep::regressor:
      return verne::regressor(model, batch, regressor);
    case QuantityStep::none:
      return;
  }
}

void EvaluationParts::run_inverse(bool wrenches) {
  const Swapped found(states.tau(), torques);
  if (!done_by_others(Quantity::tau)) inverse_dynamics(states, wrenches);
}

void EvaluationParts::run_torque_derivatives() {
  if (done_by_others(Quantity::d_tau)) return;
  const bool wrenches = wants_any(Quantity::d_joint_wrenches) || wants_any(Quantity::d_loop_wrenches);
  inverse_dynamics_derivatives(states, wrenches && !wrench_derivatives_by_tau(), wants_any(Quantity::d_tau));
}

void EvaluationParts::run_acceleration_derivatives() {
  if (done_by_others(Quantity::d_acceleration)) return;
  const bool wrenches = wants_any(Quantity::d_joint_wrenches) || wants_any(Quantity::d_loop_wrenches);
  forward_dynamics_derivatives(states, wrenches && wrench_derivatives_by_tau(), wants_any(Quantity::d_acceleration));
}

void EvaluationParts::run_forward(bool wrenches) {
  std::optional<Swapped> found;
  if (!model.loops().empty()) found.emplace(batch.a, of_tree);
  const Swapped own_found(states.a(), accelerations);
  if (!done_by_others(Quantity::acceleration)) forward_dynamics(states, wrenches);
}

void EvaluationParts::run_completed() {
  const Kept a(states.a(), given_a), tau(states.tau(), given_tau);
  forward_dynamics(states, wants_any(Quantity::joint_wrenches) || wants_any(Quantity::loop_wrenches));
  copy_numbers(states.tau(), torques), copy_numbers(states.a(), accelerations);
  for (const QuantityStep step : steps) {
    if (step != QuantityStep::inverse_dynamics && step != QuantityStep::forward_dynamics) run(step);
  }
}

/// What is found of a motion varies with everything, what is given with itself alone.
void EvaluationParts::run_completed_derivatives() {
  const bool wrenches = wants_any(Quantity::d_joint_wrenches);
  forward_dynamics_derivatives(states, wrenches, true);
  const GivenAccelerations& given = *system.given();
  const auto make_room = [&](CompletedDerivatives& out, int rows) {
    for (LaneArray* const array : {&out.q, &out.v, &out.a, &out.tau}) {
      if (array->empty()) *array = LaneArray(rows, batch.count(), batch.lanes());
    }
  };
  const int n = nv();
  make_room(d_completed_tau, n * n), make_room(d_completed_a, n * n);
  for (int k = 0; k < batch.count(); ++k) {
    const BatchDerivatives& d = states.d_acceleration;
    const auto dq = std::as_const(d.dq).matrix(k, n), dv = std::as_const(d.dv).matrix(k, n),
               dx = std::as_const(d.dx).matrix(k, n);
    for (const bool torque : {true, false}) {
      CompletedDerivatives& out = torque ? d_completed_tau : d_completed_a;
      auto by_q = out.q.matrix(k, n), by_v = out.v.matrix(k, n), by_a = out.a.matrix(k, n),
           by_tau = out.tau.matrix(k, n);
      if (load_count > 0) {
        if (out.loads.rows() != 9 * n * load_count) {
          out.loads = LaneArray(9 * n * load_count, batch.count(), batch.lanes());
        }
        auto by_loads = out.loads.matrix(k, n);
        by_loads = std::as_const(states.d_acceleration_loads).matrix(k, n);
        for (int i = 0; i < n; ++i) {
          if (given[i] != torque) by_loads.row(i).setZero();
        }
      }
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          const bool found = given[i] == torque;
          const double by_given = found ? dx(i, j) : i == j ? 1.0 : 0.0;
          by_q(i, j) = found ? dq(i, j) : 0, by_v(i, j) = found ? dv(i, j) : 0;
          by_a(i, j) = given[j] ? by_given : 0, by_tau(i, j) = given[j] ? 0 : by_given;
        }
      }
    }
  }
  if (!wrenches) return;
  make_room(d_completed_wrenches, 6 * n * joints());
  copy_numbers(states.d_joint_wrenches.dq, d_completed_wrenches.q);
  copy_numbers(states.d_joint_wrenches.dv, d_completed_wrenches.v);
  for (int k = 0; k < batch.count(); ++k) {
    const auto dx = std::as_const(states.d_joint_wrenches.dx).matrix(k, 6);
    auto by_a = d_completed_wrenches.a.matrix(k, 6), by_tau = d_completed_wrenches.tau.matrix(k, 6);
    for (int j = 0; j < n * joints(); ++j) {
      by_a.col(j) = dx.col(j) * (given[j % n] ? 1.0 : 0.0), by_tau.col(j) = dx.col(j) * (given[j % n] ? 0.0 : 1.0);
    }
  }
}

void EvaluationParts::run_jacobians() {
  for (std::size_t k = 0; k < wants.size(); ++k) {
    const bool rate = wants[k].quantity == Quantity::jacobian_rate;
    if (!rate && wants[k].quantity != Quantity::jacobian) continue;
    jacobian(model, batch, wants[k].site, rate);
    std::swap(batch.jacobian, jacobians[k].J);
    if (rate) std::swap(batch.jacobian_rate, jacobians[k].rate);
  }
}

/// Those of all sites, one after the other in the rows.
void EvaluationParts::run_sites() {
  const int rows = 6 * nv();
  const auto gather = [&](LaneArray BatchSiteDerivatives::*part) {
    LaneArray& all = of_sites.*part;
    if (all.empty()) all = LaneArray(rows * sites(), batch.count(), batch.lanes());
    const int lanes = batch.lanes(), blocks = (batch.count() + lanes - 1) / lanes;
    for (int b = 0; b < blocks; ++b) {
      double* to = all.block(b);
      for (BatchSiteDerivatives& one : of_site) to = std::copy_n((one.*part).block(b), rows * lanes, to);
    }
  };
  for (int site = 0; site < sites(); ++site) {
    site_derivatives(model, batch, site, of_site[static_cast<std::size_t>(site)]);
  }
  if (rows == 0) return;
  gather(&BatchSiteDerivatives::J), gather(&BatchSiteDerivatives::velocity_dq);
  gather(&BatchSiteDerivatives::acceleration_dq), gather(&BatchSiteDerivatives::acceleration_dv);
}

QuantityArray EvaluationParts::array(const char* part, const LaneArray& rows, int first, std::vector<int> shape,
                                     std::vector<int> strides) const {
  QuantityArray out;
  out.part = part, out.shape = std::move(shape);
  out.rows_ = &rows, out.first_row_ = first, out.strides_ = std::move(strides);
  return out;
}

QuantityArray EvaluationParts::vector(const char* part, const LaneArray& rows, int size, int first) const {
  return array(part, rows, first, {size}, {1});
}

QuantityArray EvaluationParts::number(const char* part, const LaneArray& rows, int row) const {
  return array(part, rows, row, {}, {});
}

QuantityArray EvaluationParts::matrix(const char* part, const LaneArray& rows, int height, int width, int first) const {
  return array(part, rows, first, {height, width}, {1, height});
}

std::vector<QuantityArray> EvaluationParts::of_completed(const CompletedDerivatives& of, int items, int height) const {
  const auto one = [&](const char* part, const LaneArray& rows) {
    return items == 0 ? matrix(part, rows, height, nv()) : matrices(part, rows, items, height, nv());
  };
  std::vector<QuantityArray> out{one("q", of.q), one("v", of.v), one("a", of.a), one("tau", of.tau)};
  if (items == 0 && load_count > 0) out.push_back(matrices("loads", of.loads, load_count, height, 9));
  return out;
}

std::vector<QuantityArray> EvaluationParts::of_dynamics(const BatchDerivatives& of, const LaneArray& by_loads,
                                                        bool forward) const {
  const int rows = forward ? n() : m(), columns = forward ? m() : n();
  std::vector<QuantityArray> out{matrix("q", of.dq, rows, n()), matrix("v", of.dv, rows, n()),
                                 matrix(forward ? "tau" : "a", of.dx, rows, columns)};
  if (load_count > 0) out.push_back(matrices("loads", by_loads, load_count, rows, 9));
  return out;
}

std::vector<QuantityArray> EvaluationParts::of_wrenches(const BatchDerivatives& of, int items) const {
  const bool by_tau = wrench_derivatives_by_tau();
  return {matrices("q", of.dq, items, 6, n()), matrices("v", of.dv, items, 6, n()),
          by_tau ? matrices("tau", of.dx, items, 6, m()) : matrices("a", of.dx, items, 6, n())};
}

QuantityArray EvaluationParts::vectors(const char* part, const LaneArray& rows, int items, int apart, int size,
                                       int first) const {
  return array(part, rows, first, {items, size}, {apart, 1});
}

QuantityArray EvaluationParts::matrices(const char* part, const LaneArray& rows, int items, int height,
                                        int width) const {
  return array(part, rows, 0, {items, height, width}, {height * width, 1, height});
}

QuantityArray EvaluationParts::rotation(const char* part, const LaneArray& rows, int first) const {
  return array(part, rows, first, {3, 3}, {3, 1});
}

QuantityArray EvaluationParts::rotations(const char* part, const LaneArray& rows, int items, int apart,
                                         int first) const {
  return array(part, rows, first, {items, 3, 3}, {apart, 3, 1});
}

}  // namespace verne
