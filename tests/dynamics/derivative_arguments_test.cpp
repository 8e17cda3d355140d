/// Derivatives refuse what the functions they differentiate refuse.
#include "support/algorithms.h"
#include "support/complaint.h"
#include "support/derivatives.h"

namespace verne::test {
namespace {

class DerivativeArguments : public RichModelTest {
 protected:
  const std::string nq_ = std::to_string(model_.nq()), nv_ = std::to_string(n_);

  // Sizes that nothing has.
  Eigen::VectorXd bad_ = Eigen::VectorXd::Zero(4 * model_.nq() + 1);
  Eigen::MatrixXd bad_matrix_ = Eigen::MatrixXd::Zero(n_, 2);
  const std::string has_ = " has size " + std::to_string(bad_.size()) + ", expected ";
  const std::string is_thin_ = " has size " + nv_ + " x 2, expected " + nv_ + " x ";
};

TEST_F(DerivativeArguments, OfInverseDynamics) {
  const auto call = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                        Eigen::MatrixXd& dq, Eigen::MatrixXd& dv, Eigen::MatrixXd& da) {
    return complaint([&] { inverse_dynamics_derivatives(model_, data_, q, v, a, dq, dv, da); });
  };
  Eigen::MatrixXd &dq = w_.dynamics.dq, &dv = w_.dynamics.dv, &da = w_.dynamics.dx, &bad = bad_matrix_;
  const std::string f = "inverse_dynamics_derivatives: ";
  EXPECT_EQ(call(bad_, g_.v, g_.a, dq, dv, da), f + "q" + has_ + nq_);
  EXPECT_EQ(call(g_.q, bad_, g_.a, dq, dv, da), f + "v" + has_ + nv_);
  EXPECT_EQ(call(g_.q, g_.v, bad_, dq, dv, da), f + "a" + has_ + nv_);
  EXPECT_EQ(call(g_.q, g_.v, g_.a, bad, dv, da), f + "dtau_dq" + is_thin_ + nv_);
  EXPECT_EQ(call(g_.q, g_.v, g_.a, dq, bad, da), f + "dtau_dv" + is_thin_ + nv_);
  EXPECT_EQ(call(g_.q, g_.v, g_.a, dq, dv, bad), f + "dtau_da" + is_thin_ + nv_);
  EXPECT_EQ(call(g_.q, g_.v, g_.a, dq, dv, da), "none");
}

TEST_F(DerivativeArguments, OfForwardDynamics) {
  const auto call = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau,
                        Eigen::VectorXd& a, Eigen::MatrixXd& dq) {
    return complaint(
        [&] { forward_dynamics_derivatives(model_, data_, q, v, tau, a, dq, w_.dynamics.dv, w_.dynamics.dx); });
  };
  const std::string f = "forward_dynamics_derivatives: ";
  Eigen::VectorXd long_a = bad_;
  EXPECT_EQ(call(bad_, g_.v, g_.tau, w_.a, w_.dynamics.dq), f + "q" + has_ + nq_);
  EXPECT_EQ(call(g_.q, bad_, g_.tau, w_.a, w_.dynamics.dq), f + "v" + has_ + nv_);
  EXPECT_EQ(call(g_.q, g_.v, bad_, w_.a, w_.dynamics.dq), f + "tau" + has_ + nv_);
  EXPECT_EQ(call(g_.q, g_.v, g_.tau, long_a, w_.dynamics.dq),
            f + "a has size " + std::to_string(bad_.size()) + " x 1, expected " + nv_ + " x 1");
  EXPECT_EQ(call(g_.q, g_.v, g_.tau, w_.a, bad_matrix_), f + "da_dq" + is_thin_ + nv_);
  EXPECT_EQ(call(g_.q, g_.v, g_.tau, w_.a, w_.dynamics.dq), "none");
}

// Blocks of a larger matrix will do when all three lie alike.
TEST_F(DerivativeArguments, BlocksOfALargerMatrix) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n_ + 2, 3 * n_);
  const auto part = [&](int k) { return all.block(1, k * n_, n_, n_); };
  inverse_dynamics_derivatives(model_, data_, g_.q, g_.v, g_.a, part(0), part(1), part(2), &w_.loads);
  const auto expected = inverse_derivatives_of(model_, data_, g_.q, g_.v, g_.a, &w_.loads);
  EXPECT_TRUE(part(0) == expected.dq && part(1) == expected.dv && part(2) == expected.dx);
  EXPECT_TRUE(all.row(0).isZero(0) && all.row(n_ + 1).isZero(0));
  forward_dynamics_derivatives(model_, data_, g_.q, g_.v, g_.tau, w_.a, part(0), part(1), part(2), &w_.loads);
  const auto forward = forward_derivatives_of(model_, data_, g_.q, g_.v, g_.tau, &w_.loads);
  EXPECT_TRUE(part(0) == forward.dq && part(1) == forward.dv && part(2) == forward.dx);
  EXPECT_TRUE(all.row(0).isZero(0) && all.row(n_ + 1).isZero(0));
  EXPECT_EQ(complaint([&] {
              inverse_dynamics_derivatives(model_, data_, g_.q, g_.v, g_.a, part(0), part(1), w_.dynamics.dx);
            }),
            "inverse_dynamics_derivatives: the three matrices must have the same outer stride");
}

TEST_F(DerivativeArguments, WrenchesOfAnotherModel) {
  WrenchDerivatives<double> other(build(model_cases().front()));
  const std::string text = ": columns of wrenches has size " + std::to_string(other.dq.cols()) + ", expected " +
                           std::to_string(static_cast<int>(model_.joints().size()) * n_);
  EXPECT_EQ(complaint([&] {
              inverse_dynamics_derivatives(model_, data_, g_.q, g_.v, g_.a, w_.dynamics.dq, w_.dynamics.dv,
                                           w_.dynamics.dx, nullptr, &other);
            }),
            "inverse_dynamics_derivatives" + text);
  EXPECT_EQ(complaint([&] {
              forward_dynamics_derivatives(model_, data_, g_.q, g_.v, g_.tau, w_.a, w_.dynamics.dq, w_.dynamics.dv,
                                           w_.dynamics.dx, nullptr, &other);
            }),
            "forward_dynamics_derivatives" + text);
}

TEST_F(DerivativeArguments, OfSecondDerivatives) {
  SecondDerivatives<double> other(build(model_cases().front()));
  Matrix6X<double> few = Matrix6X<double>::Zero(6, 2);
  const auto call = [&](const Eigen::VectorXd& lambda, SecondDerivatives<double>& out, const Matrix6X<double>* mu) {
    return complaint(
        [&] { inverse_dynamics_second_derivatives(model_, data_, g_.q, g_.v, g_.a, lambda, out, nullptr, mu); });
  };
  const auto product = [&](const Eigen::VectorXd& lambda, const Eigen::VectorXd& x, const Matrix6X<double>* mu) {
    return complaint(
        [&] { inverse_dynamics_hessian_product(model_, data_, g_.q, g_.v, g_.a, lambda, x, w_.product, nullptr, mu); });
  };
  const std::string joints = std::to_string(model_.joints().size());
  const std::string f = "inverse_dynamics_second_derivatives: ", g = "inverse_dynamics_hessian_product: ";
  EXPECT_EQ(call(bad_, w_.second, nullptr), f + "lambda" + has_ + nv_);
  EXPECT_EQ(call(w_.lambda, other, nullptr), f + "out has size 3 x 3, expected " + nv_ + " x " + nv_);
  EXPECT_EQ(call(w_.lambda, w_.second, &few), f + "columns of mu has size 2, expected " + joints);
  EXPECT_EQ(product(bad_, w_.direction, nullptr), g + "lambda" + has_ + nv_);
  EXPECT_EQ(product(w_.lambda, bad_, nullptr), g + "x" + has_ + std::to_string(3 * n_));
  EXPECT_EQ(product(w_.lambda, w_.direction, &few), g + "columns of mu has size 2, expected " + joints);
}

TEST_F(DerivativeArguments, OfMotion) {
  const Model small = build(model_cases().front());
  SiteDerivatives<double> site(small);
  CentroidalDerivatives<double> centroidal(small);
  Batch batch(model_, 2);
  BatchSiteDerivatives sites;
  const std::string range = " is out of range, expected 0 to " + std::to_string(model_.site_count() - 1);
  const auto call = [&](const Eigen::VectorXd& q, int index, SiteDerivatives<double>& out) {
    return complaint([&] { site_derivatives(model_, data_, q, g_.v, g_.a, index, out); });
  };
  EXPECT_EQ(call(bad_, 0, w_.motion), "site_derivatives: q" + has_ + nq_);
  EXPECT_EQ(call(g_.q, -1, w_.motion), "site_derivatives: site -1" + range);
  EXPECT_EQ(call(g_.q, 0, site), "site_derivatives: out has size 6 x 3, expected 6 x " + nv_);
  EXPECT_EQ(complaint([&] { site_derivatives(model_, batch, -1, sites); }), "site_derivatives: site -1" + range);
  EXPECT_EQ(complaint([&] { centroidal_derivatives(model_, data_, g_.q, bad_, g_.a, w_.centroidal); }),
            "centroidal_derivatives: v" + has_ + nv_);
  EXPECT_EQ(complaint([&] { centroidal_derivatives(model_, data_, g_.q, g_.v, g_.a, centroidal); }),
            "centroidal_derivatives: out.com_dq has size 3 x 3, expected 3 x " + nv_);
}

TEST_F(DerivativeArguments, OfWhatIsLinear) {
  Matrix6X<double> few = Matrix6X<double>::Zero(6, 2);
  const std::string columns = std::to_string(parameter_count(model_)), load_columns = std::to_string(w_.by_load.cols());
  EXPECT_EQ(complaint([&] { regressor(model_, data_, bad_, g_.v, g_.a, w_.parameters); }), "regressor: q" + has_ + nq_);
  EXPECT_EQ(complaint([&] { regressor(model_, data_, g_.q, g_.v, g_.a, bad_matrix_); }),
            "regressor: Y" + is_thin_ + columns);
  EXPECT_EQ(complaint([&] { regressor(model_, data_, g_.q, g_.v, g_.a, w_.parameters, &few); }),
            "regressor: columns of wrenches has size 2, expected " + std::to_string(w_.parameter_wrenches.cols()));
  EXPECT_EQ(complaint([&] { load_derivatives(model_, data_, g_.q, w_.loads, bad_matrix_); }),
            "load_derivatives: dtau" + is_thin_ + load_columns);
  EXPECT_EQ(complaint([&] { load_derivatives(model_, data_, g_.q, w_.loads, w_.by_load, &few); }),
            "load_derivatives: columns of wrenches has size 2, expected " + std::to_string(w_.by_load_wrenches.cols()));
  Eigen::MatrixXd tall(n_ + 1, parameter_count(model_));
  EXPECT_EQ(complaint([&] { regressor(model_, data_, g_.q, g_.v, g_.a, tall.topRows(n_)); }),
            "regressor: the result must be a whole matrix, not a block of one");
}

TEST_F(DerivativeArguments, LoadsOnSitesThatAreNotThere) {
  const int sites = model_.site_count();
  Loads<double> loads = w_.loads;
  loads.add({.frame = sites});
  BatchWorkspace batch(model_, 2);
  batch.set_loads(load_sites(loads));
  w_.loads = loads;
  const std::string text =
      ": site of a load " + std::to_string(sites) + " is out of range, expected 0 to " + std::to_string(sites - 1);
  for (const Algorithm& algorithm : derivative_algorithms()) {
    const std::string name = algorithm.name;
    const std::string of_batch = complaint([&] { algorithm.batch(model_, batch); });
    EXPECT_NE(of_batch.find(text), std::string::npos) << name << ": " << of_batch;
    const bool takes_loads = name.find("inverse") == 0 || name.find("forward") == 0 || name.find("second") == 0 ||
                             name.find("hessian") == 0 || name.find("hybrid") == 0 || name.find("load") == 0;
    const std::string of_one = complaint([&] { algorithm.single(model_, data_, w_); });
    EXPECT_EQ(of_one.find(text) != std::string::npos, takes_loads) << name << ": " << of_one;
  }
}

TEST_F(DerivativeArguments, ArraysOfAnotherShape) {
  BatchWorkspace batch(model_, 3, {.instruction_set = "baseline"});
  LaneArray narrow(n_, 3, 1), few(n_, 2, 2), direction(3 * n_, 3, 1);
  const auto second = [&](LaneArray& lambda, LaneArray* mu) {
    return complaint([&] { inverse_dynamics_second_derivatives(model_, batch, lambda, batch.second, mu); });
  };
  const std::string f = "inverse_dynamics_second_derivatives: ", shape = ", expected 3 states in lanes of 2";
  EXPECT_EQ(second(narrow, nullptr), f + "lambda holds 3 states in lanes of 1" + shape);
  EXPECT_EQ(second(few, nullptr), f + "lambda holds 2 states in lanes of 2" + shape);
  EXPECT_EQ(second(batch.lambda, &narrow),
            f + "mu has size " + nv_ + ", expected " + std::to_string(6 * model_.joints().size()));
  EXPECT_EQ(complaint([&] { inverse_dynamics_hessian_product(model_, batch, batch.lambda, direction, batch.product); }),
            "inverse_dynamics_hessian_product: x holds 3 states in lanes of 1" + shape);
}

}  // namespace
}  // namespace verne::test
