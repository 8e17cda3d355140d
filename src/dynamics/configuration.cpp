#include "verne/dynamics/configuration.h"

#include <cmath>
#include <numbers>

#include "dynamics/call.h"

namespace verne {

template <class S>
void integrate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorOut<S> out) {
  Call<S> call("integrate", model, data);
  call.q(q).v(v).output("out", out, model.nq());
  single_kernels<S>().integrate(model.tree(), q.data(), v.data(), out.data());
}

template <class S>
void difference(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1, VectorOut<S> v) {
  Call<S> call("difference", model, data);
  call.input("q", q0, model.nq()).input("q", q1, model.nq()).output("v", v, model.nv());
  single_kernels<S>().difference(model.tree(), q0.data(), q1.data(), v.data());
}

template <class S>
void interpolate(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1, std::type_identity_t<S> t,
                 VectorOut<S> out) {
  Call<S> call("interpolate", model, data);
  call.input("q", q0, model.nq()).input("q", q1, model.nq()).output("out", out, model.nq());
  Eigen::Map<Vector<S>> step(data.scratch(), model.nv());
  single_kernels<S>().difference(model.tree(), q0.data(), q1.data(), step.data());
  step *= t;
  single_kernels<S>().integrate(model.tree(), q0.data(), step.data(), out.data());
}

namespace {

/// Calls visit(joint, index of its quaternion in q) for joints that have one.
template <class F>
void for_each_quaternion(const Model& model, F&& visit) {
  for (const Joint& joint : model.joints()) {
    if (joint.spec.type == JointType::spherical) visit(joint, joint.q);
    if (joint.spec.type == JointType::free) visit(joint, joint.q + 3);
  }
}

}  // namespace

void neutral_configuration(const Model& model, VectorOut<double> q) {
  check_size("neutral_configuration", "q", model.nq(), q.size());
  q.setZero();
  for_each_quaternion(model, [&](const Joint&, int k) { q[k + 3] = 1; });
}

void random_configuration(const Model& model, std::mt19937_64& generator, VectorOut<double> q) {
  check_size("random_configuration", "q", model.nq(), q.size());
  std::uniform_real_distribution<double> unit(-1, 1);
  std::normal_distribution<double> normal;
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv && joint.nq == joint.nv; ++k) {
      const DofSpec& dof = model.dofs()[joint.v + k];
      const JointType type = joint.spec.type;
      const bool distance = type == JointType::prismatic || (type == JointType::cylindrical && k == 0) ||
                            (type == JointType::planar && k < 2);
      const double span = distance ? 1 : std::numbers::pi;
      const bool bounded = std::isfinite(dof.lower) && std::isfinite(dof.upper);
      const double x = unit(generator);
      q[joint.q + k] = bounded ? dof.lower + (x + 1) / 2 * (dof.upper - dof.lower) : span * x;
    }
    if (joint.spec.type == JointType::free) {
      for (int k = 0; k < 3; ++k) q[joint.q + k] = unit(generator);
    }
  }
  for_each_quaternion(model, [&](const Joint&, int k) {
    do {
      for (int i = 0; i < 4; ++i) q[k + i] = normal(generator);
    } while (q.segment<4>(k).norm() < 1e-3);
    q.segment<4>(k).normalize();
  });
}

void checked_configuration(const Model& model, VectorIn<double> q, VectorOut<double> out) {
  if (q.size() != model.nq()) {
    throw InputError("q has " + std::to_string(q.size()) + " entries, expected " + std::to_string(model.nq()));
  }
  if (!q.allFinite()) throw InputError("q has an entry that is not finite");
  check_size("checked_configuration", "out", model.nq(), out.size());
  out = q;
  for_each_quaternion(model, [&](const Joint& joint, int k) {
    const double norm = out.segment<4>(k).norm();
    if (!(std::abs(norm - 1) <= 1e-6)) {
      throw InputError("joint '" + joint.spec.name + "': the quaternion in q has length " + std::to_string(norm) +
                       ", expected 1");
    }
    out.segment<4>(k) /= norm;
  });
}

#define VERNE_INSTANTIATE(S)                                                                   \
  template void integrate<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorOut<S>);  \
  template void difference<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorOut<S>); \
  template void interpolate<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, S, VectorOut<S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
