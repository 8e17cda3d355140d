/// A model that was written and read again moves with the same torques.
#include <gtest/gtest.h>

#include <random>

#include "io/io_support.h"
#include "support/random_model.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

/// Relative to the largest torque.
constexpr double kSameTorque = 1e-12;

void expect_same_torques(const ModelSpec& before, const ModelSpec& after, std::mt19937_64& rng) {
  const Model a = build_model(before), b = build_model(after);
  ASSERT_EQ(a.nq(), b.nq());
  for (const Joint& joint : a.joints()) {
    if (joint.nv == 0) continue;
    ASSERT_EQ(b.joints()[static_cast<std::size_t>(b.joint(joint.spec.name))].v, joint.v);
  }
  Data data_a(a), data_b(b);
  for (int state = 0; state < 5; ++state) {
    const Eigen::VectorXd q = random_configuration(a, rng);
    Eigen::VectorXd v(a.nv()), acceleration(a.nv()), tau_a(a.nv()), tau_b(a.nv());
    for (int i = 0; i < a.nv(); ++i) v[i] = random_number(rng, -2, 2), acceleration[i] = random_number(rng, -2, 2);
    inverse_dynamics(a, data_a, q, v, acceleration, tau_a);
    inverse_dynamics(b, data_b, q, v, acceleration, tau_b);
    const double scale = tau_a.cwiseAbs().maxCoeff();
    ASSERT_GT(scale, 0);
    EXPECT_LE((tau_a - tau_b).cwiseAbs().maxCoeff(), kSameTorque * scale);
  }
}

TEST(RoundTripTorques, Yaml) {
  std::mt19937_64 rng(21);
  RandomTreeOptions options;
  options.fixed_joints = options.coupled_joints = options.friction = true;
  options.rotor_inertia = options.springs = true;
  for (const JointType root : {JointType::fixed, JointType::free, JointType::spherical}) {
    options.root = root;
    for (int i = 0; i < 5; ++i) {
      const ModelSpec spec = random_tree(rng, 15, options);
      expect_same_torques(spec, read_sound(read_yaml, write_yaml(spec)), rng);
    }
  }
}

/// Of what URDF can say: no rotor inertia, no friction of finite width, gravity set again after reading.
TEST(RoundTripTorques, Urdf) {
  std::mt19937_64 rng(22);
  RandomTreeOptions options;
  options.kinds = {JointType::revolute, JointType::prismatic, JointType::planar, JointType::free};
  options.fixed_joints = options.coupled_joints = true;
  for (const JointType root : {JointType::fixed, JointType::free}) {
    options.root = root;
    for (int i = 0; i < 5; ++i) {
      const ModelSpec spec = random_tree(rng, 15, options);
      ModelSpec back = read_sound(read_urdf, write_urdf(spec));
      back.gravity = spec.gravity;
      expect_same_torques(spec, back, rng);
    }
  }
}

}  // namespace
}  // namespace verne::test
