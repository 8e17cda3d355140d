#include "motion/refine/random_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "structures/collision_shapes.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/file.h"
#include "verne/spatial/rotation.h"
#include "verne/structures/inverse_kinematics.h"

namespace verne::test {

namespace {

constexpr int kTries = 60;      // of places for a tool
constexpr double kApart = 0.8;  // rad: both postures differ by more

/// Lines of a scene.
class Things {
 public:
  Things(unsigned seed, const Vec3<double>& base) : random_(seed), base_(base) {}

  double number(double low, double high) { return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53; }
  void box(const Vec3<double>& size, const Vec3<double>& at, double yaw = 0) {
    add(fmt::format("box: {{size: [{}, {}, {}]}}", size.x, size.y, size.z), at, yaw);
  }
  void cylinder(double radius, double length, const Vec3<double>& at) {
    add(fmt::format("cylinder: {{radius: {}, length: {}}}", radius, length), at, 0);
  }
  void sphere(double radius, const Vec3<double>& at) { add(fmt::format("sphere: {{radius: {}}}", radius), at, 0); }
  const std::string& text() const { return text_; }

 private:
  void add(const std::string& shape, const Vec3<double>& place, double yaw) {
    const Vec3<double> at = base_ + place;
    text_ += fmt::format("    thing{}: {{{}, pose: {{xyz: [{}, {}, {}], rpy: [0, 0, {}]}}}}\n", ++count_, shape, at.x,
                         at.y, at.z, yaw);
  }

  std::mt19937_64 random_;
  Vec3<double> base_;
  std::string text_;
  int count_ = 0;
};

/// Where a tool is wanted.
struct ToolPlace {
  Vec3<double> position;
  Mat3<double> rotation;
};
using Places = std::vector<ToolPlace>;  // from one of the first half to one of the second

Mat3<double> pointing_down(double yaw) {
  return rotation_rpy({M_PI, 0, yaw});
}
Mat3<double> pointing_forward(double yaw, double roll) {
  return rotation_rpy({0, 0, yaw}) * rotation_rpy({0, M_PI / 2, 0}) * rotation_rpy({0, 0, roll});
}

void bookshelf(Things& things, Places& from, Places& to, double reach) {
  const double front = reach * things.number(0.68, 0.78), depth = 0.35, width = 0.9, wall = 0.02, bottom = 0.05;
  const double middle = front + depth / 2, height = things.number(0.3, 0.38);
  const double yaw = things.number(-0.2, 0.2);
  const auto place = [&](double x, double y, double z) {
    return Vec3<double>{std::cos(yaw) * x - std::sin(yaw) * y, std::sin(yaw) * x + std::cos(yaw) * y, z};
  };
  for (int k = 0; k < 4; ++k) things.box({depth, width, wall}, place(middle, 0, bottom + k * height), yaw);
  for (const double y : {-width / 2, 0.0, width / 2}) {
    things.box({depth, wall, 3 * height}, place(middle, y, bottom + 1.5 * height), yaw);
  }
  things.box({wall, width, 3 * height}, place(front + depth, 0, bottom + 1.5 * height), yaw);
  for (int k = 0; k < kTries; ++k) {
    const int row = static_cast<int>(things.number(0, 3)) % 3, side = things.number(0, 1) < 0.5 ? -1 : 1;
    const Vec3<double> at = place(front + things.number(-0.06, 0.1), side * width / 4 + things.number(-0.08, 0.08),
                                  bottom + (row + 0.5) * height + things.number(-0.04, 0.04));
    (side < 0 ? from : to).push_back({at, pointing_forward(yaw + things.number(-0.2, 0.2), things.number(-1, 1))});
  }
}

void table_with(Things& things, double reach, double top) {
  things.box({0.7, 1.4, 0.04}, {reach * 0.5 + 0.3, 0, top - 0.02});
}

void open_box(Things& things, Places& from, Places& to, double reach) {
  const double top = 0.1, side = things.number(0.3, 0.4), height = things.number(0.15, 0.25), wall = 0.015;
  table_with(things, reach, top);
  const double x = reach * things.number(0.55, 0.7), y = things.number(0.15, 0.35);
  for (const double sign : {-1.0, 1.0}) {
    things.box({wall, side, height}, {x + sign * side / 2, y, top + height / 2 + 1e-3});
    things.box({side, wall, height}, {x, y + sign * side / 2, top + height / 2 + 1e-3});
  }
  for (int k = 0; k < kTries; ++k) {
    const double turn = things.number(-M_PI, M_PI);
    to.push_back({{x + things.number(-0.06, 0.06), y + things.number(-0.06, 0.06), top + things.number(0.14, 0.2)},
                  pointing_down(turn)});
    from.push_back({{x + things.number(-0.1, 0.1), y - things.number(0.45, 0.65), top + things.number(0.14, 0.3)},
                    pointing_down(turn + things.number(-1, 1))});
  }
}

void cage(Things& things, Places& from, Places& to, double reach) {
  const double x = reach * 0.72, half = things.number(0.2, 0.24), low = 0.15, high = low + 0.55, bar = 0.025;
  for (const double sx : {-1.0, 1.0}) {
    for (const double sy : {-1.0, 1.0}) {
      things.box({bar, bar, high - low}, {x + sx * half, sy * half, (low + high) / 2});
    }
  }
  for (const double z : {low, high}) {
    for (const double s : {-1.0, 1.0}) {
      things.box({bar, 2 * half, bar}, {x + s * half, 0, z});
      things.box({2 * half, bar, bar}, {x, s * half, z});
    }
  }
  for (const double s : {-1.0, 1.0}) things.cylinder(0.01, high - low, {x, s * half, (low + high) / 2});
  for (int k = 0; k < kTries; ++k) {
    to.push_back({{x + things.number(-0.08, 0.04), things.number(-0.06, 0.06), things.number(low + 0.2, high - 0.15)},
                  pointing_forward(things.number(-0.3, 0.3), things.number(-1, 1))});
    const double side = things.number(0, 1) < 0.5 ? -1 : 1;
    from.push_back({{x + things.number(-0.1, 0.1), side * (half + things.number(0.15, 0.3)), things.number(0.3, 0.6)},
                    pointing_down(things.number(-M_PI, M_PI))});
  }
}

void table(Things& things, Places& from, Places& to, double reach) {
  const double top = things.number(0.05, 0.2);
  table_with(things, reach, top);
  for (int k = 0; k < 7; ++k) {
    const double x = reach * things.number(0.4, 0.9), y = things.number(-0.55, 0.55), h = things.number(0.1, 0.35);
    if (k % 2) {
      things.cylinder(things.number(0.03, 0.06), h, {x, y, top + h / 2 + 1e-3});
    } else {
      things.box({things.number(0.05, 0.14), things.number(0.05, 0.14), h}, {x, y, top + h / 2 + 1e-3},
                 things.number(-1, 1));
    }
  }
  for (int k = 0; k < 2 * kTries; ++k) {
    const double side = k % 2 ? 1 : -1;
    (k % 2 ? to : from)
        .push_back({{reach * things.number(0.45, 0.8), side * things.number(0.15, 0.5), top + things.number(0.13, 0.3)},
                    pointing_down(things.number(-M_PI, M_PI))});
  }
}

void clutter(Things& things, Places& from, Places& to, double reach) {
  for (int k = 0; k < 14; ++k) {
    const double turn = things.number(-M_PI, M_PI), far = reach * things.number(0.45, 1.1);
    const Vec3<double> at{far * std::cos(turn), far * std::sin(turn), things.number(0, 1.0)};
    if (k % 3 == 0) things.sphere(things.number(0.04, 0.1), at);
    if (k % 3 == 1) things.cylinder(things.number(0.03, 0.07), things.number(0.1, 0.5), at);
    if (k % 3 == 2) {
      things.box({things.number(0.05, 0.3), things.number(0.05, 0.3), things.number(0.05, 0.3)}, at,
                 things.number(-1, 1));
    }
  }
  for (int k = 0; k < 2 * kTries; ++k) {
    const double turn = things.number(-1.8, 1.8), far = reach * things.number(0.5, 0.8);
    (k % 2 ? to : from)
        .push_back({{far * std::cos(turn), far * std::sin(turn), things.number(0.2, 0.8)},
                    things.number(0, 1) < 0.5 ? pointing_down(turn) : pointing_forward(turn, things.number(-1, 1))});
  }
}

std::string map_of(const std::vector<std::string>& names, const std::vector<double>& values) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += fmt::format("{}{}: {:.17g}", k > 0 ? ", " : "", names[k], values[k]);
  }
  return "{" + text + "}";
}

Task task_of(const SceneArm& arm, const Things& things, const std::string& ends) {
  const std::string text =
      "format: verne-task/1\nname: scene\nmodel: {file: arm.urdf" + (arm.srdf.empty() ? "" : ", srdf: " + arm.srdf) +
      "}\nduration: free\nminimize: [{time: 1}]\n" + arm.head + "scene:\n  objects:\n" + things.text() +
      "subject_to:\n" + ends + "  limits: {acceleration: " + map_of(arm.joints, arm.acceleration) +
      ", jerk: " + map_of(arm.joints, arm.jerk) + "}\n";
  TaskFiles files;
  files.model = [&](const std::string&) { return arm.model; };
  files.read = read_text_file;
  return read_task(text, "scene", ".", {}, files);
}

/// Whether its drives hold the arm up at a posture, with something left to move it.
bool holds_itself(const Task& task, Data<double>& data, const Eigen::VectorXd& q) {
  constexpr double kPart = 0.9;
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(q.size());
  const Eigen::VectorXd tau = inverse_dynamics(task.model, data, q, still, still);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!task.held.empty() && task.held[k]) continue;
    const Interval& limits = task.limits.effort[k];
    if (tau[i] < kPart * limits.lower || tau[i] > kPart * limits.upper) return false;
  }
  return true;
}

/// The first of some places that the arm reaches without touching anything.
std::optional<Eigen::VectorXd> free_posture(const Task& task, const SceneArm& arm, const Places& places,
                                            const Eigen::VectorXd& near, const Eigen::VectorXd* other) {
  const Mechanism mechanism(task.model);
  InverseKinematics ik(mechanism, task.model.site(arm.tool));
  Collisions collisions = task.shapes->collisions;
  Data<double> data(task.model);
  ik.accept_only([&](std::span<const double> q) {
    const Eigen::Map<const Eigen::VectorXd> posture(q.data(), static_cast<Eigen::Index>(q.size()));
    for (std::size_t i = 0; i < q.size(); ++i) {
      const auto& held = task.held.empty() ? std::nullopt : task.held[i];
      if (held && std::abs(q[i] - *held) > 1e-9) return false;
    }
    return holds_itself(task, data, posture) && collisions.near(posture, 2e-3).empty();
  });
  for (const ToolPlace& place : places) {
    const Posture found = ik.solve({arm.base + place.position, place.rotation}, near);
    if (!found.reached) continue;
    if (other && (found.q.eigen() - *other).lpNorm<Eigen::Infinity>() < kApart) continue;
    return found.q.eigen();
  }
  return std::nullopt;
}

std::vector<double> of_joints(const SceneArm& arm, const Eigen::VectorXd& q) {
  std::vector<double> values;
  for (const std::string& name : arm.joints) {
    values.push_back(q[arm.model.joints()[static_cast<std::size_t>(arm.model.joint(name))].q]);
  }
  return values;
}

}  // namespace

std::optional<Task> random_scene_task(const SceneArm& arm, const std::string& kind, unsigned seed) {
  Things things(seed, arm.base);
  Places from, to;
  if (kind == "bookshelf") bookshelf(things, from, to, arm.reach);
  if (kind == "box") open_box(things, from, to, arm.reach);
  if (kind == "cage") cage(things, from, to, arm.reach);
  if (kind == "table") table(things, from, to, arm.reach);
  if (kind == "clutter") clutter(things, from, to, arm.reach);
  const Task open = task_of(arm, things, "");
  Eigen::VectorXd home = Eigen::VectorXd::Zero(arm.model.nq());
  for (std::size_t k = 0; k < arm.joints.size(); ++k) {
    const int q = arm.model.joints()[static_cast<std::size_t>(arm.model.joint(arm.joints[k]))].q;
    const DofSpec& dof = arm.model.dofs()[static_cast<std::size_t>(q)];
    home[q] = std::isfinite(dof.lower + dof.upper) ? (dof.lower + dof.upper) / 2 : 0;
  }
  for (std::size_t i = 0; i < open.held.size(); ++i) {
    if (open.held[i]) home[static_cast<Eigen::Index>(i)] = *open.held[i];
  }
  const auto begin = free_posture(open, arm, from, home, nullptr);
  const auto end = begin ? free_posture(open, arm, to, *begin, &*begin) : std::nullopt;
  if (!end) return std::nullopt;
  const auto state = [&](const char* key, const Eigen::VectorXd& q) {
    return fmt::format("  {}: {{position: {}}}\n", key, map_of(arm.joints, of_joints(arm, q)));
  };
  return task_of(arm, things, state("start", *begin) + state("end", *end));
}

namespace {

/// How deep a ball is in a thing; negative outside.
double depth_in(const ConvexBody& thing, const Transform<double>& X, const Vec3<double>& p, double radius) {
  const Vec3<double> y = inverse(X) * p;
  switch (thing.core) {
    case ConvexBody::Core::point:
      return thing.skin + radius - norm(y);
    case ConvexBody::Core::box: {
      double outside = 0, inside = kInfinity;
      for (int i = 0; i < 3; ++i) {
        const double beyond = std::abs(y[i]) - thing.half[i];
        outside += std::pow(std::max(0.0, beyond), 2), inside = std::min(inside, -beyond);
      }
      return radius + (outside > 0 ? -std::sqrt(outside) : inside);
    }
    case ConvexBody::Core::cylinder: {
      const double across = std::hypot(y.x, y.y) - thing.half.x, along = std::abs(y.z) - thing.half.z;
      const double outside = std::hypot(std::max(0.0, across), std::max(0.0, along));
      return radius + (outside > 0 ? -outside : std::min(-across, -along));
    }
    default:
      return -kInfinity;
  }
}

/// Points between all corners of a body.
std::vector<Vec3<double>> points_in(const std::vector<Vec3<double>>& corners) {
  std::vector<Vec3<double>> points = corners;
  for (std::size_t a = 0; a < corners.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const Vec3<double> way = corners[b] - corners[a];
      const int steps = static_cast<int>(norm(way) / 0.02);
      for (int k = 1; k < steps; ++k) points.push_back(corners[a] + way * (double(k) / steps));
    }
  }
  return points;
}

}  // namespace

double overlap_by_points(const Task& task, const Eigen::VectorXd& q) {
  Data<double> data(task.model);
  const Kinematics<double> at = forward_kinematics(task.model, data, q);
  double deepest = 0;
  const std::vector<CollisionBody>& bodies = task.shapes->collisions.bodies();
  for (const CollisionBody& body : bodies) {
    if (body.link < 0 || task.model.links()[static_cast<std::size_t>(body.link)].body < 0) continue;
    const Corners corners = corners_of(body.body);
    // corners of a prism are on the cylinder: its skin makes it thicker than that
    const double radius = body.body.skin;
    for (const Vec3<double>& local : points_in(corners.points)) {
      const Vec3<double> p = body.X_LB * local;
      const Eigen::Vector3d world = at.position(body.link) + at.rotation(body.link) * Eigen::Vector3d(p.x, p.y, p.z);
      for (const CollisionBody& thing : bodies) {
        if (thing.link >= 0) continue;
        deepest = std::max(deepest, depth_in(thing.body, thing.X_LB, {world.x(), world.y(), world.z()}, radius));
      }
    }
  }
  return deepest;
}

}  // namespace verne::test
