#include "closed_results.h"

#include <algorithm>

#include "structures/closed_dynamics.h"

namespace verne::cli {

namespace {

/// By how much the loops of a given tree state may be open.
constexpr double kGivenTreeTolerance = 1e-9;

Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

std::vector<double> as_list(const Values& values) {
  return {values.begin(), values.end()};
}

Loads<double> loads_of(const StateLine& line) {
  const auto eigen = [](const Vec3<double>& v) { return Eigen::Vector3d(v.x, v.y, v.z); };
  Loads<double> loads;
  for (const LoadLine& load : line.loads) {
    loads.add(
        {load.site, eigen(load.force), eigen(load.moment), eigen(load.point), load.world_point ? At::world : At::link});
  }
  return loads;
}

}  // namespace

bool is_closed_result(Quantity quantity) {
  switch (quantity) {
    case Quantity::tau:
    case Quantity::acceleration:
    case Quantity::bias:
    case Quantity::gravity:
    case Quantity::mass_matrix:
    case Quantity::inverse_mass_matrix:
    case Quantity::joint_wrenches:
    case Quantity::d_tau:
    case Quantity::d_acceleration:
    case Quantity::d_joint_wrenches:
    case Quantity::d_loop_wrenches:
    case Quantity::tree:
    case Quantity::loop_wrenches:
    case Quantity::undetermined:
    case Quantity::null_space_torques:
      return true;
    default:
      return false;
  }
}

bool is_contact_result(Quantity quantity, bool held) {
  switch (quantity) {
    case Quantity::loop_wrenches:
    case Quantity::d_loop_wrenches:
    case Quantity::undetermined:
    case Quantity::null_space_torques:
      return true;
    case Quantity::tau:
    case Quantity::acceleration:
    case Quantity::joint_wrenches:
    case Quantity::d_tau:
    case Quantity::d_acceleration:
    case Quantity::d_joint_wrenches:
      return held;
    default:
      return false;
  }
}

StateShape closed_shape(const Mechanism& mechanism) {
  StateShape shape{as_list(mechanism.independent_home()),
                   {},
                   mechanism.mobility(),
                   static_cast<int>(mechanism.actuated().size()),
                   true};
  const auto places = mechanism.independent_positions();
  for (const StateShape::Quaternion& quaternion : state_shape(mechanism.model()).quaternions) {
    const auto at = std::find(places.begin(), places.end(), quaternion.index);
    if (at == places.end()) continue;
    shape.quaternions.push_back({static_cast<int>(at - places.begin()), quaternion.joint});
  }
  return shape;
}

TreeState close_line(const Mechanism& mechanism, MechanismData<double>& data, const StateLine& line) {
  const Model& model = mechanism.model();
  TreeState out;
  if (line.of_tree || model.loops().empty()) {
    out = {line.q, line.v, line.a, true};
    if (line.of_tree) {
      require_closed(mechanism, data, out.q.eigen(), out.v.eigen(), out.a.eigen(), kGivenTreeTolerance);
    }
    return out;
  }
  out.q.resize(model.nq()), out.v.resize(model.nv()), out.a.resize(model.nv());
  const Eigen::VectorXd guess = line.guess.empty() ? mechanism.home().eigen() : as_vector(line.guess);
  out.connected = assemble(mechanism, data, as_vector(line.q), guess, out.q.eigen());
  closed_motion(mechanism, data, out.q.eigen(), as_vector(line.v), as_vector(line.a), out.v.eigen(), out.a.eigen());
  return out;
}

ClosedSolver::ClosedSolver(const System& system, std::vector<Want> wants)
    : mechanism_(system.mechanism()), wants_(std::move(wants)), data_(mechanism_), contact_data_(mechanism_) {
  if (system.given()) given_ = *system.given();
}

bool ClosedSolver::wants(Quantity quantity) const {
  return std::any_of(wants_.begin(), wants_.end(), [&](const Want& want) { return want.quantity == quantity; });
}

bool ClosedSolver::wants_wrench_derivatives() const {
  return wants(Quantity::d_joint_wrenches) || wants(Quantity::d_loop_wrenches);
}

bool ClosedSolver::wrenches_by_tau() const {
  const bool forward = wants(Quantity::acceleration) || wants(Quantity::d_acceleration);
  return forward && !wants(Quantity::tau) && !wants(Quantity::d_tau);
}

std::optional<Values> ClosedSolver::actuator_weights(const StateLine& line) const {
  if (line.weights.empty()) return std::nullopt;
  if (!mechanism_.model().loops().empty()) return line.weights;
  return Eigen::VectorXd(as_vector(line.weights)(mechanism_.actuated()));
}

Eigen::VectorXd ClosedSolver::tree_torques(const StateLine& line) const {
  if (mechanism_.model().loops().empty()) return as_vector(line.tau);
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(mechanism_.model().nv());
  tau(mechanism_.actuated()) = as_vector(line.tau);
  return tau;
}

Eigen::VectorXd ClosedSolver::independent(const Eigen::VectorXd& all) const {
  Eigen::VectorXd some(mechanism_.mobility());
  for (Eigen::Index k = 0; k < some.size(); ++k) some[k] = all[mechanism_.independent()[static_cast<std::size_t>(k)]];
  return some;
}

ClosedResults ClosedSolver::solve(StateLine& line, const std::optional<ClosedStates::Line>& known) {
  ClosedResults out;
  out.contacts = line.contacts;
  const Loads<double> loads = loads_of(line);
  if (given_ && line.of_tree) {  // accelerations that are found need not be told
    const auto motion = closed_motion<double>(mechanism_, data_, as_vector(line.q), independent(as_vector(line.v)),
                                              independent(as_vector(line.a)));
    line.a.assign(motion.a.begin(), motion.a.end());
  }
  if (known) {
    static_cast<TreeState&>(out) = {known->q(), known->v(), known->a(), known->connected()};
  } else {
    static_cast<TreeState&>(out) = close_line(mechanism_, data_, line);
  }
  if (wants(Quantity::null_space_torques)) {
    const verne::Table basis = null_space_torques(mechanism_, contact_data_, line.contacts, out.q.eigen());
    out.null_space_torques.setZero(static_cast<Eigen::Index>(line.tau.size()), basis.cols());
    if (mechanism_.model().loops().empty()) {
      out.null_space_torques(mechanism_.actuated(), Eigen::all) = basis.eigen();
    } else {
      out.null_space_torques = basis.eigen();
    }
  }
  if (mechanism_.model().loops().empty()) {
    if (!line.contacts.empty()) solve_held(line, loads, out);
    return out;
  }
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(mechanism_.model().nv());
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(mechanism_.mobility());
  const auto forces = [&](const Eigen::VectorXd& v) -> Values {
    Eigen::VectorXd all_v(zero.size()), all_a(zero.size()), result(none.size());
    closed_motion(mechanism_, data_, out.q.eigen(), v, none, all_v, all_a);
    generalized_forces(mechanism_, data_, out.q.eigen(), all_v, all_a, result);
    return result;
  };
  if (wants(Quantity::bias)) out.bias = forces(independent(out.v.eigen()));
  if (wants(Quantity::gravity)) out.gravity = forces(none);
  if (wants(Quantity::mass_matrix) || wants(Quantity::inverse_mass_matrix)) {
    out.mass_matrix.resize(none.size(), none.size());
    mass_matrix(mechanism_, data_, out.q.eigen(), out.mass_matrix);
  }
  const bool wrenches = wants(Quantity::joint_wrenches) || wants(Quantity::loop_wrenches);
  if (wants(Quantity::undetermined) || !line.contacts.empty()) solve_held(line, loads, out);
  if (given_) {
    complete(line, loads, wrenches, out);
  } else if (line.contacts.empty()) {
    solve_motion(line, known, loads, wrenches, out);
  }
  line.q = as_list(out.q), line.v = as_list(out.v), line.a = as_list(out.a);
  line.tau.assign(static_cast<std::size_t>(zero.size()), 0);
  return out;
}

void ClosedSolver::solve_motion(const StateLine& line, const std::optional<ClosedStates::Line>& known,
                                const Loads<double>& loads, bool wrenches, ClosedResults& out) {
  const bool forward = wants(Quantity::acceleration);
  const bool inverse_derivatives = wants(Quantity::d_tau) || (wants_wrench_derivatives() && !wrenches_by_tau());
  if (known && known->has(Quantity::tau)) {
    out.tau = known->of(Quantity::tau);
  } else if (wants(Quantity::tau) || inverse_derivatives || (wrenches && !forward)) {
    solve_inverse(line, loads, wrenches, inverse_derivatives, out);
  }
  if (known && known->has(Quantity::acceleration)) {
    out.acceleration = known->of(Quantity::acceleration);
  } else if (forward || wants(Quantity::d_acceleration)) {
    solve_forward(line, loads, wrenches && !wants(Quantity::tau), out);
  }
}

void ClosedSolver::solve_held(const StateLine& line, const Loads<double>& loads, ClosedResults& out) {
  const Model& model = mechanism_.model();
  const auto q = out.q.eigen(), v = out.v.eigen(), a = out.a.eigen();
  if (wants(Quantity::undetermined)) {
    out.determined = determined_wrenches(mechanism_, contact_data_, line.contacts, q);
  }
  if (line.contacts.empty()) return;
  const bool of_tree = model.loops().empty(), forward = wants(Quantity::acceleration);
  const bool wrenches = wants(Quantity::joint_wrenches) || wants(Quantity::loop_wrenches);
  Matrix6X<double> loops(6, static_cast<Eigen::Index>(model.loops().size() + line.contacts.size()));
  Matrix6X<double> joints(6, static_cast<Eigen::Index>(model.joints().size()));
  const auto keep_wrenches = [&] { out.loop_wrenches = loops, out.joint_wrenches = joints; };
  Eigen::VectorXd found(v.size());
  if (wants(Quantity::tau) || (wrenches && !forward)) {
    const std::optional<Values> weights = actuator_weights(line);
    inverse_dynamics(mechanism_, contact_data_, line.contacts, q, v, a, found, &loads, &loops, &joints,
                     weights ? &*weights : nullptr);
    keep_wrenches();
    out.tau = of_tree ? found : Eigen::VectorXd(found(mechanism_.actuated()));
  }
  if (forward) {
    forward_dynamics(mechanism_, contact_data_, line.contacts, q, v, tree_torques(line), found, &loads, &loops,
                     &joints);
    if (!wants(Quantity::tau)) keep_wrenches();
    out.acceleration = independent(found);
  }
  solve_held_derivatives(line, loads, out);
}

void ClosedSolver::solve_held_derivatives(const StateLine& line, const Loads<double>& loads, ClosedResults& out) {
  const auto q = out.q.eigen(), v = out.v.eigen();
  const Eigen::Index n = v.size(), free = mechanism_.mobility();
  // Lines about a tree have an entry of tau for every velocity, others for every actuator.
  const bool of_tree = mechanism_.model().loops().empty();
  const auto actuated = mechanism_.actuated();
  const auto rows = [&](const Eigen::MatrixXd& all) -> Eigen::MatrixXd {
    return of_tree ? all : all(actuated, Eigen::all);
  };
  const bool by_tau = wrenches_by_tau(), wrenches = wants_wrench_derivatives();
  LoopWrenchDerivatives loops(mechanism_, by_tau ? n : free, line.contacts.size());
  JointWrenchDerivatives joints(mechanism_, by_tau ? n : free);
  if (wants(Quantity::d_tau) || (wrenches && !by_tau)) {
    const std::optional<Values> weights = actuator_weights(line);
    const Values* const weighing = weights ? &*weights : nullptr;
    Eigen::MatrixXd dq(n, free), dv = dq, da = dq, by_loads(n, 9 * loads.size());
    inverse_dynamics_derivatives(mechanism_, contact_data_, line.contacts, q, v, out.a.eigen(), dq, dv, da, &loads,
                                 wrenches && !by_tau ? &loops : nullptr, wrenches && !by_tau ? &joints : nullptr,
                                 weighing);
    if (loads.size() > 0) load_derivatives(mechanism_, contact_data_, line.contacts, q, loads, by_loads, weighing);
    out.d_tau = {rows(dq), rows(dv), rows(da), rows(by_loads)};
  }
  if (wants(Quantity::d_acceleration) || (wrenches && by_tau)) {
    Eigen::VectorXd found(n);
    Eigen::MatrixXd dq(free, free), dv = dq, dtau(free, n), by_loads(free, 9 * loads.size());
    forward_dynamics_derivatives(mechanism_, contact_data_, line.contacts, q, v, tree_torques(line), found, dq, dv,
                                 dtau, &loads, wrenches && by_tau ? &loops : nullptr,
                                 wrenches && by_tau ? &joints : nullptr);
    if (loads.size() > 0) forward_load_derivatives(mechanism_, contact_data_, line.contacts, q, loads, by_loads);
    out.d_acceleration = {dq, dv, of_tree ? dtau : dtau(Eigen::all, actuated), by_loads};
  }
  if (!wrenches) return;
  keep_wrench_derivatives(loops, joints, out);
  if (!by_tau || of_tree) return;
  for (ClosedResults::WrenchBlocks* of : {&out.d_loop_wrenches, &out.d_joint_wrenches}) {
    const Eigen::MatrixXd all = of->dx;
    const Eigen::Index count = all.cols() / n, motors = static_cast<Eigen::Index>(actuated.size());
    of->dx.resize(6, count * motors);
    for (Eigen::Index k = 0; k < count; ++k)
      of->dx.middleCols(k * motors, motors) = all.middleCols(k * n, n)(Eigen::all, actuated);
  }
}

void ClosedSolver::keep_wrench_derivatives(const LoopWrenchDerivatives& loops, const JointWrenchDerivatives& joints,
                                           ClosedResults& out) const {
  out.d_loop_wrenches = {loops.dq, loops.dv, loops.dx};
  out.d_joint_wrenches = {joints.dq, joints.dv, joints.dx};
  out.wrenches_by_tau = wrenches_by_tau();
}

void ClosedSolver::solve_inverse(const StateLine& line, const Loads<double>& loads, bool wrenches, bool derivatives,
                                 ClosedResults& out) {
  const std::optional<Values> weights = actuator_weights(line);
  const Values* const weighing = weights ? &*weights : nullptr;
  const auto q = out.q.eigen(), v = out.v.eigen(), a = out.a.eigen();
  const auto motors = static_cast<Eigen::Index>(mechanism_.actuated().size());
  out.tau.resize(motors);
  Matrix6X<double> loops(6, static_cast<Eigen::Index>(mechanism_.model().loops().size()));
  Matrix6X<double> joints(6, static_cast<Eigen::Index>(mechanism_.model().joints().size()));
  inverse_dynamics(mechanism_, data_, q, v, a, out.tau.eigen(), &loads, wrenches ? &loops : nullptr,
                   wrenches ? &joints : nullptr, weighing);
  if (wrenches) out.loop_wrenches = loops, out.joint_wrenches = joints;
  if (!derivatives) return;
  const bool of_wrenches = wants_wrench_derivatives() && !wrenches_by_tau();
  Eigen::MatrixXd dq(motors, mechanism_.mobility()), dv = dq, da = dq, by_loads(motors, 9 * loads.size());
  LoopWrenchDerivatives of_loops(mechanism_);
  JointWrenchDerivatives of_joints(mechanism_);
  inverse_dynamics_derivatives(mechanism_, data_, q, v, a, dq, dv, da, &loads, of_wrenches ? &of_loops : nullptr,
                               of_wrenches ? &of_joints : nullptr, weighing);
  if (loads.size() > 0) load_derivatives(mechanism_, data_, q, loads, by_loads, weighing);
  out.d_tau = {dq, dv, da, by_loads};
  if (of_wrenches) keep_wrench_derivatives(of_loops, of_joints, out);
}

void ClosedSolver::solve_forward(const StateLine& line, const Loads<double>& loads, bool wrenches, ClosedResults& out) {
  const auto q = out.q.eigen(), v = out.v.eigen();
  const Eigen::VectorXd tau = as_vector(line.tau);
  Eigen::VectorXd a(v.size());
  Matrix6X<double> loops(6, static_cast<Eigen::Index>(mechanism_.model().loops().size()));
  Matrix6X<double> joints(6, static_cast<Eigen::Index>(mechanism_.model().joints().size()));
  forward_dynamics(mechanism_, data_, q, v, tau, a, &loads, wrenches ? &loops : nullptr, wrenches ? &joints : nullptr);
  if (wrenches) out.loop_wrenches = loops, out.joint_wrenches = joints;
  out.acceleration = independent(a);
  const bool of_wrenches = wants_wrench_derivatives() && wrenches_by_tau();
  if (!wants(Quantity::d_acceleration) && !of_wrenches) return;
  const Eigen::Index free = mechanism_.mobility();
  Eigen::MatrixXd dq(free, free), dv = dq, dtau(free, tau.size()), by_loads(free, 9 * loads.size());
  LoopWrenchDerivatives of_loops(mechanism_, tau.size());
  JointWrenchDerivatives of_joints(mechanism_, tau.size());
  forward_dynamics_derivatives(mechanism_, data_, q, v, tau, a, dq, dv, dtau, &loads, of_wrenches ? &of_loops : nullptr,
                               of_wrenches ? &of_joints : nullptr);
  if (loads.size() > 0) forward_load_derivatives(mechanism_, data_, q, loads, by_loads);
  out.d_acceleration = {dq, dv, dtau, by_loads};
  if (of_wrenches) keep_wrench_derivatives(of_loops, of_joints, out);
}

}  // namespace verne::cli
