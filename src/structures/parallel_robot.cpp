#include "verne/structures/parallel_robot.h"

#include "structures/parallel_parts.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

std::optional<ParallelRobot> ParallelRobot::recognise(const Mechanism& mechanism) {
  auto parts = std::make_unique<Parts>(mechanism);
  if (!parts->recognise()) return std::nullopt;
  return ParallelRobot(std::move(parts));
}

ParallelRobot::ParallelRobot(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ParallelRobot::ParallelRobot(ParallelRobot&&) noexcept = default;
ParallelRobot& ParallelRobot::operator=(ParallelRobot&&) noexcept = default;
ParallelRobot::~ParallelRobot() = default;

int ParallelRobot::legs() const {
  return static_cast<int>(parts_->legs.size());
}
int ParallelRobot::motors() const {
  return static_cast<int>(parts_->c.actuated.size());
}
int ParallelRobot::platform_velocities() const {
  return parts_->platform.count;
}

void inverse_dynamics(ParallelRobot& robot, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                      VectorOut<double> tau, LoadsIn<double> loads) {
  auto& s = robot.parts();
  require_size("inverse_dynamics", "tau", robot.motors(), tau.size());
  inverse_dynamics<double>(s.model, s.p.data, q, v, a, s.torques, loads);
  s.evaluate(q);
  const ParallelRobot::Parts::Column balance = s.K_lu.transpose().solve(s.gathered(s.torques));
  tau = balance.head(robot.motors());
}

void forward_dynamics(ParallelRobot& robot, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                      VectorOut<double> a, LoadsIn<double> loads) {
  using Block = ParallelRobot::Parts::Block;
  using Column = ParallelRobot::Parts::Column;
  auto& s = robot.parts();
  const int motors = robot.motors();
  require_size("forward_dynamics", "tau", motors, tau.size());
  require_size("forward_dynamics", "a", s.model.nv(), a.size());
  s.evaluate(q, v);
  const auto put_motion = [&](const Column& x) {
    s.motion.segment(s.platform.first, s.platform.count) = x;
    for (const auto& leg : s.legs) s.motion.segment(leg.first, leg.count) = leg.G * x + leg.offset;
  };
  // Where the motors do not accelerate.
  const Column still = -s.K_lu.solve(s.offset);
  put_motion(still);
  inverse_dynamics<double>(s.model, s.p.data, q, v, s.motion, s.torques, loads);
  Block mass = s.terms.M.block(s.platform.first, s.platform.first, s.platform.count, s.platform.count);
  for (const auto& leg : s.legs) {
    const Block own = s.terms.M.block(leg.first, leg.first, leg.count, leg.count);
    mass.noalias() += leg.G.transpose() * (own * leg.G);
  }
  const Block N = s.K_lu.solve(Block(Block::Identity(s.platform.count, motors)));
  const Block reduced = N.transpose() * (mass * N);
  const Column force = tau - N.transpose() * s.gathered(s.torques);
  const Column accelerations = reduced.partialPivLu().solve(force);
  put_motion(still + N * accelerations);
  if (!s.motion.allFinite()) {
    throw InputError("some motion of the mechanism has no inertia: its acceleration is not known");
  }
  a = s.motion;
}

}  // namespace verne
