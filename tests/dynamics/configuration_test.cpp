/// Steps and differences on the manifold of configurations, and samples of it.
#include "verne/dynamics/configuration.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "support/compare.h"
#include "support/reference.h"

namespace verne::test {
namespace {

constexpr double kPi = std::numbers::pi;

class ConfigurationLaws : public ModelTest {};
VERNE_ON_EVERY_MODEL(ConfigurationLaws);

/// Index in q of every quaternion.
std::vector<int> quaternions(const Model& model) {
  std::vector<int> found;
  for (const Joint& joint : model.joints()) {
    if (joint.spec.type == JointType::spherical) found.push_back(joint.q);
    if (joint.spec.type == JointType::free) found.push_back(joint.q + 3);
  }
  return found;
}

/// Index in v of every angular velocity.
std::vector<int> rotations(const Model& model) {
  std::vector<int> found;
  for (const Joint& joint : model.joints()) {
    if (joint.spec.type == JointType::spherical) found.push_back(joint.v);
    if (joint.spec.type == JointType::free) found.push_back(joint.v + 3);
  }
  return found;
}

/// A step whose rotations have the given angle.
Eigen::VectorXd random_step(const Model& model, std::mt19937_64& rng, double angle) {
  Eigen::VectorXd step = random_values(rng, model.nv(), angle);
  for (const int k : rotations(model)) {
    // Away from zero length, so that the direction is well defined.
    step.segment<3>(k) = (random_values(rng, 3, 1) + Eigen::Vector3d(0, 0, 2)).normalized() * angle;
  }
  return step;
}

TEST_P(ConfigurationLaws, DifferenceUndoesIntegrate) {
  for (const double angle : {0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.06, 0.24, 0.25, 1.0, 3.0, kPi - 1e-3, kPi - 1e-6}) {
    const Eigen::VectorXd q = random_configuration(model_, rng_), step = random_step(model_, rng_, angle);
    const Eigen::VectorXd found = difference(model_, data_, q, integrate(model_, data_, q, step));
    // q has entries of size one or more: a tiny step is found to the rounding of those.
    EXPECT_TRUE(close(found, step, kRounding, 1e-3)) << "angle " << angle;
  }
}

TEST_P(ConfigurationLaws, IntegrateUndoesDifference) {
  for (int k = 0; k < 20; ++k) {
    const Eigen::VectorXd from = random_configuration(model_, rng_), to = random_configuration(model_, rng_);
    const Eigen::VectorXd step = difference(model_, data_, from, to);
    for (const int index : rotations(model_)) EXPECT_LE(step.segment<3>(index).norm(), kPi + 1e-12);
    Eigen::VectorXd found = integrate(model_, data_, from, step);
    for (const int index : quaternions(model_)) {  // the sign of a quaternion has no meaning
      EXPECT_NEAR(found.segment<4>(index).norm(), 1, 1e-15);
      if (found.segment<4>(index).dot(to.segment<4>(index)) < 0) found.segment<4>(index) *= -1;
    }
    EXPECT_TRUE(close(found, to, kRounding, 1));
  }
}

TEST_P(ConfigurationLaws, StepsBeyondHalfATurnComeBackTheOtherWay) {
  const Eigen::VectorXd q = random_configuration(model_, rng_), step = random_step(model_, rng_, kPi + 0.2);
  const Eigen::VectorXd found = difference(model_, data_, q, integrate(model_, data_, q, step));
  for (const int k : rotations(model_)) {
    const Eigen::Vector3d w = step.segment<3>(k);
    EXPECT_TRUE(close(found.segment<3>(k), w * (1 - 2 * kPi / w.norm()), kRounding));
  }
}

TEST_P(ConfigurationLaws, TheSignOfAQuaternionDoesNotMatter) {
  const Eigen::VectorXd from = random_configuration(model_, rng_), to = random_configuration(model_, rng_);
  Eigen::VectorXd flipped = to;
  for (const int k : quaternions(model_)) flipped.segment<4>(k) *= -1;
  EXPECT_EQ(difference(model_, data_, from, to), difference(model_, data_, from, flipped));
}

// What constant velocity does in unit time is what it does in many short times.
TEST_P(ConfigurationLaws, IntegrateIsAFlow) {
  const Eigen::VectorXd q = random_configuration(model_, rng_), v = random_step(model_, rng_, 2.5);
  Eigen::VectorXd walked = q;
  const int steps = 64;
  for (int k = 0; k < steps; ++k) walked = integrate(model_, data_, walked, v / steps);
  const Eigen::VectorXd there = integrate(model_, data_, q, v);
  EXPECT_TRUE(close(difference(model_, data_, walked, there), Eigen::VectorXd::Zero(model_.nv()), kRounding, 1));
}

TEST_P(ConfigurationLaws, InterpolateEndsAndMiddle) {
  const Eigen::VectorXd from = random_configuration(model_, rng_), to = random_configuration(model_, rng_);
  const auto at = [&](double t) {
    Eigen::VectorXd out(model_.nq());
    interpolate(model_, data_, from, to, t, out);
    return out;
  };
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model_.nv()), step = difference(model_, data_, from, to);
  EXPECT_TRUE(close(difference(model_, data_, from, at(0)), zero, kRounding, 1));
  EXPECT_TRUE(close(difference(model_, data_, to, at(1)), zero, kRounding, 1));
  EXPECT_TRUE(close(difference(model_, data_, from, at(0.5)), step / 2, kRounding, 1));
  EXPECT_TRUE(close(difference(model_, data_, at(0.5), to), step / 2, kRounding, 1));
}

TEST_P(ConfigurationLaws, OutputMayBeTheInput) {
  const Eigen::VectorXd q = random_configuration(model_, rng_), step = random_step(model_, rng_, 1);
  Eigen::VectorXd in_place = q;
  integrate(model_, data_, in_place, step, in_place);
  EXPECT_EQ(in_place, integrate(model_, data_, q, step));
}

TEST_P(ConfigurationLaws, NeutralHasUnitQuaternionsAndZeros) {
  const Eigen::VectorXd q = neutral_configuration(model_);
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(model_.nq());
  for (const int k : quaternions(model_)) expected[k + 3] = 1;
  EXPECT_EQ(q, expected);
}

// The exponential of SE(3) against its definition: the power series of the 4 x 4 matrix.
TEST(Configuration, FreeJointStepsByTheMatrixExponential) {
  std::mt19937_64 rng(4);
  const Model model = build_model(random_tree(rng, 0, {.root = JointType::free}));
  Data<double> data(model);
  for (const double angle : {1e-9, 1e-4, 0.2, 0.3, 1.0, 3.0}) {
    const Eigen::VectorXd q = random_configuration(model, rng), v = random_step(model, rng, angle);
    Eigen::Matrix4d twist = Eigen::Matrix4d::Zero(), power = Eigen::Matrix4d::Identity(), sum = power;
    twist.topRightCorner<3, 1>() = v.head<3>();
    for (int k = 0; k < 3; ++k) twist.block<3, 1>(0, k) = v.tail<3>().cross(Eigen::Vector3d::Unit(k));
    for (int k = 1; k < 40; ++k) sum += power = (power * twist / k).eval();
    const JointSpec& joint = model.joints()[0].spec;
    EXPECT_TRUE(close(joint_motion(joint, integrate(model, data, q, v)).matrix(), joint_motion(joint, q).matrix() * sum,
                      kRounding))
        << angle;
  }
}

TEST(Configuration, RandomStaysWithinLimitsAndFillsThem) {
  ModelSpec spec;
  spec.name = "limited";
  LinkSpec link;
  link.name = "link";
  link.joint.name = "joint";
  link.joint.type = JointType::revolute;
  link.joint.dofs = {{.lower = -0.5, .upper = 2}};
  link.has_inertial = true;
  link.mass = 1;
  link.inertia = {1, 0, 0, 1, 0, 1};
  spec.links = {link};
  const Model model = build_model(spec);
  std::mt19937_64 rng(5);
  const int count = 20000;
  double sum = 0, squares = 0;
  for (int k = 0; k < count; ++k) {
    const double q = random_configuration(model, rng)[0];
    ASSERT_GE(q, -0.5);
    ASSERT_LE(q, 2);
    sum += q;
    squares += (q - 0.75) * (q - 0.75);
  }
  // Standard errors: 2.5 / sqrt(12 N) = 0.005 of the mean, 2.5² / sqrt(180 N) = 0.0033 of the variance.
  EXPECT_NEAR(sum / count, 0.75, 0.02);
  EXPECT_NEAR(squares / count, 2.5 * 2.5 / 12, 0.013);
}

TEST(Configuration, RandomRotationsAreUniform) {
  std::mt19937_64 rng(6);
  const Model model = build_model(random_tree(rng, 0, {.root = JointType::spherical}));
  const int count = 20000;
  Eigen::Matrix3d mean = Eigen::Matrix3d::Zero(), squares = Eigen::Matrix3d::Zero();
  double angle = 0;
  for (int k = 0; k < count; ++k) {
    const Eigen::Matrix3d R = joint_motion(model.joints()[0].spec, random_configuration(model, rng)).linear();
    mean += R / count;
    squares += R.cwiseAbs2() / count;
    angle += Eigen::AngleAxisd(R).angle() / count;
  }
  EXPECT_TRUE(close(mean, Eigen::Matrix3d::Zero(), 0.02, 1));
  EXPECT_TRUE(close(squares, Eigen::Matrix3d::Constant(1.0 / 3), 0.02, 1));
  EXPECT_NEAR(angle, kPi / 2 + 2 / kPi, 0.02);  // density (1 − cos θ) / π
}

TEST(Configuration, CheckedNormalisesWhatIsNearlyOfUnitLength) {
  const Model model = rich_model();
  std::mt19937_64 rng(7);
  const Eigen::VectorXd q = random_configuration(model, rng);
  Eigen::VectorXd off = q;
  for (const int k : quaternions(model)) off.segment<4>(k) *= 1 + 5e-7;
  EXPECT_TRUE(close(checked_configuration(model, off), q, 1e-15));
}

std::string refusal(const Model& model, const Eigen::VectorXd& q) {
  try {
    checked_configuration(model, q);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Configuration, CheckedComplains) {
  const Model model = rich_model();
  const Eigen::VectorXd good = neutral_configuration(model);
  const auto size = std::to_string(model.nq());
  EXPECT_EQ(refusal(model, good), "none");
  EXPECT_EQ(refusal(model, good.head(3)), "error: q has 3 entries, expected " + size);
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Eigen::VectorXd q = good;
    q[model.nq() - 1] = wrong;
    EXPECT_EQ(refusal(model, q), "error: q has an entry that is not finite");
  }
  Eigen::VectorXd q = good;
  q[quaternions(model)[0] + 3] = 1 + 1e-5;
  EXPECT_EQ(refusal(model, q).rfind("error: joint 'joint_0': the quaternion in q has length 1.0000", 0), 0u);
  q[quaternions(model)[0] + 3] = 0;
  EXPECT_NE(refusal(model, q), "none");
}

}  // namespace
}  // namespace verne::test
