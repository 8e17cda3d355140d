// Uses the installed library as a stranger would.
#include <cmath>
#include <cstdio>

#include "verne/dynamics/batch.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"

int main(int, char** argv) {
  const verne::Model model = verne::load_model(argv[1]);
  verne::Data data(model);
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(model.nq(), 0.3), v = q, a = q;
  Eigen::VectorXd tau(model.nv()), back(model.nv());
  verne::inverse_dynamics(model, data, q, v, a, tau);
  verne::forward_dynamics(model, data, q, v, tau, back);
  verne::Batch batch(model, 3);
  for (int k = 0; k < 3; ++k) batch.q.set(k, q), batch.v.set(k, v), batch.a.set(k, a);
  verne::inverse_dynamics(model, batch);
  const double error = (back - a).norm() + (batch.tau.get(2) - tau).norm();
  std::printf("%s: forward undoes inverse dynamics to %.1e\n", model.name().c_str(), error);
  return error < 1e-12 ? 0 : 1;
}
