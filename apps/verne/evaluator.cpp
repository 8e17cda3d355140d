#include "evaluator.h"

#include <algorithm>
#include <map>
#include <utility>

#include "json_arrays.h"

namespace verne::cli {

namespace {

void set(LaneArray& array, int k, const std::vector<double>& values) {
  array.set(k, Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
}

int count_of(std::span<const StateLine> states) {
  return static_cast<int>(states.size());
}

}  // namespace

Evaluator::Evaluator(const Model& model, std::vector<Want> wants, const std::optional<GivenAccelerations>& given,
                     std::optional<CompiledModel> compiled, int capacity, int threads)
    : model_(model),
      compiled_(std::move(compiled)),
      wants_(std::move(wants)),
      batch_(model, capacity, {threads, ""}),
      derivatives_(model) {
  torques_ = LaneArray(model.nv(), capacity, batch_.lanes());
  if (given && model.loops().empty()) hybrid_.emplace(model, *given);  // loops complete their motions by themselves
  for (const Want& want : wants_) {
    const bool closed = !model_.loops().empty() && is_closed_result(want.quantity);
    const bool hybrid = hybrid_ && HybridResults::has(want.quantity);
    if (!closed && !hybrid) other_wants_.push_back(want);
  }
  for (const Want& want : wants_) {
    const auto same = [&](const JacobianOf& known) { return known.site == want.site; };
    const bool known = std::any_of(jacobians_.begin(), jacobians_.end(), same);
    const bool jacobian = want.quantity == Quantity::jacobian || want.quantity == Quantity::jacobian_rate;
    if (jacobian && !known) jacobians_.push_back({want.site, {}, {}});
  }
}

bool Evaluator::wants(Quantity quantity) const {
  if (!model_.loops().empty() && is_closed_result(quantity)) return false;  // computed elsewhere
  return std::any_of(wants_.begin(), wants_.end(), [&](const Want& want) { return want.quantity == quantity; });
}

void Evaluator::compute(std::span<const StateLine> states, std::span<const ClosedResults> closed) {
  closed_ = closed;
  for (int k = 0; k < count_of(states); ++k) {
    const StateLine& state = states[static_cast<std::size_t>(k)];
    set(batch_.q, k, state.q);
    set(batch_.v, k, state.v);
    set(batch_.a, k, state.a);
  }
  set_loads(states);
  if (compiled_) return compute_compiled(states);
  if (hybrid_) complete_motions(states);
  compute_motion();
  compute_matrices();
  derivatives_.compute(batch_, other_wants_);
  compute_dynamics(states);
}

/// Each state may bring other loads. The batch has a slot for every kind of site (link and where the point is fixed),
/// as often as one state needs it; slots that a state does not use keep a force of zero. The map's order makes the
/// order of summation that of the kinds, whatever the states are.
void Evaluator::set_loads(std::span<const StateLine> states) {
  using Kind = std::pair<int, bool>;
  std::map<Kind, int> needed, first;
  for (const StateLine& state : states) {
    std::map<Kind, int> own;
    for (const LoadLine& load : state.loads) {
      const Kind kind{load.site, load.world_point};
      needed[kind] = std::max(needed[kind], ++own[kind]);
    }
  }
  slots_.assign(states.size(), {});
  if (needed.empty() && !loaded_) return;
  loaded_ = !needed.empty();

  std::vector<LoadSite> sites;
  for (const auto& [kind, count] : needed) {
    first[kind] = static_cast<int>(sites.size());
    sites.insert(sites.end(), static_cast<std::size_t>(count), LoadSite{kind.first, kind.second ? 1 : 0});
  }
  batch_.set_loads(std::move(sites));
  for (int k = 0; k < count_of(states); ++k) {
    std::map<Kind, int> next = states[static_cast<std::size_t>(k)].loads.empty() ? std::map<Kind, int>{} : first;
    for (const LoadLine& load : states[static_cast<std::size_t>(k)].loads) {
      const int slot = next[{load.site, load.world_point}]++;
      const int row = kLoadRows * slot;
      slots_[static_cast<std::size_t>(k)].push_back(slot);
      for (int i = 0; i < 3; ++i) {
        batch_.load_values(row + kLoadForce + i, k) = load.force[i];
        batch_.load_values(row + kLoadMoment + i, k) = load.moment[i];
        batch_.load_values(row + kLoadPoint + i, k) = load.point[i];
      }
    }
  }
}

void Evaluator::compute_motion() {
  if (wants(Quantity::pose) || wants(Quantity::link_poses) || wants(Quantity::link_velocities) ||
      wants(Quantity::link_accelerations)) {
    forward_kinematics(model_, batch_);
  }
  if (wants(Quantity::energy) || wants(Quantity::momentum) || wants(Quantity::com)) whole_body_state(model_, batch_);
  for (JacobianOf& result : jacobians_) {
    jacobian(model_, batch_, result.site);
    std::swap(batch_.jacobian, result.J);
    std::swap(batch_.jacobian_rate, result.rate);
  }
}

void Evaluator::compute_compiled(std::span<const StateLine> states) {
  if (loaded_) throw InputError("eval: --compiled knows no loads");
  if (wants(Quantity::mass_matrix)) compiled_->mass_matrix(batch_);
  if (wants(Quantity::bias)) compiled_->bias_torques(batch_);
  if (wants(Quantity::gravity)) compiled_->gravity_torques(batch_);
  if (wants(Quantity::tau)) {
    std::swap(batch_.tau, torques_);
    compiled_->inverse_dynamics(batch_);
    std::swap(batch_.tau, torques_);
  }
  if (!wants(Quantity::acceleration)) return;
  set_torques(states);
  compiled_->forward_dynamics(batch_);
}

void Evaluator::compute_matrices() {
  if (wants(Quantity::mass_matrix)) mass_matrix(model_, batch_);
  if (wants(Quantity::inverse_mass_matrix)) inverse_mass_matrix(model_, batch_);
  if (wants(Quantity::coriolis_matrix)) coriolis_matrix(model_, batch_);
  if (wants(Quantity::centroidal_momentum_matrix)) centroidal_momentum_matrix(model_, batch_);
}

/// First: all else is of the motions that are found.
void Evaluator::complete_motions(std::span<const StateLine> states) {
  set_torques(states);
  hybrid_->compute(batch_, wants_);
  for (int k = 0; k < count_of(states); ++k) torques_.set(k, batch_.tau.column(k));
}

void Evaluator::set_torques(std::span<const StateLine> states) {
  for (int k = 0; k < count_of(states); ++k) set(batch_.tau, k, states[static_cast<std::size_t>(k)].tau);
}

/// Last: forward dynamics overwrites the given accelerations with its results.
void Evaluator::compute_dynamics(std::span<const StateLine> states) {
  const bool forward = wants(Quantity::acceleration), wrenches = wants(Quantity::joint_wrenches);
  const bool inverse = wants(Quantity::tau) || (wrenches && !forward);
  if (wants(Quantity::bias)) bias_torques(model_, batch_);
  if (wants(Quantity::gravity)) gravity_torques(model_, batch_);
  if (hybrid_) return;
  if (inverse) {
    std::swap(batch_.tau, torques_);
    inverse_dynamics(model_, batch_, wrenches);
    std::swap(batch_.tau, torques_);
  }
  if (forward || wants(Quantity::d_acceleration)) set_torques(states);
  if (forward) forward_dynamics(model_, batch_, wrenches && !inverse);
  if (wants(Quantity::d_acceleration)) derivatives_.compute_forward(batch_);
}

bool Evaluator::is_of_mechanism(Quantity quantity, int k) const {
  if (closed_.empty()) return false;
  if (!model_.loops().empty()) return is_closed_result(quantity);
  return is_contact_result(quantity, !closed_[static_cast<std::size_t>(k)].contacts.empty());
}

const Evaluator::JacobianOf& Evaluator::jacobian_of(int site) const {
  return *std::find_if(jacobians_.begin(), jacobians_.end(), [&](const JacobianOf& j) { return j.site == site; });
}

std::vector<std::string> Evaluator::append(int k, JsonWriter& json, std::string& lines) const {
  std::vector<std::string> not_finite;
  json.clear();
  json.begin_object();
  for (const Want& want : wants_) {
    const int nulls_before = json.nulls();
    json.key(want.key);
    append_value(want, k, json);
    if (json.nulls() > nulls_before) not_finite.push_back(want.key);
  }
  json.end_object();
  lines += json.text();
  lines += '\n';
  return not_finite;
}

void Evaluator::append_value(const Want& want, int k, JsonWriter& json) const {
  const int nv = model_.nv();
  const LaneArray& whole = batch_.whole_body;
  if (hybrid_ && HybridResults::has(want.quantity)) {
    return hybrid_->append(want.quantity, k, slots_[static_cast<std::size_t>(k)], json);
  }
  if (is_of_mechanism(want.quantity, k)) {
    return closed_[static_cast<std::size_t>(k)].append(want.quantity, model_, json);
  }
  switch (want.quantity) {
    default:
      return derivatives_.append(want.quantity, k, slots_[static_cast<std::size_t>(k)], json);
    case Quantity::tau:
      return append_vector(torques_, 0, nv, k, json);
    case Quantity::acceleration:
      return append_vector(batch_.a, 0, nv, k, json);
    case Quantity::bias:
      return append_vector(batch_.bias, 0, nv, k, json);
    case Quantity::gravity:
      return append_vector(batch_.gravity, 0, nv, k, json);
    case Quantity::mass_matrix:
      return append_matrix(batch_.mass_matrix, nv, k, json);
    case Quantity::inverse_mass_matrix:
      return append_matrix(batch_.inverse_mass_matrix, nv, k, json);
    case Quantity::coriolis_matrix:
      return append_matrix(batch_.coriolis_matrix, nv, k, json);
    case Quantity::centroidal_momentum_matrix:
      return append_matrix(batch_.centroidal_momentum_matrix, 6, k, json);
    case Quantity::jacobian:
      return append_matrix(jacobian_of(want.site).J, 6, k, json);
    case Quantity::jacobian_rate:
      return append_matrix(jacobian_of(want.site).rate, 6, k, json);
    case Quantity::joint_wrenches:
      return append_wrenches(k, json);
    case Quantity::pose:
      return append_pose(want.site, k, json);
    case Quantity::link_poses:
      return append_poses(k, json);
    case Quantity::link_velocities:
      return append_motions(batch_.velocities, k, json);
    case Quantity::link_accelerations:
      return append_motions(batch_.accelerations, k, json);
    case Quantity::energy:
      json.begin_object().key("kinetic").value(entry(whole, kKineticEnergy, k));
      json.key("potential").value(entry(whole, kPotentialEnergy, k)).end_object();
      return;
    case Quantity::momentum:
      append_vector(whole, kMomentum, 3, k, json.begin_object().key("linear"));
      append_vector(whole, kAngularMomentum, 3, k, json.key("angular"));
      json.end_object();
      return;
    case Quantity::com:
      append_vector(whole, kCom, 3, k, json.begin_object().key("position"));
      append_vector(whole, kComVelocity, 3, k, json.key("velocity"));
      append_vector(whole, kComAcceleration, 3, k, json.key("acceleration"));
      json.end_object();
      return;
  }
}

void Evaluator::append_wrenches(int k, JsonWriter& json) const {
  json.begin_object();
  int row = 0;
  for (const Joint& joint : model_.joints()) {
    append_vector(batch_.joint_wrenches, row, 6, k, json.key(joint.spec.name));
    row += 6;
  }
  json.end_object();
}

void Evaluator::append_poses(int k, JsonWriter& json) const {
  json.begin_object();
  for (int site = 0; site < model_.site_count(); ++site) append_pose(site, k, json.key(model_.site_name(site)));
  json.end_object();
}

void Evaluator::append_pose(int site, int k, JsonWriter& json) const {
  append_vector(batch_.poses, kPoseRows * site + kPosePosition, 3, k, json.begin_object().key("position"));
  json.key("rotation").begin_array();
  for (int i = 0; i < 3; ++i) append_vector(batch_.poses, kPoseRows * site + kPoseRotation + 3 * i, 3, k, json);
  json.end_array().end_object();
}

void Evaluator::append_motions(const LaneArray& motions, int k, JsonWriter& json) const {
  json.begin_object();
  for (int site = 0; site < model_.site_count(); ++site) {
    json.key(model_.site_name(site));
    append_vector(motions, 6 * site, 3, k, json.begin_object().key("linear"));
    append_vector(motions, 6 * site + 3, 3, k, json.key("angular"));
    json.end_object();
  }
  json.end_object();
}

}  // namespace verne::cli
