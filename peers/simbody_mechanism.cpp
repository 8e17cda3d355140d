#include "peers/simbody_mechanism.h"

#include <Simbody.h>

namespace verne::peers {

namespace {

SimTK::Vec3 simtk(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}
SimTK::Transform simtk(const SimbodyPose& X) {
  return {SimTK::Rotation(SimTK::Mat33(X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8])),
          SimTK::Vec3(X[9], X[10], X[11])};
}

SimTK::MassProperties mass_of(const SimbodyLink& link) {
  if (link.mass == 0) return {0, SimTK::Vec3(0), SimTK::Inertia(0)};
  const std::array<double, 6>& I = link.inertia;
  const SimTK::Vec3 com = simtk(link.com);
  return {link.mass, com, SimTK::Inertia(I[0], I[1], I[2], I[3], I[4], I[5]).shiftFromMassCenter(com, link.mass)};
}

}  // namespace

struct SimbodyMechanism::Parts {
  Parts() : matter(system), forces(system), applied(forces, matter) {}

  SimTK::MobilizedBody& body(int link) { return link < 0 ? matter.Ground() : bodies[static_cast<std::size_t>(link)]; }

  void add(const SimbodyLink& link) {
    using Joint = SimbodyLink::Joint;
    const SimTK::Transform P = simtk(link.X_PJ), L = simtk(link.X_LJ);
    const SimTK::Body::Rigid rigid(mass_of(link));
    if (link.joint == Joint::fixed) {
      bodies.push_back(SimTK::MobilizedBody::Weld(body(link.parent), P, rigid, L));
      return;
    }
    const bool turns = link.joint == Joint::revolute;
    const SimTK::Transform R(
        SimTK::Rotation(SimTK::UnitVec3(simtk(link.axis)),
                        turns ? SimTK::CoordinateAxis(SimTK::ZAxis) : SimTK::CoordinateAxis(SimTK::XAxis)));
    if (turns) {
      bodies.push_back(SimTK::MobilizedBody::Pin(body(link.parent), P * R, rigid, L * R));
    } else {
      bodies.push_back(SimTK::MobilizedBody::Slider(body(link.parent), P * R, rigid, L * R));
    }
    moving.push_back({static_cast<int>(bodies.size()) - 1, static_cast<std::size_t>(link.velocity)});
  }

  void add(const SimbodyLoop& loop) {
    using Kind = SimbodyLoop::Kind;
    const SimTK::Transform A = simtk(loop.A), B = simtk(loop.B);
    SimTK::MobilizedBody &a = body(loop.a), &b = body(loop.b);
    const auto square = [&](const SimTK::UnitVec3& of_a, const SimTK::UnitVec3& of_b) {
      SimTK::Constraint::ConstantAngle(a, of_a, b, of_b, SimTK::Pi / 2);
    };
    switch (loop.kind) {
      case Kind::rigid:
        SimTK::Constraint::Weld(b, B, a, A);
        return;
      case Kind::revolute:
      case Kind::universal:
      case Kind::spherical:
        SimTK::Constraint::Ball(b, B.p(), a, A.p());
        break;
      case Kind::planar:
        SimTK::Constraint::PointInPlane(a, A.z(), SimTK::dot(A.z(), A.p()), b, B.p());
        break;
      case Kind::prismatic:
      case Kind::cylindrical:
      case Kind::point_on_line:
        SimTK::Constraint::PointOnLine(a, A.z(), A.p(), b, B.p());
        break;
    }
    const bool parallel =
        loop.kind != Kind::spherical && loop.kind != Kind::universal && loop.kind != Kind::point_on_line;
    if (parallel) square(A.x(), B.z()), square(A.y(), B.z());
    if (loop.kind == Kind::universal || loop.kind == Kind::prismatic) square(A.x(), B.y());
  }

  struct Moving {
    int link;
    std::size_t velocity;
  };
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::Force::DiscreteForces applied;
  std::vector<SimTK::MobilizedBody> bodies;
  std::vector<Moving> moving;
  SimTK::State state;
};

SimbodyMechanism::SimbodyMechanism(const std::vector<SimbodyLink>& links, const std::vector<SimbodyLoop>& loops,
                                   const std::array<double, 3>& gravity)
    : parts_(std::make_unique<Parts>()) {
  SimTK::Force::UniformGravity(parts_->forces, parts_->matter, simtk(gravity));
  for (const SimbodyLink& link : links) parts_->add(link);
  for (const SimbodyLoop& loop : loops) parts_->add(loop);
  parts_->state = parts_->system.realizeTopology();
}
SimbodyMechanism::~SimbodyMechanism() = default;

std::vector<double> SimbodyMechanism::accelerations(const std::vector<double>& q, const std::vector<double>& v,
                                                    const std::vector<double>& forces) {
  Parts& p = *parts_;
  for (const Parts::Moving& m : p.moving) {
    const SimTK::MobilizedBody& body = p.body(m.link);
    body.setOneQ(p.state, 0, q[m.velocity]);
    body.setOneU(p.state, 0, v[m.velocity]);
    p.applied.setOneMobilityForce(p.state, body, SimTK::MobilizerUIndex(0), forces[m.velocity]);
  }
  p.system.realize(p.state, SimTK::Stage::Acceleration);
  std::vector<double> a(v.size());
  for (const Parts::Moving& m : p.moving) a[m.velocity] = p.body(m.link).getOneUDot(p.state, 0);
  return a;
}

}  // namespace verne::peers
