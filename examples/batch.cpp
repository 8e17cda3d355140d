// A thousand states at once, on SIMD lanes and two threads: batch models/humanoid.yaml
#include <algorithm>
#include <iostream>
#include <random>

#include "verne/dynamics/batch.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw verne::InputError("usage: batch MODEL");
  const verne::Model model = verne::load_model(argv[1]);

  verne::BatchOptions options;
  options.threads = 2;
  verne::Batch batch(model, 1000, options);
  std::mt19937_64 generator(1);
  for (int k = 0; k < batch.count(); ++k) {
    batch.q.set(k, verne::random_configuration(model, generator));
    batch.v.set(k, Eigen::VectorXd::Random(model.nv()));
  }
  verne::inverse_dynamics(model, batch);  // fills batch.tau

  // Each state gives what a single call gives, up to rounding.
  verne::Data data(model);
  double largest = 0, difference = 0;
  for (int k = 0; k < batch.count(); ++k) {
    const Eigen::VectorXd tau = verne::inverse_dynamics(model, data, batch.q.get(k), batch.v.get(k), batch.a.get(k));
    largest = std::max(largest, tau.lpNorm<Eigen::Infinity>());
    difference = std::max(difference, (batch.tau.column(k) - tau).lpNorm<Eigen::Infinity>());
  }
  std::cout << model.name() << ", " << batch.count() << " states, " << batch.lanes() << " at a time ("
            << batch.instruction_set() << "): torques up to " << largest << ", off by " << difference << "\n";
  return difference <= 1e-12 * largest ? 0 : 1;
} catch (const verne::InputError& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
