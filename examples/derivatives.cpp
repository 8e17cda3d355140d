// How torques and joint wrenches answer to a change of the motion, to first and second order:
// derivatives models/humanoid.yaml
#include <cmath>
#include <iostream>

#include "verne/dynamics/configuration.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/second_derivatives.h"
#include "verne/io/model_io.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw verne::InputError("usage: derivatives MODEL");
  const verne::Model model = verne::load_model(argv[1]);
  verne::Data data(model);
  const int n = model.nv();
  const Eigen::VectorXd q = verne::neutral_configuration(model);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(n, 0.5, 1.5);
  const Eigen::VectorXd a = Eigen::VectorXd::LinSpaced(n, -1, 2);

  Eigen::MatrixXd dtau_dq(n, n), dtau_dv(n, n), dtau_da(n, n);
  verne::WrenchDerivatives<> wrenches(model);  // 6 x n for every joint
  verne::inverse_dynamics_derivatives(model, data, q, v, a, dtau_dq, dtau_dv, dtau_da, nullptr, &wrenches);

  const Eigen::VectorXd lambda = Eigen::VectorXd::Ones(n);
  verne::SecondDerivatives<> hessian(model);  // of λᵀtau
  verne::inverse_dynamics_second_derivatives(model, data, q, v, a, lambda, hessian);

  // λᵀtau a small step along q ⊕ εx, against the quadratic that the derivatives predict.
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, 1, -1);
  const auto phi = [&](double epsilon) {
    Eigen::VectorXd moved(model.nq()), tau(n);
    verne::integrate(model, data, q, epsilon * x, moved);
    verne::inverse_dynamics(model, data, moved, v, a, tau);
    return lambda.dot(tau);
  };
  const double slope = lambda.dot(dtau_dq * x), curvature = x.dot(hessian.qq * x);
  const auto error = [&](double epsilon) {
    return std::abs(phi(epsilon) - (phi(0) + slope * epsilon + curvature * epsilon * epsilon / 2));
  };
  const double coarse = error(1e-2), fine = error(5e-3);
  std::cout << model.name() << ": slope " << slope << ", curvature " << curvature
            << "; half the step divides what is left by " << coarse / fine << "\n"
            << "largest derivative of a joint wrench: " << wrenches.dq.cwiseAbs().maxCoeff() << "\n";
  return coarse > 7 * fine ? 0 : 1;  // third order: by 8
} catch (const verne::InputError& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
