// The list itself: a new quantity is an entry here, and what computes it in evaluation_parts.cpp.
#include "verne/quantities/quantities.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "quantities/evaluation_parts.h"
#include "verne/base/error.h"
#include "verne/dynamics/regressor.h"

namespace verne {

namespace {

using QuantityArrays = std::vector<QuantityArray>;

constexpr unsigned kAll = kKnownTrees | kKnownLoops;
constexpr unsigned kReactions = kKnownLoops | kKnownContacts;
constexpr unsigned kEverySource = kKnownCompiled | kKnownCode | kKnownSymbolic;

QuantityArrays no_arrays(const EvaluationParts&, const WantedQuantity&, std::size_t) {
  return {};
}

const std::array kQuantityEntries{
    QuantityEntry{{Quantity::tau, "tau", "m", "N, N m", "q v a loads", "torques of the motion q, v, a",
                   kAll | kKnownContacts | kKnownArrays | kKnownDevice | kEverySource},
                  QuantityStep::inverse_dynamics,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vector("", p.torques, p.m())};
                  }},
    QuantityEntry{{Quantity::acceleration, "acceleration", "n", "m/s², rad/s²", "q v tau loads",
                   "accelerations under tau", kAll | kKnownContacts | kKnownArrays | kKnownDevice | kEverySource},
                  QuantityStep::forward_dynamics,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vector("", p.accelerations, p.n())};
                  }},
    QuantityEntry{{Quantity::bias, "bias", "n", "N, N m", "q v", "torques at a = 0 without loads",
                   kAll | kKnownArrays | kKnownDevice | kEverySource},
                  QuantityStep::bias,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vector("", p.states.bias, p.n())};
                  }},
    QuantityEntry{{Quantity::gravity, "gravity", "n", "N, N m", "q", "torques that hold it at rest, without loads",
                   kAll | kKnownArrays | kKnownDevice | kEverySource},
                  QuantityStep::gravity,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vector("", p.states.gravity, p.n())};
                  }},
    QuantityEntry{{Quantity::mass_matrix, "mass_matrix", "n x n", "kg, kg m, kg m²", "q", "M, of tau = M a + bias",
                   kAll | kKnownArrays | kKnownDevice | kEverySource},
                  QuantityStep::mass_matrix,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.matrix("", p.states.mass_matrix, p.n(), p.n())};
                  }},
    QuantityEntry{{Quantity::inverse_mass_matrix, "inverse_mass_matrix", "n x n", "1/kg, …", "q", "its inverse",
                   kAll | kKnownArrays},
                  QuantityStep::inverse_mass_matrix,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.matrix("", p.states.inverse_mass_matrix, p.n(), p.n())};
                  }},
    QuantityEntry{{Quantity::coriolis_matrix, "coriolis_matrix", "n x n", "kg/s, …", "q v", "C, with M' = C + C^T",
                   kKnownTrees | kKnownArrays},
                  QuantityStep::coriolis_matrix,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.matrix("", p.batch.coriolis_matrix, p.nv(), p.nv())};
                  }},
    QuantityEntry{{Quantity::joint_wrenches, "joint_wrenches", "6 a joint", "N, N m", "q v a loads",
                   "what each joint bears under tau (under acceleration, if that alone is wanted)",
                   kAll | kKnownContacts | kKnownArrays | kKnownCode, false, QuantityItems::joints},
                  QuantityStep::inverse_dynamics,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vectors("", p.states.joint_wrenches, p.joints(), 6, 6)};
                  }},
    QuantityEntry{{Quantity::pose, "pose", "position 3, rotation 3 x 3", "m", "q",
                   "where a link or frame is in the world", kAll | kKnownArrays | kKnownCode | kKnownSymbolic, true},
                  QuantityStep::poses,
                  [](const EvaluationParts& p, const WantedQuantity& want, std::size_t) {
                    const int first = kPoseRows * want.site;
                    return QuantityArrays{p.vector("position", p.batch.poses, 3, first + kPosePosition),
                                          p.rotation("rotation", p.batch.poses, first + kPoseRotation)};
                  }},
    QuantityEntry{{Quantity::link_poses, "link_poses", "position 3, rotation 3 x 3 a link or frame", "m", "q",
                   "where they are in the world", kAll | kKnownArrays, false, QuantityItems::sites},
                  QuantityStep::poses,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vectors("position", p.batch.poses, p.sites(), kPoseRows, 3, kPosePosition),
                                          p.rotations("rotation", p.batch.poses, p.sites(), kPoseRows, kPoseRotation)};
                  }},
    QuantityEntry{{Quantity::link_velocities, "link_velocities", "linear 3, angular 3 a link or frame", "m/s, rad/s",
                   "q v", "of their origins, in world axes", kAll | kKnownArrays, false, QuantityItems::sites},
                  QuantityStep::motions,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vectors("linear", p.batch.velocities, p.sites(), 6, 3),
                                          p.vectors("angular", p.batch.velocities, p.sites(), 6, 3, 3)};
                  }},
    QuantityEntry{
        {Quantity::link_accelerations, "link_accelerations", "linear 3, angular 3 a link or frame", "m/s², rad/s²",
         "q v a", "of their origins, in world axes", kAll | kKnownArrays, false, QuantityItems::sites},
        QuantityStep::motions,
        [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
          return QuantityArrays{p.vectors("linear", p.batch.accelerations, p.sites(), 6, 3),
                                p.vectors("angular", p.batch.accelerations, p.sites(), 6, 3, 3)};
        }},
    QuantityEntry{
        {Quantity::jacobian, "jacobian", "6 x n", "m, 1", "q", "of the origin of a link or frame, in world axes",
         kKnownTrees | kKnownArrays | kKnownCode | kKnownSymbolic, true},
        QuantityStep::jacobians,
        [](const EvaluationParts& p, const WantedQuantity&, std::size_t place) {
          return QuantityArrays{p.matrix("", p.jacobians[place].J, 6, p.nv())};
        }},
    QuantityEntry{{Quantity::jacobian_rate, "jacobian_rate", "6 x n", "m/s, 1/s", "q v", "its derivative by time",
                   kKnownTrees | kKnownArrays, true},
                  QuantityStep::jacobians,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t place) {
                    return QuantityArrays{p.matrix("", p.jacobians[place].rate, 6, p.nv())};
                  }},
    QuantityEntry{{Quantity::energy, "energy", "kinetic, potential", "J", "q v", "of all bodies, springs included",
                   kAll | kKnownArrays},
                  QuantityStep::whole_body,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.number("kinetic", p.batch.whole_body, kKineticEnergy),
                                          p.number("potential", p.batch.whole_body, kPotentialEnergy)};
                  }},
    QuantityEntry{{Quantity::momentum, "momentum", "linear 3, angular 3", "kg m/s, kg m²/s", "q v",
                   "of all bodies; angular: about the centre of mass", kAll | kKnownArrays},
                  QuantityStep::whole_body,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vector("linear", p.batch.whole_body, 3, kMomentum),
                                          p.vector("angular", p.batch.whole_body, 3, kAngularMomentum)};
                  }},
    QuantityEntry{{Quantity::com, "com", "position 3, velocity 3, acceleration 3", "m, m/s, m/s²", "q v a",
                   "the centre of mass", kAll | kKnownArrays},
                  QuantityStep::whole_body,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vector("position", p.batch.whole_body, 3, kCom),
                                          p.vector("velocity", p.batch.whole_body, 3, kComVelocity),
                                          p.vector("acceleration", p.batch.whole_body, 3, kComAcceleration)};
                  }},
    QuantityEntry{{Quantity::centroidal_momentum_matrix, "centroidal_momentum_matrix", "6 x n", "kg, kg m", "q",
                   "A, of momentum = A v", kKnownTrees | kKnownArrays},
                  QuantityStep::centroidal_momentum_matrix,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.matrix("", p.batch.centroidal_momentum_matrix, 6, p.nv())};
                  }},
    QuantityEntry{{Quantity::d_tau, "d_tau", "q, v, a: m x n", "N, N m / …", "q v a loads",
                   "derivatives of tau by q, v, a (and by loads)",
                   kAll | kKnownContacts | kKnownArrays | kKnownDevice | kEverySource},
                  QuantityStep::torque_derivatives,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    if (p.system.given()) return p.of_completed(p.d_completed_tau, 0, p.nv());
                    return p.of_dynamics(p.states.d_tau, p.states.d_tau_loads, false);
                  }},
    QuantityEntry{{Quantity::d_acceleration, "d_acceleration", "q, v: n x n; tau: n x m", "m/s², rad/s² / …",
                   "q v tau loads", "derivatives of acceleration by q, v, tau (and by loads)",
                   kAll | kKnownContacts | kKnownArrays | kKnownDevice | kEverySource},
                  QuantityStep::acceleration_derivatives,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    if (p.system.given()) return p.of_completed(p.d_completed_a, 0, p.nv());
                    return p.of_dynamics(p.states.d_acceleration, p.states.d_acceleration_loads, true);
                  }},
    QuantityEntry{
        {Quantity::d_joint_wrenches, "d_joint_wrenches", "q, v, a: 6 x n a joint", "N, N m / …", "q v a loads",
         "derivatives of joint_wrenches", kAll | kKnownContacts | kKnownArrays, false, QuantityItems::joints},
        QuantityStep::torque_derivatives,
        [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
          if (p.system.given()) return p.of_completed(p.d_completed_wrenches, p.joints(), 6);
          return p.of_wrenches(p.states.d_joint_wrenches, p.joints());
        }},
    QuantityEntry{{Quantity::d_loop_wrenches, "d_loop_wrenches", "q, v, a: 6 x n a loop", "N, N m / …", "q v a loads",
                   "derivatives of loop_wrenches", kReactions | kKnownArrays, false, QuantityItems::loops},
                  QuantityStep::torque_derivatives,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return p.of_wrenches(p.states.d_loop_wrenches, p.closures());
                  }},
    QuantityEntry{
        {Quantity::d_link_poses, "d_link_poses", "q: 6 x n a link or frame", "m, 1", "q",
         "derivatives of link_poses (the Jacobians)", kKnownTrees | kKnownArrays, false, QuantityItems::sites},
        QuantityStep::site_derivatives,
        [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
          return QuantityArrays{p.matrices("q", p.of_sites.J, p.sites(), 6, p.nv())};
        }},
    QuantityEntry{{Quantity::d_link_velocities, "d_link_velocities", "q, v: 6 x n a link or frame", "m/s, rad/s / …",
                   "q v", "derivatives of link_velocities", kKnownTrees | kKnownArrays, false, QuantityItems::sites},
                  QuantityStep::site_derivatives,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.matrices("q", p.of_sites.velocity_dq, p.sites(), 6, p.nv()),
                                          p.matrices("v", p.of_sites.J, p.sites(), 6, p.nv())};
                  }},
    QuantityEntry{
        {Quantity::d_link_accelerations, "d_link_accelerations", "q, v, a: 6 x n a link or frame", "m/s², rad/s² / …",
         "q v a", "derivatives of link_accelerations", kKnownTrees | kKnownArrays, false, QuantityItems::sites},
        QuantityStep::site_derivatives,
        [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
          return QuantityArrays{p.matrices("q", p.of_sites.acceleration_dq, p.sites(), 6, p.nv()),
                                p.matrices("v", p.of_sites.acceleration_dv, p.sites(), 6, p.nv()),
                                p.matrices("a", p.of_sites.J, p.sites(), 6, p.nv())};
        }},
    QuantityEntry{{Quantity::d_com, "d_com", "q: 3 x n", "m, …", "q", "derivative of the centre of mass",
                   kKnownTrees | kKnownArrays},
                  QuantityStep::centroidal_derivatives,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.matrix("q", p.centroidal.com_dq, 3, p.nv())};
                  }},
    QuantityEntry{{Quantity::d_momentum, "d_momentum", "q, v, rate_q, rate_v, rate_a: 6 x n", "kg m/s, kg m²/s / …",
                   "q v a", "derivatives of momentum and of its rate", kKnownTrees | kKnownArrays},
                  QuantityStep::centroidal_derivatives,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    const BatchCentroidalDerivatives& d = p.centroidal;
                    return QuantityArrays{
                        p.matrix("q", d.momentum_dq, 6, p.nv()), p.matrix("v", d.momentum_dv, 6, p.nv()),
                        p.matrix("rate_q", d.rate_dq, 6, p.nv()), p.matrix("rate_v", d.rate_dv, 6, p.nv()),
                        p.matrix("rate_a", d.momentum_dv, 6, p.nv())};
                  }},
    QuantityEntry{{Quantity::regressor, "regressor", "n x parameters", "1, …", "q v a", "Y, of tau = Y parameters",
                   kKnownTrees | kKnownArrays | kKnownCode | kKnownSymbolic},
                  QuantityStep::regressor,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.matrix("", p.regressor, p.nv(), parameter_count(p.model))};
                  }},
    QuantityEntry{{Quantity::tree, "tree", "q, v, a of the tree", "m, rad, …", "q v a",
                   "all coordinates, as the loops close", kKnownLoops | kKnownArrays},
                  QuantityStep::none,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vector("q", p.batch.q, p.model.nq()), p.vector("v", p.batch.v, p.nv()),
                                          p.vector("a", p.batch.a, p.nv())};
                  }},
    QuantityEntry{{Quantity::loop_wrenches, "loop_wrenches", "6 a loop or contact", "N, N m", "q v a loads",
                   "what each loop, and each contact that is held, bears", kReactions | kKnownArrays | kKnownCode,
                   false, QuantityItems::loops},
                  QuantityStep::inverse_dynamics,
                  [](const EvaluationParts& p, const WantedQuantity&, std::size_t) {
                    return QuantityArrays{p.vectors("", p.states.loop_wrenches, p.closures(), 6, 6)};
                  }},
    QuantityEntry{{Quantity::undetermined, "undetermined", "names", "", "q",
                   "components of wrenches that nothing tells", kReactions},
                  QuantityStep::none,
                  no_arrays},
    QuantityEntry{{Quantity::null_space_torques, "null_space_torques", "m x k", "1", "q", "torques that only stress it",
                   kReactions},
                  QuantityStep::none,
                  no_arrays},
};

/// The order of the list is that of the names.
constexpr bool in_order(std::size_t place, Quantity quantity) {
  return place == static_cast<std::size_t>(quantity);
}

std::vector<QuantityInfo> all_infos() {
  std::vector<QuantityInfo> infos;
  for (const QuantityEntry& entry : kQuantityEntries) infos.push_back(entry.info);
  return infos;
}

/// Names that are still answered.
std::string present_name(const std::string& name) {
  return name == "idle_torques" ? "null_space_torques" : name;
}

/// What the model has to have for a quantity.
void require_structure(const std::string& word, const QuantityInfo& info, const Model& model,
                       const std::string& subject) {
  const bool loops = !model.loops().empty();
  if (loops && !info.is_known(kKnownLoops)) {
    throw InputError(subject + " " + word + ": is not known for a model with closed loops");
  }
  if (loops || info.is_known(kKnownTrees)) return;
  const bool of_contacts = info.is_known(kKnownContacts);
  if (of_contacts && !model.contacts().empty()) return;
  throw InputError(subject + " " + word + ": the model has no loops" + (of_contacts ? " and no contacts" : ""));
}

}  // namespace

std::span<const QuantityInfo> quantities() {
  static const std::vector<QuantityInfo> kInfos = all_infos();
  return kInfos;
}

const QuantityEntry& entry_of(Quantity quantity) {
  const auto place = static_cast<std::size_t>(quantity);
  assert(in_order(place, kQuantityEntries.at(place).info.quantity));
  return kQuantityEntries.at(place);
}

const QuantityInfo& info_of(Quantity quantity) {
  return entry_of(quantity).info;
}

std::string known_quantities(unsigned where) {
  std::string list;
  for (const QuantityEntry& entry : kQuantityEntries) {
    if (!entry.info.is_known(where)) continue;
    list += (list.empty() ? "" : ", ") + std::string(entry.info.name) + (entry.info.of_frame ? ":FRAME" : "");
  }
  return list;
}

WantedQuantity wanted_quantity(const std::string& word, const Model& model, const std::string& subject,
                               unsigned where) {
  const std::size_t colon = word.find(':');
  const std::string name = word.substr(0, colon), present = present_name(name);
  const QuantityEntry* found = nullptr;
  std::vector<std::string> names;
  for (const QuantityEntry& entry : kQuantityEntries) {
    if (!entry.info.is_known(where)) continue;
    names.emplace_back(entry.info.name);
    if (present == entry.info.name) found = &entry;
  }
  if (!found) {
    const std::string near = suggestion(name, names);
    throw InputError(subject + ": unknown quantity '" + name + "'" +
                     (near.empty() ? "; known are " + known_quantities(where) : near));
  }
  const QuantityInfo& info = found->info;
  require_structure(word, info, model, subject);
  const bool has_frame = colon != std::string::npos;
  if (has_frame && !info.of_frame) throw InputError(subject + " " + word + ": '" + name + "' takes no frame");
  if (!info.of_frame) return {info.quantity, word, -1};
  if (!has_frame) throw InputError(subject + " " + word + ": which link or frame? Write " + name + ":NAME");
  return {info.quantity, word, model.site(word.substr(colon + 1))};
}

}  // namespace verne
