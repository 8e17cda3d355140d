#include "motion/detours.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "motion/inverse_kinematics.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

constexpr int kFractions = 48, kPartPoints = 5;  // of the way, and on a part of a link, that are looked at
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

/// Where a point of a link is deepest in a zone.
struct Collision {
  double depth = 0;  ///< of the distance that it should have
  double fraction = 0;
  int link = 0;
  Eigen::Vector3d point, inside;  ///< in link axes; what of the zone's axis is nearest, in the world
  double distance = 0;            ///< that it should have
};

class Collisions {
 public:
  Collisions(const Task& task, const Way& way) : task_(task), way_(way), data_(task.model), kinematics_(task.model) {}

  Eigen::Vector3d place(double fraction, int link, const Eigen::Vector3d& point) {
    forward_kinematics<double>(task_.model, data_, way_(fraction), kinematics_);
    return kinematics_.position(link) + kinematics_.rotation(link) * point;
  }

  Collision worst() {
    Collision worst;
    for (int k = 1; k < kFractions; ++k) {
      const double fraction = double(k) / kFractions;
      forward_kinematics<double>(task_.model, data_, way_(fraction), kinematics_);
      for (const KeepOutTask& zone : task_.keep_out) {
        for (const LinkCapsule& part : zone.parts) look(zone, part, fraction, worst);
      }
    }
    return worst;
  }

 private:
  void look(const KeepOutTask& zone, const LinkCapsule& part, double fraction, Collision& worst) const {
    const double needed = part.radius + zone.obstacle.radius + zone.margin;
    const Eigen::Vector3d from = eigen_of(part.from), along = eigen_of(part.to) - from;
    for (int i = 0; i < kPartPoints; ++i) {
      const Eigen::Vector3d local = from + along * (double(i) / (kPartPoints - 1));
      const Eigen::Vector3d point = kinematics_.position(part.link) + kinematics_.rotation(part.link) * local;
      const Eigen::Vector3d inside =
          nearest_on_segment(eigen_of(zone.obstacle.from), eigen_of(zone.obstacle.to), point);
      const double depth = 1 - (point - inside).norm() / needed;
      if (depth > worst.depth) worst = {depth, fraction, part.link, local, inside, needed};
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
  Collisions collisions(task, way);
  const Collision worst = collisions.worst();
  if (worst.depth <= 0) return {};
  const Eigen::Vector3d now = collisions.place(worst.fraction, worst.link, worst.point);
  const Eigen::Vector3d then = collisions.place(worst.fraction + kStepAhead, worst.link, worst.point);
  std::vector<Way> all;
  for (const Eigen::Vector3d& side : sides(then - now, now - worst.inside)) {
    const Eigen::Vector3d there = worst.inside + side * worst.distance * (1 + kRoom);
    FrameTask frame;
    frame.site = worst.link;
    frame.point = {worst.point.x(), worst.point.y(), worst.point.z()};
    frame.when.at = worst.fraction;
    for (int i = 0; i < 3; ++i) frame.position.push_back({there[i], there[i]});
    const auto posture = posture_near(task, frame, task.limits.position, way(worst.fraction));
    if (!posture) continue;
    Way detour = way;
    std::size_t k = 1;
    while (way.at[k] < worst.fraction) ++k;
    if (way.at[k] - worst.fraction < kPosturesApart && k + 1 < way.at.size()) continue;
    detour.at.insert(detour.at.begin() + static_cast<std::ptrdiff_t>(k), worst.fraction);
    detour.postures.insert(detour.postures.begin() + static_cast<std::ptrdiff_t>(k), *posture);
    all.push_back(std::move(detour));
  }
  return all;
}

}  // namespace verne
