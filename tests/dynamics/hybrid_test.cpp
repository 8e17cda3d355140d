/// Hybrid dynamics: inverse dynamics of the completed motion, and M's blocks solved densely, say what it must find.
#include "dynamics/hybrid.h"

#include <Eigen/LU>
#include <limits>

#include "support/compare.h"
#include "support/complaint.h"
#include "support/derivatives.h"
#include "verne/dynamics/regressor.h"

namespace verne::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// About every second joint, followers and bases among them.
std::vector<int> some_joints(const Model& model, std::mt19937_64& rng) {
  std::vector<int> some;
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    const bool moves = model.joints()[i].spec.type != JointType::fixed;
    if (moves && random_number(rng, 0, 1) < 0.5) some.push_back(static_cast<int>(i));
  }
  return some;
}

/// What is given of a motion, with NaN in place of the rest.
State only_given(State s, const GivenAccelerations& given) {
  for (int k = 0; k < s.v.size(); ++k) (given[k] ? s.tau : s.a)[k] = kNan;
  return s;
}

class HybridLaws : public ModelTest {
 protected:
  HybridMotion<double> completed(const GivenAccelerations& given, const State& s, const Loads<double>& loads) {
    const State part = only_given(s, given);
    return hybrid_motion(model_, data_, given, part.q, part.v, part.a, part.tau, loads);
  }
};
VERNE_ON_EVERY_MODEL(HybridLaws);

TEST_P(HybridLaws, CompletesMotions) {
  for (int k = 0; k < 2 * kStates; ++k) {
    State s = random_state(model_, rng_);
    const Loads<double> loads = random_loads(model_, rng_, k);
    const auto expected = inverse_dynamics_and_wrenches(model_, data_, s.q, s.v, s.a, loads);
    s.tau = expected.tau;
    const GivenAccelerations given(model_, some_joints(model_, rng_));
    const HybridMotion<double> found = completed(given, s, loads);
    EXPECT_TRUE(close(found.a, s.a, kSolve));
    EXPECT_TRUE(close(found.tau, s.tau, kSolve));
    EXPECT_TRUE(close(found.wrenches, expected.wrenches, kSolve));
    for (int i = 0; i < model_.nv(); ++i) EXPECT_EQ(given[i] ? found.a[i] : found.tau[i], given[i] ? s.a[i] : s.tau[i]);
  }
}

TEST_P(HybridLaws, SolvesTheBlocksOfTheMassMatrix) {
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 3);
  const GivenAccelerations given(model_, some_joints(model_, rng_));
  std::vector<int> f, g;
  for (int k = 0; k < model_.nv(); ++k) (given[k] ? g : f).push_back(k);
  const Eigen::MatrixXd M = mass_matrix(model_, data_, s.q);
  const Eigen::VectorXd bias = inverse_dynamics(model_, data_, s.q, s.v, Eigen::VectorXd::Zero(model_.nv()), loads);
  Eigen::VectorXd a = s.a, tau = s.tau;
  if (!f.empty()) a(f) = M(f, f).fullPivLu().solve(tau(f) - bias(f) - M(f, g) * a(g));
  tau(g) = M(g, f) * a(f) + M(g, g) * a(g) + bias(g);
  const HybridMotion<double> found = completed(given, s, loads);
  EXPECT_TRUE(close(found.a, a, kSolve));
  EXPECT_TRUE(close(found.tau, tau, kSolve, largest(bias)));
}

TEST_P(HybridLaws, HasInverseAndForwardDynamicsAtItsEnds) {
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 3);
  const auto inverse = inverse_dynamics_and_wrenches(model_, data_, s.q, s.v, s.a, loads);
  const HybridMotion<double> all = completed(GivenAccelerations::of_all(model_), s, loads);
  EXPECT_TRUE(close(all.tau, inverse.tau, kRounding, largest(inverse.wrenches)));
  EXPECT_TRUE(close(all.wrenches, inverse.wrenches, kRounding));
  const auto forward = forward_dynamics_and_wrenches(model_, data_, s.q, s.v, s.tau, loads);
  const HybridMotion<double> none = completed(GivenAccelerations(model_), s, loads);
  EXPECT_TRUE(close(none.a, forward.a, kSolve));
  EXPECT_TRUE(close(none.wrenches, forward.wrenches, kSolve));
}

TEST_P(HybridLaws, WrenchesDoNotChangeTheMotion) {
  State s = random_state(model_, rng_);
  const GivenAccelerations given(model_, some_joints(model_, rng_));
  const HybridMotion<double> with = completed(given, s, {});
  hybrid_dynamics(model_, data_, given, s.q, s.v, s.a, s.tau);
  EXPECT_EQ(s.a, with.a);
  EXPECT_EQ(s.tau, with.tau);
}

class HybridDerivativesOf : public HybridLaws {
 protected:
  /// What is found, then all wrenches, from what is given.
  ComplexVector found(const GivenAccelerations& given, const ComplexVector& q, const ComplexVector& v,
                      const ComplexVector& x, const Loads<Complex>& loads) {
    const HybridMotion<Complex> motion = hybrid_motion(model_, complex_data_, given, q, v, x, x, loads);
    ComplexVector out(motion.a.size() + motion.wrenches.size());
    out << motion.a, motion.wrenches.reshaped();
    for (int k = 0; k < model_.nv(); ++k) out[k] = given[k] ? motion.tau[k] : motion.a[k];
    return out;
  }
  /// Rows of found() against an nv x columns block and 6 x columns blocks of the joints side by side.
  void expect_rows(const Eigen::MatrixXd& expected, const Eigen::MatrixXd& found, const Matrix6X<double>& wrenches,
                   double tolerance, double scale) const {
    const Eigen::Index n = model_.nv(), columns = found.cols();
    EXPECT_TRUE(close(found, expected.topRows(n), tolerance, scale));
    for (std::size_t j = 0; j < model_.joints().size(); ++j) {
      const auto at = static_cast<Eigen::Index>(j);
      EXPECT_TRUE(
          close(wrenches.middleCols(at * columns, columns), expected.middleRows(n + 6 * at, 6), tolerance, scale))
          << model_.joints()[j].spec.name;
    }
  }
  /// What sums of large numbers that nearly cancel leave: rounding, times the condition of M.
  double tolerance(const State& s) {
    return kComplexStep +
           kSolvePerCondition * mass_matrix(model_, data_, s.q).norm() * inverse_mass_matrix(model_, data_, s.q).norm();
  }

  Data<Complex> complex_data_{model_};
};
VERNE_ON_EVERY_MODEL(HybridDerivativesOf);

TEST_P(HybridDerivativesOf, MotionsByComplexStep) {
  for (int k = 0; k < 2; ++k) {
    const State s = random_state(model_, rng_);
    const Loads<double> loads = random_loads(model_, rng_, 4 * k);
    const Loads<Complex> same = complex_loads(loads);
    const GivenAccelerations given(model_, some_joints(model_, rng_));
    Eigen::VectorXd x = s.tau;
    for (int i = 0; i < model_.nv(); ++i) x[i] = given[i] ? s.a[i] : s.tau[i];
    const Derivatives expected = stepped_derivatives(
        model_, s.q, s.v, x, [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& by) {
          return found(given, q, v, by, same);
        });
    State part = only_given(s, given);
    HybridDerivatives<double> d(model_);
    WrenchDerivatives<double> wrenches(model_);
    hybrid_dynamics_derivatives(model_, data_, given, s.q, s.v, part.a, part.tau, d.dq, d.dv, d.dgiven, &loads,
                                &wrenches);
    const auto parts = inverse_derivatives_of(model_, data_, s.q, s.v, part.a, &loads);
    const auto scale = [](const Eigen::MatrixXd& tau, const Matrix6X<double>& w) {
      return std::max({kSmall, largest(tau), largest(w)});
    };
    expect_rows(expected.dq, d.dq, wrenches.dq, tolerance(s), scale(parts.dq, parts.wrenches.dq));
    expect_rows(expected.dv, d.dv, wrenches.dv, tolerance(s), scale(parts.dv, parts.wrenches.dv));
    expect_rows(expected.dx, d.dgiven, wrenches.dx, tolerance(s), scale(parts.dx, parts.wrenches.dx));
    const HybridMotion<double> motion = completed(given, s, loads);
    EXPECT_TRUE(close(part.a, motion.a, kRounding));
    EXPECT_TRUE(close(part.tau, motion.tau, kRounding));
  }
}

TEST_P(HybridDerivativesOf, LoadsByComplexStep) {
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 2);
  const GivenAccelerations given(model_, some_joints(model_, rng_));
  Eigen::VectorXd x = s.tau;
  for (int i = 0; i < model_.nv(); ++i) x[i] = given[i] ? s.a[i] : s.tau[i];
  const Eigen::Index columns = 9 * loads.size();
  Eigen::MatrixXd expected(model_.nv() + 6 * static_cast<Eigen::Index>(model_.joints().size()), columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    Loads<Complex> stepped_loads = complex_loads(loads);
    stepped_loads.values()[c] += Complex(0, kImaginaryStep);
    expected.col(c) =
        derivative(found(given, s.q.cast<Complex>(), s.v.cast<Complex>(), x.cast<Complex>(), stepped_loads));
  }
  Eigen::MatrixXd dfound(model_.nv(), columns);
  Matrix6X<double> wrenches(6, columns * static_cast<Eigen::Index>(model_.joints().size()));
  hybrid_load_derivatives(model_, data_, given, s.q, loads, dfound, &wrenches);
  const Eigen::MatrixXd parts = load_derivatives(model_, data_, s.q, loads);
  expect_rows(expected, dfound, wrenches, tolerance(s), std::max(1.0, largest(parts)));
}

/// A chain of three hinges whose last link weighs nothing.
class HybridOfAnEmptyHand : public testing::Test {
 protected:
  static Model build() {
    std::mt19937_64 rng(41);
    ModelSpec spec = random_tree(rng, 3, {.kinds = {JointType::revolute}, .chain = true, .fixed_joints = false});
    spec.links[3].mass = 0;
    spec.links[3].inertia = Sym3<double>::zero();
    return build_model(spec);
  }
  const Model model_ = build();
  Data<double> data_{model_};
  std::mt19937_64 rng_{2};
  State s_ = random_state(model_, rng_);
};

TEST_F(HybridOfAnEmptyHand, HasNoAnswerToATorqueOnIt) {
  const std::vector<int> first{model_.joint("joint_1")};
  const std::string text = complaint<InputError>(
      [&] { hybrid_dynamics(model_, data_, GivenAccelerations(model_, first), s_.q, s_.v, s_.a, s_.tau); });
  EXPECT_NE(text.find("hybrid_dynamics: the mass matrix is singular: joint 'joint_3': moves but carries no mass"),
            std::string::npos)
      << text;
}

TEST_F(HybridOfAnEmptyHand, FollowsGivenAccelerations) {
  const std::vector<int> last{model_.joint("joint_3")};
  const Eigen::VectorXd tau = inverse_dynamics(model_, data_, s_.q, s_.v, s_.a);
  const HybridMotion<double> found =
      hybrid_motion(model_, data_, GivenAccelerations(model_, last), s_.q, s_.v, s_.a, tau);
  EXPECT_TRUE(close(found.a, s_.a, kSolve));
  EXPECT_TRUE(close(found.tau, tau, kSolve));
}

TEST(HybridArguments, AreChecked) {
  const Model model = rich_model();
  Data<double> data(model);
  std::mt19937_64 rng(3);
  State s = random_state(model, rng);
  std::vector<int> fixed;
  for (std::size_t i = 0; i < model.joints().size() && fixed.empty(); ++i) {
    if (model.joints()[i].spec.type == JointType::fixed) fixed.push_back(static_cast<int>(i));
  }
  const std::string name = model.joints()[static_cast<std::size_t>(fixed.at(0))].spec.name;
  EXPECT_EQ(complaint<InputError>([&] { GivenAccelerations(model, fixed); }),
            "error: joint '" + name + "' is fixed: it has no acceleration to give");
  const std::vector<int> beyond{static_cast<int>(model.joints().size())};
  EXPECT_NE(complaint([&] { GivenAccelerations(model, beyond); }).find("is out of range"), std::string::npos);
  const GivenAccelerations other(build(model_cases().front()));
  EXPECT_NE(complaint([&] { hybrid_dynamics(model, data, other, s.q, s.v, s.a, s.tau); }).find("given has size"),
            std::string::npos);
  for (const Joint& joint : model.joints()) {
    if (joint.nq == joint.nv) continue;
    const std::vector<int> part{joint.v + 1};
    const GivenAccelerations in_part = GivenAccelerations::of_velocities(model, part);
    EXPECT_EQ(complaint<InputError>([&] { hybrid_dynamics(model, data, in_part, s.q, s.v, s.a, s.tau); }),
              "error: hybrid_dynamics: joint '" + joint.spec.name +
                  "' turns by a quaternion: its accelerations are given all or none");
  }
  const GivenAccelerations given(model);
  EXPECT_NE(complaint([&] { hybrid_dynamics(model, data, given, s.q, s.v, s.a, s.a); }).find("tau overlaps a"),
            std::string::npos);
}

// a in the memory of v: the rule of data.h.
TEST(HybridArguments, MayBeInputs) {
  const Model model = rich_model();
  Data<double> data(model);
  std::mt19937_64 rng(4);
  const State s = random_state(model, rng);
  const GivenAccelerations given(model, some_joints(model, rng));
  State apart = s, shared = s;
  apart.a = s.v;
  hybrid_dynamics(model, data, given, s.q, s.v, apart.a, apart.tau);
  hybrid_dynamics(model, data, given, s.q, shared.v, shared.v, shared.tau);
  EXPECT_EQ(shared.v, apart.a);
  EXPECT_EQ(shared.tau, apart.tau);
}

}  // namespace
}  // namespace verne::test
