#include "structures/parallel_robot_batch.h"

#include <stdexcept>

#include "structures/mechanism_batch_parts.h"
#include "structures/parallel_parts.h"

namespace verne {

namespace {

/// kernel(block, its inputs, torques of the whole tree under loads or null without any, room of its thread)
template <class Kernel>
void for_each_block_of_legs(const BatchRunner& run, const ParallelRobot& robot, MechanismBatch& batch,
                            bool with_accelerations, Kernel&& kernel) {
  auto& s = batch.parts();
  s.make_room(run.workers(), 0, leg_batch_lanes(robot.parts().plan));
  run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
    const auto at = s.room(worker, 0);
    Inputs<double> in = run.loaded_inputs(b);
    if (!with_accelerations) in.a = nullptr;
    const bool loaded = in.load_count > 0;
    if (loaded) run.kernels().inverse_dynamics(run.tree(), in, at.torques, nullptr, scratch);
    kernel(b, in, loaded ? at.torques : nullptr, at.scratch);
  });
}

void require_same_mechanism(const char* function, const ParallelRobot& robot, MechanismBatch& batch) {
  if (&batch.parts().mechanism.contents() == &robot.parts().c) return;
  throw std::invalid_argument(std::string(function) + ": the batch is not one of the robot's mechanism");
}

}  // namespace

void inverse_dynamics(const ParallelRobot& robot, MechanismBatch& batch) {
  auto& s = batch.parts();
  require_same_mechanism("inverse_dynamics", robot, batch);
  const BatchRunner run("inverse_dynamics", s.mechanism.model(), batch.tree);
  run.check("tau", batch.tau, robot.motors());
  for_each_block_of_legs(run, robot, batch, true,
                         [&](int b, const Inputs<double>& in, const double* torques, double* scratch) {
                           s.kernels.leg_batch_inverse(robot.parts().plan, in, torques, run.values(batch.tau, b),
                                                       run.values(s.quality, b), scratch);
                         });
  compute_singles(run, batch, false, [&](int k, MechanismBatch::Parts::Single& m) {
    inverse_dynamics<double>(s.mechanism, m.closed(), m.q, m.v, m.a, m.tau, &m.loads);
    batch.tau.set(k, m.tau);
  });
}

void forward_dynamics(const ParallelRobot& robot, MechanismBatch& batch) {
  auto& s = batch.parts();
  require_same_mechanism("forward_dynamics", robot, batch);
  const BatchRunner run("forward_dynamics", s.mechanism.model(), batch.tree);
  require_inertia(s.mechanism.contents());
  run.check("tau", batch.tau, robot.motors());
  for_each_block_of_legs(run, robot, batch, false,
                         [&](int b, Inputs<double> in, const double* torques, double* scratch) {
                           in.tau = run.values(batch.tau, b);
                           s.kernels.leg_batch_forward(robot.parts().plan, in, torques, run.values(batch.tree.a, b),
                                                       run.values(s.quality, b), scratch);
                         });
  compute_singles(run, batch, false, [&](int k, MechanismBatch::Parts::Single& m) {
    forward_dynamics<double>(s.mechanism, m.closed(), m.q, m.v, m.tau, m.a, &m.loads);
    batch.tree.a.set(k, m.a);
  });
}

}  // namespace verne
