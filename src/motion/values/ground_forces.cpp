#include "motion/values/ground_forces.h"

#include <Eigen/Geometry>
#include <cmath>

#include "motion/terms/task_loads.h"
#include "motion/terms/task_terms.h"

namespace verne {

namespace {

constexpr int kRowsPerLoad = 9, kRowsPerPose = 12;

}  // namespace

GroundForces::GroundForces(const Stage& stage, const Trajectory& trajectory, const std::vector<Place>& places,
                           Batch& batch) {
  const Task& task = stage.task;
  Loads<double> loads = loads_of(task);
  constant_ = static_cast<int>(loads.size());
  if (!task.ground) {
    batch.set_loads(loads);
    return;
  }
  const ChannelLayout channels = channels_of(task, stage.spans, trajectory.lengths());
  const ContactCurve& contacts = channels.ground().contacts();
  supports_ = static_cast<int>(task.ground->supports.size());
  for (const SupportSpec& support : task.ground->supports) sites_.push_back(support.site);
  for (int g = 0; g < contacts.grips(); ++g) {
    for (const LoopEnd* end : {&contacts.grip(g).loop.a, &contacts.grip(g).loop.b}) {
      sites_.push_back(task.model.link(end->link));
    }
  }
  for (const int site : sites_) {
    loads.add({site, Vector3<double>::Zero(), Vector3<double>::Zero(), Vector3<double>::Zero(), At::link});
  }
  batch.set_loads(loads);
  wrenches_.assign(sites_.size(), Eigen::MatrixXd::Zero(6, batch.count()));
  grips_.assign(contacts.grips(), Eigen::MatrixXd::Zero(6, batch.count()));
  if (contacts.components() > 0 && task.ground->contact_forces) {
    bear_contacts(stage, contacts, places, batch);
    bear_grips(stage, contacts, places, batch);
    put_loads(batch);
  }
  bear_left_over(task, channels, places, batch);
}

void GroundForces::bear_contacts(const Stage& stage, const ContactCurve& contacts, const std::vector<Place>& places,
                                 const Batch& batch) {
  for (int n = 0; n < batch.count(); ++n) {
    const Place place{places[n].span - stage.spans.first, places[n].fraction};
    const Eigen::VectorXd components = stage.task.ground->contact_forces->at(place);
    for (int c = 0; c < contacts.contacts(); ++c) {
      const Vec3<double> f = contacts.force(c, components.data());
      const ContactPoint& at = contacts.contact(c);
      const auto pose = [&](int row) { return batch.poses(kRowsPerPose * at.site + row, n); };
      Vec3<double> p;
      for (int r = 0; r < 3; ++r) {
        p[r] = pose(r) + pose(3 + 3 * r) * at.point.x + pose(4 + 3 * r) * at.point.y + pose(5 + 3 * r) * at.point.z;
      }
      const Vec3<double> m = cross(p, f);
      wrenches_[contacts.support(c)].col(n) += GroundLoads::Wrench{{f.x, f.y, f.z, m.x, m.y, m.z}};
    }
  }
}

// docs/theory/gait.md, (27): what the hand bears, the object feels the other way
void GroundForces::bear_grips(const Stage& stage, const ContactCurve& contacts, const std::vector<Place>& places,
                              const Batch& batch) {
  for (int g = 0; g < contacts.grips(); ++g) {
    const LoopEnd& held = contacts.grip(g).loop.b;
    const int link = stage.task.model.link(held.link);
    for (int n = 0; n < batch.count(); ++n) {
      const Place place{places[n].span - stage.spans.first, places[n].fraction};
      const Eigen::VectorXd components = stage.task.ground->contact_forces->at(place);
      Mat3<double> R;
      for (int i = 0; i < 9; ++i) R.m[i] = batch.poses(kRowsPerPose * link + 3 + i, n);
      const auto part = [&](int first) {
        Vec3<double> x;
        for (int k = 0; k < 3; ++k) {
          x[k] = components[contacts.of_grip(g) + first + k] * contacts.grip_unit(first + k);
          grips_[g](first + k, n) = x[k];
        }
        return R * (held.X_LF.R * x);
      };
      const Vec3<double> force = part(0), moment = part(3);
      const Vec3<double> arm = R * held.X_LF.p,
                         origin{batch.poses(kRowsPerPose * link, n), batch.poses(kRowsPerPose * link + 1, n),
                                batch.poses(kRowsPerPose * link + 2, n)};
      const Vec3<double> m = moment + cross(origin + arm, force);
      const GroundLoads::Wrench wrench{{force.x, force.y, force.z, m.x, m.y, m.z}};
      wrenches_[supports_ + 2 * g].col(n) = wrench;
      wrenches_[supports_ + 2 * g + 1].col(n) = -wrench;
    }
  }
}

void GroundForces::put_loads(Batch& batch) const {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    for (int n = 0; n < batch.count(); ++n) {
      const auto w = wrenches_[i].col(n);
      Eigen::Vector3d p;
      for (int k = 0; k < 3; ++k) p[k] = batch.poses(kRowsPerPose * sites_[i] + k, n);
      const Eigen::Vector3d force = w.head<3>(), moment = w.tail<3>() - p.cross(force);
      const int first = kRowsPerLoad * (constant_ + static_cast<int>(i));
      for (int k = 0; k < 3; ++k) {
        batch.load_values(first + k, n) = force[k];
        batch.load_values(first + 3 + k, n) = moment[k];
      }
    }
  }
}

void GroundForces::bear_left_over(const Task& task, const ChannelLayout& channels, const std::vector<Place>& places,
                                  Batch& batch) {
  inverse_dynamics(task.model, batch, true);
  std::vector<std::vector<int>> dofs;
  for (const SupportSpec& support : task.ground->supports) dofs.push_back(channels.dofs_to_world(support.site));
  GroundLoads ground(task.model, channels.ground(), std::move(dofs), batch.count());
  ground.place(channels.ground(), places);
  ground.evaluate(task.model, batch, batch.joint_wrenches.matrix().topRows(6));  // of the root
  for (int i = 0; i < ground.supports(); ++i) {
    for (int n = 0; n < batch.count(); ++n) {
      wrenches_[i].col(n) += channels.ground().share(i, places[n]) * ground.wrench(n, i);
    }
  }
  put_loads(batch);
}

void GroundForces::add_to(Loads<double>& loads, const Batch& batch, int node) const {
  for (std::size_t l = 0; l < sites_.size(); ++l) {
    const auto part = [&](int which) {
      Vector3<double> x;
      for (int k = 0; k < 3; ++k) {
        x[k] = batch.load_values(kRowsPerLoad * (constant_ + static_cast<int>(l)) + 3 * which + k, node);
      }
      return x;
    };
    loads.add({sites_[l], part(0), part(1), part(2), At::link});
  }
}

Eigen::MatrixXd zero_moment_points(const Model& model, const SampledMotion& motion) {
  const Vec3<double> g = model.gravity();
  const Eigen::Vector3d up = -Eigen::Vector3d(g.x, g.y, g.z).normalized();
  Eigen::MatrixXd middle = Eigen::MatrixXd::Zero(3, motion.q.cols());
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(motion.q.cols());
  for (const GroundReaction& reaction : motion.ground) {
    for (Eigen::Index k = 0; k < middle.cols(); ++k) {
      if (std::isnan(reaction.centre.eigen()(0, k))) continue;
      const double weight = reaction.force.eigen().col(k).dot(up);
      middle.col(k) += weight * reaction.centre.eigen().col(k);
      sum[k] += weight;
    }
  }
  return middle.array().rowwise() / sum.array();
}

}  // namespace verne
