/// Derivatives refuse points where there is none: Coulomb friction of zero width at rest.
#include "support/algorithms.h"
#include "support/compare.h"
#include "support/complaint.h"
#include "support/derivatives.h"

namespace verne::test {
namespace {

class Friction : public testing::Test {
 protected:
  static Model model_of_width(double width) {
    std::mt19937_64 rng(5);
    ModelSpec spec = random_tree(rng, 4, {.kinds = {JointType::revolute}, .friction = true});
    for (LinkSpec& link : spec.links) {
      for (DofSpec& dof : link.joint.dofs) dof.friction_width = width;
    }
    return build_model(spec);
  }
  std::mt19937_64 rng_{6};
  static std::string text(const std::string& velocity) {
    return "error: Coulomb friction of zero width has no derivative at v = 0 (velocity '" + velocity +
           "'): set `friction: {width: ...}` of the joint to a small positive velocity";
  }
  static bool differentiates_friction(const std::string& name) {
    return name.find("inverse") == 0 || name.find("forward_derivatives") == 0 || name.find("hybrid_derivatives") == 0 ||
           name.find("second") == 0 || name.find("hessian") == 0;
  }
};

TEST_F(Friction, WithoutWidthHasNoDerivativeAtRest) {
  const Model model = model_of_width(0);
  Data<double> data(model);
  Workspace w(model, rng_);
  const int at = model.joints()[static_cast<std::size_t>(model.joint("joint_3"))].v;
  BatchWorkspace batch(model, 3);
  batch.set_loads(load_sites(w.loads));
  for (int k = 0; k < 3; ++k) batch.v.set(k, w.given.v);
  for (const double v : {0.0, -0.0}) {
    w.given.v[at] = batch.v(at, 1) = v;
    for (const Algorithm& algorithm : derivative_algorithms()) {
      const std::string expected = differentiates_friction(algorithm.name) ? text("joint_3") : "none";
      EXPECT_EQ(complaint<InputError>([&] { algorithm.single(model, data, w); }), expected) << algorithm.name;
      EXPECT_EQ(complaint<InputError>([&] { algorithm.batch(model, batch); }), expected) << algorithm.name;
    }
  }
}

// A follower rests when its leader does.
TEST_F(Friction, OfAFollowerWithoutWidthNeedsAMovingLeader) {
  ModelSpec spec = model_of_width(0.1).spec();
  JointSpec& follower = spec.links[3].joint;
  const std::string leader = spec.links[1].joint.name;
  follower.mimic = MimicSpec{leader, -0.5, 0.1};
  follower.dofs[0].friction_width = 0;
  const Model model = build_model(spec);
  Data<double> data(model);
  State s = random_state(model, rng_);
  const int at = model.joints()[static_cast<std::size_t>(model.joint(leader))].v;
  const auto call = [&] { inverse_derivatives_of(model, data, s.q, s.v, s.a); };
  EXPECT_EQ(complaint<InputError>(call), "none");
  s.v[at] = 0;
  EXPECT_EQ(complaint<InputError>(call), text(leader));
}

TEST_F(Friction, WithoutWidthIsSmoothInMotion) {
  const Model model = model_of_width(0);
  Data<double> data(model);
  Data<Complex> complex_data(model);
  const State s = random_state(model, rng_);
  const auto torques = [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) {
    return inverse_dynamics(model, complex_data, q, v, a);
  };
  const Derivatives expected = stepped_derivatives(model, s.q, s.v, s.a, torques);
  EXPECT_TRUE(close(inverse_derivatives_of(model, data, s.q, s.v, s.a).dv, expected.dv, kComplexStep));
  Workspace w(model, rng_);
  w.given.v.setConstant(1e-300);
  for (const Algorithm& algorithm : derivative_algorithms()) {
    algorithm.single(model, data, w);
    EXPECT_TRUE(algorithm.result(w).allFinite()) << algorithm.name;
  }
}

TEST_F(Friction, WithWidthIsSmoothAtRest) {
  const Model model = model_of_width(0.1);
  Data<double> data(model);
  Workspace w(model, rng_);
  w.given.v.setZero();
  for (const Algorithm& algorithm : derivative_algorithms()) {
    algorithm.single(model, data, w);
    EXPECT_TRUE(algorithm.result(w).allFinite()) << algorithm.name;
  }
}

}  // namespace
}  // namespace verne::test
