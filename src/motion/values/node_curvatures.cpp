// Second derivatives of channels: docs/theory/motion.md, (6) to (6b).
#include "motion/values/node_values.h"
#include "motion/values/span_hessians.h"

namespace verne {

void NodeValues::differentiate_twice(const Eigen::MatrixXd& multipliers) {
  make_room_for_curvatures();
  const int curved = pairs_->curved();
  if (curved == 0) return;
  if (channels_.needs_torques()) {
    scatter(multipliers, kStateOrders * nv_, lambda_);
    for (int n = 0; n < batch_.count() && loops_; ++n) {
      const Eigen::VectorXd& w = loops_->tree_multipliers(n, loop_multipliers(n, multipliers));
      for (int i = 0; i < joints_; ++i) lambda_(i, n) = w[i];
    }
    for (const WrenchChannel& wrench : channels_.wrenches()) {
      if (!of_tree(wrench)) continue;
      for (int n = 0; n < batch_.count(); ++n) {
        for (int i = 0; i < 6; ++i) mu_(6 * wrench.joint + i, n) = multipliers(wrench.first + i, n);
        if (wrench.first != channels_.root_wrench()) continue;
        const GroundLoads::Wrench taken = ground_->root_multipliers(n, ground_multipliers(n, multipliers));
        for (int i = 0; i < 6; ++i) mu_(6 * wrench.joint + i, n) += taken[i];
        if (contacts_) left_over_multipliers_.col(n) = multipliers.col(n).segment<6>(wrench.first) + taken;
      }
    }
    inverse_dynamics_second_derivatives(model_, batch_, lambda_, second_, wrench_joints_.empty() ? nullptr : &mu_);
    gather(second_.qq, qq_rows_, curvatures_);
    gather(second_.vv, vv_rows_, curvatures_);
    gather(second_.qv, qv_rows_, curvatures_);
    gather(second_.qa, qa_rows_, curvatures_);
    for (const auto first : {NodeCurvature::qv_sum, NodeCurvature::qa_sum}) {
      auto one = curvatures_.middleRows(first * curved, curved).array();
      auto mirrored = curvatures_.middleRows(NodeCurvature::difference(first) * curved, curved).array();
      one = 0.5 * (one + mirrored);  // half the sum
      mirrored = one - mirrored;     // half the difference
    }
    if (contacts_ || grips_) curvatures_.middleRows(NodeCurvature::contact * curved, curved).setZero();
    for (int n = 0; n < batch_.count() && contacts_; ++n) {
      contacts_->take_curvature(n, &multipliers(kStateOrders * nv_, n), left_over_multipliers_.col(n), *pairs_,
                                curvature(n));
    }
    for (int n = 0; n < batch_.count() && grips_; ++n) {
      grips_->take_curvature(n, &multipliers(kStateOrders * nv_, n), *pairs_, curvature(n));
    }
    for (int n = 0; n < batch_.count() && ground_; ++n) {
      ground_->add_curvature(n, ground_multipliers(n, multipliers), root_gradient(n), *pairs_, curvature(n));
    }
    for (int n = 0; n < batch_.count() && loops_; ++n) {
      loops_->add_curvature(n, loop_multipliers(n, multipliers), *pairs_, curvature(n));
    }
  } else {
    curvatures_.topRows(curved).setZero();
    curvatures_.middleRows(NodeCurvature::qv_sum * curved, curved).setZero();  // others are of torques alone
  }
  for (Site& site : sites_) {
    if (model_.coupled()) gather(axes_.jacobian(batch_, site.site), site.axis_rows, site.twists);
  }
  for (std::size_t k = 0; k < site_of_arrow_.size(); ++k) {
    const ArrowChannel& arrow = channels_.arrows()[k];
    for (int n = 0; n < batch_.count(); ++n) {
      const Vec3<double> m = Vec3<double>::load(&multipliers(arrow.first, n));
      if (m.x == 0 && m.y == 0 && m.z == 0) continue;
      const Site& site = sites_[site_of_arrow_[k]];
      if (arrow.kind == ArrowChannel::Kind::velocity) {
        add_velocity_curvature(n, arrow, site, m);
      } else {
        add_arrow_curvature(n, arrow, site, m);
      }
    }
  }
}

/// How axes move what an arrow points to, or turn it, for a unit of their freedoms.
void NodeValues::carry(int node, const ArrowChannel& arrow, const Site& site) {
  const Vec3<double> r = rotated(node, arrow, site);
  const double* twist = (model_.coupled() ? site.twists : site.jacobian).col(node).data();
  carrying_.clear();
  for (const TreeAxis& by : site.axes) {
    const Vec3<double> axis = Vec3<double>::load(twist + 3) * by.ratio, turned = cross(axis, r);
    const bool point = arrow.kind != ArrowChannel::Kind::direction;
    carrying_.push_back({point ? Vec3<double>::load(twist) * by.ratio + turned : turned, axis});
    twist += kTwistRows;
  }
}

// (6): what an axis moves is carried along by every axis before it on the way to the world, so that
// ∂²r/∂q_i∂q_k = ω_i × ∂r/∂q_k for i before or equal to k. Two axes of one freedom meet in either order.
void NodeValues::add_arrow_curvature(int node, const ArrowChannel& arrow, const Site& site,
                                     const Vec3<double>& multiplier) {
  double* const qq = curvature(node) - pairs_->first_curved();
  carry(node, arrow, site);
  for (int k = 0; k < static_cast<int>(site.axes.size()); ++k) {
    const int dof = site.axes[k].dof;
    const Vec3<double> lever = cross(carrying_[k].velocity, multiplier);  // m · (ω × r') = ω · (r' × m)
    for (int i = 0; i <= k; ++i) {
      const double value = dot(carrying_[i].axis, lever);
      qq[pairs_->index(dof, site.axes[i].dof)] += i < k && site.axes[i].dof == dof ? 2 * value : value;
    }
  }
}

// (6a) and (6b)
void NodeValues::add_velocity_curvature(int node, const ArrowChannel& arrow, const Site& site,
                                        const Vec3<double>& multiplier) {
  double* const qq = curvature(node) - pairs_->first_curved();
  double* const qv = qq + static_cast<std::ptrdiff_t>(NodeCurvature::qv_sum) * pairs_->curved();
  carry(node, arrow, site);
  const auto by = [&](int k) -> const Carrying& { return carrying_[k]; };
  const auto rate = [&](int k) { return y_(nv_ + site.axes[k].dof, node); };
  const auto add = [&](int j, int i, double by_qv, double by_qq) {
    const int dof = site.axes[j].dof, pair = pairs_->index(dof, site.axes[i].dof);
    const double times = i < j && site.axes[i].dof == dof ? 2 : 1;
    qv[pair] += times * by_qv;  // the same whichever of both moves the other
    qq[pair] += times * by_qq;
  };
  add_carried_curvature(static_cast<int>(site.axes.size()), by, rate, {0, 0, 0}, multiplier, add);
}

}  // namespace verne
