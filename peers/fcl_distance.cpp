#include "peers/fcl_distance.h"

#include <fcl/fcl.h>

#include <memory>

namespace verne::peers {

namespace {

std::shared_ptr<fcl::CollisionGeometryd> hull_of(const FclShape& shape) {
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  auto faces = std::make_shared<std::vector<int>>();
  for (const auto& p : shape.points) points->emplace_back(p[0], p[1], p[2]);
  for (const auto& t : shape.triangles) {
    faces->push_back(3);
    for (const std::size_t corner : t) faces->push_back(static_cast<int>(corner));
  }
  return std::make_shared<fcl::Convexd>(points, static_cast<int>(shape.triangles.size()), faces);
}

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const FclShape& shape) {
  const auto& s = shape.size;
  switch (shape.kind) {
    case FclShape::Kind::sphere:
      return std::make_shared<fcl::Sphered>(s[0]);
    case FclShape::Kind::capsule:
      return std::make_shared<fcl::Capsuled>(s[0], s[1]);
    case FclShape::Kind::box:
      return std::make_shared<fcl::Boxd>(s[0], s[1], s[2]);
    case FclShape::Kind::cylinder:
      return std::make_shared<fcl::Cylinderd>(s[0], s[1]);
    case FclShape::Kind::hull:
      return hull_of(shape);
    case FclShape::Kind::mesh:
      break;
  }
  auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (const auto& p : shape.points) points.emplace_back(p[0], p[1], p[2]);
  for (const auto& t : shape.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  mesh->beginModel();
  mesh->addSubModel(points, triangles);
  mesh->endModel();
  return mesh;
}

fcl::Transform3d pose_of(const FclPose& pose) {
  fcl::Transform3d X = fcl::Transform3d::Identity();
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) X.linear()(r, c) = pose[static_cast<std::size_t>(3 * r + c)];
    X.translation()[r] = pose[static_cast<std::size_t>(9 + r)];
  }
  return X;
}

}  // namespace

struct FclPair::Parts {
  fcl::CollisionObjectd a, b;
};

FclPair::FclPair(const FclShape& a, const FclShape& b)
    : parts_(new Parts{fcl::CollisionObjectd(geometry_of(a)), fcl::CollisionObjectd(geometry_of(b))}) {}

FclPair::~FclPair() {
  delete parts_;
}

bool FclPair::may_be_near(const FclPose& a, const FclPose& b, double within) const {
  parts_->a.setTransform(pose_of(a)), parts_->b.setTransform(pose_of(b));
  parts_->a.computeAABB(), parts_->b.computeAABB();
  fcl::AABBd box = parts_->a.getAABB();
  box.expand(fcl::Vector3d::Constant(within));
  return box.overlap(parts_->b.getAABB());
}

double FclPair::distance(const FclPose& a, const FclPose& b) const {
  parts_->a.setTransform(pose_of(a));
  parts_->b.setTransform(pose_of(b));
  fcl::CollisionResultd touching;
  if (fcl::collide(&parts_->a, &parts_->b, fcl::CollisionRequestd(), touching) > 0) return 0;
  fcl::DistanceResultd result;
  fcl::DistanceRequestd request;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  request.distance_tolerance = 1e-9;
  fcl::distance(&parts_->a, &parts_->b, request, result);
  return result.min_distance;
}

}  // namespace verne::peers
