#include "verne/dynamics/motion_derivatives.h"

#include "dynamics/call.h"

namespace verne {

template <class S>
void site_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, int site,
                      SiteDerivatives<S>& out, const Eigen::Matrix<std::type_identity_t<S>, 3, 1>* point) {
  Call<S> call("site_derivatives", model, data);
  call.q(q).v(v).a(a);
  if (point) call.reads("point", point->data(), 3);
  check_index("site_derivatives", "site", site, model.site_count());
  for (const Matrix6X<S>* block : {&out.J, &out.velocity_dq, &out.acceleration_dq, &out.acceleration_dv}) {
    call.output("out", *block, 6, model.nv());
  }
  single_kernels<S>().site_derivatives(
      call.tree(), call.inputs(), site, point ? point->data() : nullptr,
      {out.J.data(), out.velocity_dq.data(), out.acceleration_dq.data(), out.acceleration_dv.data()}, data.scratch());
}

template <class S>
void centroidal_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                            CentroidalDerivatives<S>& out) {
  Call<S> call("centroidal_derivatives", model, data);
  call.q(q).v(v).a(a).output("out.com_dq", out.com_dq, 3, model.nv());
  for (const Matrix6X<S>* block : {&out.momentum_dq, &out.momentum_dv, &out.rate_dq, &out.rate_dv}) {
    call.output("out", *block, 6, model.nv());
  }
  single_kernels<S>().centroidal_derivatives(
      call.tree(), call.inputs(),
      {out.com_dq.data(), out.momentum_dq.data(), out.momentum_dv.data(), out.rate_dq.data(), out.rate_dv.data()},
      data.scratch());
}

#define VERNE_INSTANTIATE(S)                                                                             \
  template void site_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, int,  \
                                    SiteDerivatives<S>&, const Eigen::Matrix<S, 3, 1>*);                 \
  template void centroidal_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, \
                                          CentroidalDerivatives<S>&);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
