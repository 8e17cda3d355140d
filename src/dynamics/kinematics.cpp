#include "verne/dynamics/kinematics.h"

#include "dynamics/call.h"

namespace verne {

template <class S>
void forward_kinematics(const Model& model, Data<S>& data, VectorIn<S> q, Kinematics<S>& out) {
  Call<S> call("forward_kinematics", model, data);
  call.q(q).output("out.poses", out.poses, 12, call.tree().site_count);
  single_kernels<S>().kinematics(call.tree(), call.inputs(), out.poses.data(), nullptr, nullptr, data.scratch());
}

template <class S>
void forward_kinematics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                        Kinematics<S>& out) {
  Call<S> call("forward_kinematics", model, data);
  const int n = call.tree().site_count;
  call.q(q).v(v).a(a).output("out.poses", out.poses, 12, n);
  call.output("out.velocities", out.velocities, 6, n).output("out.accelerations", out.accelerations, 6, n);
  single_kernels<S>().kinematics(call.tree(), call.inputs(), out.poses.data(), out.velocities.data(),
                                 out.accelerations.data(), data.scratch());
}

template <class S>
void jacobian(const Model& model, Data<S>& data, VectorIn<S> q, int site, Matrix6XOut<S> J) {
  Call<S> call("jacobian", model, data);
  call.q(q).output("J", J, 6, call.nv());
  check_index("jacobian", "site", site, call.tree().site_count);
  single_kernels<S>().jacobian(call.tree(), call.inputs(), site, J.data(), nullptr, static_cast<int>(J.outerStride()),
                               data.scratch());
}

template <class S>
void jacobian_and_rate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, int site, Matrix6XOut<S> J,
                       Matrix6XOut<S> J_rate) {
  Call<S> call("jacobian_and_rate", model, data);
  call.q(q).v(v).output("J", J, 6, call.nv()).output("J_rate", J_rate, 6, call.nv());
  check_index("jacobian_and_rate", "site", site, call.tree().site_count);
  if (J.outerStride() != J_rate.outerStride()) {
    throw std::invalid_argument("jacobian_and_rate: J and J_rate must have the same outer stride");
  }
  single_kernels<S>().jacobian(call.tree(), call.inputs(), site, J.data(), J_rate.data(),
                               static_cast<int>(J.outerStride()), data.scratch());
}

#define VERNE_INSTANTIATE(S)                                                                                          \
  template void forward_kinematics<S>(const Model&, Data<S>&, VectorIn<S>, Kinematics<S>&);                           \
  template void forward_kinematics<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, Kinematics<S>&); \
  template void jacobian<S>(const Model&, Data<S>&, VectorIn<S>, int, Matrix6XOut<S>);                                \
  template void jacobian_and_rate<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, int, Matrix6XOut<S>,           \
                                     Matrix6XOut<S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
