#include "motion/node_values.h"

#include <algorithm>
#include <utility>

namespace verne {

NodeValues::NodeValues(const Model& model, const Channels& channels, int count)
    : model_(model), channels_(channels), nv_(model.nv()), batch_(model, count), y_(channels.size(), count) {
  for (const ArrowChannel& arrow : channels_.arrows()) {
    const auto known = std::find(arrow_sites_.begin(), arrow_sites_.end(), arrow.site);
    jacobian_of_arrow_.push_back(static_cast<int>(known - arrow_sites_.begin()));
    if (known == arrow_sites_.end()) arrow_sites_.push_back(arrow.site);
  }
  jacobians_.resize(arrow_sites_.size());
  lambda_ = LaneArray(nv_, count, batch_.lanes());
  if (!channels_.wrenches().empty()) {
    mu_ = LaneArray(6 * static_cast<int>(model.joints().size()), count, batch_.lanes());
  }
}

void NodeValues::evaluate(const Eigen::MatrixXd& z) {
  const int count = batch_.count();
  for (int n = 0; n < count; ++n) {
    for (int i = 0; i < nv_; ++i) {
      batch_.q(i, n) = z(i, n);
      batch_.v(i, n) = z(nv_ + i, n);
      batch_.a(i, n) = z(2 * nv_ + i, n);
    }
  }
  y_.topRows(kStateOrders * nv_) = z;
  if (channels_.needs_torques()) {
    inverse_dynamics(model_, batch_, !channels_.wrenches().empty());
    for (int n = 0; n < count; ++n) {
      for (int i = 0; i < nv_; ++i) y_(kStateOrders * nv_ + i, n) = batch_.tau(i, n);
      for (const WrenchChannel& wrench : channels_.wrenches()) {
        for (int i = 0; i < 6; ++i) y_(wrench.first + i, n) = batch_.joint_wrenches(6 * wrench.joint + i, n);
      }
    }
  } else {
    y_.middleRows(kStateOrders * nv_, nv_).setZero();
  }
  if (channels_.arrows().empty()) return;
  forward_kinematics(model_, batch_);
  for (int n = 0; n < count; ++n) {
    for (const ArrowChannel& arrow : channels_.arrows()) {
      const Vec3<double> r = rotated(n, arrow);
      for (int i = 0; i < 3; ++i) {
        y_(arrow.first + i, n) = r[i] + (arrow.is_point ? batch_.poses(12 * arrow.site + i, n) : 0);
      }
    }
  }
}

Vec3<double> NodeValues::rotated(int node, const ArrowChannel& arrow) const {
  Mat3<double> R;
  for (int k = 0; k < 9; ++k) R.m[k] = batch_.poses(12 * arrow.site + 3 + k, node);
  return R * arrow.vector;
}

void NodeValues::differentiate() {
  if (channels_.needs_torques()) {
    inverse_dynamics_derivatives(model_, batch_, dtau_, channels_.wrenches().empty() ? nullptr : &dwrenches_);
  }
  for (std::size_t s = 0; s < arrow_sites_.size(); ++s) {
    jacobian(model_, batch_, arrow_sites_[s]);
    std::swap(batch_.jacobian, jacobians_[s]);
  }
}

Vec3<double> NodeValues::arrow_column(int node, const ArrowChannel& arrow, int dof, Vec3<double>* turn) const {
  const LaneArray& J = jacobians_[jacobian_of_arrow_[&arrow - channels_.arrows().data()]];
  const auto column = [&](int first) {
    return Vec3<double>{J(6 * dof + first, node), J(6 * dof + first + 1, node), J(6 * dof + first + 2, node)};
  };
  const Vec3<double> omega = column(3);
  if (turn) *turn = omega;
  const Vec3<double> carried = cross(omega, rotated(node, arrow));
  return arrow.is_point ? column(0) + carried : carried;
}

void NodeValues::add_gradient(int node, int channel, double weight, double* out) const {
  const int n_state = kStateOrders * nv_;
  if (channel < n_state) {
    out[channel] += weight;
    return;
  }
  if (channel < n_state + nv_) {
    const int row = channel - n_state;
    for (int k = 0; k < nv_; ++k) {
      out[k] += weight * dtau_.dq(row + nv_ * k, node);
      out[nv_ + k] += weight * dtau_.dv(row + nv_ * k, node);
      out[2 * nv_ + k] += weight * dtau_.dx(row + nv_ * k, node);
    }
    return;
  }
  for (const WrenchChannel& wrench : channels_.wrenches()) {
    if (channel < wrench.first || channel >= wrench.first + 6) continue;
    const int row = 6 * nv_ * wrench.joint + (channel - wrench.first);
    for (int k = 0; k < nv_; ++k) {
      out[k] += weight * dwrenches_.dq(row + 6 * k, node);
      out[nv_ + k] += weight * dwrenches_.dv(row + 6 * k, node);
      out[2 * nv_ + k] += weight * dwrenches_.dx(row + 6 * k, node);
    }
    return;
  }
  for (const ArrowChannel& arrow : channels_.arrows()) {
    if (channel < arrow.first || channel >= arrow.first + 3) continue;
    for (int k = 0; k < nv_; ++k) out[k] += weight * arrow_column(node, arrow, k, nullptr)[channel - arrow.first];
    return;
  }
}

void NodeValues::differentiate_twice(const Eigen::MatrixXd& multipliers) {
  multipliers_ = multipliers;
  if (!channels_.needs_torques()) return;
  for (int n = 0; n < batch_.count(); ++n) {
    for (int i = 0; i < nv_; ++i) lambda_(i, n) = multipliers(kStateOrders * nv_ + i, n);
    for (const WrenchChannel& wrench : channels_.wrenches()) {
      for (int i = 0; i < 6; ++i) mu_(6 * wrench.joint + i, n) = multipliers(wrench.first + i, n);
    }
  }
  inverse_dynamics_second_derivatives(model_, batch_, lambda_, second_, channels_.wrenches().empty() ? nullptr : &mu_);
}

void NodeValues::add_hessian(int node, Eigen::MatrixXd& H) const {
  if (channels_.needs_torques()) {
    for (int k = 0; k < nv_; ++k) {
      for (int i = 0; i < nv_; ++i) {
        const int entry = i + nv_ * k;
        H(i, k) += second_.qq(entry, node);
        H(nv_ + i, nv_ + k) += second_.vv(entry, node);
        const double qv = second_.qv(entry, node), qa = second_.qa(entry, node);
        H(i, nv_ + k) += qv, H(nv_ + k, i) += qv;
        H(i, 2 * nv_ + k) += qa, H(2 * nv_ + k, i) += qa;
      }
    }
  }
  for (const ArrowChannel& arrow : channels_.arrows()) add_arrow_hessian(node, arrow, H);
}

// What a freedom moves is carried along by every freedom before it on the way to the world, so that
// ∂²r/∂q_i∂q_k = ω_i × ∂r/∂q_k for i before or equal to k. Freedoms are numbered parents first.
void NodeValues::add_arrow_hessian(int node, const ArrowChannel& arrow, Eigen::MatrixXd& H) const {
  const Vec3<double> m{multipliers_(arrow.first, node), multipliers_(arrow.first + 1, node),
                       multipliers_(arrow.first + 2, node)};
  if (m.x == 0 && m.y == 0 && m.z == 0) return;
  for (int k = 0; k < nv_; ++k) {
    Vec3<double> turn;
    const Vec3<double> moved = arrow_column(node, arrow, k, &turn);
    const Vec3<double> lever = cross(moved, m);  // m · (ω × r') = ω · (r' × m)
    for (int i = 0; i <= k; ++i) {
      Vec3<double> omega;
      arrow_column(node, arrow, i, &omega);
      const double value = dot(omega, lever);
      H(i, k) += value;
      if (i != k) H(k, i) += value;
    }
  }
}

}  // namespace verne
