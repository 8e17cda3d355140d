#include <Eigen/Core>
#include <algorithm>

#include "motion/curve/phases.h"
#include "motion/output/solution_json.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

void append_foot_prints(JsonWriter& json, const Task& task, const Solution& solution) {
  const Trajectory& curve = solution.trajectory;
  const Vec3<double> g = task.model.gravity();
  const Eigen::Vector3d up = -Eigen::Vector3d(g.x, g.y, g.z).normalized();
  const std::vector<Stage> all = stages(task, phase_of_spans(solution));
  if (std::none_of(all.begin(), all.end(), [](const Stage& stage) { return stage.task.ground.has_value(); })) return;
  Data<double> data(task.model);
  json.key("foot_prints").begin_array();
  for (const Stage& stage : all) {
    if (!stage.task.ground) continue;
    const auto state = [&](int order) { return curve.at(stage.spans.place(curve, 0.5), order); };
    const Kinematics<double> at = forward_kinematics<double>(task.model, data, state(0), state(1), state(2));
    for (const SupportSpec& support : stage.task.ground->supports) {
      json.begin_object();
      json.key("support").value(support.name);
      json.key("start").value(curve.time(stage.spans.place(curve, 0)));
      json.key("end").value(curve.time(stage.spans.place(curve, 1)));
      json.key("corners").begin_array();
      for (const ContactPoint& contact : support.contacts) {
        const Eigen::Vector3d r(contact.point.x, contact.point.y, contact.point.z);
        const Eigen::Vector3d p = at.position(contact.site) + at.rotation(contact.site) * r;
        const Eigen::Vector3d on_ground = p - p.dot(up) * up;
        json.values({on_ground.data(), 3});
      }
      json.end_array().end_object();
    }
  }
  json.end_array();
}

}  // namespace verne
