// A platform on legs, one state and a thousand: system models/gough_stewart.yaml
#include <iostream>

#include "verne/io/model_io.h"
#include "verne/structures/system_batch.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw verne::InputError("usage: system MODEL");
  const verne::System system(verne::load_model(argv[1]));  // with its loops; contacts and given accelerations: options
  verne::SystemData data(system);

  const Eigen::VectorXd lengths = system.mechanism().independent_home().eigen();
  const Eigen::VectorXd rates = Eigen::VectorXd::Constant(system.nv(), 0.1), none = 0 * rates;
  const verne::TreeState at = verne::assemble(system, data, lengths, rates, none);  // all joints, loops closed
  const verne::SystemDynamics found = verne::inverse_dynamics(system, data, at.q, at.v, at.a, {.wrenches = true});
  std::cout << system.method() << ": " << found.tau.transpose() << "\n";

  verne::SystemBatch batch(system, 1000, {.threads = 2});
  for (int k = 0; k < batch.count(); ++k) batch.v().set(k, rates * k / 1000);
  verne::assemble(batch);  // each state from home
  verne::inverse_dynamics(batch);
  std::cout << "at rest: " << batch.tau().column(0).transpose() << "\n";
  return found.loop_wrenches.allFinite() ? 0 : 1;
} catch (const verne::InputError& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
