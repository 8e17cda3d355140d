#include "verne/report/live.h"

#include <array>
#include <cmath>
#include <optional>

#include "model/position_names.h"
#include "report/check_solution.h"
#include "report/page.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_json.h"
#include "verne/spatial/rotation.h"
#include "verne/structures/closed_dynamics.h"

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
      if (joint.nv == 0 || (closed && !std::ranges::binary_search(closed->mechanism.independent(), joint.v))) continue;
      joints.push_back(&joint);
      sliders += joint.nv;
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
  std::vector<const Joint*> joints;  ///< those with sliders
  int sliders = 0;
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
  for (const Joint* shown : parts_->joints) {
    const Joint& joint = *shown;
    for (int k = 0; k < joint.nv; ++k) {
      const DofSpec& dof = model.dofs()[std::size_t(joint.v + k)];
      const bool linear = is_linear(joint.spec.type, k),
                 limited = has_position_limits(joint.spec.type) && dof.lower <= dof.upper;
      json.begin_object().key("name").value(charted_name(model, joint, k));
      json.key("joint").value(joint.spec.name);
      json.key("unit").value(linear ? "m" : "rad").key("effort_unit").value(linear ? "N" : "N·m");
      json.key("lower").value(limited ? dof.lower : -kInfinity).key("upper").value(limited ? dof.upper : kInfinity);
      const bool at_home = parts_->closed && has_position_limits(joint.spec.type);
      json.key("home").value(at_home ? parts_->closed->q[joint.q + k] : 0.0);
      json.end_object();
    }
  }
  json.end_array().end_object();
  return page_with(json.text());
}

Values LiveModel::configuration(const Values& values) const {
  const Model& model = parts_->model;
  Eigen::VectorXd q = parts_->closed ? parts_->closed->q : Eigen::VectorXd(model.nq());
  const double* from = values.data();
  for (const Joint* shown : parts_->joints) {
    const Joint& joint = *shown;
    switch (joint.spec.type) {
      case JointType::spherical:
        put_quaternion(Eigen::Map<const Eigen::Vector3d>(from), q.data() + joint.q);
        break;
      case JointType::free:
        q.segment<3>(joint.q) = Eigen::Map<const Eigen::Vector3d>(from);
        put_quaternion(Eigen::Map<const Eigen::Vector3d>(from + 3), q.data() + joint.q + 3);
        break;
      default:
        q.segment(joint.q, joint.nq) = Eigen::Map<const Eigen::VectorXd>(from, joint.nv);
    }
    from += joint.nv;
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
  const int n = parts.sliders;
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
