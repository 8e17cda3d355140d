#include "structures/mechanism_parts.h"

#include <algorithm>
#include <cmath>

#include "model/subject.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

/// `pin 0.6, follower 0.8`: the entries of a motion that matter.
std::string motion_text(const Mechanism::Contents& mechanism, const std::vector<int>& velocities,
                        const Eigen::VectorXd& motion) {
  std::string text;
  for (Eigen::Index i = 0; i < motion.size(); ++i) {
    if (std::abs(motion[i]) < 1e-3 * motion.cwiseAbs().maxCoeff()) continue;
    const auto velocity = static_cast<std::size_t>(velocities[static_cast<std::size_t>(i)]);
    text += (text.empty() ? "" : ", ") + mechanism.model.dof_names()[velocity] + " " + rounded_text(motion[i]);
  }
  return text;
}

/// Throws InputError that says which motion, of all that G allows, no actuator takes part in.
[[noreturn]] void refuse_unheld(const Mechanism::Contents& mechanism, const Eigen::MatrixXd& G) {
  const Eigen::VectorXd scale = mechanism.column_scale(mechanism.independent);
  Eigen::MatrixXd actuators = G(mechanism.actuated, Eigen::all) * scale.asDiagonal();
  for (Eigen::Index k = 0; k < actuators.rows(); ++k) {
    actuators.row(k) /= mechanism.column_scale[mechanism.actuated[static_cast<std::size_t>(k)]];
  }
  const SingularValues singular = singular_values(actuators);
  const Eigen::Index n = G.cols();
  const auto rank = (singular.values.array() > std::sqrt(kLeastPositivePivot) * singular.values[0]).count();
  const Eigen::VectorXd lost = scale.cwiseProduct(singular.V.col(n - 1));
  throw InputError("the actuators cannot hold the mechanism in this configuration (rank " +
                   std::to_string(std::min(rank, n - 1)) + " of " + std::to_string(n) +
                   "): none of them feels the motion along " + motion_text(mechanism, mechanism.independent, lost));
}

/// τ from Gᵀ B τ = forces (6).
template <class S>
void solve_torques(typename MechanismData<S>::Parts& p, const Values* weights, VectorOut<S> tau) {
  const auto free = p.G.cols(), count = static_cast<Eigen::Index>(p.c.actuated.size());
  if (count < free) {
    throw InputError("the mechanism has " + std::to_string(free) + " degrees of freedom but " + std::to_string(count) +
                     " actuators: no torques give any motion; ask for the acceleration under given ones");
  }
  if (free == 0) {
    tau.setZero();
    return;
  }
  const auto weight = [&](Eigen::Index k) { return weights ? (*weights)[k] : 1.0; };
  for (Eigen::Index k = 0; k < count; ++k) {
    p.actuators.col(k) = p.G.row(p.c.actuated[static_cast<std::size_t>(k)]).transpose() / S(std::sqrt(weight(k)));
  }
  // Rows of length one, so that the pivots tell how far each coordinate's motion is from those that are held already.
  // What is nothing but rounding must not become one of them.
  for (Eigen::Index i = 0; i < free; ++i) {
    double felt = 0;
    for (const int k : p.c.actuated) felt = std::max(felt, std::abs(real_of(p.G(k, i))));
    if (!(felt > kLeastFelt * p.G.col(i).real().norm())) refuse_unheld(p.c, p.G.real().template cast<double>());
    const double length = p.actuators.row(i).real().norm();
    p.actuators.row(i) /= S(length);
    p.actuator_right[i] = p.forces[i] / S(length);
  }
  p.actuators_square.noalias() = p.actuators * p.actuators.transpose();
  p.actuator_lu.compute(p.actuators_square);
  for (Eigen::Index i = 0; i < free; ++i) {
    if (!(std::abs(real_of(p.actuator_lu.pivot(i))) > kLeastPositivePivot)) {
      refuse_unheld(p.c, p.G.real().template cast<double>());
    }
  }
  p.actuator_lu.solve_in_place(p.actuator_right);
  tau.noalias() = p.actuators.transpose() * p.actuator_right;
  for (Eigen::Index k = 0; k < count; ++k) tau[k] /= S(std::sqrt(weight(k)));
}

}  // namespace

template <class S>
MechanismData<S>::Parts::Parts(const Mechanism& of)
    : mechanism(of),
      c(mechanism.contents()),
      model(c.model),
      data(model),
      system(model, c.layout),
      real_data(model),
      real_system(model, c.layout),
      wrenches(6, static_cast<Eigen::Index>(c.layout.loops.size())),
      unit_wrenches(6, c.layout.equations) {
  const Eigen::Index n = model.nv(), free = of.mobility(), rank = of.rank(), m = c.layout.equations,
                     actuated = static_cast<Eigen::Index>(c.actuated.size()), loose = m - rank;
  dependent_lu.reserve(rank), mass_lu.reserve(free), actuator_lu.reserve(free), stress_lu.reserve(loose);
  J_dependent.setZero(rank, rank), inverse.setZero(rank, rank), G.setZero(n, free);
  for (Vector<S>* v : {&zero_v, &torques, &motion, &other_motion, &step}) v->setZero(n);
  forces.setZero(free), right.setZero(rank), solved.setZero(rank), lambda.setZero(m), actuator_right.setZero(free);
  mass.setZero(free, free), mass_G.setZero(n, free);
  actuators.setZero(free, actuated), actuators_square.setZero(free, free);
  stress.setZero(6 * wrenches.cols(), loose), stress_square.setZero(loose, loose), redundancy.setZero(loose, rank);
  stress_right.setZero(6 * wrenches.cols()), least.setZero(loose);
  if constexpr (std::is_same_v<S, double>) sparse = std::make_unique<SingleClosing>(c);
}

template <class S>
void MechanismData<S>::Parts::solve_inverse(VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, LoadsIn<S> more,
                                            const Values* weights, VectorOut<S> tau) {
  evaluate(q, v);
  tree_torques(q, v, a, more);
  solve_torques<S>(*this, weights, tau);
}

template <class S>
void MechanismData<S>::Parts::solve_forward(VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau, LoadsIn<S> more) {
  require_inertia(c);
  evaluate(q, v);
  // The accelerations at independent ones of zero, and the forces that they need.
  motion.setZero();
  complete(system.drift, motion);
  tree_torques(q, v, motion, more);
  mass_G.noalias() = system.terms.M * G;
  mass.noalias() = G.transpose() * mass_G;
  for (Eigen::Index k = 0; k < tau.size(); ++k) {
    forces -= G.row(c.actuated[static_cast<std::size_t>(k)]).transpose() * tau[k];
  }
  if (forces.size() > 0) {
    mass_lu.compute(mass);
    actuator_right = forces;
    mass_lu.solve_in_place(actuator_right);
    motion.noalias() -= G * actuator_right;
  }
  if (!motion.allFinite())
    throw InputError("some motion of the mechanism has no inertia: its acceleration is not known");
}

template <class S>
void MechanismData<S>::Parts::evaluate(VectorIn<S> q, VectorIn<S> v) {
  if (!told(q, v, kWorstCondition)) refuse_singular(c, J_dependent.real().template cast<double>());
}

template <class S>
bool MechanismData<S>::Parts::told(VectorIn<S> q, VectorIn<S> v, double worst_condition) {
  system.evaluate(model, data, q, v);
  const Eigen::Index rank = inverse.rows(), free = G.cols();
  for (Eigen::Index j = 0; j < rank; ++j) {
    for (Eigen::Index i = 0; i < rank; ++i) {
      J_dependent(i, j) = system.J(c.rows[static_cast<std::size_t>(i)], c.dependent[static_cast<std::size_t>(j)]);
    }
  }
  if (rank > 0) {
    dependent_lu.compute(J_dependent);
    dependent_lu.put_inverse(inverse);
  }
  // The condition number in the 1-norm, equations and velocities in units of the mechanism's length.
  double size = 0, inverse_size = 0;
  for (Eigen::Index j = 0; j < rank; ++j) {
    double sum = 0, inverse_sum = 0;
    for (Eigen::Index i = 0; i < rank; ++i) {
      const auto row = [&](Eigen::Index k) { return c.row_scale[c.rows[static_cast<std::size_t>(k)]]; };
      const auto column = [&](Eigen::Index k) { return c.column_scale[c.dependent[static_cast<std::size_t>(k)]]; };
      sum += std::abs(real_of(J_dependent(i, j))) * row(i) * column(j);
      inverse_sum += std::abs(real_of(inverse(i, j))) / (column(i) * row(j));
    }
    size = std::max(size, sum), inverse_size = std::max(inverse_size, inverse_sum);
    if (!(inverse_sum < 1e300)) inverse_size = kInfinity;
  }
  if (!(size * inverse_size < worst_condition)) return false;
  G.setZero();
  for (Eigen::Index j = 0; j < free; ++j) {
    const int column = c.independent[static_cast<std::size_t>(j)];
    G(column, j) = S(1);
    for (Eigen::Index i = 0; i < rank; ++i) right[i] = system.J(c.rows[static_cast<std::size_t>(i)], column);
    solved.noalias() = inverse * right;
    for (Eigen::Index i = 0; i < rank; ++i) G(c.dependent[static_cast<std::size_t>(i)], j) = -solved[i];
  }
  return true;
}

template <class S>
void MechanismData<S>::Parts::complete(const Vector<S>& by, VectorOut<S> x) {
  for (Eigen::Index i = 0; i < right.size(); ++i) {
    const int row = c.rows[static_cast<std::size_t>(i)];
    right[i] = by[row];
    for (const int k : c.independent) right[i] += system.J(row, k) * x[k];
  }
  solved.noalias() = inverse * right;
  for (Eigen::Index i = 0; i < right.size(); ++i) x[c.dependent[static_cast<std::size_t>(i)]] = -solved[i];
}

template <class S>
void MechanismData<S>::Parts::tree_torques(VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, LoadsIn<S> more) {
  verne::inverse_dynamics(model, data, q, v, a, torques, more);
  forces.noalias() = G.transpose() * torques;
}

template <class S>
void MechanismData<S>::Parts::solve_multipliers(VectorIn<S> tau, bool least_wrenches) {
  for (Eigen::Index i = 0; i < right.size(); ++i) right[i] = torques[c.dependent[static_cast<std::size_t>(i)]];
  for (Eigen::Index k = 0; k < tau.size(); ++k) {
    const auto at = std::lower_bound(c.dependent.begin(), c.dependent.end(), c.actuated[static_cast<std::size_t>(k)]);
    if (at != c.dependent.end() && *at == c.actuated[static_cast<std::size_t>(k)])
      right[at - c.dependent.begin()] -= tau[k];
  }
  solved.noalias() = inverse.transpose() * right;
  lambda.setZero();
  for (Eigen::Index i = 0; i < solved.size(); ++i) lambda[c.rows[static_cast<std::size_t>(i)]] = solved[i];
  const auto loose = static_cast<Eigen::Index>(c.redundant_rows.size());
  if (loose == 0 || !least_wrenches) return;

  // Columns of N: one for a redundant equation and what the others bear less for it (8).
  for (Eigen::Index k = 0; k < loose; ++k) {
    for (Eigen::Index j = 0; j < solved.size(); ++j) {
      S sum(0);
      for (Eigen::Index i = 0; i < solved.size(); ++i) {
        sum += system.J(c.redundant_rows[static_cast<std::size_t>(k)], c.dependent[static_cast<std::size_t>(i)]) *
               inverse(i, j);
      }
      redundancy(k, j) = sum;
    }
  }
  const auto weigh = [&](Vector<S>& multipliers, auto&& out) {
    loop_wrenches(c.layout, system, multipliers, wrenches);
    wrenches.bottomRows(3) /= S(c.length);
    out = wrenches.reshaped();
  };
  weigh(lambda, stress_right);
  // The particular solution is kept aside while λ holds one column of N after the other.
  for (Eigen::Index k = 0; k < loose; ++k) {
    lambda.setZero();
    lambda[c.redundant_rows[static_cast<std::size_t>(k)]] = S(1);
    for (Eigen::Index i = 0; i < solved.size(); ++i) lambda[c.rows[static_cast<std::size_t>(i)]] = -redundancy(k, i);
    weigh(lambda, stress.col(k));
  }
  stress_square.noalias() = stress.transpose() * stress;
  least.noalias() = stress.transpose() * stress_right;
  stress_lu.compute(stress_square);
  stress_lu.solve_in_place(least);
  lambda.setZero();
  for (Eigen::Index k = 0; k < loose; ++k) lambda[c.redundant_rows[static_cast<std::size_t>(k)]] = -least[k];
  solved.noalias() += redundancy.transpose() * least;
  for (Eigen::Index i = 0; i < solved.size(); ++i) lambda[c.rows[static_cast<std::size_t>(i)]] = solved[i];
}

template <class S>
void MechanismData<S>::Parts::write_wrenches(VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, LoadsIn<S> given,
                                             WrenchesOut<S> of_loops, WrenchesOut<S> of_joints) {
  loop_wrenches(c.layout, system, lambda, wrenches);
  if (of_loops) *of_loops = wrenches;
  if (!of_joints) return;
  loads.clear();
  if (given) loads.append(*given);
  add_loop_loads(c.layout, system, wrenches, loads);
  verne::inverse_dynamics(model, data, q, v, a, step, &loads, of_joints);
}

void refuse_singular(const Mechanism::Contents& mechanism, const Eigen::MatrixXd& J) {
  const Eigen::Index n = J.cols();
  Eigen::MatrixXd scaled = J;
  for (Eigen::Index i = 0; i < n; ++i) {
    scaled.row(i) *= mechanism.row_scale[mechanism.rows[static_cast<std::size_t>(i)]];
    scaled.col(i) *= mechanism.column_scale[mechanism.dependent[static_cast<std::size_t>(i)]];
  }
  if (!scaled.allFinite()) throw InputError("the configuration is not finite");
  const SingularValues singular = singular_values(scaled);
  const auto rank = (singular.values.array() * kWorstCondition > singular.values[0]).count();
  throw InputError("the mechanism is singular here: the independent coordinates do not tell the rest (rank " +
                   std::to_string(std::min(rank, n - 1)) + " of " + std::to_string(n) + "), which can move along " +
                   motion_text(mechanism, mechanism.dependent, singular.V.col(n - 1)));
}

void require_inertia(const Mechanism::Contents& mechanism) {
  if (!mechanism.without_inertia.empty()) throw InputError(mechanism.without_inertia);
}

void require_size(const char* function, const char* name, Eigen::Index expected, Eigen::Index actual) {
  if (expected == actual) return;
  throw std::invalid_argument(std::string(function) + ": " + name + " has size " + std::to_string(actual) +
                              ", expected " + std::to_string(expected));
}

Eigen::VectorXd torque_scales(const char* function, const Mechanism::Contents& mechanism, const Values* weights) {
  const auto count = static_cast<Eigen::Index>(mechanism.actuated.size());
  if (!weights) return Eigen::VectorXd::Ones(count);
  require_size(function, "weights", count, weights->size());
  const Eigen::VectorXd scales = weights->eigen().cwiseSqrt().cwiseInverse();
  if (!scales.allFinite() || !(weights->eigen().array() > 0).all() || !weights->eigen().allFinite())
    throw std::invalid_argument(std::string(function) + ": weights have to be positive");
  return scales;
}

template <class S>
MechanismData<S>::MechanismData(const Mechanism& mechanism) : parts_(std::make_unique<Parts>(mechanism)) {}
template <class S>
MechanismData<S>::MechanismData(MechanismData&&) noexcept = default;
template <class S>
MechanismData<S>& MechanismData<S>::operator=(MechanismData&&) noexcept = default;
template <class S>
MechanismData<S>::~MechanismData() = default;

// With their parts.
template class MechanismData<double>;
template class MechanismData<std::complex<double>>;

}  // namespace verne
