#include "report/snapshots.h"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace verne {

namespace {

using Json = nlohmann::json;
using Eigen::Vector3d;

constexpr std::size_t kSnapshots = 9;

Vector3d vector_from(const Json& entries) {
  return {entries.at(0).get<double>(), entries.at(1).get<double>(), entries.at(2).get<double>()};
}

Eigen::Quaterniond quaternion_from(const Json& entries, std::size_t first) {
  const auto entry = [&](std::size_t i) { return entries.at(first + i).get<double>(); };
  return Eigen::Quaterniond(entry(3), entry(0), entry(1), entry(2));
}

/// A point of a link, in its axes.
struct LinkPoint {
  std::string link;
  Vector3d place = Vector3d::Zero();
};

struct Stick {
  LinkPoint from, to;
};

Vector3d joint_of(const Json& link) {
  const Json joint = link.value("joint", Json::object());
  return joint.contains("position") ? vector_from(joint["position"]) : Vector3d::Zero();
}

/// The links of a model as sticks.
class Skeleton {
 public:
  explicit Skeleton(const Json& model) : model_(model), walks_(!model.value("contacts", Json::array()).empty()) {
    for (const Json& link : model.at("links")) add(link);
  }

  std::vector<Stick> sticks;

 private:
  /// The sliding joints that carry a walker through the world are no part of it.
  bool carries_walker(const Json& link) const {
    return walks_ && link.value("joint", Json::object()).value("type", Json()) == "prismatic";
  }

  void add(const Json& link) {
    const std::string name = link.at("name");
    const LinkPoint joint{name, joint_of(link)};
    if (!carries_walker(link)) sticks.push_back({joint, {name}});
    bool is_tip = true;
    for (const Json& child : model_.at("links")) {
      if (child.value("parent", Json()) != name) continue;
      is_tip = false;
      if (!carries_walker(child)) sticks.push_back({joint, {child.at("name"), joint_of(child)}});
    }
    if (is_tip) add_tip(link, joint);
  }

  /// Where the last link of a chain ends: at the frames on it, or else as far out as its shapes.
  void add_tip(const Json& link, const LinkPoint& joint) {
    bool has_frame = false;
    for (const Json& frame : model_.value("frames", Json::array())) {
      if (frame.at("link") != joint.link) continue;
      has_frame = true;
      sticks.push_back({joint, {joint.link, vector_from(frame.at("position"))}});
    }
    if (has_frame || !joint.place.isZero(1e-9)) return;
    Vector3d farthest = joint.place;
    for (const Json& visual : link.value("visuals", Json::array())) {
      if (visual.value("type", "") == "mesh") continue;
      for (const Vector3d& end : ends_of(visual)) {
        if ((end - joint.place).norm() > (farthest - joint.place).norm()) farthest = end;
      }
    }
    sticks.push_back({joint, {joint.link, farthest}});
  }

  /// The two ends of a shape's axis: z, or the longest edge of a box.
  static std::array<Vector3d, 2> ends_of(const Json& visual) {
    Vector3d half{0, 0, visual.value("length", 0.0) / 2};
    if (visual.contains("size")) {
      const Vector3d size = vector_from(visual["size"]);
      Eigen::Index longest = 0;
      size.maxCoeff(&longest);
      half = Vector3d::Unit(longest) * size[longest] / 2;
    }
    const Vector3d middle = vector_from(visual.at("position"));
    const Vector3d along = quaternion_from(visual.at("rotation"), 0) * half;
    return {middle + along, middle - along};
  }

  const Json& model_;
  bool walks_;
};

/// Where a point is in a frame of the motion; nothing where its link has no pose.
std::optional<Vector3d> place_of(const LinkPoint& point, const Json& poses, std::size_t frame) {
  const auto rows = poses.find(point.link);
  if (rows == poses.end()) return std::nullopt;
  const Json& pose = rows->at(frame);
  for (const Json& entry : pose) {
    if (!entry.is_number()) return std::nullopt;
  }
  return vector_from(pose) + quaternion_from(pose, 3) * point.place;
}

using Segment = std::pair<Vector3d, Vector3d>;

std::vector<Segment> segments_at(const std::vector<Stick>& sticks, const Json& poses, std::size_t frame) {
  std::vector<Segment> segments;
  for (const Stick& stick : sticks) {
    const auto from = place_of(stick.from, poses, frame), to = place_of(stick.to, poses, frame);
    if (from && to && (*from - *to).norm() > 1e-6) segments.emplace_back(*from, *to);
  }
  return segments;
}

/// The directions across and upwards in a drawing, and their names.
struct Plane {
  Vector3d across, upwards;
  std::string across_label, upwards_label;
};

/// The plane in which sticks and ways lose least of their lengths: one of two axes of the world where that is nearly as
/// good as any, else an upright one at some angle. The loss along n is n' S n, where S adds up the squares.
Plane best_plane(const Eigen::Matrix3d& S, const Vector3d& gravity) {
  constexpr double kNearly = 0.03;
  Eigen::Index thin = 0;
  S.diagonal().minCoeff(&thin);
  Eigen::Index x = thin == 0 ? 1 : 0, y = thin == 2 ? 1 : 2, up = 0;
  const bool upright = gravity.cwiseAbs().maxCoeff(&up) > 0.999 * gravity.norm() && !gravity.isZero();
  if (upright && x == up) std::swap(x, y);
  const auto label = [](Eigen::Index i) { return fmt::format("{} (m)", "xyz"[i]); };
  const Plane plain{Vector3d::Unit(x), Vector3d::Unit(y), label(x), label(y)};
  if (!upright) return plain;
  const Eigen::Index a = up == 0 ? 1 : 0, b = up == 2 ? 1 : 2;
  const double angle = 0.5 * std::atan2(2 * S(a, b), S(a, a) - S(b, b));  // of the larger principal axis of the ground
  const Vector3d across = std::cos(angle) * Vector3d::Unit(a) + std::sin(angle) * Vector3d::Unit(b);
  const Vector3d normal = across.cross(Vector3d::Unit(up));
  if (S(thin, thin) - normal.dot(S * normal) < kNearly * S.trace()) return plain;
  const double degrees = angle * 180 / std::numbers::pi;
  return {across, Vector3d::Unit(up), fmt::format("horizontal, {:.0f}° from {} (m)", degrees, "xyz"[a]), label(up)};
}

}  // namespace

ChartSpec snapshot_chart(const Json& solution) {
  const Json &model = solution.at("model"), &poses = solution.at("link_poses"), &time = solution.at("time");
  const Skeleton skeleton(model);
  const std::size_t frames = time.size(), count = std::min(kSnapshots, frames);
  std::vector<std::vector<Segment>> snapshots;
  Eigen::Matrix3d S = Eigen::Matrix3d::Zero();
  const auto count_in = [&S](const Vector3d& way) { S += way * way.transpose(); };
  ChartSpec spec;
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t k = count > 1 ? s * (frames - 1) / (count - 1) : 0;
    snapshots.push_back(segments_at(skeleton.sticks, poses, k));
    ChartLine line;
    line.name = fmt::format("{:.3g} s", time.at(k).get<double>());
    line.colour = shade_of(count > 1 ? double(s) / double(count - 1) : 1);
    line.joints = true;
    spec.lines.push_back(std::move(line));
    for (std::size_t i = 0; i < snapshots[s].size(); ++i) {
      count_in(snapshots[s][i].second - snapshots[s][i].first);
      if (s > 0 && i < snapshots[s - 1].size()) count_in(snapshots[s][i].second - snapshots[s - 1][i].second);
    }
  }
  const Json gravity = model.value("gravity", Json::array());
  const Plane plane = best_plane(S, gravity.size() == 3 ? vector_from(gravity) : Vector3d::Zero());
  for (std::size_t s = 0; s < count; ++s) {
    ChartLine& line = spec.lines[s];
    const auto draw = [&](const Vector3d& point) {
      line.x.push_back(plane.across.dot(point)), line.y.push_back(plane.upwards.dot(point));
    };
    for (const auto& [from, to] : snapshots[s]) {
      draw(from), draw(to);
      draw(Vector3d::Constant(std::nan("")));  // lift the pen
    }
  }
  spec.x_label = plane.across_label, spec.y_label = plane.upwards_label;
  spec.equal_axes = true;
  return spec;
}

}  // namespace verne
