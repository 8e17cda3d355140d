/// The sine, cosine and tanh that each instruction set really runs, seen through a model of one joint.
#include <cmath>

#include "support/compare.h"
#include "support/states.h"
#include "verne/dynamics/batch.h"

namespace verne::test {
namespace {

/// Turns about z with friction tanh(v), no gravity.
Model spindle() {
  ModelSpec spec;
  spec.name = "spindle";
  spec.gravity = {0, 0, 0};
  LinkSpec link;
  link.name = "link";
  link.joint.name = "joint";
  link.joint.type = JointType::revolute;
  link.joint.dofs = {{.coulomb = 1, .friction_width = 1}};
  link.has_inertial = true;
  link.mass = 1;
  link.inertia = {1, 0, 0, 1, 0, 1};
  spec.links = {link};
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

}  // namespace
}  // namespace verne::test
