#include "verne/dynamics/regressor.h"

#include "dynamics/call.h"
#include "verne/spatial/inertia.h"

namespace verne {

int parameter_count(const Model& model) {
  return 10 * static_cast<int>(model.links().size()) + 3 * model.tree().nv;
}

void parameters(const Model& model, VectorOut<double> values) {
  check_size("parameters", "values", parameter_count(model), values.size());
  int k = 0;
  for (const LinkSpec& link : model.spec().links) {
    const RigidInertia<double> in = inertia_from_com(link.mass, link.com, link.inertia);
    for (const double x : {in.mass, in.mc.x, in.mc.y, in.mc.z, in.I.xx, in.I.xy, in.I.xz, in.I.yy, in.I.yz, in.I.zz}) {
      values[k++] = x;
    }
  }
  const Tree& tree = model.tree();
  for (int i = 0; i < tree.nv; ++i) {
    for (const double x : {tree.coulomb[i], tree.viscous[i], tree.rotor_inertia[i]}) values[k++] = x;
  }
}

namespace {

/// Memory for `columns` columns of every joint's wrench; null when not wanted.
template <class S>
S* wrench_columns(const char* function, const Model& model, Matrix6X<S>* wrenches, long columns, Call<S>& call) {
  if (!wrenches) return nullptr;
  check_size(function, "columns of wrenches", static_cast<long>(model.joints().size()) * columns, wrenches->cols());
  call.writes("wrenches", *wrenches);
  return wrenches->data();
}

}  // namespace

template <class S>
void regressor(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, MatrixOut<S> Y,
               WrenchesOut<S> wrenches) {
  const int columns = parameter_count(model);
  Call<S> call("regressor", model, data);
  call.q(q).v(v).a(a).output("Y", Y, model.nv(), columns);
  require_dense("regressor", Y);
  S* const room = wrench_columns("regressor", model, wrenches, columns, call);
  single_kernels<S>().regressor(call.tree(), call.inputs(), {Y.data(), room}, data.scratch());
}

namespace {

template <class S, class Kernel>
void by_loads(const char* function, const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads,
              const char* result, MatrixOut<S> out, Matrix6X<S>* wrenches, Kernel KernelTable<S>::*kernel) {
  const int columns = 9 * loads.size();
  Call<S> call(function, model, data);
  call.q(q).loads(&loads).output(result, out, model.nv(), columns);
  require_dense(function, out);
  S* const room = wrench_columns(function, model, wrenches, columns, call);
  (single_kernels<S>().*kernel)(call.tree(), call.inputs(), {out.data(), room}, data.scratch());
}

}  // namespace

template <class S>
void load_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads, MatrixOut<S> dtau,
                      WrenchesOut<S> wrenches) {
  by_loads<S>("load_derivatives", model, data, q, loads, "dtau", dtau, wrenches, &KernelTable<S>::load_derivatives);
}

template <class S>
void forward_load_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads, MatrixOut<S> da,
                              WrenchesOut<S> wrenches) {
  by_loads<S>("forward_load_derivatives", model, data, q, loads, "da", da, wrenches,
              &KernelTable<S>::forward_load_derivatives);
}

#define VERNE_INSTANTIATE(S)                                                                                           \
  template void regressor<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, MatrixOut<S>,              \
                             Matrix6X<S>*);                                                                            \
  template void load_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, const Loads<S>&, MatrixOut<S>, Matrix6X<S>*); \
  template void forward_load_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, const Loads<S>&, MatrixOut<S>,        \
                                            Matrix6X<S>*);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)

}  // namespace verne
