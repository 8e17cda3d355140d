/// How the balance of forces in a mechanism changes with its motion (docs/theory/loops.md, section 5).
#pragma once

#include <vector>

#include "structures/closed_derivatives.h"
#include "structures/joint_wrench_changes.h"
#include "structures/mechanism_parts.h"

namespace verne {

/// Along q, v and a of the independent coordinates, nv x mobility each.
struct BalanceDerivatives {
  Eigen::MatrixXd dq, dv, da;                  ///< what B τ + Jᵀ λ = torques loses at fixed τ and λ (9)
  Eigen::MatrixXd v_dq, a_dq, a_dv;            ///< of the dependent velocities and accelerations
  std::vector<Matrix6X<double>> wrench_rates;  ///< of each loop at fixed λ along all coordinates, 6 x nv
  std::vector<Matrix6X<double>> load_rates;    ///< the same as loads on the ends a and b of each, axes of the world
};

/// At a state that was put to Parts::evaluate() and whose multipliers are known; unless null also those of the wrenches
/// of joints at fixed loads, which are the given ones and those of the loops.
BalanceDerivatives differentiate_balance(MechanismData<double>::Parts& parts, VectorIn<double> q, VectorIn<double> v,
                                         VectorIn<double> a, LoadsIn<double> loads,
                                         WrenchDerivatives<double>* joint_wrenches = nullptr);

/// How the motion of the tree changes along the independent q, v and a.
std::array<TreeChanges, 3> tree_changes(const Eigen::MatrixXd& G, const BalanceDerivatives& balance);

/// δλ that holds what a balance loses along some directions, less what others give (9).
Eigen::MatrixXd multiplier_changes(const MechanismData<double>::Parts& parts, const Eigen::MatrixXd& lost);

/// What the loops exert on links along directions that change q and λ, added to the loads of each.
void add_load_changes(MechanismData<double>::Parts& parts, const BalanceDerivatives& balance, const Eigen::MatrixXd& dq,
                      const Eigen::MatrixXd& dlambda, std::span<Loads<double>> to);

/// Of the velocities v = G v_i along the independent positions, at fixed v_i.
Eigen::MatrixXd velocities_dq(MechanismData<double>::Parts& parts, VectorIn<double> q, VectorIn<double> v);

/// How the wrenches of the loops change along directions of q and λ: loop k into columns k n … of `out`, n being the
/// number of directions. Components that are not determined become NaN.
void put_loop_wrenches(MechanismData<double>::Parts& parts, const BalanceDerivatives& balance,
                       const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dlambda,
                       const std::vector<std::array<bool, 6>>& determined, Matrix6X<double>& out);

/// Rows of components that motion and torques do not determine become NaN.
void forget_undetermined(const std::array<bool, 6>& determined, Eigen::Ref<Matrix6X<double>> wrenches);

/// What is wanted beside the derivatives of accelerations or torques, unless null.
struct ClosedExtras {
  LoopWrenchDerivatives* loops;
  JointWrenchDerivatives* joints;
  TreeAccelerationDerivatives* tree;
};

/// Accelerations `a` under torques x and the derivatives of these, or derivatives of the torques of accelerations x, by
/// sparse elimination, which does not form what it does not need (section 8); false where only the general method will
/// do.
bool differentiate_sparse(MechanismData<double>::Parts& p, VectorIn<double> q, VectorIn<double> v, VectorIn<double> x,
                          LoadsIn<double> loads, bool inverse, VectorOut<double> a, MatrixOut<double> dq,
                          MatrixOut<double> dv, MatrixOut<double> dx, const ClosedExtras& extras);

/// A block of results that may not be asked for.
inline Matrix6X<double>* block_of(ReactionDerivatives* of, Matrix6X<double> ReactionDerivatives::*block) {
  return of ? &(of->*block) : nullptr;
}

/// Throws std::invalid_argument when a result has another shape than the call writes; wrenches unless null.
void require_shape(const char* function, const char* name, std::size_t wrenches, Eigen::Index mobility,
                   Eigen::Index inputs, const ReactionDerivatives* given);
void require_shape(const char* function, const Model& model, Eigen::Index mobility, Eigen::Index inputs,
                   const TreeAccelerationDerivatives* given);
void require_shape(const char* function, const char* name, Eigen::Index rows, Eigen::Index columns,
                   const Eigen::Ref<const Eigen::MatrixXd>& block);

}  // namespace verne
