/// The sine, cosine and tanh that each instruction set really runs, seen through a model of one joint.
#include <cmath>

#include "support/compare.h"
#include "support/states.h"
#include "verne/dynamics/batch.h"

namespace verne::test {
namespace {

/// `count` links, each turns about z on the one before; the first one with friction tanh(v). No gravity.
Model spindle(int count = 1) {
  ModelSpec spec;
  spec.name = "spindle";
  spec.gravity = {0, 0, 0};
  for (int k = 0; k < count; ++k) {
    LinkSpec link;
    link.name = "link" + std::to_string(k);
    if (k > 0) link.parent = spec.links.back().name;
    link.joint.name = "joint" + std::to_string(k);
    link.joint.type = JointType::revolute;
    link.joint.dofs = {{.coulomb = k == 0 ? 1.0 : 0.0, .friction_width = 1}};
    link.has_inertial = true;
    link.mass = 1;
    link.inertia = {1, 0, 0, 1, 0, 1};
    spec.links.push_back(link);
  }
  return build_model(spec);
}

// 2.5 ulp of ours (base/lane_math.h) and half an ulp of the reference, each at most 2^-52 of the result.
constexpr double kRelative = 3 * 0x1p-52;

class TrigonometryOn : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(InstructionSets, TrigonometryOn, testing::ValuesIn(instruction_sets()),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(TrigonometryOn, IsAccurate) {
  const Model model = spindle();
  std::mt19937_64 rng(1);
  const int count = 20000;
  Batch batch(model, count, {.threads = 1, .instruction_set = GetParam()});
  for (int k = 0; k < count; ++k) {
    batch.q(0, k) = random_number(rng, -1, 1) * std::pow(10, random_number(rng, -8, 8));
    batch.v(0, k) = random_number(rng, -1, 1) * std::pow(10, random_number(rng, -8, 2));
  }
  forward_kinematics(model, batch);
  bias_torques(model, batch);
  for (int k = 0; k < count; ++k) {
    const double q = batch.q(0, k), v = batch.v(0, k);
    const double cosine = std::cos(q), sine = std::sin(q), tanh = std::tanh(v);
    ASSERT_NEAR(batch.poses(3, k), cosine, kRelative * std::abs(cosine)) << q;  // R(0, 0)
    ASSERT_NEAR(batch.poses(6, k), sine, kRelative * std::abs(sine)) << q;      // R(1, 0)
    ASSERT_NEAR(batch.bias(0, k), tanh, kRelative * std::abs(tanh)) << v;
  }
}

/// The angles of one state are taken several at a time: whatever is left, each has its own sine and cosine.
TEST(Trigonometry, OfOneStateWithAnyNumberOfAngles) {
  for (int count = 1; count < 18; ++count) {
    const Model model = spindle(count);
    Data data(model);
    const Eigen::VectorXd q = Eigen::VectorXd::Random(count);
    Kinematics<double> found(model);
    forward_kinematics(model, data, q, found);
    double angle = 0;
    for (int k = 0; k < count; ++k) {
      angle += q[k];
      ASSERT_NEAR(found.rotation(k)(0, 0), std::cos(angle), 1e-14) << k << " of " << count;
      ASSERT_NEAR(found.rotation(k)(1, 0), std::sin(angle), 1e-14) << k << " of " << count;
    }
  }
}

}  // namespace
}  // namespace verne::test
