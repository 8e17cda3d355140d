#include "verne/dynamics/batch_derivatives.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "dynamics/batch_blocks.h"
#include "dynamics/singular.h"
#include "verne/dynamics/for_each_block.h"
#include "verne/dynamics/regressor.h"

namespace verne {

void inverse_dynamics_derivatives(const Model& model, Batch& batch, BatchDerivatives& tau, BatchDerivatives* wrenches,
                                  std::span<const int> joints) {
  BatchRunner run("inverse_dynamics_derivatives", model, batch);
  require_smooth(model, batch);
  const int n = model.nv(), all = run.tree().joint_count;
  for (const int joint : joints) {
    if (joint < 0 || joint >= all) throw std::invalid_argument("inverse_dynamics_derivatives: no such joint");
  }
  const int count = joints.empty() ? all : static_cast<int>(joints.size());
  const bool zeros = run.output_pairs("tau", {&tau.dq, &tau.dv, &tau.dx}, n);
  if (wrenches) output(run, "wrenches", *wrenches, 6 * n * count);
  run.for_each_block([&](int b, double* scratch) {
    const Blocks<double> out{run.values(tau.dq, b), run.values(tau.dv, b), run.values(tau.dx, b), n, zeros};
    Blocks<double> of_wrenches = blocks_at(b, wrenches, 6);
    if (!joints.empty()) of_wrenches.joints = joints.data(), of_wrenches.joint_count = count;
    run.kernels().inverse_dynamics_derivatives(run.tree(), run.loaded_inputs(b), out, of_wrenches, scratch);
  });
  run.keep_zeros({&tau.dq, &tau.dv, &tau.dx});
}

void forward_dynamics_derivatives(const Model& model, Batch& batch, BatchDerivatives& a, BatchDerivatives* wrenches) {
  BatchRunner run("forward_dynamics_derivatives", model, batch);
  require_invertible("forward_dynamics_derivatives", model);
  require_smooth(model, batch);
  const int n = model.nv();
  output(run, "a", a, n * n);
  if (wrenches) output(run, "wrenches", *wrenches, 6 * n * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().forward_dynamics_derivatives(run.tree(), run.loaded_inputs(b), run.values(batch.a, b),
                                               blocks_at(b, &a, n), blocks_at(b, wrenches, 6), scratch);
  });
}

void for_each_block(const Model& model, Batch& batch, BlockResult what,
                    const std::function<void(const StateBlock&)>& consume) {
  const char* const name = "for_each_block";
  const BatchRunner run(name, model, batch);
  const bool forward = what == BlockResult::forward_dynamics_derivatives, mass = what == BlockResult::mass_matrix;
  if (forward) require_invertible(name, model);
  if (!mass) require_smooth(model, batch);
  const int n = model.nv(), lanes = batch.lanes();
  std::vector<BatchDerivatives> memory(static_cast<std::size_t>(run.workers()));
  for (BatchDerivatives& own : memory) {
    own.dx = LaneArray(n * n, lanes, lanes);
    if (!mass) own.dq = LaneArray(n * n, lanes, lanes), own.dv = LaneArray(n * n, lanes, lanes);
  }
  run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
    BatchDerivatives& own = memory[static_cast<std::size_t>(worker)];
    Blocks<double> out = blocks_at(0, &own, n);
    if (forward) {
      run.kernels().forward_dynamics_derivatives(run.tree(), run.loaded_inputs(b), run.values(batch.a, b), out, {},
                                                 scratch);
    } else if (mass) {
      run.kernels().mass_matrix(run.tree(), run.inputs(b), out.dx, n, scratch);
    } else {
      out.zeros = true;  // which a new array holds, and nobody writes to
      run.kernels().inverse_dynamics_derivatives(run.tree(), run.loaded_inputs(b), out, {}, scratch);
    }
    const int first = b * lanes;
    consume({first, std::min(lanes, batch.count() - first), own.dq, own.dv, own.dx});
  });
}

namespace {

Weights<double> weights_at(int b, const LaneArray& lambda, const LaneArray* mu) {
  return {BatchRunner::values(lambda, b), mu ? BatchRunner::values(*mu, b) : nullptr};
}

void input_weights(BatchRunner& run, const Model& model, const LaneArray& lambda, const LaneArray* mu) {
  run.input("lambda", lambda, model.nv());
  if (mu) run.input("mu", *mu, 6 * static_cast<int>(model.joints().size()), BatchRunner::Holds::matrices);
}

}  // namespace

void inverse_dynamics_second_derivatives(const Model& model, Batch& batch, const LaneArray& lambda,
                                         BatchSecondDerivatives& out, const LaneArray* mu) {
  const char* const name = "inverse_dynamics_second_derivatives";
  BatchRunner run(name, model, batch);
  require_smooth(model, batch);
  input_weights(run, model, lambda, mu);
  const int n = model.nv();
  const bool zeros = run.output_pairs("out", {&out.qq, &out.qv, &out.qa, &out.vv}, n);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().hessian(
        run.tree(), run.loaded_inputs(b), weights_at(b, lambda, mu),
        {run.values(out.qq, b), run.values(out.qv, b), run.values(out.qa, b), run.values(out.vv, b), n, zeros},
        scratch);
  });
  run.keep_zeros({&out.qq, &out.qv, &out.qa, &out.vv});
}

void inverse_dynamics_hessian_product(const Model& model, Batch& batch, const LaneArray& lambda, const LaneArray& x,
                                      LaneArray& y, const LaneArray* mu) {
  const char* const name = "inverse_dynamics_hessian_product";
  BatchRunner run(name, model, batch);
  require_smooth(model, batch);
  input_weights(run, model, lambda, mu);
  run.input("x", x, 3 * model.nv());
  run.output("y", y, 3 * model.nv(), BatchRunner::Holds::vectors);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().hessian_product(run.tree(), run.loaded_inputs(b), weights_at(b, lambda, mu), run.values(x, b),
                                  run.values(y, b), scratch);
  });
}

void site_derivatives(const Model& model, Batch& batch, int site, BatchSiteDerivatives& out) {
  BatchRunner run("site_derivatives", model, batch);
  check_index("site_derivatives", "site", site, model.site_count());
  for (LaneArray* block : {&out.J, &out.velocity_dq, &out.acceleration_dq, &out.acceleration_dv}) {
    run.output("out", *block, 6 * model.nv());
  }
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().site_derivatives(run.tree(), run.inputs(b), site, nullptr,
                                   {run.values(out.J, b), run.values(out.velocity_dq, b),
                                    run.values(out.acceleration_dq, b), run.values(out.acceleration_dv, b)},
                                   scratch);
  });
}

void centroidal_derivatives(const Model& model, Batch& batch, BatchCentroidalDerivatives& out) {
  BatchRunner run("centroidal_derivatives", model, batch);
  run.output("out", out.com_dq, 3 * model.nv());
  for (LaneArray* block : {&out.momentum_dq, &out.momentum_dv, &out.rate_dq, &out.rate_dv}) {
    run.output("out", *block, 6 * model.nv());
  }
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().centroidal_derivatives(
        run.tree(), run.inputs(b),
        {run.values(out.com_dq, b), run.values(out.momentum_dq, b), run.values(out.momentum_dv, b),
         run.values(out.rate_dq, b), run.values(out.rate_dv, b)},
        scratch);
  });
}

void regressor(const Model& model, Batch& batch, LaneArray& Y, LaneArray* wrenches, const ParameterColumns& columns) {
  BatchRunner run("regressor", model, batch);
  require_links("regressor", wrenches != nullptr, columns);
  const int count = parameter_count(model, columns);
  run.output("Y", Y, model.nv() * count);
  if (wrenches) run.output("wrenches", *wrenches, 6 * count * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().regressor(run.tree(), run.inputs(b), columns,
                            {run.values(Y, b), wrenches ? run.values(*wrenches, b) : nullptr}, scratch);
  });
}

void load_derivatives(const Model& model, Batch& batch, LaneArray& dtau, LaneArray* wrenches) {
  BatchRunner run("load_derivatives", model, batch);
  by_loads(run, "dtau", dtau, wrenches,
           [&](const Inputs<double>& in, const LinearBlocks<double>& out, double* scratch) {
             run.kernels().load_derivatives(run.tree(), in, out, scratch);
           });
}

void forward_load_derivatives(const Model& model, Batch& batch, LaneArray& da, LaneArray* wrenches) {
  BatchRunner run("forward_load_derivatives", model, batch);
  require_invertible("forward_load_derivatives", model);
  by_loads(run, "da", da, wrenches, [&](const Inputs<double>& in, const LinearBlocks<double>& out, double* scratch) {
    run.kernels().hybrid_load_derivatives(run.tree(), in, nullptr, out, scratch);
  });
}

}  // namespace verne
