#include "verne/report/live.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "model/position_names.h"
#include "report/check_solution.h"
#include "report/page.h"
#include "structures/closed_dynamics.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_json.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// Limits of q make sense for a slider where q and v go together one by one.
bool has_position_limits(JointType type) {
  return type != JointType::spherical && type != JointType::free;
}

void put_quaternion(const Eigen::Vector3d& rotation, double* q) {
  const double angle = rotation.norm();
  // sin(x/2)/x, of which the limit at zero is one half
  const double factor = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5;
  const Eigen::Vector3d xyz = factor * rotation;
  q[0] = xyz.x(), q[1] = xyz.y(), q[2] = xyz.z(), q[3] = std::cos(angle / 2);
}

/// What the sliders of all velocities of a joint show: its positions, with rotation vectors for quaternions.
std::array<double, 6> pose_of(const Joint& joint, const double* q) {
  std::array<double, 6> pose{};
  const double* const own = q + joint.q;
  const int turn = joint.nq == joint.nv ? joint.nq : joint.nv - 3;  // where a quaternion begins
  std::copy_n(own, turn, pose.begin());
  if (turn == joint.nq) return pose;
  rotation_vector_of(rotation_from_quaternion(own[turn], own[turn + 1], own[turn + 2], own[turn + 3]))
      .store(pose.data() + turn);
  return pose;
}

void put_pose(const Joint& joint, const std::array<double, 6>& pose, double* q) {
  double* const own = q + joint.q;
  const int turn = joint.nq == joint.nv ? joint.nq : joint.nv - 3;
  std::copy_n(pose.begin(), turn, own);
  if (turn < joint.nq) put_quaternion(Eigen::Map<const Eigen::Vector3d>(pose.data() + turn), own + turn);
}

Eigen::VectorXd slider_values(const std::string& request, int count) {
  const nlohmann::json json = parse_json(request, "request");
  const auto values = json.is_object() ? json.find("values") : json.end();
  const std::string expected = "values: expected an array of " + std::to_string(count) + " finite numbers";
  if (!json.is_object() || values == json.end() || !values->is_array() || values->size() != std::size_t(count)) {
    throw InputError(expected);
  }
  Eigen::VectorXd numbers(count);
  for (int i = 0; i < count; ++i) {
    const nlohmann::json& value = (*values)[std::size_t(i)];
    if (!value.is_number()) throw InputError(expected);
    numbers[i] = value.get<double>();
  }
  if (!numbers.allFinite()) throw InputError(expected);
  return numbers;
}

}  // namespace

/// A mechanism with closed loops has sliders for its independent joints; the rest follows from where it was before.
struct ClosedFigure {
  explicit ClosedFigure(const Model& model) : mechanism(model), data(mechanism), q(mechanism.home().eigen()) {}
  Mechanism mechanism;
  MechanismData<double> data;
  Eigen::VectorXd q;
};

struct LiveModel::Parts {
  explicit Parts(const Model& shown) : model(shown), data(shown), kinematics(shown) {
    if (!shown.loops().empty()) closed.emplace(shown);
    for (const Joint& joint : model.joints()) {
      for (int k = 0; k < joint.nv; ++k) {
        if (!closed || std::ranges::binary_search(closed->mechanism.independent(), joint.v + k))
          sliders.push_back({&joint, k});
      }
    }
  }
  Eigen::VectorXd closed_configuration(const Eigen::VectorXd& wanted) {
    const auto places = closed->mechanism.independent_positions();
    Eigen::VectorXd independent(closed->mechanism.nq()), q(model.nq());
    for (Eigen::Index k = 0; k < independent.size(); ++k) independent[k] = wanted[places[std::size_t(k)]];
    assemble(closed->mechanism, closed->data, independent, closed->q, q);
    return closed->q = q;
  }

  Model model;
  Data<double> data;
  Kinematics<double> kinematics;
  std::optional<ClosedFigure> closed;
  struct Slider {
    const Joint* joint;
    int k;  ///< of its velocities
  };
  std::vector<Slider> sliders;
};

LiveModel::LiveModel(const Model& model) : parts_(std::make_unique<Parts>(model)) {}
LiveModel::LiveModel(LiveModel&&) noexcept = default;
LiveModel& LiveModel::operator=(LiveModel&&) noexcept = default;
LiveModel::~LiveModel() = default;

std::string LiveModel::page(const std::string& program, const std::string& meshes) const {
  const Model& model = parts_->model;
  JsonWriter json;
  json.begin_object().key("kind").value("live").key("program").value(program);
  json.key("model");
  append_model(json, model);
  json.key("sliders").begin_array();
  for (const auto& [shown, k] : parts_->sliders) {
    const Joint& joint = *shown;
    const DofSpec& dof = model.dofs()[std::size_t(joint.v + k)];
    const bool linear = is_linear(joint.spec.type, k),
               limited = has_position_limits(joint.spec.type) && dof.lower <= dof.upper;
    json.begin_object().key("name").value(charted_name(model, joint, k));
    json.key("joint").value(joint.spec.name);
    json.key("unit").value(linear ? "m" : "rad").key("effort_unit").value(linear ? "N" : "N·m");
    json.key("lower").value(limited ? dof.lower : -kInfinity).key("upper").value(limited ? dof.upper : kInfinity);
    json.key("home").value(parts_->closed ? pose_of(joint, parts_->closed->q.data())[std::size_t(k)] : 0.0);
    json.end_object();
  }
  json.end_array().end_object();
  std::string text = json.text();
  if (!meshes.empty()) text.insert(text.size() - 1, ",\"meshes\":" + meshes);
  return page_with(text);
}

Values LiveModel::configuration(const Values& values) const {
  const Model& model = parts_->model;
  Eigen::VectorXd q = parts_->closed ? parts_->closed->q : neutral_configuration(model);
  // Of a joint that has sliders for a part of its velocities the rest is as it was.
  for (std::size_t i = 0; i < parts_->sliders.size();) {
    const Joint& joint = *parts_->sliders[i].joint;
    std::array<double, 6> pose = pose_of(joint, q.data());
    for (; i < parts_->sliders.size() && parts_->sliders[i].joint == &joint; ++i) {
      pose[std::size_t(parts_->sliders[i].k)] = values[Eigen::Index(i)];
    }
    put_pose(joint, pose, q.data());
  }
  if (parts_->closed) return parts_->closed_configuration(q);
  return q;
}

namespace {

/// What holds a model still along its sliders.
struct Statics {
  Eigen::VectorXd torques;
  Matrix6X<double> wrenches;  ///< no columns where nothing can hold it
  Eigen::MatrixXd mass;
};

Statics tree_statics(const Model& model, Data<double>& data, const Eigen::VectorXd& q) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  const auto [torques, wrenches] = inverse_dynamics_and_wrenches(model, data, q, zero, zero);
  return {torques, wrenches, mass_matrix(model, data, q)};
}

Statics closed_statics(const Mechanism& mechanism, MechanismData<double>& data, const Eigen::VectorXd& q) {
  const Eigen::Index free = mechanism.mobility(), motors = Eigen::Index(mechanism.actuated().size());
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(mechanism.model().nv());
  Statics out{Eigen::VectorXd(free), Matrix6X<double>(6, 0), Eigen::MatrixXd(free, free)};
  generalized_forces(mechanism, data, q, zero, zero, out.torques);
  mass_matrix(mechanism, data, q, out.mass);
  if (motors < free) return out;
  Eigen::VectorXd tau(motors);
  out.wrenches.resize(6, Eigen::Index(mechanism.model().joints().size()));
  inverse_dynamics(mechanism, data, q, zero, zero, tau, nullptr, nullptr, &out.wrenches);
  return out;
}

}  // namespace

std::string LiveModel::state(const std::string& request) {
  Parts& parts = *parts_;
  const Model& model = parts.model;
  Data<double>& data = parts.data;
  Kinematics<double>& kinematics = parts.kinematics;
  const int n = int(parts.sliders.size());
  const Eigen::VectorXd q = configuration(slider_values(request, n)).eigen(), zero = Eigen::VectorXd::Zero(model.nv());
  forward_kinematics(model, data, q, kinematics);
  const auto [torques, wrenches, mass] =
      parts.closed ? closed_statics(parts.closed->mechanism, parts.closed->data, q) : tree_statics(model, data, q);
  const WholeBodyState<double> whole = whole_body_state(model, data, q, zero, zero);

  JsonWriter json;
  json.begin_object().key("link_poses").begin_object();
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Eigen::Vector3d p = kinematics.position(int(i));
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rotation = kinematics.rotation(int(i));
    Mat3<double> R;
    std::copy(rotation.data(), rotation.data() + 9, R.m);
    const auto [x, y, z, w] = quaternion_of(R);
    json.key(model.links()[i].name).values(std::array{p.x(), p.y(), p.z(), x, y, z, w});
  }
  json.end_object().key("com").values({whole.com.data(), 3});
  json.key("gravity_torques").values({torques.data(), std::size_t(n)});
  json.key("joint_wrenches").begin_object();
  for (std::size_t i = 0; i < std::size_t(wrenches.cols()); ++i) {
    json.key(model.joints()[i].spec.name).values({wrenches.col(Eigen::Index(i)).data(), 6});
  }
  json.end_object().key("mass_matrix").rows({mass.data(), std::size_t(n * n)}, n).end_object();  // symmetric
  return json.text();
}

}  // namespace verne
