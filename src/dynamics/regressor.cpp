#include "verne/dynamics/regressor.h"

#include "dynamics/blocks.h"
#include "dynamics/kernels/regressor.h"
#include "dynamics/singular.h"
#include "model/link_inertia.h"

namespace verne {

int parameter_count(const Model& model, const ParameterColumns& columns) {
  const Tree& tree = model.tree();
  return link_columns(tree, columns) + (2 * columns.friction + columns.rotors) * tree.nv;
}

void parameters(const Model& model, VectorOut<double> values, const ParameterColumns& columns) {
  const Tree& tree = model.tree();
  check_size("parameters", "values", parameter_count(model, columns), values.size());
  int k = 0;
  for_each_link(tree, columns, [&](int index, int) {
    const LinkSpec& link = model.spec().links[static_cast<std::size_t>(index)];
    RigidInertia<double> in = inertia_of(link);
    if (!columns.every_link) {
      const TreeSite& site = tree.sites[index];
      const TreeBody& b = tree.bodies[site.body];
      in = inverse(Transform<double>{mat3(site.R), vec3(site.p)}) * RigidInertia<double>{b.mass, vec3(b.mc), sym3(b.I)};
    }
    for (const double x : {in.mass, in.mc.x, in.mc.y, in.mc.z, in.I.xx, in.I.xy, in.I.xz, in.I.yy, in.I.yz, in.I.zz}) {
      values[k++] = x;
    }
  });
  for (int i = 0; i < tree.nv; ++i) {
    if (columns.friction) values[k++] = tree.coulomb[i], values[k++] = tree.viscous[i];
    if (columns.rotors) values[k++] = tree.rotor_inertia[i];
  }
}

template <class S>
void regressor(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, MatrixOut<S> Y,
               WrenchesOut<S> wrenches, const ParameterColumns& columns) {
  const int count = parameter_count(model, columns);
  Call<S> call("regressor", model, data);
  call.q(q).v(v).a(a).output("Y", Y, model.nv(), count);
  require_dense("regressor", Y);
  require_links("regressor", wrenches != nullptr, columns);
  S* const room = wrench_columns("regressor", model, wrenches, count, call);
  single_kernels<S>().regressor(call.tree(), call.inputs(), columns, {Y.data(), room}, data.scratch());
}

template <class S>
void load_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads, MatrixOut<S> dtau,
                      WrenchesOut<S> wrenches) {
  by_loads<S>("load_derivatives", model, data, q, loads, "dtau", dtau, wrenches,
              [&](const Inputs<S>& in, const LinearBlocks<S>& out, S* scratch) {
                single_kernels<S>().load_derivatives(model.tree(), in, out, scratch);
              });
}

template <class S>
void forward_load_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads, MatrixOut<S> da,
                              WrenchesOut<S> wrenches) {
  require_invertible("forward_load_derivatives", model);
  by_loads<S>("forward_load_derivatives", model, data, q, loads, "da", da, wrenches,
              [&](const Inputs<S>& in, const LinearBlocks<S>& out, S* scratch) {
                single_kernels<S>().hybrid_load_derivatives(model.tree(), in, nullptr, out, scratch);
              });
}

#define VERNE_INSTANTIATE(S)                                                                                           \
  template void regressor<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, MatrixOut<S>,              \
                             Matrix6X<S>*, const ParameterColumns&);                                                   \
  template void load_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, const Loads<S>&, MatrixOut<S>, Matrix6X<S>*); \
  template void forward_load_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, const Loads<S>&, MatrixOut<S>,        \
                                            Matrix6X<S>*);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
