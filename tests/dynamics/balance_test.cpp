/// Energy, momentum and force balances: what the joints transmit, checked against the specification's own masses.
#include "support/compare.h"
#include "support/complex_step.h"
#include "support/reference.h"

namespace verne::test {
namespace {

using Vector6d = Eigen::Matrix<double, 6, 1>;

/// A moving model with loads, and what the library says about it.
struct Scene {
  Scene(const Model& model, Data<double>& data, std::mt19937_64& rng)
      : state(random_state(model, rng)),
        loads(random_loads(model, rng, 4)),
        poses(link_poses(model, state.q)),
        kinematics(forward_kinematics(model, data, state.q, state.v, state.a)),
        efforts(inverse_dynamics_and_wrenches(model, data, state.q, state.v, state.a, loads)) {}

  State state;
  Loads<double> loads;
  std::vector<Eigen::Isometry3d> poses;
  Kinematics<double> kinematics;
  TorquesAndWrenches<double> efforts;
};

bool moves(const Model& model, int link) {
  return link >= 0 && model.links()[static_cast<std::size_t>(link)].body >= 0;
}

class BalanceLaws : public ModelTest {};
VERNE_ON_EVERY_MODEL(BalanceLaws);

TEST_P(BalanceLaws, PowerInIsTheRateOfEnergy) {
  Data<std::complex<double>> complex_data(model_);
  for (int k = 0; k < kStates; ++k) {
    const Scene scene(model_, data_, rng_);
    const State& s = scene.state;
    double power = s.v.dot(scene.efforts.tau - friction_torques(model_, s.v));
    for (int i = 0; i < scene.loads.size(); ++i) {
      const int link = link_of_site(model_, scene.loads.sites()[i].site);
      const Vector6d wrench = load_wrench(model_, scene.loads, i, scene.poses).about(scene.kinematics.position(link));
      power += wrench.dot(scene.kinematics.velocities.col(link));
    }
    const ComplexVector q = stepped_configuration(model_, complex_data, s.q, s.v);
    const WholeBodyState<std::complex<double>> body =
        whole_body_state(model_, complex_data, q, stepped(s.v, s.a), ComplexVector::Zero(model_.nv()));
    const double rate = derivative(body.kinetic_energy + body.potential_energy) + s.v.dot(rotor_matrix(model_) * s.a);
    EXPECT_TRUE(close(power, rate, kComplexStep, s.v.cwiseAbs().dot(scene.efforts.tau.cwiseAbs())));
  }
}

TEST_P(BalanceLaws, OuterWrenchIsTheRateOfMomentum) {
  Data<std::complex<double>> complex_data(model_);
  for (int k = 0; k < kStates; ++k) {
    const Scene scene(model_, data_, rng_);
    const State& s = scene.state;
    const WholeBodyState<double> body = whole_body_state(model_, data_, s.q, s.v, s.a);
    Wrench outer = wrench_at(body.com, model_.moving_mass() * to_eigen(model_.gravity()), Eigen::Vector3d::Zero());
    for (int j = 0; j < static_cast<int>(model_.joints().size()); ++j) {
      const Joint& joint = model_.joints()[static_cast<std::size_t>(j)];
      if (!moves(model_, joint.child_link) || moves(model_, joint.parent_link)) continue;
      outer += joint_wrench(model_, j, scene.efforts.wrenches, scene.poses);
    }
    for (int i = 0; i < scene.loads.size(); ++i) {
      if (moves(model_, link_of_site(model_, scene.loads.sites()[i].site)))
        outer += load_wrench(model_, scene.loads, i, scene.poses);
    }
    const ComplexVector q = stepped_configuration(model_, complex_data, s.q, s.v);
    const auto moved = whole_body_state(model_, complex_data, q, stepped(s.v, s.a), ComplexVector::Zero(model_.nv()));
    Vector6d rate;
    rate << derivative(moved.momentum), derivative(moved.angular_momentum);
    EXPECT_TRUE(close(outer.about(body.com), rate, kComplexStep, largest(scene.efforts.wrenches)));
  }
}

// For every link, also those on fixed joints and the root: what its joint brings, minus what it passes on to its
// children, plus loads, is what its own mass and motion demand.
TEST_P(BalanceLaws, EveryLinkIsInBalance) {
  for (int k = 0; k < kStates; ++k) {
    const Scene scene(model_, data_, rng_);
    const int count = static_cast<int>(model_.links().size());
    std::vector<Wrench> supplied(static_cast<std::size_t>(count));
    for (int j = 0; j < count; ++j) {
      const Joint& joint = model_.joints()[static_cast<std::size_t>(j)];
      const Wrench wrench = joint_wrench(model_, j, scene.efforts.wrenches, scene.poses);
      supplied[static_cast<std::size_t>(joint.child_link)] += wrench;
      if (joint.parent_link >= 0) supplied[static_cast<std::size_t>(joint.parent_link)] -= wrench;
    }
    for (int i = 0; i < scene.loads.size(); ++i) {
      supplied[static_cast<std::size_t>(link_of_site(model_, scene.loads.sites()[i].site))] +=
          load_wrench(model_, scene.loads, i, scene.poses);
    }
    for (int link = 0; link < count; ++link) {
      const Eigen::Vector3d origin = scene.kinematics.position(link);
      EXPECT_TRUE(close(supplied[static_cast<std::size_t>(link)].about(origin),
                        inertial_wrench(model_, link, scene.kinematics).about(origin), kRounding,
                        largest(scene.efforts.wrenches)))
          << model_.links()[static_cast<std::size_t>(link)].name;
    }
  }
}

// Sᵀ W = tau − friction − springs − rotor inertia * a; followers hand theirs to the joint that they follow.
TEST_P(BalanceLaws, WrenchesAlongTheFreedomsAreTheTorques) {
  for (int k = 0; k < kStates; ++k) {
    const Scene scene(model_, data_, rng_);
    const State& s = scene.state;
    Eigen::VectorXd torques = Eigen::VectorXd::Zero(model_.nv());
    for (int j = 0; j < static_cast<int>(model_.joints().size()); ++j) {
      const Joint& joint = model_.joints()[static_cast<std::size_t>(j)];
      const Matrix6X<double> S = joint_freedoms(joint.spec, joint_positions(joint, s.q));
      const double ratio = joint.coupled() ? joint.spec.mimic->ratio : 1;
      torques.segment(joint.v, S.cols()) += ratio * (S.transpose() * scene.efforts.wrenches.col(j));
    }
    const Eigen::VectorXd expected =
        scene.efforts.tau - friction_torques(model_, s.v) - spring_torques(model_, s.q) - rotor_matrix(model_) * s.a;
    EXPECT_TRUE(close(torques, expected, kRounding, largest(scene.efforts.wrenches)));
  }
}

}  // namespace
}  // namespace verne::test
