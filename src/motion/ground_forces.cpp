#include "motion/ground_forces.h"

#include <Eigen/Geometry>
#include <cmath>

#include "motion/task_loads.h"
#include "motion/task_terms.h"

namespace verne {

namespace {

constexpr int kRowsPerLoad = 9, kRowsPerPose = 12;

}  // namespace

GroundForces::GroundForces(const Stage& stage, const Trajectory& trajectory, const std::vector<Place>& places,
                           Batch& batch) {
  const Task& task = stage.task;
  Loads<double> loads = loads_of(task);
  const auto constant = static_cast<int>(loads.size());
  if (!task.ground) {
    batch.set_loads(loads);
    return;
  }
  for (const SupportTask& support : task.ground->supports) {
    loads.add({support.site, Vector3<double>::Zero(), Vector3<double>::Zero(), Vector3<double>::Zero(), At::link});
  }
  batch.set_loads(loads);
  inverse_dynamics(task.model, batch, true);

  const Channels channels = channels_of(task, stage.spans, trajectory.lengths());
  std::vector<std::vector<int>> dofs;
  for (const SupportTask& support : task.ground->supports) dofs.push_back(channels.dofs_to_world(support.site));
  GroundLoads ground(task.model, channels.ground(), std::move(dofs), batch.count());
  ground.place(channels.ground(), places);
  ground.evaluate(task.model, batch, batch.joint_wrenches.matrix().topRows(6));  // of the root
  for (int i = 0; i < ground.supports(); ++i) {
    wrenches_.emplace_back(6, batch.count());
    const int site = task.ground->supports[i].site;
    for (int n = 0; n < batch.count(); ++n) {
      const GroundLoads::Wrench w = channels.ground().share(i, places[n]) * ground.wrench(n, i);
      wrenches_.back().col(n) = w;
      Eigen::Vector3d p;
      for (int k = 0; k < 3; ++k) p[k] = batch.poses(kRowsPerPose * site + k, n);
      const Eigen::Vector3d moment = w.tail<3>() - p.cross(w.head<3>());
      for (int k = 0; k < 3; ++k) {
        batch.load_values(kRowsPerLoad * (constant + i) + k, n) = w[k];
        batch.load_values(kRowsPerLoad * (constant + i) + 3 + k, n) = moment[k];
      }
    }
  }
}

Eigen::MatrixXd zero_moment_points(const SampledMotion& motion) {
  Eigen::MatrixXd middle = Eigen::MatrixXd::Zero(3, motion.q.cols());
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(motion.q.cols());
  for (const GroundReaction& reaction : motion.ground) {
    for (Eigen::Index k = 0; k < middle.cols(); ++k) {
      if (std::isnan(reaction.centre.eigen()(0, k))) continue;
      const double weight = reaction.force.eigen().col(k).norm();  // forces are parallel
      middle.col(k) += weight * reaction.centre.eigen().col(k);
      sum[k] += weight;
    }
  }
  return middle.array().rowwise() / sum.array();
}

}  // namespace verne
