/// How the balance of forces in a mechanism changes with its motion (docs/theory/loops.md, section 5).
#pragma once

#include <vector>

#include "structures/mechanism_parts.h"

namespace verne {

/// Along q, v and a of the independent coordinates, nv x mobility each.
struct BalanceDerivatives {
  Eigen::MatrixXd dq, dv, da;                  ///< what B τ + Jᵀ λ = torques loses at fixed τ and λ (9)
  Eigen::MatrixXd v_dq, a_dq, a_dv;            ///< of the dependent velocities and accelerations
  std::vector<Matrix6X<double>> wrench_rates;  ///< of each loop at fixed λ along all coordinates, 6 x nv
};

/// At a state that was put to Parts::evaluate() and whose multipliers are known.
BalanceDerivatives differentiate_balance(MechanismData<double>::Parts& parts, VectorIn<double> q, VectorIn<double> v,
                                         VectorIn<double> a, LoadsIn<double> loads);

/// Of the velocities v = G v_i along the independent positions, at fixed v_i.
Eigen::MatrixXd velocities_dq(MechanismData<double>::Parts& parts, VectorIn<double> q, VectorIn<double> v);

/// Throws std::invalid_argument when a result has another shape than the call writes.
void require_shape(const char* function, const char* name, Eigen::Index rows, Eigen::Index columns,
                   const Eigen::Ref<const Eigen::MatrixXd>& block);

}  // namespace verne
