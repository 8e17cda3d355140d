#include "peers/fcl_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "shapes/hull.h"
#include "structures/collision_shapes.h"
#include "verne/dynamics/kinematics.h"

namespace verne::test {

using peers::FclPair;
using peers::FclPose;
using peers::FclShape;
using Kind = FclShape::Kind;

FclPose fcl_pose(const Transform<double>& X) {
  FclPose pose;
  std::copy_n(X.R.m, 9, pose.begin());
  pose[9] = X.p.x, pose[10] = X.p.y, pose[11] = X.p.z;
  return pose;
}

namespace {

void add_surface(FclShape& shape, const std::vector<float>& positions, const std::vector<std::uint32_t>& triangles) {
  for (std::size_t k = 0; k < positions.size(); k += 3) {
    shape.points.push_back({positions[k], positions[k + 1], positions[k + 2]});
  }
  for (std::size_t k = 0; k < triangles.size(); k += 3) {
    shape.triangles.push_back({triangles[k], triangles[k + 1], triangles[k + 2]});
  }
}

/// A body as that library has it, and the skin that is not in it.
struct Counterpart {
  FclShape shape;
  double skin = 0;
};

Counterpart counterpart(const CollisionBody& of) {
  const ConvexBody& body = of.body;
  const Vec3<double>& h = body.half;
  if (of.pieces) {
    FclShape shape{Kind::mesh, {}, {}, {}};
    add_surface(shape, of.pieces->drawn().positions, of.pieces->drawn().triangles);
    return {std::move(shape), 0};
  }
  switch (body.core) {
    case ConvexBody::Core::point:
      return {{Kind::sphere, {body.skin}, {}, {}}, 0};
    case ConvexBody::Core::line:
      return {{Kind::capsule, {body.skin, 2 * h.z}, {}, {}}, 0};
    case ConvexBody::Core::box:
      return {{Kind::box, {2 * h.x, 2 * h.y, 2 * h.z}, {}, {}}, body.skin};
    case ConvexBody::Core::cylinder:
      return {{Kind::cylinder, {h.x, 2 * h.z}, {}, {}}, body.skin};
    case ConvexBody::Core::points:
      break;
  }
  Mesh corners;
  for (const Vec3<double>& p : body.points) {
    for (const double x : {p.x, p.y, p.z}) corners.positions.push_back(static_cast<float>(x));
  }
  const auto hull = convex_hull(corners);
  if (!hull) throw std::invalid_argument("a flat body");
  FclShape shape{Kind::hull, {}, {}, {}};
  add_surface(shape, hull->positions, hull->triangles);
  return {std::move(shape), body.skin};
}

/// Two bodies that are to keep apart.
struct ApartPair {
  std::size_t a, b;
  double least;  ///< m, between the counterparts
  std::unique_ptr<FclPair> fcl;
};

std::vector<ApartPair> pairs_apart(const Collisions& collisions) {
  const std::vector<CollisionBody>& bodies = collisions.bodies();
  std::vector<Counterpart> counterparts;
  for (const CollisionBody& body : bodies) counterparts.push_back(counterpart(body));
  std::vector<ApartPair> pairs;
  const auto add = [&](std::size_t a, std::size_t b, double margin) {
    pairs.push_back({a, b, margin + counterparts[a].skin + counterparts[b].skin,
                     std::make_unique<FclPair>(counterparts[a].shape, counterparts[b].shape)});
  };
  for (std::size_t pair = 0; pair < collisions.pairs(); ++pair) {
    const auto [a, b] = collisions.bodies_of(pair);
    add(a, b, collisions.margin(pair));
  }
  for (const LeftOut& never : collisions.left_out()) {
    if (never.why != LeftOut::Why::never) continue;
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (collisions.name(a) == never.a && collisions.name(b) == never.b) add(a, b, 0);
      }
    }
  }
  return pairs;
}

}  // namespace

FclShape fcl_mesh(const Mesh& mesh) {
  FclShape shape{Kind::mesh, {}, {}, {}};
  add_surface(shape, mesh.positions, mesh.triangles);
  return shape;
}

std::string overlap_by_fcl(const Task& task, const Trajectory& motion, int times) {
  const Collisions& collisions = task.shapes->collisions;
  const std::vector<CollisionBody>& bodies = collisions.bodies();
  const std::vector<ApartPair> pairs = pairs_apart(collisions);
  Data<double> data(task.model);
  std::vector<FclPose> poses(bodies.size());
  for (int n = 0; n < times; ++n) {
    const double time = motion.duration() * n / (times - 1);
    const Kinematics<double> at = forward_kinematics(task.model, data, motion.at(time));
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      Transform<double> X = bodies[k].X_LB;
      if (const int link = bodies[k].link; link >= 0) {
        const Eigen::Matrix3d R = at.rotation(link);
        const Eigen::Vector3d p = at.position(link);
        Transform<double> X_WL = Transform<double>::identity();
        for (int i = 0; i < 9; ++i) X_WL.R.m[i] = R(i / 3, i % 3);
        X_WL.p = {p.x(), p.y(), p.z()};
        X = X_WL * X;
      }
      poses[k] = fcl_pose(X);
    }
    for (const ApartPair& pair : pairs) {
      const FclPose &a = poses[pair.a], &b = poses[pair.b];
      if (!pair.fcl->may_be_near(a, b, pair.least)) continue;
      const double distance = pair.fcl->distance(a, b);
      if (distance > 0 && distance > pair.least - kFclTolerance) continue;
      return fmt::format("at {:.6g} s '{}' and '{}' are {:.3g} m apart, not {:.3g}", time, collisions.name(pair.a),
                         collisions.name(pair.b), distance, pair.least);
    }
  }
  return "";
}

}  // namespace verne::test
