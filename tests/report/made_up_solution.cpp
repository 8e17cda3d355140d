#include "report/made_up_solution.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_json.h"
#include "verne/spatial/rotation.h"

namespace verne::test {

namespace {

constexpr double kPi = std::numbers::pi;

/// Value, rate and acceleration of one coordinate.
using Sample = std::array<double, 3>;

Sample wave(double mean, double amplitude, double omega, double phase, double t) {
  const double angle = omega * t + phase;
  return {mean + amplitude * std::sin(angle), amplitude * omega * std::cos(angle),
          -amplitude * omega * omega * std::sin(angle)};
}

/// The quintic from 0 to 1 that starts and ends at rest.
Sample rest_to_rest(double distance, double duration, double t) {
  const double s = t / duration;
  return {distance * s * s * s * (10 - 15 * s + 6 * s * s), distance * 30 * s * s * (1 - s) * (1 - s) / duration,
          distance * 60 * s * (1 - 3 * s + 2 * s * s) / (duration * duration)};
}

/// Something like two steps of a walk; good enough to look at.
Sample walking(const std::string& name, const MadeUpMotion& motion, double t) {
  const double omega = 2 * kPi / motion.duration;
  const bool left = name.ends_with("_l");
  const double side = left ? kPi : 0;
  const double k = motion.amplitude;
  if (name == "global_tx") return {1.2 * t, 1.2, 0};
  if (name == "global_ty") return wave(0.915, 0.012 * k, 2 * omega, 0.4, t);
  if (name == "global_tz") return wave(0, 0.015 * k, omega, 0, t);
  if (name.starts_with("hip_flexion")) return wave(0.15, 0.42 * k, omega, side, t);
  if (name.starts_with("knee_flexion")) return wave(0.4, 0.35 * k, omega, side + 1.2, t);
  if (name.starts_with("ankle_dorsiflexion")) return wave(-0.05, 0.18 * k, omega, side + 2.0, t);
  if (name.starts_with("shoulder_flexion")) return wave(0.05, 0.4 * k, omega, side + kPi, t);
  if (name.starts_with("elbow_flexion")) return wave(0.45, 0.2 * k, omega, side + kPi - 0.5, t);
  if (name == "spine3_rotation") return wave(0, 0.08 * k, omega, 0.2, t);
  return {0, 0, 0};
}

struct Frame {
  Eigen::VectorXd q, v, a, tau;
  Matrix6X<double> wrenches;
};

class Writer {
 public:
  Writer(const Model& model, const MadeUpMotion& motion) : model_(model), motion_(motion), data_(model), poses_(model) {
    for (int k = 0; k < motion.frames; ++k) frames_.push_back(frame(time(k)));
  }

  std::string text() {
    json_.begin_object();
    write_head();
    write_verification();
    write_series();
    write_dynamics();
    write_limits();
    write_evidence();
    if (walks()) write_ground();
    json_.end_object();
    return json_.text() + "\n";
  }

 private:
  bool walks() const { return !model_.contacts().empty(); }
  double time(int k) const { return motion_.duration * k / (motion_.frames - 1); }

  Sample sample(int dof, double t) const {
    if (walks()) return walking(model_.dof_names()[dof], motion_, t);
    return rest_to_rest(motion_.amplitude * (dof % 2 == 0 ? 1.2 : -1.6), motion_.duration, t);
  }

  Frame frame(double t) {
    const int n = model_.nv();
    Frame f{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n),
            Matrix6X<double>(6, model_.joints().size())};
    for (int i = 0; i < n; ++i) {
      const auto [value, rate, acceleration] = sample(i, t);
      f.q[i] = value, f.v[i] = rate, f.a[i] = acceleration;
    }
    inverse_dynamics(model_, data_, f.q, f.v, f.a, f.tau, nullptr, &f.wrenches);
    return f;
  }

  void write_head() {
    json_.key("format").value("verne-solution/1");
    json_.key("generator").value("verne 0.1.0");
    json_.key("command").value("verne predict tasks/" + motion_.task + ".yaml -o out");
    json_.key("task").begin_object();
    json_.key("name").value(motion_.task);
    json_.key("description").value("A made-up motion for tests");
    json_.key("parameters").begin_object().key("amplitude").value(motion_.amplitude).end_object();
    json_.key("text").value("format: verne-task/1\nmodel: " + model_.name() + ".yaml\n");
    json_.end_object();
    json_.key("model");
    append_model(json_, model_);
    json_.key("status").value(motion_.status);
    json_.key("message").value("the motion was made up");
    json_.key("duration").value(motion_.duration);
    json_.key("cost").value(motion_.duration + 0.25);
    json_.key("costs").begin_array();
    for (const auto& [term, value] : {std::pair{"time", motion_.duration}, {"effort", 0.25}}) {
      json_.begin_object().key("term").value(term).key("weight").value(1.0).key("value").value(value).end_object();
    }
    json_.end_array();
    json_.key("iterations").value(17);
  }

  void write_verification() {
    json_.key("verification").begin_object();
    json_.key("limit_excess").value(3.2e-7).key("limit_tolerance").value(1e-6);
    json_.key("worst_limit").begin_object();
    json_.key("limit").value("effort of " + std::string(model_.dof_names().back()));
    json_.key("time").value(motion_.duration / 3).key("value").value(10.0000032).key("bound").value(10.0);
    json_.end_object();
    json_.key("certified").begin_object();
    json_.key("position").value(true).key("velocity").value(true).key("acceleration").value(std::nan(""));
    json_.end_object();
    json_.key("simulation_drift").value(2.1e-10).key("whole_horizon_drift").value(4.4e-7);
    json_.key("kkt_residual").value(8.8e-10).key("constraint_violation").value(1.3e-12);
    json_.end_object();
  }

  void write_rows(const char* key, Eigen::VectorXd Frame::*part) {
    json_.key(key).begin_array();
    for (const Frame& f : frames_) json_.values({(f.*part).data(), static_cast<std::size_t>((f.*part).size())});
    json_.end_array();
  }

  void write_series() {
    json_.key("time").begin_array();
    for (int k = 0; k < motion_.frames; ++k) json_.value(time(k));
    json_.end_array();
    json_.key("joints").begin_array();
    for (const Joint& joint : model_.joints()) {
      if (joint.nv > 0) json_.value(joint.spec.name);
    }
    json_.end_array();
    json_.key("coordinates").begin_array();
    for (const Joint& joint : model_.joints()) {
      if (joint.nv == 0) continue;
      const bool slides = joint.spec.type == JointType::prismatic;
      json_.begin_object().key("name").value(joint.spec.name).key("joint").value(joint.spec.name);
      json_.key("unit").value(slides ? "m" : "rad").key("effort_unit").value(slides ? "N" : "N·m").end_object();
    }
    json_.end_array();
    if (motion_.gap) frames_[3].tau[0] = frames_[4].tau[0] = std::nan("");
    write_rows("q", &Frame::q);
    write_rows("v", &Frame::v);
    write_rows("a", &Frame::a);
    write_rows("tau", &Frame::tau);
  }

  void write_wrenches() {
    json_.key("joint_wrenches").begin_object();
    for (std::size_t j = 0; j < model_.joints().size(); ++j) {
      json_.key(model_.joints()[j].spec.name).begin_array();
      for (const Frame& f : frames_) json_.values({f.wrenches.col(static_cast<Eigen::Index>(j)).data(), 6});
      json_.end_array();
    }
    json_.end_object();
  }

  void write_poses() {
    std::vector<std::vector<std::array<double, 7>>> poses(model_.links().size());
    for (const Frame& f : frames_) {
      forward_kinematics(model_, data_, f.q, poses_);
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const double* const pose = poses_.poses.col(static_cast<Eigen::Index>(i)).data();
        Mat3<double> R;
        std::copy(pose + 3, pose + 12, R.m);
        const auto [x, y, z, w] = quaternion_of(R);
        poses[i].push_back({pose[0], pose[1], pose[2], x, y, z, w});
      }
    }
    json_.key("link_poses").begin_object();
    for (std::size_t i = 0; i < poses.size(); ++i) {
      json_.key(model_.links()[i].name).begin_array();
      for (const auto& pose : poses[i]) json_.values(pose);
      json_.end_array();
    }
    json_.end_object();
  }

  void write_dynamics() {
    write_wrenches();
    write_poses();
    std::vector<double> com, kinetic, potential, power;
    for (const Frame& f : frames_) {
      const WholeBodyState<double> state = whole_body_state(model_, data_, f.q, f.v, f.a);
      com.insert(com.end(), state.com.data(), state.com.data() + 3);
      kinetic.push_back(state.kinetic_energy), potential.push_back(state.potential_energy);
      power.push_back(f.tau.dot(f.v));
    }
    json_.key("com").rows(com, 3);
    json_.key("energy").begin_object();
    json_.key("kinetic").values(kinetic).key("potential").values(potential).key("power").values(power);
    json_.end_object();
  }

  void write_limit(const char* kind, int dof, double lower, double upper, const char* unit,
                   Eigen::VectorXd Frame::*part) {
    double use = 0, from = -1, to = -1;
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      const double value = (frames_[k].*part)[dof], bound = value < 0 ? lower : upper;
      if (!std::isfinite(value) || !std::isfinite(bound) || bound == 0) continue;
      use = std::max(use, value / bound);
      if (value / bound < 0.98) continue;
      from = from < 0 ? time(static_cast<int>(k)) : from, to = time(static_cast<int>(k));
    }
    json_.begin_object().key("kind").value(kind).key("of").value(model_.dof_names()[dof]);
    json_.key("lower").value(lower).key("upper").value(upper).key("unit").value(unit);
    json_.key("utilisation").value(use).key("excess").value(std::max(0.0, use - 1)).key("active").begin_array();
    if (from >= 0) json_.values(std::array<double, 2>{from, to});
    json_.end_array().key("multiplier").value(from >= 0 ? 0.013 * (dof + 1) : 0.0).end_object();
  }

  void write_limits() {
    json_.key("limits").begin_array();
    for (int i = 0; i < model_.nv(); ++i) {
      const DofSpec& dof = model_.dofs()[i];
      write_limit("position", i, dof.lower, dof.upper, "rad", &Frame::q);
      write_limit("velocity", i, -dof.velocity, dof.velocity, "rad/s", &Frame::v);
      write_limit("effort", i, dof.effort_lower, dof.effort_upper, "N·m", &Frame::tau);
    }
    json_.end_array();
  }

  void write_evidence() {
    json_.key("convergence").begin_array();
    for (int i = 0; i < 17; ++i) {
      json_.begin_object().key("iteration").value(i).key("cost").value(1 + 2 * std::exp(-0.4 * i));
      json_.key("infeasibility").value(std::exp(-1.7 * i)).key("optimality").value(10 * std::exp(-1.3 * i));
      json_.end_object();
    }
    json_.end_array();
    json_.key("refinement").begin_array();
    for (int i = 0; i < 3; ++i) {
      json_.begin_object().key("round").value(i).key("control_points").value(8 + 4 * i).key("nodes").value(50 + 30 * i);
      json_.key("duration").value(motion_.duration + 0.01 * std::exp(-i)).key("cost").value(1.25 + 0.01 * std::exp(-i));
      json_.key("limit_excess").value(std::exp(-5.0 * i - 3)).key("iterations").value(17 - 4 * i).end_object();
    }
    json_.end_array();
  }

  void write_ground() {
    const double omega = 2 * kPi / motion_.duration;
    json_.key("ground_reaction").begin_object();
    for (const char* foot : {"foot_r", "foot_l"}) {
      const auto upwards = [&](int k) {
        const double s = std::sin(omega * time(k) + (foot[5] == 'l' ? kPi : 0));
        return s > 0 ? 73 * 9.81 * std::sqrt(s) : 0;
      };
      json_.key(foot).begin_object().key("force").begin_array();
      for (int k = 0; k < motion_.frames; ++k) {
        const double up = upwards(k);
        json_.values(std::array<double, 3>{-0.15 * up * std::cos(omega * time(k)), up, 0.02 * up});
      }
      json_.end_array().key("centre").begin_array();
      const double side = foot[5] == 'l' ? -0.1 : 0.1;
      for (int k = 0; k < motion_.frames; ++k) {
        const double none = std::nan("");  // null
        json_.values(upwards(k) > 0 ? std::array<double, 3>{1.2 * time(k), 0, side}
                                    : std::array<double, 3>{none, none, none});
      }
      json_.end_array().key("moment").begin_array();
      for (int k = 0; k < motion_.frames; ++k) json_.value(0.01 * upwards(k));
      json_.end_array().end_object();
    }
    json_.end_object();
    json_.key("zmp").begin_array();
    for (int k = 0; k < motion_.frames; ++k) {
      json_.values(std::array<double, 3>{1.2 * time(k) + 0.05, 0, 0.06 * std::sin(omega * time(k))});
    }
    json_.end_array();
  }

  const Model& model_;
  const MadeUpMotion& motion_;
  Data<double> data_;
  Kinematics<double> poses_;
  std::vector<Frame> frames_;
  JsonWriter json_;
};

}  // namespace

std::string made_up_solution(const Model& model, const MadeUpMotion& motion) {
  return Writer(model, motion).text();
}

std::string made_up_front(int count) {
  JsonWriter json;
  json.begin_object().key("format").value("verne-front/1").key("parameter").value("u").key("rows").begin_array();
  for (int i = 0; i < count; ++i) {
    const double u = 0.1 * i;
    json.begin_object().key("value").value(u).key("duration").value(1 + u).key("cost").value(2 / (1 + u));
    json.key("status").value("solved").key("folder").value(std::string(i < 10 ? "0" : "") + std::to_string(i));
    json.key("costs").begin_array();
    for (const auto& [term, value] : {std::pair{"time", 1 + u}, {"energy", 1 / (1 + u)}}) {
      json.begin_object().key("term").value(term).key("weight").value(value).key("value").value(value).end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

}  // namespace verne::test
