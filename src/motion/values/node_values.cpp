#include "motion/values/node_values.h"

#include <algorithm>
#include <utility>

#include "motion/values/span_hessians.h"

namespace verne {

namespace {

void sort(std::vector<LanePick>& picks) {
  std::sort(picks.begin(), picks.end(), [](const LanePick& a, const LanePick& b) { return a.from < b.from; });
}

}  // namespace

NodeValues::NodeValues(const Model& model, const ChannelLayout& channels, int count, const DofPairs* pairs)
    : model_(model),
      channels_(channels),
      pairs_(pairs),
      joints_(model.nv()),
      nv_(channels.nv()),
      batch_(model, count),
      axes_(model, count),
      y_(Eigen::MatrixXd::Zero(channels.size(), count)),
      slot_(channels.size(), -1) {
  if (channels_.loads().size() > 0) batch_.set_loads(channels_.loads());
  int size = 0;
  for (const int channel : channels_.derived()) {
    slot_[channel] = static_cast<int>(derived_.size());
    derived_.push_back({size, channels_.orders(channel), channels_.dofs(channel)});
    size += derived_.back().orders * static_cast<int>(derived_.back().dofs.size());
  }
  gradient_size_ = size;
  pick_derivatives();
  add_sites();
  if (channels_.root_wrench() >= 0) add_contacts(), add_ground();
  if (channels_.mechanism() && channels_.needs_torques()) {
    loops_.emplace(*channels_.mechanism(), channels_.effort_weights(), channels_.wrenches(), count);
    loop_multipliers_.resize(6 * static_cast<Eigen::Index>(channels_.wrenches().size()));
  }
}

void NodeValues::make_room_for_curvatures() {
  if (lambda_.rows() > 0 || !pairs_) return;
  const int count = batch_.count();
  curvatures_ = Eigen::MatrixXd::Zero(NodeCurvature::kArrays * pairs_->curved(), count);
  pick_curvatures();
  lambda_ = LaneArray(joints_, count, batch_.lanes());
  if (!wrench_joints_.empty()) {
    mu_ = LaneArray(6 * static_cast<int>(model_.joints().size()), count, batch_.lanes());
  }
}

void NodeValues::pick_derivatives() {
  const auto pick = [&](int channel, int first_row, int stride, std::vector<LanePick>* by_order) {
    const Derived& d = derived_[slot_[channel]];
    const int size = static_cast<int>(d.dofs.size());
    for (int order = 0; order < d.orders; ++order) {
      for (int k = 0; k < size && d.dofs[k] < joints_; ++k) {
        by_order[order].push_back({first_row + stride * d.dofs[k], d.first + order * size + k});
      }
    }
  };
  for (int i = 0; i < joints_; ++i) {
    const int channel = kStateOrders * nv_ + i;
    if (slot_[channel] < 0) continue;
    tau_rows_.push_back({i, channel});
    pick(channel, i, joints_, dtau_rows_);
  }
  for (const WrenchChannel& wrench : channels_.wrenches()) {
    if (!of_tree(wrench)) continue;
    const int first = 6 * joints_ * static_cast<int>(wrench_joints_.size());
    for (int i = 0; i < 6; ++i) {
      wrench_rows_.push_back({6 * wrench.joint + i, wrench.first + i});
      pick(wrench.first + i, first + i, 6, dwrench_rows_);
    }
    wrench_joints_.push_back(wrench.joint);
  }
  for (int order = 0; order < 3; ++order) sort(dtau_rows_[order]), sort(dwrench_rows_[order]);
}

void NodeValues::pick_curvatures() {
  using C = NodeCurvature;
  const int curved = pairs_->curved();
  for (int p = 0; p < curved; ++p) {
    const auto [i, k] = (*pairs_)[pairs_->first_curved() + p];
    if (i >= joints_) continue;  // what contacts bear
    const int entry = i + joints_ * k, mirrored = k + joints_ * i;
    qq_rows_.push_back({entry, C::qq * curved + p});
    vv_rows_.push_back({entry, C::vv * curved + p});
    qv_rows_.push_back({entry, C::qv_sum * curved + p});
    qv_rows_.push_back({mirrored, C::qv_difference * curved + p});
    qa_rows_.push_back({entry, C::qa_sum * curved + p});
    qa_rows_.push_back({mirrored, C::qa_difference * curved + p});
  }
  for (auto* rows : {&qq_rows_, &vv_rows_, &qv_rows_, &qa_rows_}) sort(*rows);
}

void NodeValues::add_sites() {
  for (const ArrowChannel& arrow : channels_.arrows()) {
    const auto known =
        std::find_if(sites_.begin(), sites_.end(), [&](const Site& site) { return site.site == arrow.site; });
    const auto index = static_cast<std::size_t>(known - sites_.begin());
    site_of_arrow_.push_back(static_cast<int>(index));
    if (known == sites_.end()) sites_.emplace_back(arrow.site, channels_.dofs(arrow.first));
    sites_[index].moves |= arrow.kind == ArrowChannel::Kind::velocity;
  }
  for (Site& site : sites_) {
    for (int i = 0; i < kPoseRows; ++i) site.pose_rows.push_back({kPoseRows * site.site + i, i});
    for (int k = 0; k < static_cast<int>(site.dofs.size()); ++k) {
      for (int i = 0; i < kTwistRows; ++i) {
        site.jacobian_rows.push_back({kTwistRows * site.dofs[k] + i, kTwistRows * k + i});
      }
    }
    for (const TreeAxis& axis : axes_of(model_, site.site)) {
      if (!std::binary_search(site.dofs.begin(), site.dofs.end(), axis.dof)) continue;  // held
      const auto k = static_cast<int>(site.axes.size());
      for (int i = 0; i < kTwistRows; ++i) site.axis_rows.push_back({kTwistRows * axis.column + i, kTwistRows * k + i});
      site.axes.push_back(axis);
    }
    if (model_.coupled()) site.twists.resize(static_cast<Eigen::Index>(site.axis_rows.size()), batch_.count());
    site.pose.resize(kPoseRows, batch_.count());
    site.jacobian.resize(static_cast<Eigen::Index>(site.jacobian_rows.size()), batch_.count());
    if (!site.moves) continue;
    for (int i = 0; i < kTwistRows; ++i) site.velocity_rows.push_back({kTwistRows * site.site + i, i});
    site.velocity.resize(kTwistRows, batch_.count());
    site.velocity_dq.resizeLike(site.jacobian);
  }
}

void NodeValues::add_ground() {
  std::vector<std::vector<int>> dofs;
  for (int i = 0; i < channels_.ground().supports(); ++i)
    dofs.push_back(channels_.dofs_to_world(channels_.ground().support(i).site));
  for (int i = 0; i < joints_; ++i) {
    const bool used = slot_[kStateOrders * nv_ + i] >= 0;
    const bool borne = std::any_of(dofs.begin(), dofs.end(), [&](const std::vector<int>& of) {
      return std::binary_search(of.begin(), of.end(), i);
    });
    if (used && borne) borne_.push_back(i);
  }
  ground_.emplace(model_, channels_.ground(), std::move(dofs), batch_.count());
  ground_multipliers_.resize(6 * ground_->supports());
}

void NodeValues::place(const std::vector<Place>& places) {
  if (ground_) ground_->place(channels_.ground(), places);
}

void NodeValues::evaluate(const Eigen::MatrixXd& z) {
  scatter(z, 0, batch_.q);
  scatter(z, nv_, batch_.v);
  scatter(z, 2 * nv_, batch_.a);
  y_.topRows(kStateOrders * nv_) = z;
  if (channels_.needs_torques()) {
    inverse_dynamics(model_, batch_, !wrench_joints_.empty());
    gather(batch_.tau, tau_rows_, y_);
    if (!wrench_rows_.empty()) gather(batch_.joint_wrenches, wrench_rows_, y_);
  }
  if (sites_.empty() && !ground_ && !loops_) return;
  const bool motion = std::any_of(sites_.begin(), sites_.end(), [](const Site& site) { return site.moves; });
  forward_kinematics(model_, batch_, motion);
  axes_.place(batch_);
  for (Site& site : sites_) {
    gather(batch_.poses, site.pose_rows, site.pose);
    if (site.moves) gather(batch_.velocities, site.velocity_rows, site.velocity);
  }
  for (std::size_t k = 0; k < site_of_arrow_.size(); ++k) {
    const ArrowChannel& arrow = channels_.arrows()[k];
    const Site& site = sites_[site_of_arrow_[k]];
    for (int n = 0; n < batch_.count(); ++n) value_of(n, arrow, site).store(&y_(arrow.first, n));
  }
  if (contacts_ || grips_) bear_contacts();
  if (ground_) bear_ground();
  if (loops_) bear_loops();
}

void NodeValues::bear_loops() {
  loops_->evaluate(axes_, batch_);
  const std::vector<WrenchChannel>& wrenches = channels_.wrenches();
  for (int n = 0; n < batch_.count(); ++n) {
    for (const LanePick& row : tau_rows_) y_(row.to, n) = loops_->effort(n, row.from);
    for (std::size_t k = 0; k < wrenches.size(); ++k) {
      auto wrench = y_.col(n).segment<6>(wrenches[k].first);
      if (!of_tree(wrenches[k])) wrench.setZero();
      wrench += loops_->wrenches().col(n).segment<6>(6 * static_cast<Eigen::Index>(k));
    }
  }
}

void NodeValues::bear_ground() {
  ground_->evaluate(model_, batch_, y_.middleRows(channels_.root_wrench(), 6));
  for (int n = 0; n < batch_.count(); ++n) {
    for (const int dof : borne_) y_(kStateOrders * nv_ + dof, n) -= ground_->torque(n, dof);
    for (int i = 0; i < ground_->supports(); ++i) {
      const int first = channels_.known_support(i);
      if (first >= 0) y_.col(n).segment<6>(first) = ground_->wrench(n, i);
    }
  }
}

Vec3<double> NodeValues::rotated(int node, const ArrowChannel& arrow, const Site& site) const {
  Mat3<double> R;
  std::copy_n(site.pose.col(node).data() + 3, 9, R.m);
  return R * arrow.vector;
}

Vec3<double> NodeValues::value_of(int node, const ArrowChannel& arrow, const Site& site) const {
  const Vec3<double> r = rotated(node, arrow, site);
  if (arrow.kind == ArrowChannel::Kind::direction) return r;
  if (arrow.kind == ArrowChannel::Kind::point) return Vec3<double>::load(site.pose.col(node).data()) + r;
  const double* const twist = site.velocity.col(node).data();
  return Vec3<double>::load(twist) + cross(Vec3<double>::load(twist + 3), r);
}

void NodeValues::differentiate() {
  if (gradients_.cols() == 0) gradients_.setZero(gradient_size_, batch_.count());  // not before: some want values alone
  if (channels_.needs_torques()) {
    const bool wrenches = !wrench_rows_.empty();
    inverse_dynamics_derivatives(model_, batch_, dtau_, wrenches ? &dwrenches_ : nullptr, wrench_joints_);
    const auto gather_orders = [&](const BatchDerivatives& from, const std::vector<LanePick>* rows) {
      gather(from.dq, rows[0], gradients_);
      gather(from.dv, rows[1], gradients_);
      gather(from.dx, rows[2], gradients_);
    };
    gather_orders(dtau_, dtau_rows_);
    if (wrenches) gather_orders(dwrenches_, dwrench_rows_);
    if (contacts_ || grips_) differentiate_contacts();
    if (ground_) differentiate_ground();
    if (loops_) differentiate_loops();
  }
  for (Site& site : sites_) differentiate_site(site);
  for (std::size_t k = 0; k < site_of_arrow_.size(); ++k) {
    for (int n = 0; n < batch_.count(); ++n) {
      differentiate_arrow(n, channels_.arrows()[k], sites_[site_of_arrow_[k]]);
    }
  }
}

GroundLoads::RootGradient NodeValues::root_gradient(int node) const {
  const Gradient first = gradient(node, channels_.root_wrench());
  GroundLoads::RootGradient root{{}, first.orders, first.dofs};
  for (int i = 0; i < 6; ++i) root.rows[i] = gradient(node, channels_.root_wrench() + i).values;
  return root;
}

void NodeValues::differentiate_ground() {
  for (int n = 0; n < batch_.count(); ++n) {
    const GroundLoads::RootGradient root = root_gradient(n);
    const auto of = [&](int channel) { return gradients_.col(n).data() + derived_[slot_[channel]].first; };
    for (const int dof : borne_) ground_->add_torque_gradient(n, dof, -1, root, of(kStateOrders * nv_ + dof));
    for (int i = 0; i < ground_->supports(); ++i) {
      const int first = channels_.known_support(i);
      for (int r = 0; r < 6 && first >= 0; ++r) {
        std::fill_n(of(first + r), root.orders * root.dofs.size(), 0.0);
        ground_->add_wrench_gradient(n, i, r, 1, root, of(first + r));
      }
    }
  }
}

void NodeValues::differentiate_loops() {
  loops_->differentiate(dtau_);
  const std::vector<WrenchChannel>& wrenches = channels_.wrenches();
  const Eigen::Index size = 3 * static_cast<Eigen::Index>(joints_);
  for (int n = 0; n < batch_.count(); ++n) {
    const auto of = [&](int channel) { return gradients_.col(n).data() + derived_[slot_[channel]].first; };
    for (const LanePick& row : tau_rows_) loops_->effort_gradient(n, row.from, of(row.to));
    if (wrenches.empty()) continue;
    const Eigen::MatrixXd& added = loops_->wrench_gradients(n);
    for (std::size_t k = 0; k < wrenches.size(); ++k) {
      for (int i = 0; i < 6; ++i) {
        Eigen::Map<Eigen::RowVectorXd> row(of(wrenches[k].first + i), size);
        if (!of_tree(wrenches[k])) row.setZero();
        row += added.row(6 * static_cast<Eigen::Index>(k) + i);
      }
    }
  }
}

LoopReactions::Multipliers NodeValues::loop_multipliers(int node, const Eigen::MatrixXd& multipliers) {
  const std::vector<WrenchChannel>& wrenches = channels_.wrenches();
  for (std::size_t k = 0; k < wrenches.size(); ++k) {
    loop_multipliers_.segment<6>(6 * static_cast<Eigen::Index>(k)) =
        multipliers.col(node).segment<6>(wrenches[k].first);
  }
  return {&multipliers(kStateOrders * nv_, node), loop_multipliers_.data()};
}

GroundLoads::Multipliers NodeValues::ground_multipliers(int node, const Eigen::MatrixXd& multipliers) {
  for (int i = 0; i < ground_->supports(); ++i) {
    const int first = channels_.known_support(i);
    if (first >= 0) {
      ground_multipliers_.segment<6>(6 * i) = multipliers.col(node).segment<6>(first);
    } else {
      ground_multipliers_.segment<6>(6 * i).setZero();
    }
  }
  return {&multipliers(kStateOrders * nv_, node), ground_multipliers_.data()};
}

void NodeValues::differentiate_site(Site& site) {
  if (site.moves) {
    site_derivatives(model_, batch_, site.site, moving_);
    gather(moving_.J, site.jacobian_rows, site.jacobian);
    gather(moving_.velocity_dq, site.jacobian_rows, site.velocity_dq);
  } else {
    jacobian(model_, batch_, site.site, false);
    gather(batch_.jacobian, site.jacobian_rows, site.jacobian);
  }
}

void NodeValues::differentiate_arrow(int node, const ArrowChannel& arrow, const Site& site) {
  using Kind = ArrowChannel::Kind;
  const Vec3<double> r = rotated(node, arrow, site);
  const int size = static_cast<int>(site.dofs.size());
  const Derived& derived = derived_[slot_[arrow.first]];  // the first of three that follow each other
  double* const to = gradients_.col(node).data() + derived.first;
  const auto set = [&](int order, int k, const Vec3<double>& by_k) {
    for (int i = 0; i < 3; ++i) to[(i * derived.orders + order) * size + k] = by_k[i];
  };
  const double* twist = site.jacobian.col(node).data();
  for (int k = 0; k < size; ++k, twist += kTwistRows) {
    const Vec3<double> turned = cross(Vec3<double>::load(twist + 3), r);
    const Vec3<double> moved = arrow.kind == Kind::direction ? turned : Vec3<double>::load(twist) + turned;
    if (arrow.kind != Kind::velocity) {
      set(0, k, moved);
      continue;
    }
    // v + ω × r
    const double* const by_q = site.velocity_dq.col(node).data() + kTwistRows * k;
    const Vec3<double> omega = Vec3<double>::load(site.velocity.col(node).data() + 3);
    set(0, k, Vec3<double>::load(by_q) + cross(Vec3<double>::load(by_q + 3), r) + cross(omega, turned));
    set(1, k, moved);
  }
}

void NodeValues::add_gradient(int node, int channel, double weight, double* out) const {
  if (channel < kStateOrders * nv_) {
    out[channel] += weight;
    return;
  }
  const Gradient g = gradient(node, channel);
  const double* from = g.values;
  for (int order = 0; order < g.orders; ++order, out += nv_) {
    for (const int dof : g.dofs) out[dof] += weight * *from++;
  }
}

}  // namespace verne
