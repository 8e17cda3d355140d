/// Torques and joint wrenches are linear in inertial parameters, friction and rotors, and affine in loads.
#include "verne/dynamics/regressor.h"

#include "model/tree.h"
#include "support/compare.h"
#include "support/complaint.h"
#include "support/derivatives.h"
#include "support/reference.h"
#include "verne/dynamics/batch_derivatives.h"

namespace verne::test {
namespace {

class Regressor : public ModelTest {
 protected:
  int joints() const { return static_cast<int>(model_.joints().size()); }
  /// Σ over the columns of each joint's block, weighed.
  Matrix6X<double> wrenches_for(const Matrix6X<double>& blocks, const Eigen::VectorXd& weights) const {
    Matrix6X<double> out(6, joints());
    for (int j = 0; j < joints(); ++j) out.col(j) = blocks.middleCols(j * weights.size(), weights.size()) * weights;
    return out;
  }
  /// The same tree with other masses, inertias, friction and rotors, also where there were none.
  Model altered() {
    ModelSpec spec = model_.spec();
    for (LinkSpec& link : spec.links) {
      link.has_inertial = true;
      link.mass = random_number(rng_, 0.5, 3);
      link.com = random_vector(rng_, 0.2);
      link.inertia = random_inertia(rng_, link.mass, 0.3);
      for (DofSpec& dof : link.joint.dofs) {
        dof.coulomb = random_number(rng_, 0, 1);
        dof.viscous = random_number(rng_, 0, 1);
        dof.rotor_inertia = random_number(rng_, 0, 1);
      }
    }
    return build_model(spec);
  }
};
VERNE_ON_EVERY_MODEL(Regressor);

TEST_P(Regressor, GivesTorquesAndWrenchesOfAnyParameters) {
  const State s = random_state(model_, rng_);
  const int columns = parameter_count(model_);
  Eigen::MatrixXd Y(model_.nv(), columns);
  Matrix6X<double> blocks(6, joints() * columns);
  regressor(model_, data_, s.q, s.v, s.a, Y, &blocks);
  for (const Model& model : {model_, altered(), altered()}) {
    Data<double> data(model);
    const Eigen::VectorXd pi = parameters(model);
    const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model, data, s.q, s.v, s.a);
    EXPECT_TRUE(close(Y * pi + spring_torques(model, s.q), tau, kRounding));  // springs have no columns
    EXPECT_TRUE(close(wrenches_for(blocks, pi), wrenches, kRounding));
  }
  EXPECT_EQ(parameters(model_).size(), columns);
  EXPECT_EQ(columns, 10 * joints() + 3 * model_.tree().nv);
  Eigen::MatrixXd alone(model_.nv(), columns);
  regressor(model_, data_, s.q, s.v, s.a, alone);
  EXPECT_EQ(alone, Y);
}

TEST_P(Regressor, ColumnsCanBeChosen) {
  const State s = random_state(model_, rng_);
  const Eigen::VectorXd tau = inverse_dynamics(model_, data_, s.q, s.v, s.a) - spring_torques(model_, s.q);
  Eigen::MatrixXd all(model_.nv(), parameter_count(model_));
  regressor(model_, data_, s.q, s.v, s.a, all);
  const int links = 10 * static_cast<int>(model_.links().size());
  const Eigen::VectorXd pi = parameters(model_);
  for (const bool every_link : {true, false}) {
    for (const bool friction : {true, false}) {
      for (const bool rotors : {true, false}) {
        const ParameterColumns columns{every_link, friction, rotors};
        const Eigen::VectorXd some = parameters(model_, columns);
        Eigen::MatrixXd Y(model_.nv(), parameter_count(model_, columns));
        ASSERT_EQ(some.size(), Y.cols());
        regressor(model_, data_, s.q, s.v, s.a, Y, nullptr, columns);
        Eigen::VectorXd expected = tau;
        for (int k = 0; k < model_.tree().nv; ++k) {  // what has no column is missing
          if (!friction) expected -= all.middleCols(links + 3 * k, 2) * pi.segment(links + 3 * k, 2);
          if (!rotors) expected -= all.col(links + 3 * k + 2) * pi[links + 3 * k + 2];
        }
        EXPECT_TRUE(close(Y * some, expected, kRounding, largest(tau)));
      }
    }
  }
}

// Bodies, not links: as many as joints that move, and none in the world.
TEST_P(Regressor, BodiesAreLinksThatMove) {
  const ParameterColumns columns{.every_link = false, .friction = false, .rotors = false};
  int moving = 0;
  for (const Joint& joint : model_.joints()) moving += joint.spec.type != JointType::fixed;
  EXPECT_EQ(parameter_count(model_, columns), 10 * moving);
}

TEST_P(Regressor, WrenchesNeedEveryLink) {
  const State s = random_state(model_, rng_);
  const ParameterColumns columns{.every_link = false, .friction = true, .rotors = true};
  Eigen::MatrixXd Y(model_.nv(), parameter_count(model_, columns));
  Matrix6X<double> blocks(6, joints() * Y.cols());
  const std::string text = "regressor: wrenches need the columns of every link";
  EXPECT_EQ(complaint([&] { regressor(model_, data_, s.q, s.v, s.a, Y, &blocks, columns); }), text);
  Batch batch(model_, 2);
  LaneArray of_batch, wrenches;
  EXPECT_EQ(complaint([&] { regressor(model_, batch, of_batch, &wrenches, columns); }), text);
}

TEST_P(Regressor, DerivativesTimesParametersAreThoseOfTorques) {
  const State s = random_state(model_, rng_);
  Data<Complex> complex_data(model_);
  const Eigen::VectorXd pi = parameters(model_);
  const auto torques = [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) -> ComplexVector {
    Matrix<Complex> Y(model_.nv(), pi.size());
    regressor(model_, complex_data, q, v, a, Y);
    return Y * pi;
  };
  const Derivatives expected = stepped_derivatives(model_, s.q, s.v, s.a, torques);
  const auto found = inverse_derivatives_of(model_, data_, s.q, s.v, s.a);
  EXPECT_TRUE(close(found.dq, expected.dq + stiffness_matrix(model_, s.q), kComplexStep, kSmall));
  EXPECT_TRUE(close(found.dv, expected.dv, kComplexStep, kSmall));
  EXPECT_TRUE(close(found.dx, expected.dx, kComplexStep, kSmall));
}

TEST_P(Regressor, LoadDerivativesAreThoseOfTorquesWrenchesAndAccelerations) {
  const State s = random_state(model_, rng_);
  Loads<double> loads = random_loads(model_, rng_, 4);
  const Eigen::Vector3d force = random_values(rng_, 3, 20), moment = random_values(rng_, 3, 5);
  loads.add({.frame = 0, .force = force, .moment = moment, .point = random_values(rng_, 3, 0.5)});  // on the root
  const int columns = 9 * loads.size();
  const Eigen::MatrixXd nothing = Eigen::MatrixXd::Constant(model_.nv(), columns, std::nan(""));
  Eigen::MatrixXd dtau = nothing, expected = nothing, da = nothing, da_expected = nothing;
  Matrix6X<double> blocks = Matrix6X<double>::Constant(6, joints() * columns, std::nan("")), wrenches = blocks,
                   forward_blocks = blocks, forward_wrenches = blocks;
  load_derivatives(model_, data_, s.q, loads, dtau, &blocks);
  forward_load_derivatives(model_, data_, s.q, loads, da, &forward_blocks);
  Data<Complex> data(model_);
  const ComplexVector q = s.q.cast<Complex>(), v = s.v.cast<Complex>(), a = s.a.cast<Complex>();
  for (int k = 0; k < columns; ++k) {
    Loads<Complex> moved = complex_loads(loads);
    moved.values()[k] += Complex(0, kImaginaryStep);
    const auto [tau, W] = inverse_dynamics_and_wrenches(model_, data, q, v, a, moved);
    expected.col(k) = derivative(tau);
    for (int j = 0; j < joints(); ++j) wrenches.col(j * columns + k) = derivative(W.col(j));
    const auto [acceleration, forward_W] =
        forward_dynamics_and_wrenches(model_, data, q, v, s.tau.cast<Complex>(), moved);
    da_expected.col(k) = derivative(acceleration);
    for (int j = 0; j < joints(); ++j) forward_wrenches.col(j * columns + k) = derivative(forward_W.col(j));
  }
  EXPECT_TRUE(close(dtau, expected, kComplexStep));
  EXPECT_TRUE(close(blocks, wrenches, kComplexStep));
  EXPECT_TRUE(close(da, da_expected, kSolve));
  EXPECT_TRUE(close(forward_blocks, forward_wrenches, kSolve));
  Eigen::MatrixXd alone = nothing;
  load_derivatives(model_, data_, s.q, loads, alone);
  EXPECT_EQ(alone, dtau);
}

}  // namespace
}  // namespace verne::test
