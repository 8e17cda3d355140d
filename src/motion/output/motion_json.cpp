#include "model/position_names.h"
#include "motion/curve/positions.h"
#include "motion/output/json_entries.h"
#include "motion/output/solution_json.h"
#include "motion/terms/task_terms.h"
#include "motion/values/ground_forces.h"
#include "motion/values/undetermined.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

void append_coordinates(JsonWriter& json, const Model& model) {
  json.key("joints").begin_array();
  for (const Joint& joint : model.joints()) {
    if (joint.nv > 0) json.value(joint.spec.name);
  }
  json.end_array();
  json.key("coordinates").begin_array();
  for (const Joint& joint : model.joints()) {
    for (int i = joint.v; i < joint.v + joint.nv; ++i) {
      json.begin_object();
      json.key("name").value(model.dof_names()[i]);
      const std::string position = charted_name(model, joint, i - joint.v);
      if (position != model.dof_names()[i]) json.key("position_name").value(position);
      json.key("joint").value(joint.spec.name);
      json.key("unit").value(position_unit(model, i));
      json.key("effort_unit").value(effort_unit(model, i));
      json.end_object();
    }
  }
  json.end_array();
}

/// Force, centre of pressure and moment about the vertical of each support; and of all together, the point where their
/// moment is vertical.
void append_ground(JsonWriter& json, const Model& model, const SampledMotion& motion) {
  if (motion.ground.empty()) return;
  json.key("ground_reaction").begin_object();
  for (const GroundReaction& reaction : motion.ground) {
    json.key(reaction.support.c_str()).begin_object();
    append(json, "force", reaction.force);
    append(json, "centre", reaction.centre);
    append(json, "moment", reaction.moment);
    json.end_object();
  }
  json.end_object();
  append(json, "zmp", Table(zero_moment_points(model, motion)));
}

void append_link_poses(JsonWriter& json, const Model& model, const SampledMotion& motion) {
  json.key("link_poses").begin_object();
  for (std::size_t l = 0; l < model.links().size(); ++l) {
    Eigen::MatrixXd poses(7, motion.time.size());
    for (Eigen::Index n = 0; n < poses.cols(); ++n) {
      const double* pose = motion.link_poses.eigen().col(n).data() + 12 * l;
      Mat3<double> R;
      for (int k = 0; k < 9; ++k) R.m[k] = pose[3 + k];
      const auto quaternion = quaternion_of(R);
      for (int k = 0; k < 3; ++k) poses(k, n) = pose[k];
      for (int k = 0; k < 4; ++k) poses(3 + k, n) = quaternion[k];
    }
    append(json, model.links()[l].name.c_str(), Table(poses));
  }
  json.end_object();
}

}  // namespace

void append_motion(JsonWriter& json, const Model& model, const SampledMotion& motion,
                   const std::vector<Mechanism>& phases) {
  append(json, "time", motion.time);
  append_coordinates(json, model);
  append(json, "q", charted_positions(model, motion.q));
  if (model.nq() != model.nv()) append(json, "configuration", motion.q);
  append(json, "v", motion.v);
  append(json, "a", motion.a);
  append(json, "tau", motion.tau);
  json.key("joint_wrenches").begin_object();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    append(json, model.joints()[j].spec.name.c_str(),
           Table(motion.joint_wrenches.eigen().middleRows(6 * static_cast<Eigen::Index>(j), 6)));
  }
  json.end_object();
  if (!motion.loops.empty()) {
    json.key("loop_wrenches").begin_object();
    for (std::size_t k = 0; k < motion.loops.size(); ++k) {
      append(json, motion.loops[k].c_str(),
             Table(motion.loop_wrenches.eigen().middleRows(6 * static_cast<Eigen::Index>(k), 6)));
    }
    json.end_object();
    append_undetermined(json, Determined(phases));
  }
  append_link_poses(json, model, motion);
  append(json, "com", motion.com);
  append_ground(json, model, motion);
  json.key("energy").begin_object();
  append(json, "kinetic", motion.kinetic);
  append(json, "potential", motion.potential);
  append(json, "power", motion.power);
  json.end_object();
}

}  // namespace verne
