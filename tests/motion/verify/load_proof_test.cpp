// Enclosures hold all values of what they enclose; limits that are exceeded between nodes alone are not called kept.
#include "motion/verify/load_proof.h"

#include <gtest/gtest.h>

#include <random>

#include "dynamics/motion_enclosure.h"
#include "motion/task_text.h"
#include "support/random_model.h"
#include "support/states.h"
#include "verne/dynamics/dynamics.h"

namespace verne {
namespace {

constexpr double kRounding = 1e-10;  // of the largest value

double value(const TaylorModel& x, double s) {
  double sum = 0;
  for (int k = TaylorModel::kTerms; k-- > 0;) sum = sum * s + x.c[k];
  return sum;
}

TEST(TaylorModel, HoldsElementaryFunctions) {
  std::mt19937_64 rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    TaylorModel x(0.0), y(0.0);
    const Eigen::VectorXd numbers = test::random_values(rng, 8, trial % 2 ? 0.1 : 1.0);
    for (int k = 0; k < 4; ++k) x.c[k] = numbers[k], y.c[k] = numbers[4 + k];
    TaylorModel sine, cosine;
    sincos(x, sine, cosine);
    const TaylorModel product = x * y, tangent = hyperbolic_tangent(x), one = select(less(x, y), x, y);
    for (double s = -1; s <= 1; s += 0.05) {
      const double a = value(x, s), b = value(y, s);
      EXPECT_NEAR(value(product, s), a * b, product.rest + 1e-14);
      EXPECT_NEAR(value(sine, s), std::sin(a), sine.rest + 1e-14);
      EXPECT_NEAR(value(cosine, s), std::cos(a), cosine.rest + 1e-14);
      EXPECT_NEAR(value(tangent, s), std::tanh(a), tangent.rest + 1e-14);
      EXPECT_NEAR(value(one, s), a < b ? a : b, one.rest + 1e-14);
    }
  }
}

/// Inverse dynamics of single states, with all that a tree has: friction, springs, coupled joints, rotors.
TEST(MotionEnclosure, HoldsTorquesAndWrenchesOfStates) {
  std::mt19937_64 rng(2);
  test::RandomTreeOptions everything;
  everything.kinds = {JointType::revolute, JointType::prismatic, JointType::helical, JointType::universal};
  everything.fixed_joints = everything.coupled_joints = everything.friction = everything.rotor_inertia = true;
  everything.springs = everything.ligaments = true;
  for (int seed = 0; seed < 20; ++seed) {
    const Model model = build_model(test::random_tree(rng, 6, everything));
    const int n = model.nv();
    Loads<double> loads;
    loads.add({.frame = model.site("frame_1"), .force = {3, -5, 2}, .point = {0.1, 0, 0.2}});
    MotionEnclosure enclosure(model, loads, true);
    constexpr double kHalf = 0.05;  // s
    const Eigen::MatrixXd c = test::random_values(rng, 4 * n, 1).reshaped(n, 4);
    for (int i = 0; i < n; ++i) {
      TaylorModel &q = enclosure.q[i], &v = enclosure.v[i], &a = enclosure.a[i];
      q = v = a = TaylorModel(0.0);
      const double h = kHalf;
      q.c[0] = c(i, 0), q.c[1] = c(i, 1) * h, q.c[2] = c(i, 2) * h * h, q.c[3] = c(i, 3) * h * h * h;
      v.c[0] = c(i, 1), v.c[1] = 2 * c(i, 2) * h, v.c[2] = 3 * c(i, 3) * h * h;
      a.c[0] = 2 * c(i, 2), a.c[1] = 6 * c(i, 3) * h;
    }
    enclosure.evaluate();
    Data<double> data(model);
    Matrix6X<double> wrenches(6, static_cast<Eigen::Index>(model.joints().size()));
    for (double s = -1; s <= 1; s += 0.1) {
      Eigen::VectorXd q(n), v(n), a(n), tau(n);
      for (int i = 0; i < n; ++i) {
        q[i] = value(enclosure.q[i], s), v[i] = value(enclosure.v[i], s), a[i] = value(enclosure.a[i], s);
      }
      inverse_dynamics(model, data, q, v, a, tau, &loads, &wrenches);
      const double scale = 1 + tau.cwiseAbs().maxCoeff() + wrenches.cwiseAbs().maxCoeff();
      for (int i = 0; i < n; ++i) {
        const TaylorModel& x = enclosure.torque(i);
        EXPECT_NEAR(value(x, s), tau[i], x.rest + kRounding * scale) << seed << " " << i;
      }
      for (Eigen::Index j = 0; j < wrenches.cols(); ++j) {
        for (int k = 0; k < 6; ++k) {
          const TaylorModel& x = *enclosure.wrench(static_cast<int>(j), k);
          EXPECT_NEAR(value(x, s), wrenches(k, j), x.rest + kRounding * scale) << seed << " " << j;
        }
      }
    }
  }
}

/// A motion of the 7-joint arm that nobody solved for, and its largest torques and forces, by many samples.
class LoadProofOfArm : public ::testing::Test {
 protected:
  static constexpr double kAbove = 1e-5;  // of a limit
  Task task = test::shipped_task("arm7_reach");
  Trajectory curve = [] {
    std::mt19937_64 rng(3);
    const SplineBasis basis(5, 8);
    return Trajectory(basis, Eigen::VectorXd::Constant(8, 0.1),
                      test::random_values(rng, 7 * basis.control_points(), 0.4).reshaped(basis.control_points(), 7));
  }();
  Eigen::VectorXd torque = Eigen::VectorXd::Zero(7), at_breakpoints = Eigen::VectorXd::Zero(7);
  double force = 0;

  void SetUp() override {
    Data<double> data(task.model);
    Matrix6X<double> wrenches(6, static_cast<Eigen::Index>(task.model.joints().size()));
    Eigen::VectorXd tau(7);
    constexpr int kOfSpan = 500;
    for (int k = 0; k <= 8 * kOfSpan; ++k) {
      const double t = 0.8 * k / (8 * kOfSpan);
      inverse_dynamics(task.model, data, curve.at(t), curve.at(t, 1), curve.at(t, 2), tau, nullptr, &wrenches);
      torque = torque.cwiseMax(tau.cwiseAbs());
      if (k % kOfSpan == 0) at_breakpoints = at_breakpoints.cwiseMax(tau.cwiseAbs());
      force = std::max(force, wrenches.col(1).head(3).norm());
    }
    task.limits.effort.assign(7, {});
  }
  LoadProof proof() const { return prove_loads(task, curve, {0, 8}, 1e-6); }
};

TEST_F(LoadProofOfArm, TellsWhatIsExceededBetweenNodesAlone) {
  for (std::size_t i = 0; i < 7; ++i) {
    const double most = torque[static_cast<Eigen::Index>(i)];
    task.limits.effort.assign(7, {});
    task.limits.effort[i] = {-most * (1 + kAbove), most * (1 + kAbove)};
    EXPECT_TRUE(proof().effort.value_or(false)) << i;
    task.limits.effort[i] = {-most * (1 - kAbove), most * (1 - kAbove)};
    EXPECT_FALSE(proof().effort.value_or(true)) << i;
  }
  EXPECT_TRUE((at_breakpoints.array() < (1 - kAbove) * torque.array()).any());  // where nodes alone show nothing
  EXPECT_FALSE(proof().joint_force.has_value());
}

TEST_F(LoadProofOfArm, TellsForcesInJoints) {
  task.limits.joint_force[1] = force * (1 + kAbove);
  EXPECT_TRUE(proof().joint_force.value_or(false));
  task.limits.joint_force[1] = force * (1 - kAbove);
  EXPECT_FALSE(proof().joint_force.value_or(true));
}

/// Friction that jumps where a joint turns round cannot be enclosed narrowly: that ends, and says no.
TEST_F(LoadProofOfArm, GivesUpInTime) {
  ModelSpec spec = task.model.spec();
  for (LinkSpec& link : spec.links) {
    for (DofSpec& dof : link.joint.dofs) dof.coulomb = 5;
  }
  task.model = build_model(spec);
  for (std::size_t i = 0; i < 7; ++i) task.limits.effort[i] = {-1.01 * torque[i], 1.01 * torque[i]};
  const LoadProof shown = proof();
  EXPECT_FALSE(shown.effort.value_or(true));
  EXPECT_LE(shown.stretches, 6 * 8);
}

}  // namespace
}  // namespace verne
