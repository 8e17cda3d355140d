// Load a model, ask for the torques of a motion and for the load in every joint: first_steps models/two_link.yaml
#include <iostream>

#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw verne::InputError("usage: first_steps MODEL");

  const verne::Model model = verne::load_model(argv[1]);
  verne::Data data(model);  // scratch memory, one per thread

  const Eigen::VectorXd q = verne::neutral_configuration(model);
  const Eigen::VectorXd v = Eigen::VectorXd::Constant(model.nv(), 1.0);
  const Eigen::VectorXd a = Eigen::VectorXd::Constant(model.nv(), -2.0);
  const Eigen::VectorXd free_tau = verne::inverse_dynamics(model, data, q, v, a);

  const int last = model.link(model.links().back().name);  // 5 N along the world's y, at the origin of the last link
  const verne::Loads<> loads{{.frame = last, .force = {0, 5, 0}}};
  const auto [tau, wrenches] = verne::inverse_dynamics_and_wrenches(model, data, q, v, a, loads);

  for (const verne::Joint& joint : model.joints()) {
    const auto w = wrenches.col(joint.child_link);  // joint i carries link i
    std::cout << joint.spec.name << ": force " << w.head<3>().norm() << " N, moment " << w.tail<3>().norm() << " Nm\n";
  }
  std::cout << "tau = " << tau.transpose() << ", of which the load makes " << (tau - free_tau).transpose() << "\n";

  // The way back: the accelerations that these torques and loads cause.
  Eigen::VectorXd back(model.nv());  // in a loop: memory of one's own, nothing is allocated
  verne::forward_dynamics(model, data, q, v, tau, back, &loads);
  return (back - a).norm() < 1e-10 ? 0 : 1;
} catch (const verne::InputError& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
