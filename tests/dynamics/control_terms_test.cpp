/// One call gives what the separate ones give.
#include "verne/dynamics/control_terms.h"

#include "support/compare.h"
#include "support/complaint.h"
#include "support/complex_step.h"

namespace verne::test {
namespace {

template <class S>
struct Terms {
  Terms(const Model& model, std::size_t sites)
      : M(model.nv(), model.nv()),
        bias(model.nv()),
        J(6, model.nv() * static_cast<Eigen::Index>(sites)),
        drift(6, static_cast<Eigen::Index>(sites)),
        poses(12, static_cast<Eigen::Index>(sites)) {}
  Matrix<S> M;
  Vector<S> bias;
  Matrix6X<S> J, drift;
  Eigen::Matrix<S, 12, Eigen::Dynamic> poses;
};

class ControlTermsOf : public ModelTest {};
VERNE_ON_EVERY_MODEL(ControlTermsOf);

TEST_P(ControlTermsOf, AreThoseOfTheSeparateCalls) {
  const int n = model_.nv();
  std::vector<int> sites;
  for (int site = model_.site_count() - 1; site >= 0; --site) sites.push_back(site);
  for (int state = 0; state < kStates; ++state) {
    const State s = random_state(model_, rng_);
    Terms<double> found(model_, sites.size());
    control_terms(model_, data_, s.q, s.v, sites, found.M, found.bias, found.J, found.drift, found.poses);
    EXPECT_TRUE(close(found.M, mass_matrix(model_, data_, s.q), kRounding));
    if (!model_.coupled()) {
      EXPECT_EQ(found.M, found.M.transpose());
    }
    EXPECT_TRUE(close(found.bias, bias_torques(model_, data_, s.q, s.v), kRounding));
    const Kinematics<double> moving = forward_kinematics(model_, data_, s.q, s.v, Eigen::VectorXd::Zero(n));
    for (std::size_t k = 0; k < sites.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      Matrix6X<double> J(6, n), rate(6, n);
      jacobian_and_rate(model_, data_, s.q, s.v, sites[k], J, rate);
      EXPECT_TRUE(close(found.J.middleCols(column * n, n), J, kRounding));
      EXPECT_TRUE(close(found.drift.col(column), rate * s.v, kRounding, largest(moving.accelerations)));
      EXPECT_TRUE(close(found.poses.col(column), moving.poses.col(sites[k]), kRounding, 1));
    }
  }
}

TEST_P(ControlTermsOf, NeedNoSites) {
  const State s = random_state(model_, rng_);
  Terms<double> found(model_, 0);
  control_terms(model_, data_, s.q, s.v, {}, found.M, found.bias, found.J, found.drift, found.poses);
  EXPECT_TRUE(close(found.M, mass_matrix(model_, data_, s.q), kRounding));
}

// So that derivatives of controllers can be had by complex steps.
TEST_P(ControlTermsOf, TakeComplexSteps) {
  const State s = random_state(model_, rng_);
  Data<std::complex<double>> data(model_);
  const ComplexVector q = stepped_configuration(model_, data, s.q, s.v), v = s.v.cast<std::complex<double>>();
  const std::vector<int> sites{model_.site_count() - 1};
  Terms<std::complex<double>> found(model_, 1);
  control_terms(model_, data, q, v, sites, found.M, found.bias, found.J, found.drift, found.poses);
  EXPECT_TRUE(close(derivative(found.M), derivative(mass_matrix(model_, data, q)), kComplexStep));
  EXPECT_TRUE(close(derivative(found.bias), derivative(bias_torques(model_, data, q, v)), kComplexStep));
}

TEST(ControlTermsArguments, AreChecked) {
  const Model model = rich_model();
  std::mt19937_64 rng(1);
  Data<double> data(model);
  const State s = random_state(model, rng);
  Terms<double> out(model, 2);
  const auto call = [&](const std::vector<int>& sites) {
    return complaint(
        [&] { control_terms(model, data, s.q, s.v, sites, out.M, out.bias, out.J, out.drift, out.poses); });
  };
  const std::string n = std::to_string(model.nv()), last = std::to_string(model.site_count() - 1);
  EXPECT_EQ(call({0, 1}), "none");
  EXPECT_EQ(call({0}), "control_terms: J has size 6 x " + std::to_string(2 * model.nv()) + ", expected 6 x " + n);
  EXPECT_EQ(call({0, -1}), "control_terms: site -1 is out of range, expected 0 to " + last);
  Eigen::MatrixXd tall(7, 2 * model.nv());
  EXPECT_EQ(complaint([&] {
              control_terms(model, data, s.q, s.v, std::vector<int>{0, 1}, out.M, out.bias, tall.topRows<6>(),
                            out.drift, out.poses);
            }),
            "control_terms: the result must be a whole matrix, not a block of one");
  EXPECT_NE(complaint([&] {
              control_terms(model, data, s.q, out.M.col(0), std::vector<int>{0, 1}, out.M, out.bias, out.J, out.drift,
                            out.poses);
            }).find("M overlaps v"),
            std::string::npos);
  Batch batch(model, 2);
  BatchControlTerms of_batch;
  EXPECT_EQ(complaint([&] { control_terms(model, batch, std::vector<int>{99999}, of_batch); }),
            "control_terms: site 99999 is out of range, expected 0 to " + last);
}

}  // namespace
}  // namespace verne::test
