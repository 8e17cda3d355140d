/// Torques in the memory of what they come from, and room for wrenches that the caller did not make.
#include <gtest/gtest.h>

#include "structures/closed_dynamics.h"
#include "structures/contacts.h"
#include "structures/mechanism_support.h"

namespace verne::test {
namespace {

TEST(ClosedAliasing, TorquesMayTakeThePlaceOfTheMotion) {
  const Mechanism mechanism(shipped_model("puma560"));
  const Model& model = mechanism.model();
  const int n = model.nv();
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(n, -0.4, 0.9), v = Eigen::VectorXd::LinSpaced(n, 1, -1),
                        a = Eigen::VectorXd::LinSpaced(n, -2, 3);
  MechanismData<double> data(mechanism);
  ContactData contacts(mechanism);
  Matrix6X<double> joints(6, static_cast<Eigen::Index>(model.joints().size())), again = joints;
  Eigen::VectorXd tau(n);
  inverse_dynamics<double>(mechanism, data, q, v, a, tau, nullptr, nullptr, &joints);
  for (const int which : {0, 1, 2}) {
    for (const bool held : {false, true}) {
      Eigen::VectorXd x[] = {q, v, a};
      if (held) {
        inverse_dynamics(mechanism, contacts, {}, x[0], x[1], x[2], x[which], nullptr, nullptr, &again);
      } else {
        inverse_dynamics<double>(mechanism, data, x[0], x[1], x[2], x[which], nullptr, nullptr, &again);
      }
      EXPECT_LT((x[which] - tau).norm(), 1e-9 * tau.norm()) << which << held;
      EXPECT_LT((again - joints).norm(), 1e-9 * joints.norm()) << which << held;
    }
  }
}

TEST(ClosedAliasing, WrenchesNeedRoom) {
  const Mechanism mechanism(shipped_model("four_bar"));
  MechanismData<double> data(mechanism);
  const Eigen::VectorXd q = mechanism.home().eigen(), zero = Eigen::VectorXd::Zero(mechanism.model().nv());
  Eigen::VectorXd tau(static_cast<Eigen::Index>(mechanism.actuated().size()));
  Matrix6X<double> none;
  EXPECT_THROW(inverse_dynamics<double>(mechanism, data, q, zero, zero, tau, nullptr, &none), std::invalid_argument);
  Eigen::VectorXd a = zero;
  EXPECT_THROW(forward_dynamics<double>(mechanism, data, q, zero, tau, a, nullptr, &none), std::invalid_argument);
}

}  // namespace
}  // namespace verne::test
