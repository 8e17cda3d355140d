/// What the derivatives must look like, from the laws of mechanics alone.
#include <Eigen/Cholesky>
#include <algorithm>

#include "model/tree.h"
#include "support/compare.h"
#include "support/derivatives.h"
#include "support/reference.h"
#include "verne/dynamics/motion_derivatives.h"
#include "verne/dynamics/second_derivatives.h"

namespace verne::test {
namespace {

double ratio_of(const Joint& joint) {
  return joint.coupled() ? joint.spec.mimic->ratio : 1.0;
}

/// Derivatives of the freedoms of a joint with respect to its coordinate k. Entries are constant or of the form
/// a + b cos q + c sin q, for which the difference over half a turn is exact.
Matrix6X<double> freedoms_along(const JointSpec& joint, Eigen::VectorXd q, int k) {
  const bool flat = joint.type != JointType::spherical && joint.type != JointType::free;
  if (!flat) return Matrix6X<double>::Zero(6, velocity_count(joint.type));
  q[k] += M_PI / 2;
  const Matrix6X<double> after = joint_freedoms(joint, q);
  q[k] -= M_PI;
  return (after - joint_freedoms(joint, q)) / 2;
}

/// d friction / dv of every velocity of the model.
Eigen::MatrixXd friction_slopes(const Model& model, const Eigen::VectorXd& v) {
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  for (const Joint& joint : model.joints()) {
    const Eigen::VectorXd own = joint_velocities(joint, v);
    for (int k = 0; k < own.size(); ++k) {
      const DofSpec& dof = joint.spec.dofs[static_cast<std::size_t>(k)];
      double slope = dof.viscous;
      if (dof.coulomb > 0)
        slope += dof.coulomb / dof.friction_width / std::pow(std::cosh(own[k] / dof.friction_width), 2);
      slopes(joint.v + k, joint.v + k) += slope * ratio_of(joint) * ratio_of(joint);
    }
  }
  return slopes;
}

class DerivativeStructure : public ModelTest {
 protected:
  /// Σ Sᵀ ΔW over the joints that move with each velocity.
  Eigen::MatrixXd projected(const Matrix6X<double>& wrenches, const Eigen::VectorXd& q) const {
    const int n = model_.nv();
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(n, n);
    for (int j = 0; j < static_cast<int>(model_.joints().size()); ++j) {
      const Joint& joint = joint_of(j);
      const Matrix6X<double> S = joint_freedoms(joint.spec, joint_positions(joint, q)) * ratio_of(joint);
      rows.middleRows(joint.v, S.cols()) += S.transpose() * wrenches.middleCols(j * n, n);
    }
    return rows;
  }
  /// Σ (ΔS)ᵀ W
  Eigen::MatrixXd turned(const Matrix6X<double>& wrenches, const Eigen::VectorXd& q) const {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(model_.nv(), model_.nv());
    for (int j = 0; j < static_cast<int>(model_.joints().size()); ++j) {
      const Joint& joint = joint_of(j);
      const Eigen::VectorXd own = joint_positions(joint, q);
      for (int k = 0; k < joint.nv; ++k) {
        rows.col(joint.v + k).segment(joint.v, joint.nv) +=
            freedoms_along(joint.spec, own, k).transpose() * wrenches.col(j);
      }
    }
    return rows;
  }
  const Joint& joint_of(int j) const { return model_.joints()[static_cast<std::size_t>(j)]; }
  /// Whether joint j carries joint k (or is it).
  bool carries(int j, int k) const {
    while (k > j) k = joint_of(k).parent_link;  // joint i carries link i
    return k == j;
  }
  /// Whether some joint of one set carries one of the other.
  bool any_related(const std::vector<int>& some, const std::vector<int>& others) const {
    return std::any_of(some.begin(), some.end(), [&](int j) {
      return std::any_of(others.begin(), others.end(), [&](int k) { return carries(j, k) || carries(k, j); });
    });
  }
  /// The joint that has velocity k, and its followers.
  std::vector<int> joints_moved_by(int k) const {
    std::vector<int> out;
    for (int j = 0; j < static_cast<int>(model_.joints().size()); ++j) {
      const Joint& joint = joint_of(j);
      if (k >= joint.v && k < joint.v + velocity_count(joint.spec.type)) out.push_back(j);
    }
    return out;
  }
};
VERNE_ON_EVERY_MODEL(DerivativeStructure);

TEST_P(DerivativeStructure, MassMatrixIsSymmetricAndPositiveDefinite) {
  const State s = random_state(model_, rng_);
  const Eigen::MatrixXd M = inverse_derivatives_of(model_, data_, s.q, s.v, s.a).dx;
  EXPECT_TRUE(close(M, M.transpose(), kRounding));
  EXPECT_EQ(M.llt().info(), Eigen::Success);
}

// Sᵀ ΔW + (ΔS)ᵀ W = Δ(tau − friction − rotor)
TEST_P(DerivativeStructure, TorquesAreProjectionsOfJointWrenches) {
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 4);
  const Matrix6X<double> wrenches = inverse_dynamics_and_wrenches(model_, data_, s.q, s.v, s.a, loads).wrenches;
  const auto d = inverse_derivatives_of(model_, data_, s.q, s.v, s.a, &loads);
  const double scale = largest(d.wrenches.dq);
  EXPECT_TRUE(close(d.dq - stiffness_matrix(model_, s.q), projected(d.wrenches.dq, s.q) + turned(wrenches, s.q),
                    kRounding, scale));
  EXPECT_TRUE(close(d.dv - friction_slopes(model_, s.v), projected(d.wrenches.dv, s.q), kRounding, kSmall));
  EXPECT_TRUE(close(d.dx - rotor_matrix(model_), projected(d.wrenches.dx, s.q), kRounding));
}

// At rest without loads torques are the gradient of the potential energy, −m g·c and that of springs.
TEST_P(DerivativeStructure, AtRestStiffnessIsTheHessianOfPotentialEnergy) {
  const Eigen::VectorXd q = random_configuration(model_, rng_), zero = Eigen::VectorXd::Zero(model_.nv());
  const Eigen::MatrixXd stiffness = inverse_derivatives_of(model_, data_, q, zero, zero).dq;
  Data<Complex> complex_data(model_);
  const auto gradient = [&](const ComplexVector& at, const ComplexVector& v, const ComplexVector& a) -> ComplexVector {
    CentroidalDerivatives<Complex> out(model_);
    centroidal_derivatives(model_, complex_data, at, v, a, out);
    return -model_.moving_mass() * out.com_dq.transpose() * to_eigen(model_.gravity()).cast<Complex>();
  };
  EXPECT_TRUE(close(stiffness, stepped_derivatives(model_, q, zero, zero, gradient).dq + stiffness_matrix(model_, q),
                    kComplexStep, kSmall));
  const bool flat = std::none_of(model_.joints().begin(), model_.joints().end(), [](const Joint& joint) {
    return joint.spec.type == JointType::spherical || joint.spec.type == JointType::free;
  });
  if (flat) {
    EXPECT_TRUE(close(stiffness, stiffness.transpose(), kRounding, kSmall));
  }
}

TEST_P(DerivativeStructure, JointsOnOtherBranchesDoNotMatterAtAll) {
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 4);
  const DynamicsDerivatives<double> d = inverse_derivatives_of(model_, data_, s.q, s.v, s.a, &loads);
  SecondDerivatives<double> H(model_);
  const Matrix6X<double> mu = random_wrench_weights(model_, rng_);
  inverse_dynamics_second_derivatives(model_, data_, s.q, s.v, s.a, s.tau, H, &loads, &mu);
  const Eigen::MatrixXd* const blocks[] = {&d.dq, &d.dv, &d.dx, &H.qq, &H.qv, &H.qa, &H.vv};
  const Matrix6X<double>* const wrenches[] = {&d.wrenches.dq, &d.wrenches.dv, &d.wrenches.dx};
  int found = 0;
  for (int k = 0; k < model_.nv(); ++k) {
    for (int i = 0; i < model_.nv(); ++i) {
      if (any_related(joints_moved_by(i), joints_moved_by(k))) continue;
      for (const Eigen::MatrixXd* block : blocks) EXPECT_EQ((*block)(i, k), 0);
      ++found;
    }
    for (int j = 0; j < static_cast<int>(model_.joints().size()); ++j) {
      if (any_related({j}, joints_moved_by(k))) continue;
      for (const Matrix6X<double>* all : wrenches) EXPECT_EQ(largest(all->col(j * model_.nv() + k)), 0);
    }
  }
  if (!GetParam().options.chain && GetParam().joints > 4) {
    EXPECT_GT(found, 0);
  }
}

// Carried joints are felt through every fixed joint as well, up to the ground.
TEST_P(DerivativeStructure, OfForwardDynamicsAreSymmetricInTheTorques) {
  const State s = random_state(model_, rng_);
  const Eigen::MatrixXd inverse = forward_derivatives_of(model_, data_, s.q, s.v, s.tau).dx;
  EXPECT_EQ(inverse, inverse.transpose());
}

// Bodies that hang on the world side by side, each with many freedoms.
TEST(DerivativesOfSeveralRoots, DoNotKnowEachOther) {
  std::mt19937_64 rng(12);
  const RandomTreeOptions options{.kinds = {JointType::free, JointType::revolute}, .rotor_inertia = true};
  for (int tries = 0, found = 0; found < 3; ++tries) {
    ASSERT_LT(tries, 100);
    const Model model = build_model(random_tree(rng, 8, options));
    const Tree& tree = model.tree();
    const int second = tree.bodies[0].subtree_end;
    if (second == tree.body_count) continue;
    ++found;
    Data<double> data(model);
    const State s = random_state(model, rng);
    const auto d = forward_derivatives_of(model, data, s.q, s.v, s.tau);
    const int n = tree.bodies[second].v, rest = model.nv() - n;
    for (const Eigen::MatrixXd* block : {&d.dq, &d.dv, &d.dx}) {
      EXPECT_TRUE((block->topRightCorner(n, rest).array() == 0).all());
      EXPECT_TRUE((block->bottomLeftCorner(rest, n).array() == 0).all());
      EXPECT_GT(block->bottomRightCorner(rest, rest).norm(), 0);
    }
  }
}

TEST_P(DerivativeStructure, WrenchesOfFixedJointsDependOnWhatTheyCarry) {
  const State s = random_state(model_, rng_);
  const auto d = inverse_derivatives_of(model_, data_, s.q, s.v, s.a);
  for (int j = 0; j < static_cast<int>(model_.joints().size()); ++j) {
    for (int k = j + 1; k < static_cast<int>(model_.joints().size()) && joint_of(j).spec.type == JointType::fixed;
         ++k) {
      if (!carries(j, k) || joint_of(k).nv == 0) continue;
      EXPECT_GT(largest(d.wrenches.joint(d.wrenches.dx, j).middleCols(joint_of(k).v, joint_of(k).nv)), 0);
    }
  }
}

}  // namespace
}  // namespace verne::test
