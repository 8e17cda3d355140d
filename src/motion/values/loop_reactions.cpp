#include "motion/values/loop_reactions.h"

#include <algorithm>
#include <utility>

namespace verne {

namespace {

LoopReactions::Wrench six(const Vec3<double>& force, const Vec3<double>& moment) {
  LoopReactions::Wrench w;
  w << force.x, force.y, force.z, moment.x, moment.y, moment.z;
  return w;
}

}  // namespace

Transform<double> LoopReactions::pose(int node, const Frame& frame) const {
  if (frame.site < 0) return frame.X_LF;
  const double* const entries = sites_[frame.site].pose.col(node).data();
  Transform<double> X;
  X.p = Vec3<double>::load(entries);
  std::copy_n(entries + 3, 9, X.R.m);
  return X * frame.X_LF;
}

void LoopReactions::look_at(int node, const Loop& loop) {
  const Transform<double> a = pose(node, loop.a), b = pose(node, loop.b);
  for (int k = 0; k < 3; ++k) at_.u[k] = a.R.column(k), at_.y[kX + k] = b.R.column(k);
  at_.y[kApart] = b.p;
  for (int k = 0; k < loop.size(); ++k) {
    const Site& site = sites_[k < loop.on_a ? loop.a.site : loop.b.site];
    const double* const axis = site.twists.col(node).data() + static_cast<std::ptrdiff_t>(kAxisEntries) * loop.place[k];
    at_.axes[k] = {Vec3<double>::load(axis), Vec3<double>::load(axis + 3)};
  }
}

auto LoopReactions::pull(const Loop& loop, const double* lambda) const -> Vectors {
  Vectors U{};
  for (std::size_t i = 0; i < loop.equations.size(); ++i) {
    for (const LoopTerm& t : loop.equations[i].terms) {
      if (t.coefficient != 0) U[t.part] = U[t.part] + at_.u[t.axis] * (t.coefficient * lambda[loop.first + i]);
    }
  }
  return U;
}

auto LoopReactions::unit_pull(const Loop& loop, int equation) const -> Vectors {
  Vectors U{};
  for (const LoopTerm& t : loop.equations[equation].terms) U[t.part] = U[t.part] + at_.u[t.axis] * t.coefficient;
  return U;
}

// (2)
auto LoopReactions::joined(const Loop& loop, const Vectors& U, const Vectors& y, bool force) -> Wrench {
  Vec3<double> moment{0, 0, 0};
  for (int part = 0; part < kParts; ++part) {
    if (loop.parts[part]) moment = moment + cross(y[part], U[part]) * (part == kApart ? 1.0 : -1.0);
  }
  return six(force ? U[kApart] : Vec3<double>{0, 0, 0}, moment);
}

auto LoopReactions::turned(const Loop& loop, const Vectors& U, int k) const -> Vectors {
  Vectors by{};
  for (int part = 0; part < kParts; ++part) {
    if (loop.parts[part]) by[part] = cross(at_.axes[k].angular, U[part]);
  }
  return by;
}

auto LoopReactions::moved(const Loop& loop, int k) const -> Vectors {
  Vectors by = turned(loop, at_.y, k);
  by[kApart] = by[kApart] + at_.axes[k].linear;
  return by;
}

// (5a), (11)
void LoopReactions::find_slopes(const Loop& loop, const Vectors& U, bool pairs, Slopes& slopes) {
  const int size = loop.size();
  slopes.value = joined(loop, U, at_.y, true);
  for (int k = 0; k < size; ++k) {
    slopes.by[k] =
        k < loop.on_a ? joined(loop, turned(loop, U, k), at_.y, true) : joined(loop, U, moved(loop, k), false);
  }
  for (int k = 0; k < size && pairs; ++k) {
    for (int l = k; l < size; ++l) {
      Wrench& by = slopes.by_pair[k * size + l];
      if (l < loop.on_a) {
        by = joined(loop, turned(loop, turned(loop, U, l), k), at_.y, true);
      } else if (k < loop.on_a) {
        by = joined(loop, turned(loop, U, k), moved(loop, l), false);
      } else {
        by = joined(loop, U, turned(loop, moved(loop, l), k), false);
      }
    }
  }
}

/// What multiplies a loop's wrench (force, moment) in a combination of the components of a wrench that was asked for.
auto LoopReactions::twist(int node, const Bearing& bearing, const double* components) const -> Axis {
  const Transform<double> X = pose(node, bearing.frame);
  const Vec3<double> angular = X.R * Vec3<double>::load(components + 3);
  return {X.R * Vec3<double>::load(components) + cross(X.p, angular), angular};
}

/// By an axis that moves the frame it is fixed in.
auto LoopReactions::carried(int k, const Axis& twist) const -> Axis {
  const Axis& by = at_.axes[k];
  return {cross(by.angular, twist.linear) + cross(by.linear, twist.angular), cross(by.angular, twist.angular)};
}

double LoopReactions::power(const Axis& axis, const Wrench& wrench) {
  return dot(axis.linear, Vec3<double>::load(wrench.data())) + dot(axis.angular, Vec3<double>::load(wrench.data() + 3));
}

// (3), (15)
void LoopReactions::invert_balance(State& state) {
  const auto passive = static_cast<Eigen::Index>(passive_.size());
  if (shared_) {
    balance_.setZero();
    for (const int dof : drives_) {
      balance_.topLeftCorner(rank_, rank_).noalias() -= weights_[dof] * state.J.col(dof) * state.J.col(dof).transpose();
    }
    balance_.bottomLeftCorner(passive, rank_) = state.J(Eigen::all, passive_).transpose();
  }
  balance_.topRightCorner(rank_, passive) = state.J(Eigen::all, passive_);
  lu_.compute(balance_);
  lu_.put_inverse(state.inverse);
}

// (3), (14)
void LoopReactions::share_out(int node) {
  State& state = states_[node];
  const auto tau = tau_.col(node);
  if (!shared_) {
    right_ = tau(passive_);
    state.lambda.noalias() = state.inverse.transpose() * right_;
    return;
  }
  right_.head(rank_).setZero();
  for (const int dof : drives_) right_.head(rank_) -= weights_[dof] * tau[dof] * state.J.col(dof);
  right_.tail(static_cast<Eigen::Index>(passive_.size())) = tau(passive_);
  unknowns_.noalias() = state.inverse * right_;
  state.lambda = unknowns_.head(rank_);
  for (const int dof : drives_) state.y[dof] = weights_[dof] * effort(node, dof);
  for (std::size_t k = 0; k < passive_.size(); ++k) {
    state.y[passive_[k]] = unknowns_[rank_ + static_cast<Eigen::Index>(k)];
  }
}

void LoopReactions::evaluate(TreeAxes& axes, Batch& batch) {
  gather(batch.tau, tau_rows_, tau_);
  for (Site& site : sites_) {
    gather(batch.poses, site.pose_rows, site.pose);
    gather(axes.jacobian(batch, site.site), site.axis_rows, site.twists);
    for (int n = 0; n < batch.count(); ++n) {
      const Vec3<double> p = Vec3<double>::load(site.pose.col(n).data());
      double* twist = site.twists.col(n).data();
      for (const TreeAxis& axis : site.axes) {
        const Vec3<double> angular = Vec3<double>::load(twist + 3) * axis.ratio;
        (Vec3<double>::load(twist) * axis.ratio + cross(p, angular)).store(twist);  // at the world's origin
        angular.store(twist + 3);
        twist += kAxisEntries;
      }
    }
  }
  for (int n = 0; n < batch.count(); ++n) {
    State& state = states_[n];
    state.J.setZero();
    for (const Loop& loop : loops_) {
      look_at(n, loop);
      for (int i = 0; i < static_cast<int>(loop.equations.size()); ++i) {
        const Wrench F = joined(loop, unit_pull(loop, i), at_.y, true);
        for (int k = 0; k < loop.size(); ++k) {
          state.J(loop.first + i, loop.dofs[k]) += loop.sign(k) * power(at_.axes[k], F);
        }
      }
    }
    invert_balance(state);
    share_out(n);
    for (std::size_t b = 0; b < bearings_.size(); ++b) {
      auto added = added_.col(n).segment<kComponents>(kComponents * static_cast<Eigen::Index>(b));
      added.setZero();
      for (const Bearing::Part& part : bearings_[b].parts) {
        const Loop& loop = loops_[part.loop];
        look_at(n, loop);
        const Wrench F = joined(loop, pull(loop, state.lambda.data()), at_.y, true);
        for (int c = 0; c < kComponents; ++c) {
          const Wrench unit = Wrench::Unit(c);
          added[c] += part.sign * power(twist(n, bearings_[b], unit.data()), F);
        }
      }
    }
  }
}

double LoopReactions::effort(int node, int dof) const {
  if (!driven_[dof]) return 0;
  return tau_(dof, node) - states_[node].J.col(dof).dot(states_[node].lambda);
}

/// (5) of some multipliers.
void LoopReactions::add_stiffness(const Loop& loop, const Eigen::VectorXd& lambda, Eigen::MatrixXd& K) {
  find_slopes(loop, pull(loop, lambda.data()), false, slopes_);
  for (int k = 0; k < loop.size(); ++k) {
    for (int l = k; l < loop.size(); ++l) {
      const double value = loop.sign(k) * power(at_.axes[k], slopes_.by[l]);
      K(loop.dofs[k], loop.dofs[l]) += value;
      if (l > k) K(loop.dofs[l], loop.dofs[k]) += value;
    }
  }
}

/// ∂(J w)/∂q at fixed w, one column an equation.
void LoopReactions::add_row_slopes(const Loop& loop, const Eigen::VectorXd& w, Eigen::MatrixXd& slopes) {
  for (int i = 0; i < static_cast<int>(loop.equations.size()); ++i) {
    find_slopes(loop, unit_pull(loop, i), false, unit_slopes_);
    auto by = slopes.col(loop.first + i);
    for (int k = 0; k < loop.size(); ++k) {
      for (int l = k; l < loop.size(); ++l) {
        const double value = loop.sign(k) * power(at_.axes[k], unit_slopes_.by[l]);
        by[loop.dofs[l]] += w[loop.dofs[k]] * value;
        if (l > k) by[loop.dofs[k]] += w[loop.dofs[l]] * value;
      }
    }
  }
}

void LoopReactions::differentiate(const BatchDerivatives& dtau) {
  gather(dtau.dq, dtau_rows_, dtau_[0]);
  gather(dtau.dv, dtau_rows_, dtau_[1]);
  gather(dtau.dx, dtau_rows_, dtau_[2]);
  const auto passive = static_cast<Eigen::Index>(passive_.size());
  for (int n = 0; n < static_cast<int>(states_.size()); ++n) {
    State& state = states_[n];
    state.K.setZero();
    for (const Loop& loop : loops_) {
      look_at(n, loop);
      add_stiffness(loop, state.lambda, state.K);
    }
    for (int order = 0; order < 3; ++order) {
      const Eigen::Map<const Eigen::MatrixXd> by(dtau_[order].col(n).data(), nv_, nv_);
      auto right = right_z_.bottomRows(passive).middleCols(order * nv_, nv_);
      for (Eigen::Index i = 0; i < passive; ++i) {
        right.row(i) = by.row(passive_[i]);
        if (order == 0) right.row(i) -= state.K.row(passive_[i]);
      }
    }
    if (shared_) {
      differentiate_shares(n);
    } else {
      state.lambda_z.noalias() = state.inverse.transpose() * right_z_;
    }
  }
}

// (16), (17)
void LoopReactions::differentiate_shares(int node) {
  State& state = states_[node];
  by_lambda_.setZero();
  for (const Loop& loop : loops_) {
    look_at(node, loop);
    add_row_slopes(loop, state.y, by_lambda_);
  }
  auto right = right_z_.topRows(rank_);
  right.setZero();
  right.leftCols(nv_) = -by_lambda_.transpose();
  const auto of_tree = [&](int dof, auto&& out) {
    for (int order = 0; order < 3; ++order) {
      const Eigen::Map<const Eigen::MatrixXd> by(dtau_[order].col(node).data(), nv_, nv_);
      out.segment(order * nv_, nv_) = by.row(dof);
    }
    out.head(nv_) -= state.K.row(dof);
  };
  Eigen::RowVectorXd row(3 * nv_);
  for (const int dof : drives_) {
    of_tree(dof, row);
    right.noalias() -= weights_[dof] * state.J.col(dof) * row;
  }
  unknowns_z_.noalias() = state.inverse * right_z_;
  state.lambda_z = unknowns_z_.topRows(rank_);
  for (const int dof : drives_) {
    of_tree(dof, row);
    state.y_z.row(dof) = weights_[dof] * (row - state.J.col(dof).transpose() * state.lambda_z);
  }
  for (std::size_t k = 0; k < passive_.size(); ++k) {
    state.y_z.row(passive_[k]) = unknowns_z_.row(rank_ + static_cast<Eigen::Index>(k));
  }
}

void LoopReactions::effort_gradient(int node, int dof, double* out) const {
  const State& state = states_[node];
  if (!driven_[dof]) {
    std::fill_n(out, 3 * nv_, 0.0);
    return;
  }
  for (int order = 0; order < 3; ++order) {
    for (int k = 0; k < nv_; ++k) {
      double value = dtau_[order](dof + nv_ * k, node) - (order == 0 ? state.K(dof, k) : 0);
      for (int i = 0; i < rank_; ++i) value -= state.J(i, dof) * state.lambda_z(i, order * nv_ + k);
      *out++ = value;
    }
  }
}

const Eigen::MatrixXd& LoopReactions::wrench_gradients(int node) {
  const State& state = states_[node];
  gradients_.setZero();
  for (std::size_t b = 0; b < bearings_.size(); ++b) {
    for (const Bearing::Part& part : bearings_[b].parts) {
      const Loop& loop = loops_[part.loop];
      look_at(node, loop);
      find_slopes(loop, pull(loop, state.lambda.data()), false, slopes_);
      for (int c = 0; c < kComponents; ++c) {
        const Wrench unit = Wrench::Unit(c);
        const Axis xi = twist(node, bearings_[b], unit.data());
        auto row = gradients_.row(kComponents * static_cast<Eigen::Index>(b) + c);
        for (int l = 0; l < loop.size(); ++l) {
          row[loop.dofs[l]] += part.sign * power(xi, slopes_.by[l]);
          if (l >= part.first && l < part.end) row[loop.dofs[l]] += part.sign * power(carried(l, xi), slopes_.value);
        }
        for (int i = 0; i < static_cast<int>(loop.equations.size()); ++i) {
          const double by = part.sign * power(xi, joined(loop, unit_pull(loop, i), at_.y, true));
          row += by * state.lambda_z.row(loop.first + i);
        }
      }
    }
  }
  return gradients_;
}

}  // namespace verne
