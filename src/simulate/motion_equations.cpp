#include "simulate/motion_equations.h"

#include <algorithm>
#include <cmath>

#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

constexpr double kComplexStep = 1e-30;

bool has_friction(const Model& model) {
  return std::any_of(model.joints().begin(), model.joints().end(), [](const Joint& joint) {
    return std::any_of(joint.spec.dofs.begin(), joint.spec.dofs.end(),
                       [](const DofSpec& dof) { return dof.coulomb != 0 || dof.viscous != 0; });
  });
}

std::vector<int> prescribed_velocities(const Model& model, const PrescribedMotion& prescribed) {
  GivenAccelerations(model, prescribed.joints);  // refuses joints that do not move
  std::vector<int> velocities;
  for (const int index : prescribed.joints) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(index)];
    if (joint.nq != joint.nv) {
      throw InputError("joint '" + joint.spec.name + "' turns by a quaternion: its motion cannot be prescribed");
    }
    for (int k = 0; k < joint.nv; ++k) velocities.push_back(joint.v + k);
  }
  return velocities;
}

Model without_friction(const Model& model) {
  ModelSpec spec = model.spec();
  for (LinkSpec& link : spec.links) {
    for (DofSpec& dof : link.joint.dofs) dof.coulomb = dof.viscous = 0;
  }
  return build_model(std::move(spec));
}

}  // namespace

MotionEquations::MotionEquations(const SimulationPhase& phase, const PrescribedMotion& prescribed)
    : tau(Eigen::VectorXd::Zero(phase.mechanism.model().nv())),
      a(Eigen::VectorXd::Zero(phase.mechanism.model().nv())),
      loops(6, static_cast<Eigen::Index>(phase.mechanism.model().loops().size())),
      joints(6, static_cast<Eigen::Index>(phase.mechanism.model().joints().size())),
      mechanism_(phase.mechanism),
      model_(phase.mechanism.model()),
      law_(phase.law),
      loads_(phase.loads),
      prescribed_(prescribed),
      nq_(model_.nq()),
      nv_(model_.nv()),
      data_(model_),
      complex_data_(model_),
      closed_data_(mechanism_),
      motors_(static_cast<Eigen::Index>(mechanism_.actuated().size())),
      given_v_(prescribed_velocities(model_, prescribed)),
      dry_(model_, given_v_),
      given_(model_) {
  for (const int index : prescribed.joints) {
    const Joint& joint = model_.joints()[static_cast<std::size_t>(index)];
    for (int k = 0; k < joint.nq; ++k) given_q_.push_back(joint.q + k);
  }
  for (std::vector<double>* wanted : {&q_wanted_, &v_wanted_, &a_wanted_}) wanted->resize(given_v_.size());
  give_accelerations();
  if (!has_friction(model_)) return;
  smooth_.emplace(without_friction(model_));
  smooth_data_.emplace(*smooth_);
}

std::vector<double> MotionEquations::state(std::span<const double> q, std::span<const double> v) const {
  std::vector<double> y(q.begin(), q.end());
  y.insert(y.end(), v.begin(), v.end());
  y.resize(static_cast<std::size_t>(size()), 0.0);
  return y;
}

void MotionEquations::rate(double t, std::span<const double> y, std::span<double> out) {
  solve(t, y, false);
  Eigen::Map<Eigen::VectorXd> result(out.data(), size());
  result.head(nq_) = position_rate(y);
  result.segment(nq_, nv_) = a;
  if (dry_.any()) result[nq_ + nv_] = dry_.load();
  result[size() - 1] = tau.dot(v(y)) - friction_power(y) + load_power(y);
}

void MotionEquations::solve(double t, std::span<const double> y, bool wrenches) {
  tau.setZero();
  law_(t, y.first(static_cast<std::size_t>(nq_)), y.subspan(static_cast<std::size_t>(nq_), nv_span()),
       {tau.data(), nv_span()});
  for (Eigen::Index k = 0; k < motors_.size(); ++k) motors_[k] = tau[motor(k)];
  tau.setZero();
  for (Eigen::Index k = 0; k < motors_.size(); ++k) tau[motor(k)] = motors_[k];
  speed_ = v(y);
  for (const int k : dry_.held()) speed_[k] = 0;  // also where rounding or differences for a Jacobian move it
  drive_ = tau;
  dry_.add_correction(speed_, drive_);
  Matrix6X<double>* const of_loops = wrenches ? &loops : nullptr;
  Matrix6X<double>* const of_joints = wrenches ? &joints : nullptr;
  for (const int k : dry_.held()) a[k] = 0;
  if (!given_v_.empty()) prescribed_.at(t, q_wanted_, v_wanted_, a_wanted_);
  for (std::size_t k = 0; k < given_v_.size(); ++k) a[given_v_[k]] = a_wanted_[k];
  Eigen::VectorXd needed = drive_;
  if (!model_.loops().empty() || given_.parted_joint() >= 0) {
    passing_dynamics(mechanism_, closed_data_, given_, q(y), speed_, a, needed, &loads_, of_loops, of_joints);
  } else if (!fixed_v_.empty()) {
    hybrid_dynamics<double>(model_, data_, given_, q(y), speed_, a, needed, &loads_, of_joints);
  } else {
    forward_dynamics<double>(model_, data_, q(y), speed_, drive_, a, &loads_, of_joints);
  }
  for (const int k : given_v_) tau[k] = needed[k];
  dry_.take_held(drive_, needed);
}

bool MotionEquations::constrained() const {
  return !model_.loops().empty() || nq_ != nv_ || !given_v_.empty();
}

bool MotionEquations::project(double t, std::span<double> y) {
  if (!given_v_.empty()) prescribed_.at(t, q_wanted_, v_wanted_, a_wanted_);
  for (std::size_t k = 0; k < given_v_.size(); ++k) {
    y[static_cast<std::size_t>(given_q_[k])] = q_wanted_[k];
    y[static_cast<std::size_t>(nq_ + given_v_[k])] = v_wanted_[k];
  }
  Eigen::Map<Eigen::VectorXd> at(y.data(), nq_), speed(y.data() + nq_, nv_);
  if (!project_state(mechanism_, closed_data_, at, speed, fixed_v_)) return false;
  for (const int k : dry_.held()) speed[k] = 0;
  return true;
}

double MotionEquations::off_prescribed(double t, std::span<const double> y) {
  if (given_v_.empty()) return 0;
  prescribed_.at(t, q_wanted_, v_wanted_, a_wanted_);
  double off = 0;
  for (std::size_t k = 0; k < given_v_.size(); ++k) {
    off = std::max({off, std::abs(y[static_cast<std::size_t>(given_q_[k])] - q_wanted_[k]),
                    std::abs(y[static_cast<std::size_t>(nq_ + given_v_[k])] - v_wanted_[k])});
  }
  return off;
}

double MotionEquations::kinetic_energy(std::span<const double> y) {
  return v(y).dot(mass_matrix(model_, data_, q(y)) * v(y)) / 2;
}
double MotionEquations::potential_energy(std::span<const double> y) {
  return whole_body_state(model_, data_, q(y), v(y), a).potential_energy;
}

/// d/dt (q ⊕ t v) at t = 0, by complex step.
Eigen::VectorXd MotionEquations::position_rate(std::span<const double> y) {
  const Vector<std::complex<double>> at = q(y).cast<std::complex<double>>(),
                                     step = v(y) * std::complex<double>(0, kComplexStep);
  return integrate(model_, complex_data_, at, step).imag() / kComplexStep;
}

double MotionEquations::friction_power(std::span<const double> y) {
  if (!smooth_) return 0;
  const Eigen::VectorXd with = bias_torques(model_, data_, q(y), v(y)),
                        less = bias_torques(*smooth_, *smooth_data_, q(y), v(y));
  return (with - less).dot(v(y)) - dry_.power_correction(v(y));
}

double MotionEquations::load_power(std::span<const double> y) {
  if (loads_.size() == 0) return 0;
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(nv_);
  Eigen::VectorXd with(nv_), less(nv_);
  inverse_dynamics<double>(model_, data_, q(y), v(y), none, with, &loads_);
  inverse_dynamics<double>(model_, data_, q(y), v(y), none, less);
  return (less - with).dot(v(y));
}

}  // namespace verne
