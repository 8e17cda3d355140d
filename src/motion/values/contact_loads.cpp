#include "motion/values/contact_loads.h"

#include <algorithm>

#include "motion/values/span_hessians.h"

namespace verne {

namespace {

constexpr int kPoseSize = 12, kTwistSize = 6;

/// By the first of two freedoms on a way outwards, of how the second one moves a point.
Vec3<double> carried(const Carrying& first, const Carrying& second) {
  return cross(first.axis, second.velocity);
}

}  // namespace

ContactLoads::ContactLoads(const ChannelLayout& channels, const std::vector<int>& dofs, int count)
    : curve_(channels.ground().contacts()), joints_(channels.joints()), place_(channels.nv(), -1) {
  for (std::size_t k = 0; k < dofs.size(); ++k) place_[dofs[k]] = static_cast<int>(k);
  for (int c = 0; c < curve_.contacts(); ++c) {
    Contact contact;
    contact.site = site_of(channels, curve_.contact(c).site, count);
    const SupportSpec& support = channels.ground().support(curve_.support(c));
    contact.borne = static_cast<int>(channels.dofs_to_world(support.site).size());
    contact.local = curve_.contact(c).point;
    contact.point.resize(count), contact.force.resize(count);
    contact.moved.assign(count, std::vector<Carrying>(sites_[contact.site].dofs.size()));
    contacts_.push_back(std::move(contact));
  }
}

int ContactLoads::site_of(const ChannelLayout& channels, int site, int count) {
  for (std::size_t k = 0; k < sites_.size(); ++k) {
    if (sites_[k].site == site) return static_cast<int>(k);
  }
  Site s;
  s.site = site;
  s.dofs = channels.dofs_to_world(site);
  s.place_of_dof.assign(joints_, -1);
  for (int r = 0; r < kPoseSize; ++r) s.pose_rows.push_back({kPoseSize * site + r, r});
  for (int k = 0; k < static_cast<int>(s.dofs.size()); ++k) {
    s.place_of_dof[s.dofs[k]] = k;
    for (int r = 0; r < kTwistSize; ++r) s.jacobian_rows.push_back({kTwistSize * s.dofs[k] + r, kTwistSize * k + r});
  }
  s.pose.resize(kPoseSize, count);
  s.axes.resize(kTwistSize * static_cast<Eigen::Index>(s.dofs.size()), count);
  sites_.push_back(std::move(s));
  return static_cast<int>(sites_.size()) - 1;
}

void ContactLoads::evaluate(const Model& model, Batch& batch, const Eigen::Ref<const Eigen::MatrixXd>& components) {
  for (Site& s : sites_) {
    gather(batch.poses, s.pose_rows, s.pose);
    jacobian(model, batch, s.site, false);
    gather(batch.jacobian, s.jacobian_rows, s.axes);
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Contact& contact = contacts_[c];
    const Site& s = sites_[contact.site];
    for (int n = 0; n < batch.count(); ++n) {
      Mat3<double> R;
      std::copy_n(s.pose.col(n).data() + 3, 9, R.m);
      const Vec3<double> r = R * contact.local;
      contact.point[n] = Vec3<double>::load(s.pose.col(n).data()) + r;
      contact.force[n] = curve_.force(static_cast<int>(c), components.col(n).data());
      const double* twist = s.axes.col(n).data();
      for (Carrying& by : contact.moved[n]) {
        by.axis = Vec3<double>::load(twist + 3);
        by.velocity = Vec3<double>::load(twist) + cross(by.axis, r);
        twist += kTwistSize;
      }
    }
  }
}

auto ContactLoads::wrench(int node) const -> Wrench {
  Vec3<double> force{0, 0, 0}, moment{0, 0, 0};
  for (const Contact& contact : contacts_) {
    force = force + contact.force[node];
    moment = moment + cross(contact.point[node], contact.force[node]);
  }
  Wrench w;
  w << force.x, force.y, force.z, moment.x, moment.y, moment.z;
  return w;
}

double ContactLoads::torque(int node, int dof) const {
  double sum = 0;
  for (const Contact& contact : contacts_) {
    const int k = place_of(dof, contact);
    if (k >= 0) sum += dot(contact.moved[node][k].velocity, contact.force[node]);
  }
  return sum;
}

void ContactLoads::take_torque_gradient(int node, int dof, double* out) const {
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const std::vector<Carrying>& moved = contact.moved[node];
    const int k = place_of(dof, contact), first = ContactCurve::kEdges * static_cast<int>(c);
    for (int e = first; e < first + ContactCurve::kEdges; ++e) {
      out[place_[joints_ + e]] = k < 0 ? 0 : -dot(moved[k].velocity, curve_.edge(e));
    }
    for (int l = 0; l < static_cast<int>(moved.size()) && k >= 0; ++l) {
      const Vec3<double> change = l < k ? carried(moved[l], moved[k]) : carried(moved[k], moved[l]);
      out[place_[sites_[contact.site].dofs[l]]] -= dot(change, contact.force[node]);
    }
  }
}

void ContactLoads::take_wrench_gradient(int node, const std::array<double*, 6>& rows) const {
  const auto moment_row = [&](int r) { return rows[3 + r]; };
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const int first = ContactCurve::kEdges * static_cast<int>(c);
    for (int e = first; e < first + ContactCurve::kEdges; ++e) {
      const Vec3<double>& force = curve_.edge(e);
      const Vec3<double> moment = cross(contact.point[node], force);
      for (int r = 0; r < 3; ++r) {
        rows[r][place_[joints_ + e]] = -force[r];
        moment_row(r)[place_[joints_ + e]] = -moment[r];
      }
    }
    for (std::size_t l = 0; l < contact.moved[node].size(); ++l) {
      const Vec3<double> moment = cross(contact.moved[node][l].velocity, contact.force[node]);
      for (int r = 0; r < 3; ++r) moment_row(r)[place_[sites_[contact.site].dofs[l]]] -= moment[r];
    }
  }
}

void ContactLoads::take_curvature(int node, const double* torques, const Wrench& wrench, const DofPairs& pairs,
                                  double* curvature) const {
  double* const qq = curvature - pairs.first_curved();
  double* const mixed = qq + static_cast<std::ptrdiff_t>(NodeCurvature::contact) * pairs.curved();
  const Vec3<double> turning = Vec3<double>::load(wrench.data() + 3);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const std::vector<Carrying>& moved = contacts_[c].moved[node];
    const std::vector<int>& dofs = sites_[contacts_[c].site].dofs;
    const auto size = static_cast<int>(moved.size());
    const auto by = [&](int k) { return moved[k]; };
    const auto rate = [&](int k) { return k < contacts_[c].borne ? torques[dofs[k]] : 0; };
    add_carried_curvature(size, by, rate, turning, contacts_[c].force[node],
                          [&](int j, int i, double, double h) { qq[pairs.index(dofs[j], dofs[i])] -= h; });
    // (22): the gradient of the point's velocity, times each edge
    Vec3<double> before = turning, beyond{0, 0, 0};
    for (int k = 0; k < size; ++k) beyond = beyond + moved[k].velocity * rate(k);
    for (int l = 0; l < size; ++l) {
      const Vec3<double> slope = cross(before, moved[l].velocity) + cross(moved[l].axis, beyond);
      for (int e = 0; e < ContactCurve::kEdges; ++e) {
        const int component = ContactCurve::kEdges * static_cast<int>(c) + e;
        mixed[pairs.index(joints_ + component, dofs[l])] -= dot(curve_.edge(component), slope);
      }
      before = before + moved[l].axis * rate(l);
      beyond = beyond - moved[l].velocity * rate(l);
    }
  }
}

}  // namespace verne
