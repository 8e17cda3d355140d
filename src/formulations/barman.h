/// Recursive Newton-Euler dynamics and its sensitivities in moving Denavit-Hartenberg coordinates [B20], steps 1-10.
///
/// Equation numbers are the thesis's. Where it errs, the corrected equation is used; docs/errata.md lists every
/// correction with its proof. Branched trees: sums over the links that a link carries.
///
/// S is double, std::complex<double> (derivatives by complex step) or Counted. Wrong sizes throw std::invalid_argument.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "formulations/dh_tree.h"

namespace verne::formulations {

/// Every quantity of link j, all in the axes of frame j. The same struct holds their derivatives.
template <class S>
struct BarmanLink {
  Vec3<S> omega_carried, omega_delta, omega;              ///< ʲω_{j-1}, Δω_j, ω_j
  Vec3<S> omega_dot_carried, omega_dot_delta, omega_dot;  ///< the same of ω̇
  Vec3<S> x_carried, x_delta, x, xG_delta, xG;            ///< ʲx_{j-1}, Δx_j, x_j, Δx_Gj, x_Gj
  Vec3<S> xd_carried, xd_delta, xd, xdG_delta, xdG;       ///< the same of ẋ
  Vec3<S> xdd_carried, xdd_delta, xdd, xddG_delta, xddG;  ///< the same of ẍ
  Vec3<S> H, F_G, tau_G;                                  ///< angular momentum, inertial force and torque
  Vec3<S> F_d, F_p;                ///< force of the links beyond (without loads), force of the link before on this one
  Vec3<S> tau_d, tau_p;            ///< torques likewise; tau_p about the near end O_{j-1}
  Vec3<S> F_de, tau_def, tau_dem;  ///< what the external forces and moments add to F_p and tau_p
  Mat3<S> R_0;                     ///< ⁰R_j

  static BarmanLink zero();
};

/// Name and member of every vector in BarmanLink.
template <class S>
using BarmanField = std::pair<const char*, Vec3<S> BarmanLink<S>::*>;
template <class S>
std::span<const BarmanField<S>> barman_fields();

/// A load of link k on the environment (the thesis's sign), base axes; the force acts at r_k of frame k.
template <class S>
struct BarmanLoad {
  int link;
  Vec3<S> force, moment, point;
};

/// What to compute it for; loads may be empty.
template <class S>
struct BarmanState {
  std::span<const S> q, qd, qdd;
  std::span<const BarmanLoad<S>> loads = {};
};

template <class S>
struct BarmanDynamics {
  std::vector<BarmanLink<S>> links;  ///< [0] is the base
  std::vector<S> effort;             ///< by variable: τ_j of revolute, f_j of prismatic joints (3.92, 3.94)
};

/// Steps 1-10.
template <class S>
BarmanDynamics<S> barman_dynamics(const DhTree& tree, const BarmanState<S>& state);

/// Derivatives by one kind of variable: q, its rate or its second derivative.
template <class S>
class BarmanDerivatives {
 public:
  BarmanDerivatives(std::size_t links, int variables);
  /// Of all quantities of link j by variable i.
  BarmanLink<S>& at(int j, int i) { return links_[index(j, i)]; }
  const BarmanLink<S>& at(int j, int i) const { return links_[index(j, i)]; }
  /// Of the effort of variable k by variable i.
  S& effort(int k, int i) { return effort_[index(k, i)]; }
  const S& effort(int k, int i) const { return effort_[index(k, i)]; }

 private:
  std::size_t index(int j, int i) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(variables_) + static_cast<std::size_t>(i);
  }
  int variables_;
  std::vector<BarmanLink<S>> links_;
  std::vector<S> effort_;
};

template <class S>
struct BarmanSensitivities {
  BarmanDynamics<S> values;
  BarmanDerivatives<S> by_q, by_qd, by_qdd;  ///< (.)_{,i}, (.)_{,i'}, (.)_{,i''}
};

/// Steps 1-10 with the sensitivities of every quantity by every q_i, q̇_i, q̈_i.
template <class S>
BarmanSensitivities<S> barman_sensitivities(const DhTree& tree, const BarmanState<S>& state);

}  // namespace verne::formulations
