#include "verne/dynamics/control_terms.h"

#include "dynamics/batch_runner.h"
#include "dynamics/call.h"

namespace verne {

namespace {

void check_sites(const Model& model, std::span<const int> sites) {
  for (const int site : sites) check_index("control_terms", "site", site, model.site_count());
}

}  // namespace

template <class S>
void control_terms(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, std::span<const int> sites,
                   MatrixOut<S> M, VectorOut<S> bias, Matrix6XOut<S> J, Matrix6XOut<S> drift,
                   Eigen::Ref<Eigen::Matrix<std::type_identity_t<S>, 12, Eigen::Dynamic>> poses) {
  const int n = model.nv();
  const auto count = static_cast<int>(sites.size());
  Call<S> call("control_terms", model, data);
  call.q(q).v(v).output("M", M, n, n).output("bias", bias, n);
  call.output("J", J, 6, static_cast<long>(n) * count).output("drift", drift, 6, count);
  call.output("poses", poses, 12, count);
  check_sites(model, sites);
  require_dense("control_terms", J);
  require_dense("control_terms", drift);
  require_dense("control_terms", poses);
  single_kernels<S>().control_terms(
      call.tree(), call.inputs(),
      {sites.data(), count, M.data(), M.outerStride(), bias.data(), J.data(), drift.data(), poses.data()},
      data.scratch());
}

void control_terms(const Model& model, Batch& batch, std::span<const int> sites, BatchControlTerms& out) {
  BatchRunner run("control_terms", model, batch);
  check_sites(model, sites);
  const int n = model.nv(), count = static_cast<int>(sites.size());
  run.output("mass_matrix", out.mass_matrix, n * n);
  run.output("bias", out.bias, n, BatchRunner::Holds::vectors);
  run.output("jacobians", out.jacobians, 6 * n * count);
  run.output("drifts", out.drifts, 6 * count);
  run.output("poses", out.poses, 12 * count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().control_terms(run.tree(), run.inputs(b),
                                {sites.data(), count, run.values(out.mass_matrix, b), n, run.values(out.bias, b),
                                 run.values(out.jacobians, b), run.values(out.drifts, b), run.values(out.poses, b)},
                                scratch);
  });
}

#define VERNE_INSTANTIATE(S)                                                                                           \
  template void control_terms<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, std::span<const int>, MatrixOut<S>, \
                                 VectorOut<S>, Matrix6XOut<S>, Matrix6XOut<S>,                                         \
                                 Eigen::Ref<Eigen::Matrix<S, 12, Eigen::Dynamic>>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
