#include "motion/values/grip_loads.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "motion/values/span_hessians.h"

namespace verne {

namespace {

using Vector6 = GripLoads::Vector6;
constexpr int kPoseRowsOfWay = 12, kTwistRowsOfWay = 6;

/// How a motion changes another one that it carries along, and a wrench: (velocity of the world's origin, angular) and
/// (force, moment about it).
Vector6 carried(const Vector6& by, const Vector6& motion) {
  const Eigen::Vector3d v = by.head<3>(), w = by.tail<3>();
  Vector6 out;
  out << w.cross(motion.head<3>()) + v.cross(motion.tail<3>()), w.cross(motion.tail<3>());
  return out;
}
Vector6 carried_wrench(const Vector6& by, const Vector6& wrench) {
  const Eigen::Vector3d v = by.head<3>(), w = by.tail<3>();
  Vector6 out;
  out << w.cross(wrench.head<3>()), w.cross(wrench.tail<3>()) + v.cross(wrench.head<3>());
  return out;
}

/// Σ rate · axis, and of the axes beyond each freedom.
struct RateSums {
  Vector6 all = Vector6::Zero();
  std::vector<Vector6> beyond;
  RateSums(const std::vector<Vector6>& axes, const std::vector<int>& dofs, const double* rates) : beyond(axes.size()) {
    for (std::size_t k = axes.size(); k-- > 0;) {
      beyond[k] = all;
      all += rates[dofs[k]] * axes[k];
    }
  }
};

}  // namespace

GripLoads::GripLoads(const ChannelLayout& channels, const std::vector<int>& dofs, int count)
    : curve_(channels.ground().contacts()), joints_(channels.joints()), place_(channels.nv(), -1) {
  for (std::size_t k = 0; k < dofs.size(); ++k) place_[dofs[k]] = static_cast<int>(k);
  for (int g = 0; g < curve_.grips(); ++g) {
    const LoopSpec& loop = curve_.grip(g).loop;
    const int hand = channels.model().link(loop.a.link), object = channels.model().link(loop.b.link);
    Grip grip;
    grip.hand = way_of(channels, hand, channels.dofs_to_world(object), count);
    grip.object = way_of(channels, object, channels.dofs_to_world(hand), count);
    grip.X_OG = loop.b.X_LF;
    grip.first = curve_.of_grip(g);
    grip.unit.resize(count), grip.wrench.resize(count);
    grips_.push_back(std::move(grip));
  }
}

auto GripLoads::way_of(const ChannelLayout& channels, int site, const std::vector<int>& without, int count) const
    -> Way {
  Way way;
  way.site = site;
  way.place_of_dof.assign(joints_, -1);
  for (const int dof : channels.dofs_to_world(site)) {
    if (std::binary_search(without.begin(), without.end(), dof)) continue;
    for (int r = 0; r < kTwistRowsOfWay; ++r) {
      way.jacobian_rows.push_back({kTwistRowsOfWay * dof + r, kTwistRowsOfWay * way.size() + r});
    }
    way.place_of_dof[dof] = way.size();
    way.dofs.push_back(dof);
  }
  for (int r = 0; r < kPoseRowsOfWay; ++r) way.pose_rows.push_back({kPoseRowsOfWay * site + r, r});
  way.pose.resize(kPoseRowsOfWay, count);
  way.jacobian.resize(kTwistRowsOfWay * static_cast<Eigen::Index>(way.size()), count);
  way.axes.assign(count, std::vector<Vector6>(way.size()));
  return way;
}

void GripLoads::place(const Model& model, Batch& batch, Way& way) const {
  gather(batch.poses, way.pose_rows, way.pose);
  jacobian(model, batch, way.site, false);
  gather(batch.jacobian, way.jacobian_rows, way.jacobian);
  for (int n = 0; n < batch.count(); ++n) {
    const Eigen::Vector3d p = way.pose.col(n).head<3>();
    for (int k = 0; k < way.size(); ++k) {
      const Eigen::Vector3d v = way.jacobian.col(n).segment<3>(kTwistRowsOfWay * k),
                            w = way.jacobian.col(n).segment<3>(kTwistRowsOfWay * k + 3);
      way.axes[n][k] << v + p.cross(w), w;
    }
  }
}

// (27)
void GripLoads::evaluate(const Model& model, Batch& batch, const Eigen::Ref<const Eigen::MatrixXd>& components) {
  for (Grip& grip : grips_) {
    place(model, batch, grip.hand);
    place(model, batch, grip.object);
    for (int n = 0; n < batch.count(); ++n) {
      Mat3<double> R;
      std::copy_n(grip.object.pose.col(n).data() + 3, 9, R.m);
      const Mat3<double> R_WG = R * grip.X_OG.R;
      const Vec3<double> p = Vec3<double>::load(grip.object.pose.col(n).data()) + R * grip.X_OG.p;
      grip.wrench[n].setZero();
      for (int k = 0; k < ContactCurve::kWrench; ++k) {
        const Vec3<double> x = R_WG.column(k % 3) * curve_.grip_unit(k), none{0, 0, 0};
        const Vec3<double> force = k < 3 ? x : none, moment = k < 3 ? cross(p, x) : x;
        grip.unit[n][k] << force.x, force.y, force.z, moment.x, moment.y, moment.z;
        grip.wrench[n] += components(grip.first + k, n) * grip.unit[n][k];
      }
    }
  }
}

double GripLoads::torque(int node, int dof) const {
  double sum = 0;
  for (const Grip& grip : grips_) {
    const int a = grip.hand.place_of_dof[dof], b = grip.object.place_of_dof[dof];
    if (a >= 0) sum += grip.hand.axes[node][a].dot(grip.wrench[node]);
    if (b >= 0) sum -= grip.object.axes[node][b].dot(grip.wrench[node]);
  }
  return sum;
}

void GripLoads::take_torque_gradient(int node, int dof, double* out) const {
  for (const Grip& grip : grips_) {
    const std::vector<Vector6>&by_hand = grip.hand.axes[node], &by_object = grip.object.axes[node];
    const Vector6& F = grip.wrench[node];
    const int a = grip.hand.place_of_dof[dof], b = grip.object.place_of_dof[dof];
    Vector6 axis = Vector6::Zero();  // of what the wrench works on
    if (a >= 0) axis = by_hand[a];
    if (b >= 0) axis = -by_object[b];
    for (int k = 0; k < ContactCurve::kWrench; ++k) {
      out[place_[joints_ + grip.first + k]] = -axis.dot(grip.unit[node][k]);
    }
    for (int l = 0; l < a; ++l) out[place_[grip.hand.dofs[l]]] -= carried(by_hand[l], axis).dot(F);
    if (a < 0 && b < 0) continue;
    // What is before a freedom of the object carries its axis along with the wrench.
    for (int l = std::max(b, 0); l < grip.object.size(); ++l) {
      out[place_[grip.object.dofs[l]]] -= axis.dot(carried_wrench(by_object[l], F));
    }
  }
}

void GripLoads::take_curvature(int node, const double* torques, const DofPairs& pairs, double* curvature) const {
  double* const qq = curvature - pairs.first_curved();
  double* const mixed = qq + static_cast<std::ptrdiff_t>(NodeCurvature::contact) * pairs.curved();
  for (const Grip& grip : grips_) {
    const Way &hand = grip.hand, &object = grip.object;
    const std::vector<Vector6>&by_hand = hand.axes[node], &by_object = object.axes[node];
    const Vector6& F = grip.wrench[node];
    const RateSums A(by_hand, hand.dofs, torques), B(by_object, object.dofs, torques);
    const Vector6 rate = A.all - B.all;
    const auto by_component = [&](int dof, const Vector6& slope, const Vector6* turning) {
      for (int k = 0; k < ContactCurve::kWrench; ++k) {
        double value = slope.dot(grip.unit[node][k]);
        if (turning) value += rate.dot(carried_wrench(*turning, grip.unit[node][k]));
        mixed[pairs.index(joints_ + grip.first + k, dof)] -= value;
      }
    };
    for (int m = 0; m < hand.size(); ++m) {
      const Vector6 slope = carried(by_hand[m], A.beyond[m]);
      by_component(hand.dofs[m], slope, nullptr);
      for (int l = 0; l <= m; ++l) qq[pairs.index(hand.dofs[m], hand.dofs[l])] -= carried(by_hand[l], slope).dot(F);
      for (int l = 0; l < object.size(); ++l) {
        qq[pairs.index(hand.dofs[m], object.dofs[l])] -= slope.dot(carried_wrench(by_object[l], F));
      }
    }
    for (int m = 0; m < object.size(); ++m) {
      const Vector6 slope = -carried(by_object[m], B.beyond[m]), F_m = carried_wrench(by_object[m], F);
      by_component(object.dofs[m], slope, &by_object[m]);
      for (int l = 0; l <= m; ++l) {
        const Vector6 slope_l = -carried(by_object[l], B.beyond[l]), F_l = carried_wrench(by_object[l], F);
        qq[pairs.index(object.dofs[m], object.dofs[l])] -= carried(by_object[l], slope).dot(F) + slope_l.dot(F_m) +
                                                           slope.dot(F_l) + rate.dot(carried_wrench(by_object[l], F_m));
      }
    }
  }
}

}  // namespace verne
