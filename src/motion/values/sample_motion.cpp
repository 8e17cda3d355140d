#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "motion/values/closed_forces.h"
#include "motion/values/ground_forces.h"
#include "motion/values/sample_stages.h"
#include "verne/dynamics/batch.h"

namespace verne {

namespace {

void resize(const Model& model, int samples, SampledMotion& motion) {
  const int nv = model.nv();
  const auto joints = static_cast<int>(model.joints().size()), links = static_cast<int>(model.links().size());
  motion.time.resize(samples);
  for (Values* values : {&motion.kinetic, &motion.potential, &motion.power}) values->resize(samples);
  motion.q = Eigen::MatrixXd(model.nq(), samples);
  for (Table* table : {&motion.v, &motion.a, &motion.tau}) *table = Eigen::MatrixXd(nv, samples);
  motion.joint_wrenches = Eigen::MatrixXd(6 * joints, samples);
  motion.loop_wrenches = Eigen::MatrixXd(Eigen::MatrixXd::Zero(6 * std::ssize(motion.loops), samples));
  motion.link_poses = Eigen::MatrixXd(12 * links, samples);
  motion.com = Eigen::MatrixXd(3, samples);
}

/// The reaction of the support of this name; none so far is one that never was.
GroundReaction& reaction_of(const std::string& support, SampledMotion& motion) {
  for (GroundReaction& known : motion.ground) {
    if (known.support == support) return known;
  }
  const Eigen::Index samples = motion.q.cols();
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  motion.ground.push_back({support, Eigen::MatrixXd(Eigen::MatrixXd::Zero(3, samples)),
                           Eigen::MatrixXd(Eigen::MatrixXd::Constant(3, samples, nothing)),
                           Eigen::VectorXd(Eigen::VectorXd::Zero(samples))});
  return motion.ground.back();
}

/// docs/theory/gait.md, (4)
void record_ground(const Stage& stage, const GroundForces& forces, int first, int count, SampledMotion& motion) {
  const Vec3<double> gravity = stage.task.model.gravity();
  const Eigen::Vector3d up = -Eigen::Vector3d(gravity.x, gravity.y, gravity.z).normalized();
  for (int i = 0; i < forces.supports(); ++i) {
    GroundReaction& reaction = reaction_of(stage.task.ground->supports[i].name, motion);
    for (int k = 0; k < count; ++k) {
      const GroundLoads::Wrench w = forces.wrench(k, i);
      const Eigen::Vector3d F = w.head<3>(), M = w.tail<3>();
      reaction.force.eigen().col(first + k) = F;
      const double vertical = F.dot(up);
      if (!(vertical > 0)) continue;
      const Eigen::Vector3d centre = up.cross(M) / vertical;
      reaction.centre.eigen().col(first + k) = centre;
      reaction.moment.eigen()[first + k] = (M - centre.cross(F)).dot(up);
    }
  }
}

/// What motors give, and reactions of loops with them.
void record_loops(const Task& task, int first, int count, SampledMotion& motion) {
  ClosedForces forces(task);
  for (int k = first; k < first + count; ++k) {
    const Eigen::VectorXd q = motion.q.eigen().col(k), v = motion.v.eigen().col(k);
    forces.find_efforts(q, v, motion.a.eigen().col(k));
    forces.find_wrenches(q, v);
    motion.tau.eigen().col(k) = forces.efforts;
    motion.joint_wrenches.eigen().col(k) = forces.joint_wrenches.reshaped();
    for (std::size_t loop = 0; loop < task.model.loops().size(); ++loop) {
      const auto name = std::find(motion.loops.begin(), motion.loops.end(), task.model.loops()[loop].name);
      motion.loop_wrenches.eigen().col(k).segment<6>(6 * (name - motion.loops.begin())) =
          forces.loop_wrenches.col(static_cast<Eigen::Index>(loop));
    }
  }
}

/// What second hands bear.
void record_grips(const Task& task, const GroundForces& forces, int first, int count, SampledMotion& motion) {
  for (std::size_t g = 0; g < task.grips.size() && task.grips[g].borne; ++g) {
    const auto name = std::find(motion.loops.begin(), motion.loops.end(), task.grips[g].loop.name);
    for (int k = 0; k < count; ++k) {
      motion.loop_wrenches.eigen().col(first + k).segment<6>(6 * (name - motion.loops.begin())) =
          forces.grip(k, static_cast<int>(g));
    }
  }
}

/// Fills in the columns from `first` on that are at these places.
void sample(const Stage& stage, const Trajectory& trajectory, const std::vector<Place>& places, int first,
            SampledMotion& motion) {
  const auto count = static_cast<int>(places.size());
  const Model& model = stage.task.model;
  Batch batch(model, count);
  for (int k = 0; k < count; ++k) {
    batch.q.set(k, trajectory.at(places[k], 0));
    batch.v.set(k, trajectory.at(places[k], 1));
    batch.a.set(k, trajectory.at(places[k], 2));
  }
  forward_kinematics(model, batch);
  const GroundForces forces(stage, trajectory, places, batch);
  record_ground(stage, forces, first, count, motion);
  inverse_dynamics(model, batch, true);
  whole_body_state(model, batch);
  const auto put = [&](Table& table, const LaneArray& rows) {
    table.eigen().middleCols(first, count) = rows.matrix().topRows(table.rows());
  };
  put(motion.q, batch.q), put(motion.v, batch.v), put(motion.a, batch.a), put(motion.tau, batch.tau);
  put(motion.joint_wrenches, batch.joint_wrenches);
  if (stage.task.mechanism) record_loops(stage.task, first, count, motion);
  record_grips(stage.task, forces, first, count, motion);
  put(motion.link_poses, batch.poses);
  const Eigen::MatrixXd body = batch.whole_body.matrix();
  motion.kinetic.eigen().segment(first, count) = body.row(kKineticEnergy);
  motion.potential.eigen().segment(first, count) = body.row(kPotentialEnergy);
  motion.com.eigen().middleCols(first, count) = body.middleRows(kCom, 3);
  const auto of = [&](const Table& table) { return table.eigen().middleCols(first, count).array(); };
  motion.power.eigen().segment(first, count) = (of(motion.tau) * of(motion.v)).colwise().sum();
}

}  // namespace

SampledMotion sample_stages(const std::vector<Stage>& stages, const Trajectory& trajectory, int samples) {
  SampledMotion motion;
  for (const Stage& stage : stages) {
    const auto add = [&](const LoopSpec& loop) {
      if (std::find(motion.loops.begin(), motion.loops.end(), loop.name) == motion.loops.end()) {
        motion.loops.push_back(loop.name);
      }
    };
    for (const LoopSpec& loop : stage.task.model.loops()) add(loop);
    for (const GripSpec& grip : stage.task.grips) add(grip.loop);
  }
  resize(stages.front().task.model, samples, motion);
  const auto place_of = [&](int k) {
    motion.time[k] = trajectory.duration() * k / (samples - 1);
    return k + 1 < samples ? trajectory.place(motion.time[k]) : Place{trajectory.basis().spans() - 1, 1.0};
  };
  int next = 0;
  for (const Stage& stage : stages) {
    std::vector<Place> places;
    const int first = next;
    for (; next < samples && stage.spans.holds(place_of(next)); ++next) places.push_back(place_of(next));
    if (!places.empty()) sample(stage, trajectory, places, first, motion);
  }
  return motion;
}

SampledMotion sample_motion(const Model& model, const Trajectory& trajectory, int samples) {
  return sample_stages({{Task(model), {0, trajectory.basis().spans()}}}, trajectory, samples);
}

SampledMotion sample_motion(const Task& task, const Solution& solution, int samples) {
  std::vector<Stage> parts = stages(task, phase_of_spans(solution));
  put_contact_forces(parts, solution.contact_forces);
  return sample_stages(parts, solution.trajectory, samples);
}

}  // namespace verne
