#include "random_task.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <functional>
#include <numbers>

#include "verne/dynamics/kinematics.h"
#include "verne/io/model_io.h"
#include "witness.h"

namespace verne::bench {

namespace {

constexpr int kTries = 50;

const std::vector<std::string> kArms{"puma560", "rx90", "stanford_arm", "arm7", "two_link", "lifting_arm"};
const std::vector<std::string> kSpatialArms{"puma560", "rx90", "stanford_arm", "arm7"};

template <class Container>
const auto& one_of(const Container& all, std::mt19937_64& rng) {
  return all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(rng)];
}

std::string list(const Eigen::VectorXd& values) {
  return fmt::format("[{:.17g}]", fmt::join(values.begin(), values.end(), ", "));
}

/// A model with a motion that it can do, and where that leads.
struct Witness {
  std::string name;
  Model model;
  Trajectory motion;
  Eigen::VectorXd start, middle, end;  ///< of the motion

  int tool() const { return model.site_count() - 1; }  ///< the last named frame
  Kinematics<double> at(const Eigen::VectorXd& q) const {
    Data<double> data(model);
    return forward_kinematics(model, data, q);
  }
};

std::optional<Witness> find_witness(const std::string& name, const std::string& folder, int postures,
                                    std::mt19937_64& rng) {
  const Model model = load_model(folder + "/" + name + ".yaml");
  Eigen::MatrixXd through(model.nv(), postures);
  for (int k = 0; k < postures; ++k) {
    const auto posture = random_posture(model, rng);
    if (!posture) return std::nullopt;
    through.col(k) = *posture;
  }
  const auto motion = slow_enough(model, through);
  if (!motion) return std::nullopt;
  const double T = motion->duration();
  return Witness{name, model, *motion, motion->at(0.0), motion->at(T / 2), motion->at(T)};
}

std::string head(const Witness& w, const std::string& name, const std::string& duration, const std::string& cost) {
  return fmt::format(
      "format: verne-task/1\nname: {}\nmodel: {}.yaml\nduration: {}\nminimize:\n  - {}\nsubject_to:\n"
      "  start: {{position: {}}}\n",
      name, w.name, duration, cost, list(w.start));
}
std::string end_at(const Eigen::VectorXd& q) {
  return fmt::format("  end: {{position: {}}}\n", list(q));
}
/// A duration in which the task can be done, with some time to spare.
std::string enough(const Witness& w) {
  return fmt::format("{:.17g}", 1.1 * w.motion.duration());
}

std::string tool_place(const Witness& w, bool turned) {
  const Kinematics<double> there = w.at(w.end);
  const std::string& tool = w.model.site_name(w.tool());
  std::string text =
      fmt::format("  frames:\n    - {{frame: {}, at: end, position: {}}}\n", tool, list(there.position(w.tool())));
  if (turned) {
    const Eigen::Quaterniond Q(there.rotation(w.tool()));
    text += fmt::format("    - {{frame: {}, at: end, orientation: {{quaternion: {}}}}}\n", tool, list(Q.coeffs()));
  }
  return text;
}

struct TaskClass {
  std::string name;
  std::function<std::optional<RandomTask>(const std::string& folder, std::mt19937_64&)> make;
};

/// A class of tasks around witnesses that go through so many postures.
using Maker = std::function<std::optional<std::string>(const Witness&, std::mt19937_64&)>;
TaskClass around(const std::string& name, const std::vector<std::string>& models, int postures, const Maker& make) {
  return {name,
          [&models, postures, make](const std::string& folder, std::mt19937_64& rng) -> std::optional<RandomTask> {
            const auto witness = find_witness(one_of(models, rng), folder, postures, rng);
            if (!witness) return std::nullopt;
            const auto text = make(*witness, rng);
            return text ? std::optional(RandomTask{witness->name, *text}) : std::nullopt;
          }};
}

Eigen::Vector3d eigen(const Vec3<double>& x) {
  return {x.x, x.y, x.z};
}

/// Points of a part of a link in the world.
std::vector<Eigen::Vector3d> points_of(const LinkCapsule& part, const Kinematics<double>& at) {
  constexpr int kPoints = 41;
  std::vector<Eigen::Vector3d> points;
  const int count = part.from.x == part.to.x && part.from.y == part.to.y && part.from.z == part.to.z ? 1 : kPoints;
  for (int k = 0; k < count; ++k) {
    const double f = count > 1 ? double(k) / (count - 1) : 0;
    const Eigen::Vector3d local = eigen(part.from) * (1 - f) + eigen(part.to) * f;
    points.emplace_back(at.position(part.link) + at.rotation(part.link) * local);
  }
  return points;
}

double from_box(const Eigen::Vector3d& p, const BoxSpec& box) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(box.pose.R.m);
  const Eigen::Vector3d y = R.transpose() * (p - eigen(box.pose.p));
  return (y.cwiseAbs() - eigen(box.size) / 2).cwiseMax(0).norm();
}

/// What is left between the surfaces of a zone and the links that keep out of it, less the margin.
double room_left(const KeepOutSpec& zone, const Kinematics<double>& at) {
  double least = std::numeric_limits<double>::infinity();
  for (const LinkCapsule& part : zone.parts) {
    for (const Eigen::Vector3d& p : points_of(part, at)) {
      const auto look = [&](double distance) { least = std::min(least, distance - part.radius - zone.margin); };
      if (zone.obstacle.box) look(from_box(p, *zone.obstacle.box));
      for (const LinkCapsule& other : zone.against) {
        for (const Eigen::Vector3d& q : points_of(other, at)) look((p - q).norm() - other.radius);
      }
      if (zone.obstacle.box || !zone.against.empty()) continue;
      look((p - eigen(zone.obstacle.from)).norm() - zone.obstacle.radius);  // balls
    }
  }
  return least;
}

/// By a witness, all the way.
double room_left(const KeepOutSpec& zone, const Witness& w) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= 100; ++k)
    least = std::min(least, room_left(zone, w.at(w.motion.at(w.motion.duration() * k / 100))));
  return least;
}

/// A turned box where the last link would be half-way if all joints moved evenly, if the witness passes it.
std::optional<std::string> around_a_box(const Witness& w, std::mt19937_64& rng) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(rng); };
  const int link = static_cast<int>(w.model.links().size()) - 1;
  const Eigen::Vector3d middle = w.at((w.start + w.end) / 2).position(link);
  const Eigen::Vector3d size(uniform(0.05, 0.25), uniform(0.05, 0.25), uniform(0.05, 0.25));
  const Eigen::Vector3d turned(uniform(-3, 3), uniform(-1.5, 1.5), uniform(-3, 3));
  const std::string zone = fmt::format(
      "  keep_out:\n    - box: {{center: {}, size: {}, rpy: {}}}\n      margin: 0.01\n"
      "      links: [{{link: {}, from: [0, 0, 0], to: [0, 0, 0.1], radius: 0.02}}]\n",
      list(middle), list(size), list(turned), w.model.links().back().name);
  const std::string text = head(w, "around_a_box", "free", "time: 1") + end_at(w.end) + zone;
  const Task task = read_task(text, "task", VERNE_SOURCE_DIR "/models");
  if (room_left(task.keep_out[0], w) < 0.05) return std::nullopt;
  return text;
}

/// The last link keeps away from the first one that moves, by nine tenths of what the witness does.
std::optional<std::string> links_apart(const Witness& w, std::mt19937_64&) {
  const auto text = [&](double margin) {
    return head(w, "links_apart", "free", "time: 1") + end_at(w.end) +
           fmt::format(
               "  keep_out:\n    - links: [{{link: {}, from: [0, 0, 0], radius: 0.02}}]\n"
               "      against: [{{link: {}, from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.02}}]\n"
               "      margin: {:.17g}\n",
               w.model.links().back().name, w.model.links()[1].name, margin);
  };
  const KeepOutSpec touching = read_task(text(0), "task", VERNE_SOURCE_DIR "/models").keep_out[0];
  const double room = room_left(touching, w);
  return room > 0.05 ? std::optional(text(0.9 * room)) : std::nullopt;
}

/// A ball where the tool would be half-way if all joints moved evenly, if the witness passes it.
std::optional<std::string> around_a_ball(const Witness& w, std::mt19937_64& rng) {
  const double radius = std::uniform_real_distribution<double>(0.05, 0.12)(rng), room = radius + 0.1;
  const int link = static_cast<int>(w.model.links().size()) - 1;
  const Eigen::Vector3d ball = w.at((w.start + w.end) / 2).position(link);
  const auto distance = [&](const Eigen::VectorXd& q) { return (w.at(q).position(link) - ball).norm(); };
  for (int k = 0; k <= 100; ++k) {
    if (distance(w.motion.at(w.motion.duration() * k / 100)) < room) return std::nullopt;
  }
  return head(w, "around_a_ball", "free", "time: 1") + end_at(w.end) +
         fmt::format(
             "  keep_out:\n    - sphere: {{center: {}, radius: {:.17g}}}\n"
             "      links: [{{link: {}, from: [0, 0, 0], radius: 0.02}}]\n",
             list(ball), radius, w.model.links().back().name);
}

/// To upright rest by the shoulder alone, from where a fall from there under some effort of the shoulder leads: without
/// friction the fall can be run backwards.
std::optional<RandomTask> swing_up(const std::string& folder, std::mt19937_64& rng) {
  const std::string name = "double_pendulum";
  const auto fall = random_fall(load_model(folder + "/" + name + ".yaml"), Eigen::Vector2d(std::numbers::pi, 0), rng);
  if (!fall) return std::nullopt;
  return RandomTask{name, fmt::format("format: verne-task/1\nname: swing_up\nmodel: {}.yaml\n"
                                      "duration: {:.17g}\nminimize:\n  - effort: 1\nsubject_to:\n"
                                      "  start: {{position: {}, velocity: {}}}\n  end: {{position: [180 deg, 0]}}\n",
                                      name, fall->duration, list(fall->q), list(-fall->v))};
}

const std::vector<TaskClass>& classes() {
  using Rng = std::mt19937_64;
  static const std::vector<TaskClass> all{
      around("joints, time", kArms, 2,
             [](const Witness& w, Rng&) { return head(w, "joints_time", "free", "time: 1") + end_at(w.end); }),
      around("joints, effort", kArms, 2,
             [](const Witness& w, Rng&) { return head(w, "joints_effort", enough(w), "effort: 1") + end_at(w.end); }),
      around("joints, energy", kArms, 2,
             [](const Witness& w, Rng&) { return head(w, "joints_energy", enough(w), "energy: 1") + end_at(w.end); }),
      around("joints, time and energy", kArms, 2,
             [](const Witness& w, Rng&) {
               return head(w, "joints_mixed", "{free: [0.3, 10]}", "time: 1\n  - energy: 0.01") + end_at(w.end);
             }),
      around("via, time", kArms, 3,
             [](const Witness& w, Rng&) {
               return head(w, "via", "free", "time: 1") + end_at(w.end) +
                      fmt::format("  via:\n    - {{at: 0.5, position: {}}}\n", list(w.middle));
             }),
      around("reach, time", kSpatialArms, 2,
             [](const Witness& w, Rng&) { return head(w, "reach_time", "free", "time: 1") + tool_place(w, false); }),
      around("reach, effort", kSpatialArms, 2,
             [](const Witness& w, Rng&) {
               return head(w, "reach_effort", enough(w), "effort: 1") + tool_place(w, false);
             }),
      around("pose, time", kSpatialArms, 2,
             [](const Witness& w, Rng&) { return head(w, "pose_time", "free", "time: 1") + tool_place(w, true); }),
      around(
          "pose, effort", kSpatialArms, 2,
          [](const Witness& w, Rng&) { return head(w, "pose_effort", enough(w), "effort: 1") + tool_place(w, true); }),
      around("obstacle, time", kSpatialArms, 3, around_a_ball),
      around("box, time", kSpatialArms, 3, around_a_box),
      around("links apart, time", kSpatialArms, 3, links_apart),
      around("periodic, effort", kArms, 3,
             [](const Witness& w, Rng&) {
               // There and back again as the witness goes: twice its time is enough.
               return head(w, "periodic", fmt::format("{:.17g}", 2.2 * w.motion.duration()), "effort: 1") +
                      fmt::format("  via:\n    - {{at: 0.5, position: {}}}\n  periodic: true\n", list(w.end));
             }),
      {"swing-up, effort", swing_up},
  };
  return all;
}

}  // namespace

const std::vector<std::string>& task_classes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const TaskClass& one : classes()) out.push_back(one.name);
    return out;
  }();
  return names;
}

std::optional<RandomTask> random_task(const std::string& task_class, const std::string& folder, std::mt19937_64& rng) {
  const auto same = [&](const TaskClass& one) { return one.name == task_class; };
  const TaskClass& found = *std::find_if(classes().begin(), classes().end(), same);
  for (int attempt = 0; attempt < kTries; ++attempt) {
    if (auto task = found.make(folder, rng)) return task;
  }
  return std::nullopt;
}

std::string fault_of(const Task& task, const Trajectory& motion) {
  constexpr int kSamples = 1001;
  constexpr double kPart = 1e-3, kPlace = 1e-3;
  const double excess = limit_excess(task.model, motion, kSamples), T = motion.duration();
  if (excess > kPart) return fmt::format("a limit is exceeded by {:.2g} of it", excess);
  const auto off = [&](const StateSpec& state, double time) {
    double worst = 0;
    for (std::size_t k = 0; k < state.position.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      const double q = motion.at(time)[i], v = motion.at(time, 1)[i];
      worst = std::max({worst, state.position[k].lower - q, q - state.position[k].upper});
      if (state.velocity.size() > k)
        worst = std::max({worst, state.velocity[k].lower - v, v - state.velocity[k].upper});
    }
    return worst;
  };
  if (passive_effort(task.model, motion, kSamples) > kPart) return "a passive joint is driven";
  if (off(task.start, 0) > kPlace) return "it starts elsewhere";
  if (off(task.end, T) > kPlace) return "it ends elsewhere";
  for (const ViaSpec& via : task.via) {
    if (off(via.state, via.at * T) > kPlace) return "it does not pass its via point";
  }
  Data<double> data(task.model);
  for (const FrameGoalSpec& frame : task.frames) {
    const Kinematics<double> there = forward_kinematics(task.model, data, motion.at(frame.when.at * T));
    const Eigen::Vector3d p = there.position(frame.site);
    for (std::size_t k = 0; k < frame.position.size(); ++k) {
      const double x = p[static_cast<Eigen::Index>(k)];
      const double error = std::max(frame.position[k].lower - x, x - frame.position[k].upper);
      if (error > frame.position_tolerance + kPlace) return fmt::format("the frame is {:.2g} m off", error);
    }
    if (!frame.orientation) continue;
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> wanted(frame.orientation->m);
    const double angle = Eigen::AngleAxisd(there.rotation(frame.site) * wanted.transpose()).angle();
    if (angle > frame.angle_tolerance + kPlace) return fmt::format("the frame is turned by {:.2g} rad", angle);
  }
  for (const KeepOutSpec& one : task.keep_out) {
    for (int k = 0; k < kSamples; ++k) {
      const double room = room_left(one, forward_kinematics(task.model, data, motion.at(T * k / (kSamples - 1))));
      if (room < -kPlace) return fmt::format("a link is {:.2g} m too near", -room);
    }
  }
  return {};
}

}  // namespace verne::bench
