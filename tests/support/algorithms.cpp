#include "support/algorithms.h"

#include <algorithm>
#include <limits>

#include "dynamics/kernel_table.h"
#include "model/tree.h"

namespace verne::test {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using D = Data<double>;
using W = Workspace;
using B = BatchWorkspace;

template <void (*F)(const Model&, Batch&)>
void on_batch(const Model& model, B& batch) {
  F(model, batch);
}

void run_inverse(const Model& m, D& d, W& w) {
  inverse_dynamics(m, d, w.given.q, w.given.v, w.given.a, w.tau, &w.loads, &w.wrenches);
}
void run_forward(const Model& m, D& d, W& w) {
  forward_dynamics(m, d, w.given.q, w.given.v, w.given.tau, w.a, &w.loads, &w.wrenches);
}
/// Completes a copy of the given motion.
void run_hybrid(const Model& m, D& d, W& w) {
  w.a = w.given.a, w.tau = w.given.tau;
  hybrid_dynamics(m, d, w.accelerations, w.given.q, w.given.v, w.a, w.tau, &w.loads, &w.wrenches);
}
void batch_hybrid(const Model& m, B& b) {
  hybrid_dynamics(m, b, b.accelerations, true);
}
void run_kinematics(const Model& m, D& d, W& w) {
  forward_kinematics(m, d, w.given.q, w.given.v, w.given.a, w.kinematics);
}
void run_jacobian(const Model& m, D& d, W& w) {
  jacobian_and_rate(m, d, w.given.q, w.given.v, w.site, w.jacobian, w.jacobian_rate);
}
void run_whole_body(const Model& m, D& d, W& w) {
  const WholeBodyState<double> s = whole_body_state(m, d, w.given.q, w.given.v, w.given.a);
  w.whole_body << s.kinetic_energy, s.potential_energy, s.momentum, s.angular_momentum, s.com, s.com_velocity,
      s.com_acceleration;
}
void batch_jacobian(const Model& m, B& b) {
  jacobian(m, b, m.site_count() - 1);
}
void batch_kinematics(const Model& m, B& b) {
  forward_kinematics(m, b);
}

GivenAccelerations every_second(const Model& model) {
  std::vector<int> joints;
  bool next = true;
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    if (model.joints()[i].spec.type == JointType::fixed) continue;
    if (next) joints.push_back(static_cast<int>(i));
    next = !next;
  }
  return GivenAccelerations(model, joints);
}

std::vector<int> sites_of(const Model& model) {
  return {0, model.site_count() / 2, model.site_count() - 1};
}

template <class Get>
Algorithm control_entry(const char* name, Get get) {
  return {name,
          [](const Model& m, D& d, W& w) {
            auto& c = w.control;
            control_terms(m, d, w.given.q, w.given.v, w.sites, c.mass_matrix, c.bias, c.jacobians, c.drifts, c.poses);
          },
          [](const W& w) { return Eigen::VectorXd(Get{}(w.control).reshaped()); },
          [](const Model& m, B& b) { control_terms(m, b, b.sites, b.control); },
          [get](B& b) -> LaneArray& { return get(b.control); }};
}

Eigen::VectorXd tau_of(const W& w) {
  return w.tau;
}
Eigen::VectorXd a_of(const W& w) {
  return w.a;
}
Eigen::VectorXd matrix_of(const W& w) {
  return w.matrix.reshaped();
}
Eigen::VectorXd wrenches_of(const W& w) {
  return w.wrenches.reshaped();
}
Eigen::VectorXd q_of(const W& w) {
  return w.q;
}
Eigen::VectorXd v_of(const W& w) {
  return w.v;
}

std::vector<Algorithm> value_algorithms() {
  return {
      {"inverse_dynamics", run_inverse, tau_of, [](const Model& m, B& b) { inverse_dynamics(m, b); }, &Batch::tau},
      {"wrenches_of_inverse_dynamics", run_inverse, wrenches_of,
       [](const Model& m, B& b) { inverse_dynamics(m, b, true); }, &Batch::joint_wrenches},
      {"bias_torques", [](const Model& m, D& d, W& w) { bias_torques(m, d, w.given.q, w.given.v, w.tau); }, tau_of,
       on_batch<bias_torques>, &Batch::bias},
      {"gravity_torques", [](const Model& m, D& d, W& w) { gravity_torques(m, d, w.given.q, w.tau); }, tau_of,
       on_batch<gravity_torques>, &Batch::gravity},
      {"forward_dynamics", run_forward, a_of, [](const Model& m, B& b) { forward_dynamics(m, b); }, &Batch::a},
      {"wrenches_of_forward_dynamics", run_forward, wrenches_of,
       [](const Model& m, B& b) { forward_dynamics(m, b, true); }, &Batch::joint_wrenches},
      {"hybrid_dynamics.a", run_hybrid, a_of, [](const Model& m, B& b) { hybrid_dynamics(m, b, b.accelerations); },
       &Batch::a},
      {"hybrid_dynamics.tau", run_hybrid, tau_of, batch_hybrid, &Batch::tau},
      {"wrenches_of_hybrid_dynamics", run_hybrid, wrenches_of, batch_hybrid, &Batch::joint_wrenches},
      {"mass_matrix", [](const Model& m, D& d, W& w) { mass_matrix(m, d, w.given.q, w.matrix); }, matrix_of,
       on_batch<mass_matrix>, &Batch::mass_matrix},
      {"inverse_mass_matrix", [](const Model& m, D& d, W& w) { inverse_mass_matrix(m, d, w.given.q, w.matrix); },
       matrix_of, on_batch<inverse_mass_matrix>, &Batch::inverse_mass_matrix},
      {"coriolis_matrix", [](const Model& m, D& d, W& w) { coriolis_matrix(m, d, w.given.q, w.given.v, w.matrix); },
       matrix_of, on_batch<coriolis_matrix>, &Batch::coriolis_matrix},
      {"poses", run_kinematics, [](const W& w) { return Eigen::VectorXd(w.kinematics.poses.reshaped()); },
       batch_kinematics, &Batch::poses},
      {"velocities", run_kinematics, [](const W& w) { return Eigen::VectorXd(w.kinematics.velocities.reshaped()); },
       batch_kinematics, &Batch::velocities},
      {"accelerations", run_kinematics,
       [](const W& w) { return Eigen::VectorXd(w.kinematics.accelerations.reshaped()); }, batch_kinematics,
       &Batch::accelerations},
      {"jacobian", run_jacobian, [](const W& w) { return Eigen::VectorXd(w.jacobian.reshaped()); }, batch_jacobian,
       &Batch::jacobian},
      {"jacobian_rate", run_jacobian, [](const W& w) { return Eigen::VectorXd(w.jacobian_rate.reshaped()); },
       batch_jacobian, &Batch::jacobian_rate},
      {"poses_alone", [](const Model& m, D& d, W& w) { forward_kinematics(m, d, w.given.q, w.kinematics); },
       [](const W& w) { return Eigen::VectorXd(w.kinematics.poses.reshaped()); },
       [](const Model& m, B& b) { forward_kinematics(m, b, false); }, &Batch::poses},
      {"jacobian_alone", [](const Model& m, D& d, W& w) { jacobian(m, d, w.given.q, w.site, w.jacobian); },
       [](const W& w) { return Eigen::VectorXd(w.jacobian.reshaped()); },
       [](const Model& m, B& b) { jacobian(m, b, m.site_count() - 1, false); }, &Batch::jacobian},
      {"whole_body_state", run_whole_body, [](const W& w) { return Eigen::VectorXd(w.whole_body); },
       on_batch<whole_body_state>, &Batch::whole_body},
      control_entry(
          "control_terms.mass_matrix", [](auto& c) -> auto& { return c.mass_matrix; }),
      control_entry(
          "control_terms.bias", [](auto& c) -> auto& { return c.bias; }),
      control_entry(
          "control_terms.jacobians", [](auto& c) -> auto& { return c.jacobians; }),
      control_entry(
          "control_terms.drifts", [](auto& c) -> auto& { return c.drifts; }),
      control_entry(
          "control_terms.poses", [](auto& c) -> auto& { return c.poses; }),
      {"centroidal_momentum_matrix",
       [](const Model& m, D& d, W& w) { centroidal_momentum_matrix(m, d, w.given.q, w.jacobian); },
       [](const W& w) { return Eigen::VectorXd(w.jacobian.reshaped()); }, on_batch<centroidal_momentum_matrix>,
       &Batch::centroidal_momentum_matrix},
  };
}

}  // namespace

Workspace::Workspace(const Model& model, std::mt19937_64& rng)
    : given(random_state(model, rng)),
      other_q(random_configuration(model, rng)),
      loads(random_loads(model, rng, 4)),
      accelerations(every_second(model)),
      site(model.site_count() - 1),
      sites(sites_of(model)),
      lambda(random_values(rng, model.nv(), 1)),
      direction(random_values(rng, 3 * model.nv(), 1)),
      mu(random_wrench_weights(model, rng)),
      tau(model.nv()),
      a(model.nv()),
      q(model.nq()),
      v(model.nv()),
      matrix(model.nv(), model.nv()),
      wrenches(6, static_cast<Eigen::Index>(model.joints().size())),
      jacobian(6, model.nv()),
      jacobian_rate(6, model.nv()),
      kinematics(model),
      dynamics_wrenches(model),
      second(model),
      product(3 * model.nv()),
      motion(model),
      centroidal(model),
      parameters(model.nv(), parameter_count(model)),
      body_parameters(model.nv(), parameter_count(model, kBodyParameters)),
      by_load(model.nv(), 9 * loads.size()),
      forward_by_load(by_load),
      parameter_wrenches(6, wrenches.cols() * parameters.cols()),
      by_load_wrenches(6, wrenches.cols() * by_load.cols()),
      forward_by_load_wrenches(by_load_wrenches),
      hybrid_by_load(by_load) {
  for (Eigen::MatrixXd* out : {&dynamics.dq, &dynamics.dv, &dynamics.dx, &control.mass_matrix}) {
    out->resize(model.nv(), model.nv());
  }
  const auto count = static_cast<Eigen::Index>(sites.size());
  control.bias.resize(model.nv());
  control.jacobians.resize(6, model.nv() * count);
  control.drifts.resize(6, count);
  control.poses.resize(12, count);
  poison();
}

void Workspace::poison() {
  for (Eigen::VectorXd* out : {&tau, &a, &q, &v, &product, &control.bias}) out->setConstant(kNan);
  for (Eigen::MatrixXd* out :
       {&matrix, &dynamics.dq, &dynamics.dv, &dynamics.dx, &second.qq, &second.qv, &second.qa, &second.vv, &parameters,
        &body_parameters, &control.mass_matrix, &by_load, &forward_by_load, &hybrid_by_load}) {
    out->setConstant(kNan);
  }
  for (Matrix6X<double>* out :
       {&wrenches, &jacobian, &jacobian_rate, &control.jacobians, &control.drifts, &dynamics_wrenches.dq,
        &dynamics_wrenches.dv, &dynamics_wrenches.dx, &motion.J, &motion.velocity_dq, &motion.acceleration_dq,
        &motion.acceleration_dv, &centroidal.momentum_dq, &centroidal.momentum_dv, &centroidal.rate_dq,
        &centroidal.rate_dv, &parameter_wrenches, &by_load_wrenches, &forward_by_load_wrenches}) {
    out->setConstant(kNan);
  }
  centroidal.com_dq.setConstant(kNan);
  control.poses.setConstant(kNan);
  kinematics.poses.setConstant(kNan);
  kinematics.velocities.setConstant(kNan);
  kinematics.accelerations.setConstant(kNan);
  whole_body.setConstant(kNan);
}

BatchWorkspace::BatchWorkspace(const Model& model, int count, const BatchOptions& options)
    : Batch(model, count, options),
      accelerations(every_second(model)),
      sites(sites_of(model)),
      lambda(model.nv(), count, lanes()),
      mu(6 * static_cast<int>(model.joints().size()), count, lanes()),
      direction(3 * model.nv(), count, lanes()) {}

std::vector<LoadSite> load_sites(const Loads<double>& loads) {
  return {loads.sites(), loads.sites() + loads.size()};
}

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> table = [] {
    std::vector<Algorithm> all = value_algorithms(), derivatives = derivative_algorithms();
    all.insert(all.end(), derivatives.begin(), derivatives.end());
    return all;
  }();
  return table;
}

const std::vector<Algorithm>& configuration_algorithms() {
  static const std::vector<Algorithm> table{
      {"integrate", [](const Model& m, D& d, W& w) { integrate(m, d, w.given.q, w.given.v, w.q); }, q_of, nullptr,
       nullptr},
      {"difference", [](const Model& m, D& d, W& w) { difference(m, d, w.given.q, w.other_q, w.v); }, v_of, nullptr,
       nullptr},
      {"interpolate", [](const Model& m, D& d, W& w) { interpolate(m, d, w.given.q, w.other_q, 0.3, w.q); }, q_of,
       nullptr, nullptr},
  };
  return table;
}

void poison(const Model& model, Data<double>& data) {
  std::fill_n(data.scratch(), scratch_size(model.tree()), kNan);
}

}  // namespace verne::test
