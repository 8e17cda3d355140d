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

  const auto dtau = verne::inverse_dynamics_derivatives(model, data, q, v, a);  // dtau.dq, dtau.dv, dtau.da
  const auto wrenches = verne::joint_wrench_derivatives(model, data, q, v, a);  // 6 x n for every joint
  const Eigen::VectorXd lambda = Eigen::VectorXd::Ones(n);
  const auto hessian = verne::inverse_dynamics_second_derivatives(model, data, q, v, a, lambda);  // of λᵀtau

  // λᵀtau a small step along q ⊕ εx, against the quadratic that the derivatives predict.
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, 1, -1);
  const auto phi = [&](double epsilon) {
    const Eigen::VectorXd moved = verne::integrate(model, data, q, epsilon * x);
    return lambda.dot(verne::inverse_dynamics(model, data, moved, v, a));
  };
  const double slope = lambda.dot(dtau.dq * x), curvature = x.dot(hessian.qq * x);
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
