#include "verne/dynamics/batch.h"
#include "verne/motion/solution.h"

namespace verne {

SampledMotion sample_motion(const Model& model, const Trajectory& trajectory, int samples) {
  Batch batch(model, samples);
  SampledMotion motion;
  motion.time.resize(samples);
  for (int k = 0; k < samples; ++k) {
    const double time = trajectory.duration() * k / (samples - 1);
    const Place place = k + 1 < samples ? trajectory.place(time) : Place{trajectory.basis().spans() - 1, 1.0};
    motion.time[k] = time;
    batch.q.set(k, trajectory.at(place, 0));
    batch.v.set(k, trajectory.at(place, 1));
    batch.a.set(k, trajectory.at(place, 2));
  }
  inverse_dynamics(model, batch, true);
  forward_kinematics(model, batch);
  whole_body_state(model, batch);
  motion.q = batch.q.matrix(), motion.v = batch.v.matrix(), motion.a = batch.a.matrix();
  motion.tau = batch.tau.matrix();
  motion.joint_wrenches = batch.joint_wrenches.matrix();
  motion.link_poses = batch.poses.matrix().topRows(12 * static_cast<Eigen::Index>(model.links().size()));
  const Eigen::MatrixXd body = batch.whole_body.matrix();
  motion.kinetic = body.row(kKineticEnergy), motion.potential = body.row(kPotentialEnergy);
  motion.com = body.middleRows(kCom, 3);
  motion.power = (motion.tau.eigen().array() * motion.v.eigen().array()).colwise().sum();
  return motion;
}

}  // namespace verne
