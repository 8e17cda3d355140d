#include "motion/refine/sampled_cells.h"

#include "motion/values/closed_forces.h"
#include "motion/values/ground_forces.h"
#include "verne/dynamics/batch.h"

namespace verne {

SampledCells sample_cells(const Stage& stage, const Trajectory& trajectory) {
  const Task& task = stage.task;
  SampledCells out;
  std::vector<Place> places;
  for (int s = stage.spans.first; s < stage.spans.end; ++s) {
    for (int k = 0; k < kCellsPerSpan; ++k) places.push_back({s, (k + 0.5) / kCellsPerSpan});
  }
  for (Eigen::MatrixXd* matrix : {&out.velocity, &out.acceleration, &out.jerk}) {
    matrix->resize(trajectory.coordinates(), static_cast<Eigen::Index>(places.size()));
  }
  Batch batch(task.model, static_cast<int>(places.size()));
  for (std::size_t n = 0; n < places.size(); ++n) {
    const auto column = static_cast<Eigen::Index>(n);
    trajectory.evaluate(places[n], 1, out.velocity.col(column));
    trajectory.evaluate(places[n], 2, out.acceleration.col(column));
    trajectory.evaluate(places[n], 3, out.jerk.col(column));
    batch.q.set(n, trajectory.at(places[n], 0));
    batch.v.set(n, out.velocity.col(column));
    batch.a.set(n, out.acceleration.col(column));
    out.time.push_back(trajectory.time(places[n]));
    out.width.push_back(trajectory.lengths()[places[n].span] / kCellsPerSpan);
  }
  if (task.ground) forward_kinematics(task.model, batch, false);
  const GroundForces loads(stage, trajectory, places, batch);
  inverse_dynamics(task.model, batch);
  out.effort = batch.tau.matrix();
  if (!task.mechanism && !task.ground) {
    mass_matrix(task.model, batch);
    out.mass = batch.mass_matrix.matrix();
  }
  if (task.mechanism) {
    ClosedForces forces(task);
    for (std::size_t n = 0; n < places.size(); ++n) {
      const auto column = static_cast<Eigen::Index>(n);
      forces.find_efforts(trajectory.at(places[n], 0), out.velocity.col(column), out.acceleration.col(column));
      out.effort.col(column) = forces.efforts;
    }
  }
  return out;
}

}  // namespace verne
