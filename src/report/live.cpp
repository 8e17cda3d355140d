#include "verne/report/live.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "io/named_state.h"
#include "model/one_axis_joints.h"
#include "model/position_names.h"
#include "report/check_solution.h"
#include "report/page.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_json.h"
#include "verne/spatial/rotation.h"
#include "verne/structures/system.h"

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

/// What the page asks for: numbers for the sliders, and near which of the named states, where it says one.
struct Wish {
  Eigen::VectorXd values;
  std::optional<std::size_t> near;
};

Wish wish_of(const std::string& request, std::size_t sliders, std::size_t states) {
  const nlohmann::json json = parse_json(request, "request");
  const auto entry = [&](const char* key) { return json.is_object() ? json.value(key, nlohmann::json()) : json; };
  const nlohmann::json values = entry("values"), near = entry("near");
  const auto is_finite = [](const nlohmann::json& x) { return x.is_number() && std::isfinite(x.get<double>()); };
  if (!json.is_object() || !values.is_array() || values.size() != sliders || !std::ranges::all_of(values, is_finite)) {
    throw InputError("values: expected an array of " + std::to_string(sliders) + " finite numbers");
  }
  Wish wish{Eigen::VectorXd(Eigen::Index(sliders)), {}};
  for (std::size_t i = 0; i < sliders; ++i) wish.values[Eigen::Index(i)] = values[i].get<double>();
  if (near.is_null()) return wish;
  if (!near.is_number_unsigned() || near.get<std::size_t>() >= states) {
    throw InputError("near: expected the number of a state, less than " + std::to_string(states));
  }
  wish.near = near.get<std::size_t>();
  return wish;
}

/// Where a tree is drawn first: at home, and within its limits.
Eigen::VectorXd first_configuration(const Mechanism& mechanism) {
  const Model& model = mechanism.model();
  Eigen::VectorXd q = mechanism.home().eigen();
  if (!model.loops().empty()) return q;
  for (const Joint& joint : model.joints()) {
    for (int k = 0; has_position_limits(joint.spec.type) && k < joint.nv; ++k) {
      const DofSpec& dof = model.dofs()[std::size_t(joint.v + k)];
      if (dof.lower <= dof.upper) q[joint.q + k] = std::clamp(q[joint.q + k], dof.lower, dof.upper);
    }
  }
  return q;
}

/// The same mechanism with a motor at each of its sliders, so that something can hold it still.
System driven_along_sliders(const Mechanism& mechanism) {
  ModelSpec spec = mechanism.model().spec();
  const std::span<const Joint> joints = mechanism.model().joints();
  for (LinkSpec& link : spec.links) {
    const auto own = std::ranges::find(joints, link.joint.name, [](const Joint& joint) { return joint.spec.name; });
    if (link.joint.mimic) continue;
    link.joint.actuated = own != joints.end() && std::ranges::any_of(mechanism.independent(), [&](int v) {
                            return v >= own->v && v < own->v + own->nv;
                          });
  }
  return System(build_model(spec));
}

}  // namespace

struct LiveModel::Parts {
  explicit Parts(const Model& shown)
      : model(shown), data(shown), kinematics(shown), system(shown), system_data(system) {
    states.push_back({model.loops().empty() && model.spec().home.empty() ? "zero" : "home", {}});
    const Mechanism& mechanism = system.mechanism();
    configurations.push_back(first_configuration(mechanism));
    q = configurations.front();
    for (const Joint& joint : model.joints()) {
      for (int k = 0; k < joint.nv; ++k) {
        if (std::ranges::binary_search(mechanism.independent(), joint.v + k)) sliders.push_back({&joint, k});
      }
    }
    if (system.torques() >= system.nv()) return;
    held.emplace(driven_along_sliders(mechanism));
    held_data.emplace(*held);
  }
  bool closed() const { return !model.loops().empty(); }

  /// The tree's configuration with values of the sliders in place; of a joint that has sliders for a part of its
  /// velocities the rest is as it was.
  Eigen::VectorXd with_values(Eigen::VectorXd configuration, const Eigen::VectorXd& values) const {
    for (std::size_t i = 0; i < sliders.size();) {
      const Joint& joint = *sliders[i].joint;
      std::array<double, 6> pose = pose_of(joint, configuration.data());
      for (; i < sliders.size() && sliders[i].joint == &joint; ++i) {
        pose[std::size_t(sliders[i].k)] = values[Eigen::Index(i)];
      }
      put_pose(joint, pose, configuration.data());
    }
    return configuration;
  }
  /// The closed configuration next to a guess that has the same independent positions; whether it has them.
  bool close(const Eigen::VectorXd& wanted, const Eigen::VectorXd& guess, Eigen::VectorXd& found) {
    const auto places = system.mechanism().independent_positions();
    Eigen::VectorXd independent(system.nq());
    for (Eigen::Index k = 0; k < independent.size(); ++k) independent[k] = wanted[places[std::size_t(k)]];
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(system.nv());
    const TreeState state =
        assemble(system, system_data, independent, still, still, {guess.data(), std::size_t(guess.size())});
    found = state.q;
    return state.connected;
  }
  Eigen::VectorXd slider_values(const Eigen::VectorXd& configuration) const {
    Eigen::VectorXd values(Eigen::Index(sliders.size()));
    for (std::size_t i = 0; i < sliders.size(); ++i) {
      values[Eigen::Index(i)] = pose_of(*sliders[i].joint, configuration.data())[std::size_t(sliders[i].k)];
    }
    return values;
  }

  Model model;
  Data<double> data;
  Kinematics<double> kinematics;
  System system;
  SystemData system_data;
  std::optional<System> held;  ///< where motors alone cannot hold it
  std::optional<SystemData> held_data;
  Eigen::VectorXd q;  ///< of the last answer
  struct Slider {
    const Joint* joint;
    int k;  ///< of its velocities
  };
  std::vector<Slider> sliders;
  std::vector<NamedState> states;  ///< first the model's own
  std::vector<Eigen::VectorXd> configurations;
};

LiveModel::LiveModel(const Model& model) : parts_(std::make_unique<Parts>(model)) {}
LiveModel::LiveModel(LiveModel&&) noexcept = default;
LiveModel& LiveModel::operator=(LiveModel&&) noexcept = default;
LiveModel::~LiveModel() = default;

void LiveModel::add_states(const std::vector<NamedState>& states) {
  Parts& parts = *parts_;
  for (const NamedState& state : states) {
    Eigen::VectorXd q = parts.configurations.front();
    put_state(state, parts.model, q);
    if (parts.closed()) {
      const Eigen::VectorXd guess = q;
      parts.close(guess, guess, q);
    }
    parts.states.push_back(state), parts.configurations.push_back(q);
  }
}

namespace {

/// Wrenches of which the motion does not tell all: the least are given.
std::vector<std::string> untold(const Mechanism& mechanism) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, const auto& is_told) {
    for (int k = 0; k < 6; ++k) {
      if (!is_told(k)) return names.push_back(name);
    }
  };
  const Model& model = mechanism.model();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    add(model.joints()[j].spec.name, [&](int k) { return mechanism.joint_determined(int(j), k); });
  }
  for (std::size_t l = 0; l < model.loops().size(); ++l) {
    add(model.loops()[l].name, [&](int k) { return mechanism.loop_determined(int(l), k); });
  }
  return names;
}

/// Joints with sliders and without motors, in words; "" where motors can hold the model.
std::string without_motors(const Mechanism& mechanism) {
  std::string names;
  for (const Joint& joint : mechanism.model().joints()) {
    const auto of_joint = [&](int v) { return v >= joint.v && v < joint.v + joint.nv; };
    if (std::ranges::any_of(mechanism.independent(), of_joint) &&
        std::ranges::none_of(mechanism.actuated(), of_joint)) {
      names += (names.empty() ? "" : ", ") + joint.spec.name;
    }
  }
  return names;
}

}  // namespace

std::string LiveModel::page(const std::string& program, const std::string& meshes) const {
  const Parts& parts = *parts_;
  const Model& model = parts.model;
  JsonWriter json;
  json.begin_object().key("kind").value("live").key("program").value(program);
  json.key("model");
  append_model(json, model);
  json.key("sliders").begin_array();
  for (const auto& [shown, k] : parts.sliders) {
    const Joint& joint = *shown;
    const DofSpec& dof = model.dofs()[std::size_t(joint.v + k)];
    const bool linear = is_linear(joint.spec.type, k),
               limited = has_position_limits(joint.spec.type) && dof.lower <= dof.upper;
    json.begin_object().key("name").value(charted_name(model, joint, k));
    json.key("joint").value(joint.spec.name);
    json.key("unit").value(linear ? "m" : "rad").key("effort_unit").value(linear ? "N" : "N·m");
    json.key("lower").value(limited ? dof.lower : -kInfinity).key("upper").value(limited ? dof.upper : kInfinity);
    json.end_object();
  }
  json.end_array().key("states").begin_array();
  for (std::size_t i = 0; i < parts.states.size(); ++i) {
    json.begin_object().key("name").value(parts.states[i].name);
    json.key("values").values(Values(parts.slider_values(parts.configurations[i]))).end_object();
  }
  json.end_array().key("untold").begin_array();
  for (const std::string& name : parts.closed() ? untold(parts.system.mechanism()) : std::vector<std::string>{})
    json.value(name);
  json.end_array();
  if (parts.held) json.key("without_motors").value(without_motors(parts.system.mechanism()));
  std::string text = json.end_object().text();
  if (!meshes.empty()) text.insert(text.size() - 1, ",\"meshes\":" + meshes);
  return page_with(text);
}

Values LiveModel::configuration(const Values& values) const {
  const Eigen::VectorXd wanted = parts_->with_values(parts_->q, values.eigen());
  if (!parts_->closed()) return wanted;
  Eigen::VectorXd found(wanted.size());
  parts_->close(wanted, parts_->q, found);
  return found;
}

namespace {

/// What holds a model still along its sliders; what there is not has no entries.
struct Statics {
  Eigen::VectorXd torques;
  Matrix6X<double> joints, loops;  ///< wrenches
  Eigen::MatrixXd mass;
  std::string problem;  ///< why there is not all of it
};

/// `held` is the same system, driven so that something can hold it. At singular configurations of loops the independent
/// coordinates do not tell what the others do.
Statics statics_of(const System& system, SystemData& data, const System& held, SystemData& held_data,
                   const Eigen::VectorXd& q) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(system.model().nv());
  Statics out;
  try {
    out.torques = gravity_torques(system, data, q);
    out.mass = mass_matrix(system, data, q);
    const SystemDynamics still = inverse_dynamics(held, held_data, q, zero, zero, {.wrenches = true});
    out.joints = still.joint_wrenches, out.loops = still.loop_wrenches;
  } catch (const InputError& error) {
    out.problem = error.what();
  }
  return out;
}

void append_poses(JsonWriter& json, const Model& model, const Kinematics<double>& kinematics) {
  json.key("link_poses").begin_object();
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Eigen::Vector3d p = kinematics.position(int(i));
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rotation = kinematics.rotation(int(i));
    Mat3<double> R;
    std::copy(rotation.data(), rotation.data() + 9, R.m);
    const auto [x, y, z, w] = quaternion_of(R);
    json.key(model.links()[i].name).values(std::array{p.x(), p.y(), p.z(), x, y, z, w});
  }
  json.end_object();
}

/// As task files have them: a number, or the list of a joint's positions; of quaternions the chain of joints that tasks
/// have in their place.
void append_positions(JsonWriter& json, const Model& model, const Eigen::VectorXd& q) {
  constexpr std::array kEndings{"_x", "_y", "_z", "_yaw", "_pitch", "_roll"};
  json.key("positions").begin_object();
  for (const Joint& joint : model.joints()) {
    const std::vector<double> own(q.data() + joint.q, q.data() + joint.q + joint.nq);
    if (joint.nq == 0) continue;
    if (!becomes_one_axis_joints(joint.spec)) {
      json.key(joint.spec.name).values(own);
      continue;
    }
    const std::vector<double> chain = one_axis_positions(own);
    const std::size_t first = kEndings.size() - chain.size();
    for (std::size_t k = 0; k < chain.size(); ++k) {
      json.key(joint.spec.name + kEndings[first + k]).values({&chain[k], 1});
    }
  }
  json.end_object();
}

}  // namespace

std::string LiveModel::state(const std::string& request) {
  Parts& parts = *parts_;
  const Model& model = parts.model;
  const Wish wish = wish_of(request, parts.sliders.size(), parts.states.size());
  const Eigen::VectorXd from = wish.near ? parts.configurations[*wish.near] : parts.q;
  Eigen::VectorXd q = parts.with_values(from, wish.values);
  std::vector<std::string> notes;
  if (parts.closed()) {
    const Eigen::VectorXd wanted = q;
    if (!parts.close(wanted, from, q))
      notes.push_back("The mechanism cannot get there: the nearest posture that closes its loops is shown.");
  }
  parts.q = q;
  forward_kinematics(model, parts.data, q, parts.kinematics);
  const bool free_joints = parts.held.has_value();
  const Statics still = statics_of(parts.system, parts.system_data, free_joints ? *parts.held : parts.system,
                                   free_joints ? *parts.held_data : parts.system_data, q);
  if (!still.problem.empty()) notes.push_back("Forces are not known here: " + still.problem);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  const WholeBodyState<double> whole = whole_body_state(model, parts.data, q, zero, zero);

  JsonWriter json;
  json.begin_object();
  append_poses(json, model, parts.kinematics);
  json.key("com").values({whole.com.data(), 3});
  append_positions(json, model, q);
  json.key("gravity_torques").values({still.torques.data(), std::size_t(still.torques.size())});
  json.key("joint_wrenches").begin_object();
  for (Eigen::Index i = 0; i < still.joints.cols(); ++i) {
    json.key(model.joints()[std::size_t(i)].spec.name).values({still.joints.col(i).data(), 6});
  }
  json.end_object().key("loop_wrenches").begin_object();
  for (Eigen::Index i = 0; i < still.loops.cols(); ++i) {
    json.key(model.loops()[std::size_t(i)].name).values({still.loops.col(i).data(), 6});
  }
  json.end_object().key("mass_matrix");
  json.rows({still.mass.data(), std::size_t(still.mass.size())}, still.mass.cols());  // symmetric
  json.key("notes").begin_array();
  for (const std::string& note : notes) json.value(note);
  return json.end_array().end_object().text();
}

}  // namespace verne
