#include "structures/parallel_robot.h"

#include <algorithm>

#include "dynamics/call.h"
#include "structures/parallel_parts.h"

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
  return parts_->platform->tree().nv;
}

namespace {

/// Torques of the whole tree under loads; null without any, which the legs' kernels find by themselves.
const double* loaded_torques(ParallelRobot::Parts& s, const Call<double>& call, LoadsIn<double> loads) {
  if (!loads || loads->size() == 0) return nullptr;
  single_kernels<double>().inverse_dynamics(call.tree(), call.inputs(), s.torques.data(), nullptr,
                                            s.closed.parts().data.scratch());
  return s.torques.data();
}

}  // namespace

void inverse_dynamics(ParallelRobot& robot, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                      VectorOut<double> tau, LoadsIn<double> loads) {
  auto& s = robot.parts();
  Call<double> call("inverse_dynamics", s.model, s.closed.parts().data);
  call.q(q).v(v).a(a).loads(loads).output("tau", tau, robot.motors());
  double quality = 0;
  s.kernels.legs_inverse(s.plan, call.inputs(), loaded_torques(s, call, loads), s.found.data(), &quality,
                         s.scratch.block(0));
  if (!(quality >= 1)) return s.closed.parts().solve_inverse(q, v, a, loads, nullptr, tau);
  std::copy_n(s.found.data(), tau.size(), tau.data());
}

void forward_dynamics(ParallelRobot& robot, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                      VectorOut<double> a, LoadsIn<double> loads) {
  auto& s = robot.parts();
  Call<double> call("forward_dynamics", s.model, s.closed.parts().data);
  require_inertia(s.c);
  call.q(q).v(v).loads(loads).input("tau", tau, robot.motors()).output("a", a, s.model.nv());
  Inputs<double> in = call.inputs();
  const double* const torques = loaded_torques(s, call, loads);
  in.tau = tau.data();
  double quality = 0;
  s.kernels.legs_forward(s.plan, in, torques, s.found.data(), &quality, s.scratch.block(0));
  if (quality >= 1) {
    std::copy_n(s.found.data(), a.size(), a.data());
    return;
  }
  s.closed.parts().solve_forward(q, v, tau, loads);
  a = s.closed.parts().motion;
}

}  // namespace verne
