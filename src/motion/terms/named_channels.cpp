#include <algorithm>

#include "io/number.h"
#include "motion/terms/channels.h"
#include "verne/motion/term.h"

namespace verne {

namespace {

/// A kind of channels by its short name.
struct ChannelKind {
  const char* name;
  Channel (*make)(Channels& channels, const std::string& of, const Vec3<double>& at);
  bool of_all = false;  // not of a coordinate, joint or frame
};
constexpr ChannelKind kChannelKinds[] = {
    {"q", [](Channels& c, const std::string& of, const Vec3<double>&) { return c.position(of); }},
    {"v", [](Channels& c, const std::string& of, const Vec3<double>&) { return c.velocity(of); }},
    {"a", [](Channels& c, const std::string& of, const Vec3<double>&) { return c.acceleration(of); }},
    {"jerk", [](Channels& c, const std::string& of, const Vec3<double>&) { return c.jerk(of); }},
    {"tau", [](Channels& c, const std::string& of, const Vec3<double>&) { return c.effort(of); }},
    {"wrench", [](Channels& c, const std::string& of, const Vec3<double>&) { return c.wrench(of); }},
    {"point", [](Channels& c, const std::string& of, const Vec3<double>& at) { return c.point(of, at); }},
    {"point_velocity",
     [](Channels& c, const std::string& of, const Vec3<double>& at) { return c.point_velocity(of, at); }},
    {"axis_x",
     [](Channels& c, const std::string& of, const Vec3<double>&) {
       return c.axis(of, {1, 0, 0});
     }},
    {"axis_y",
     [](Channels& c, const std::string& of, const Vec3<double>&) {
       return c.axis(of, {0, 1, 0});
     }},
    {"axis_z",
     [](Channels& c, const std::string& of, const Vec3<double>&) {
       return c.axis(of, {0, 0, 1});
     }},
    {"ground_force", [](Channels& c, const std::string&, const Vec3<double>&) { return c.ground_force(); }, true},
    {"duration", [](Channels& c, const std::string&, const Vec3<double>&) { return c.duration(); }, true}};

}  // namespace

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

Channel Channels::duration() {
  return {layout_.duration(), 1, "duration"};
}

Channel Channels::by_name(const std::string& name, const Vec3<double>& at) {
  const std::size_t colon = name.find(':');
  const std::string what = name.substr(0, colon), of = colon == std::string::npos ? "" : name.substr(colon + 1);
  std::vector<std::string> names;
  for (const ChannelKind& kind : kChannelKinds) {
    if (what != kind.name) {
      names.push_back(std::string(kind.name) + (kind.of_all ? "" : ":"));
    } else if (kind.of_all == (colon == std::string::npos)) {
      return kind.make(*this, of, at);
    } else {
      throw InputError("expected " + in_quotes(what + (kind.of_all ? "" : ":NAME")) + ", found " + in_quotes(name));
    }
  }
  throw InputError("there is no channel " + in_quotes(name) + suggestion(what + (of.empty() ? "" : ":"), names));
}

}  // namespace verne
