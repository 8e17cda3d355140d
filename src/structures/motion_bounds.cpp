#include "structures/motion_bounds.h"

#include <algorithm>
#include <cmath>

#include "model/tree.h"
#include "structures/full_turns.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// m or rad: of joints without limits, which as a rule are not followed by others that turn about what is far away.
constexpr double kTravelWithoutLimits = 100;

}  // namespace

MotionBounds::MotionBounds(const Model& model) : model_(model) {
  const Tree& tree = model.tree();
  const std::vector<Freedom> freedoms = freedoms_of(model);
  travel_.assign(static_cast<std::size_t>(tree.nq), kTravelWithoutLimits);
  for (int v = 0; v < tree.nv; ++v) {
    const TreeCoupling& coupling = tree.v_coupling[v];
    const Freedom& freedom = freedoms[static_cast<std::size_t>(coupling.source)];
    const double most = std::max(std::abs(freedom.lower), std::abs(freedom.upper));
    const int q = tree.v_position[v];
    if (std::isfinite(most)) {
      travel_[static_cast<std::size_t>(q)] = std::abs(coupling.ratio) * most + std::abs(tree.q_coupling[q].offset);
    }
  }
}

std::vector<MotionBounds::Mover> MotionBounds::movers(const LinkBall& ball) const {
  if (ball.link < 0) return {};
  const Tree& tree = model_.tree();
  const TreeSite& site = tree.sites[ball.link];
  Transform<double> X_BL;
  std::copy_n(site.R, 9, X_BL.R.m);
  X_BL.p = Vec3<double>::load(site.p);
  Vec3<double> center = X_BL * ball.center;  // a ball that holds all of it, in the axes of the body at hand
  double radius = ball.radius;
  std::vector<Mover> all;
  for (int k = site.body; k >= 0; k = tree.bodies[k].parent) {
    const TreeBody& body = tree.bodies[k];
    const double from_axis = std::hypot(center.x, center.y) + radius, from_origin = norm(center) + radius;
    double travel = 0;
    for (int i = 0; i < body.nv; ++i) {
      const int column = body.v + i;
      const TreeCoupling& coupling = tree.v_coupling[column];
      double speed = from_axis;
      if (body.kind == JointKind::prismatic) speed = 1;
      if (body.kind == JointKind::helical) speed += std::abs(body.pitch);
      if (body.kind == JointKind::spherical) speed = from_origin;
      if (body.kind == JointKind::free) speed = std::max(1.0, from_origin);
      const double most = travel_[static_cast<std::size_t>(tree.v_position[column])];
      if (body.kind == JointKind::prismatic) travel = most;
      if (body.kind == JointKind::helical) travel = std::abs(body.pitch) * most;
      if (body.kind == JointKind::free) travel = 2 * kTravelWithoutLimits;
      all.push_back({column, coupling.source, std::abs(coupling.ratio) * speed});
    }
    center = Vec3<double>::load(body.p), radius = from_origin + travel;
  }
  return all;
}

std::vector<double> MotionBounds::between(const LinkBall& a, const LinkBall& b) const {
  std::vector<double> speeds(static_cast<std::size_t>(model_.nv()), 0.0);
  const std::vector<Mover> of_a = movers(a), of_b = movers(b);
  const auto add = [&](const std::vector<Mover>& mine, const std::vector<Mover>& others) {
    for (const Mover& mover : mine) {
      const bool both = std::ranges::any_of(others, [&](const Mover& other) { return other.column == mover.column; });
      if (!both) speeds[static_cast<std::size_t>(mover.dof)] += mover.speed;
    }
  };
  add(of_a, of_b), add(of_b, of_a);
  return speeds;
}

}  // namespace verne
