#include <algorithm>

#include "io/number.h"
#include "motion/terms/channels.h"
#include "verne/motion/term.h"

namespace verne {

int Channels::coordinate(const std::string& name) const {
  const auto names = phase_.model.dof_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  throw InputError("there is no coordinate " + in_quotes(name) + suggestion(name, {names.begin(), names.end()}));
}

int Channels::site(const std::string& frame) const {
  return phase_.model.site(frame);
}

Channel Channels::of_coordinate(const char* what, const std::string& name, int first_of_state) {
  return {first_of_state + coordinate(name), 1, what + (" of " + name)};
}

Channel Channels::position(const std::string& name) {
  return of_coordinate("position", name, layout_.q(0));
}
Channel Channels::velocity(const std::string& name) {
  return of_coordinate("velocity", name, layout_.v(0));
}
Channel Channels::acceleration(const std::string& name) {
  return of_coordinate("acceleration", name, layout_.a(0));
}
Channel Channels::jerk(const std::string& name) {
  return of_coordinate("jerk", name, layout_.jerk(0));
}
Channel Channels::effort(const std::string& name) {
  return {layout_.tau(coordinate(name)), 1, "effort of " + name};
}

Channel Channels::wrench(const std::string& joint) {
  const auto& joints = phase_.model.joints();
  const auto& loops = phase_.model.loops();
  std::vector<std::string> names;
  for (const Joint& each : joints) names.push_back(each.spec.name);
  for (const LoopSpec& each : loops) names.push_back(each.name);
  const auto found = std::find(names.begin(), names.end(), joint);
  if (found == names.end()) throw InputError("there is no joint " + in_quotes(joint) + suggestion(joint, names));
  return {layout_.wrench(static_cast<int>(found - names.begin())), 6, "wrench of " + joint};
}

Channel Channels::point(const std::string& frame, const Vec3<double>& at) {
  return {layout_.point(site(frame), at), 3, "point of " + frame};
}
Channel Channels::point_velocity(const std::string& frame, const Vec3<double>& at) {
  return {layout_.velocity(site(frame), at), 3, "velocity of a point of " + frame};
}
Channel Channels::axis(const std::string& frame, const Vec3<double>& along) {
  return {layout_.direction(site(frame), along), 3, "axis of " + frame};
}

Channel Channels::ground_force() {
  if (!phase_.ground || phase_.ground->contact_variables) {
    throw InputError("there is no force of the ground: the task has no `ground`, or its forces are variables");
  }
  return {layout_.left_over(), 6, "force of the ground"};
}

}  // namespace verne
