#include "verne/report/live.h"

#include <array>
#include <cmath>

#include "report/check_solution.h"
#include "report/page.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_json.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// Whether entry k of a joint's velocity is a length per time.
bool is_linear(JointType type, int k) {
  switch (type) {
    case JointType::prismatic:
      return true;
    case JointType::cylindrical:
      return k == 0;
    case JointType::planar:
      return k < 2;
    case JointType::free:
      return k < 3;
    default:
      return false;
  }
}

/// Limits of q make sense for a slider where q and v go together one by one.
bool has_position_limits(JointType type) {
  return type != JointType::spherical && type != JointType::free;
}

/// What a slider moves. Velocities of spherical and free joints have names of their own, which are not those of the
/// positions and rotation vectors here.
std::string slider_name(const Model& model, const Joint& joint, int k) {
  static constexpr std::array kPose{".x", ".y", ".z", ".rx", ".ry", ".rz"};
  switch (joint.spec.type) {
    case JointType::spherical:
      return joint.spec.name + kPose.at(std::size_t(k) + 3);
    case JointType::free:
      return joint.spec.name + kPose.at(std::size_t(k));
    default:
      return model.dof_names()[std::size_t(joint.v + k)];
  }
}

void put_quaternion(const Eigen::Vector3d& rotation, double* q) {
  const double angle = rotation.norm();
  // sin(x/2)/x, of which the limit at zero is one half
  const double factor = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5;
  const Eigen::Vector3d xyz = factor * rotation;
  q[0] = xyz.x(), q[1] = xyz.y(), q[2] = xyz.z(), q[3] = std::cos(angle / 2);
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

struct LiveModel::Parts {
  explicit Parts(const Model& shown) : model(shown), data(shown), kinematics(shown) {}
  Model model;
  Data<double> data;
  Kinematics<double> kinematics;
};

LiveModel::LiveModel(const Model& model) : parts_(std::make_unique<Parts>(model)) {}
LiveModel::LiveModel(LiveModel&&) noexcept = default;
LiveModel& LiveModel::operator=(LiveModel&&) noexcept = default;
LiveModel::~LiveModel() = default;

std::string LiveModel::page(const std::string& program) const {
  const Model& model = parts_->model;
  JsonWriter json;
  json.begin_object().key("kind").value("live").key("program").value(program);
  json.key("model");
  append_model(json, model);
  json.key("sliders").begin_array();
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) {
      const DofSpec& dof = model.dofs()[std::size_t(joint.v + k)];
      const bool linear = is_linear(joint.spec.type, k),
                 limited = has_position_limits(joint.spec.type) && dof.lower <= dof.upper;
      json.begin_object().key("name").value(slider_name(model, joint, k));
      json.key("joint").value(joint.spec.name);
      json.key("unit").value(linear ? "m" : "rad").key("effort_unit").value(linear ? "N" : "N·m");
      json.key("lower").value(limited ? dof.lower : -kInfinity).key("upper").value(limited ? dof.upper : kInfinity);
      json.end_object();
    }
  }
  json.end_array().end_object();
  return page_with(json.text());
}

Values LiveModel::configuration(const Values& values) const {
  const Model& model = parts_->model;
  Eigen::VectorXd q(model.nq());
  for (const Joint& joint : model.joints()) {
    const double* const from = values.data() + joint.v;
    switch (joint.spec.type) {
      case JointType::spherical:
        put_quaternion(Eigen::Map<const Eigen::Vector3d>(from), q.data() + joint.q);
        break;
      case JointType::free:
        q.segment<3>(joint.q) = Eigen::Map<const Eigen::Vector3d>(from);
        put_quaternion(Eigen::Map<const Eigen::Vector3d>(from + 3), q.data() + joint.q + 3);
        break;
      default:
        q.segment(joint.q, joint.nq) = values.eigen().segment(joint.v, joint.nv);
    }
  }
  return q;
}

std::string LiveModel::state(const std::string& request) {
  auto& [model, data, kinematics] = *parts_;
  const int n = model.nv();
  const Eigen::VectorXd q = configuration(slider_values(request, n)).eigen(), zero = Eigen::VectorXd::Zero(n);
  forward_kinematics(model, data, q, kinematics);
  const auto [torques, wrenches] = inverse_dynamics_and_wrenches(model, data, q, zero, zero);
  const Eigen::MatrixXd mass = mass_matrix(model, data, q);
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
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    json.key(model.joints()[i].spec.name).values({wrenches.col(Eigen::Index(i)).data(), 6});
  }
  json.end_object().key("mass_matrix").rows({mass.data(), std::size_t(n * n)}, n).end_object();  // symmetric
  return json.text();
}

}  // namespace verne
