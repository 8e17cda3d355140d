#include "motion/guess/paths_around_obstacles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <optional>

#include "motion/guess/inverse_kinematics.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

constexpr int kFractions = 48, kPartPoints = 9;  // of the way, and on a part of a link, that are looked at
constexpr double kRoom = 0.3;                    // more than needed, of the distance that is
constexpr double kStepAhead = 1e-3;              // of the way, to see which way a point goes
constexpr double kPosturesApart = 0.05;          // fractions of the way that two postures are apart at least

Eigen::Vector3d eigen_of(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

Eigen::Vector3d nearest_on_segment(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const Eigen::Vector3d& p) {
  const Eigen::Vector3d along = to - from;
  const double length = along.squaredNorm();
  return length > 0 ? Eigen::Vector3d(from + along * std::clamp((p - from).dot(along) / length, 0.0, 1.0)) : from;
}

/// What a point is to leave: a sphere or capsule, or a box, and the distance that it should have from what of it is
/// inside, the axis or the box.
class Zone {
 public:
  Zone(const ObstacleSpec& obstacle, double margin)
      : box_(obstacle.box ? &*obstacle.box : nullptr),
        from_(eigen_of(obstacle.from)),
        to_(eigen_of(obstacle.to)),
        needed_(margin + (box_ ? 0 : obstacle.radius)) {}

  /// Of the distance that it should have; more than one inside of a box.
  double depth(const Eigen::Vector3d& point) const {
    if (!box_) return 1 - (point - nearest_on_segment(from_, to_, point)).norm() / needed_;
    const Eigen::Vector3d beyond = in_box(point).cwiseAbs() - eigen_of(box_->size) / 2;
    return 1 - (beyond.cwiseMax(0).norm() + std::min(beyond.maxCoeff(), 0.0)) / needed_;
  }
  /// From the middle of what is in the way.
  Eigen::Vector3d away(const Eigen::Vector3d& point) const {
    return point - (box_ ? eigen_of(box_->pose.p) : nearest_on_segment(from_, to_, point));
  }
  /// Where a point is out of it on this side.
  Eigen::Vector3d left(const Eigen::Vector3d& point, const Eigen::Vector3d& side) const {
    if (!box_) return nearest_on_segment(from_, to_, point) + side * needed_ * (1 + kRoom);
    const Eigen::Vector3d y = in_box(point), n = in_box(point + side) - y;
    double way = kInfinity;
    for (int i = 0; i < 3; ++i) {
      if (n[i] != 0) way = std::min(way, (box_->size[i] / 2 + needed_) / std::abs(n[i]) - y[i] / n[i]);
    }
    return point + side * (way + kRoom * needed_);
  }

 private:
  Eigen::Vector3d in_box(const Eigen::Vector3d& p) const {
    return eigen_of(transpose(box_->pose.R) * (Vec3<double>{p.x(), p.y(), p.z()} - box_->pose.p));
  }

  const BoxSpec* box_;
  Eigen::Vector3d from_, to_;
  double needed_;
};

/// Where a point of a link is deepest in a zone.
struct Collision {
  double depth = 0;  ///< of the distance that it should have
  double fraction = 0;
  int link = 0;
  Eigen::Vector3d point, tip;  ///< that is deepest, and the end of its part, in link axes
  std::optional<Zone> zone;
};

class ZoneHits {
 public:
  ZoneHits(const Task& task, const Way& way) : task_(task), way_(way), data_(task.model), kinematics_(task.model) {}

  Eigen::Vector3d place(double fraction, int link, const Eigen::Vector3d& point) {
    forward_kinematics<double>(task_.model, data_, way_(fraction), kinematics_);
    return kinematics_.position(link) + kinematics_.rotation(link) * point;
  }

  Collision worst() {
    Collision worst;
    for (int k = 1; k < kFractions; ++k) {
      const double fraction = double(k) / kFractions;
      forward_kinematics<double>(task_.model, data_, way_(fraction), kinematics_);
      for (const KeepOutSpec& zone : task_.keep_out) {
        if (!zone.against.empty()) continue;  // links that keep apart have no place
        for (const LinkCapsule& part : zone.parts) look(zone, part, fraction, worst);
      }
    }
    return worst;
  }

 private:
  void look(const KeepOutSpec& zone, const LinkCapsule& part, double fraction, Collision& worst) const {
    const Zone margin(zone.obstacle, part.radius + zone.margin);
    const Eigen::Vector3d from = eigen_of(part.from), along = eigen_of(part.to) - from;
    for (int i = 0; i < kPartPoints; ++i) {
      const Eigen::Vector3d local = from + along * (double(i) / (kPartPoints - 1));
      const Eigen::Vector3d point = kinematics_.position(part.link) + kinematics_.rotation(part.link) * local;
      const double depth = margin.depth(point);
      if (depth > worst.depth) worst = {depth, fraction, part.link, local, from + along, margin};
    }
  }

  const Task& task_;
  const Way& way_;
  Data<double> data_;
  Kinematics<double> kinematics_;
};

/// Four directions across a motion, the first one away from the middle of what is in the way.
std::vector<Eigen::Vector3d> sides(const Eigen::Vector3d& motion, const Eigen::Vector3d& away) {
  const Eigen::Vector3d forward = motion.norm() > 0 ? motion.normalized() : Eigen::Vector3d::UnitX();
  Eigen::Vector3d across = away - forward * forward.dot(away);
  if (across.norm() < 1e-3 * away.norm() || away.norm() == 0) across = forward.unitOrthogonal();
  across.normalize();
  const Eigen::Vector3d other = forward.cross(across);
  return {across, -across, other, -other};
}

}  // namespace

std::vector<Way> detours(const Task& task, const Way& way) {
  ZoneHits hits(task, way);
  const Collision worst = hits.worst();
  if (worst.depth <= 0) return {};
  std::size_t k = 1;
  while (way.at[k] < worst.fraction) ++k;
  if (way.at[k] - worst.fraction < kPosturesApart && k + 1 < way.at.size()) return {};
  std::vector<Way> all;
  const auto add_through = [&](const Eigen::Vector3d& point, const Eigen::Vector3d& there) {
    FrameGoalSpec frame;
    frame.site = worst.link;
    frame.point = {point.x(), point.y(), point.z()};
    frame.when.at = worst.fraction;
    for (int i = 0; i < 3; ++i) frame.position.push_back({there[i], there[i]});
    const auto posture = posture_near(task, frame, task.limits.position, way(worst.fraction));
    if (!posture) return;
    Way detour = way;
    detour.at.insert(detour.at.begin() + static_cast<std::ptrdiff_t>(k), worst.fraction);
    detour.postures.insert(detour.postures.begin() + static_cast<std::ptrdiff_t>(k), *posture);
    all.push_back(std::move(detour));
  };
  const Eigen::Vector3d now = hits.place(worst.fraction, worst.link, worst.point);
  const Eigen::Vector3d then = hits.place(worst.fraction + kStepAhead, worst.link, worst.point);
  for (const Eigen::Vector3d& side : sides(then - now, worst.zone->away(now))) {
    const Eigen::Vector3d there = worst.zone->left(now, side);
    add_through(worst.point, there);
    if (worst.point != worst.tip) add_through(worst.tip, there);  // all of the part ends before it
  }
  return all;
}

}  // namespace verne
