/// What `verne eval --want` can be asked for.
#pragma once

#include <string>
#include <vector>

#include "verne/model/model.h"

namespace verne::cli {

enum class Quantity {
  tau,
  acceleration,
  bias,
  gravity,
  mass_matrix,
  inverse_mass_matrix,
  coriolis_matrix,
  joint_wrenches,
  link_poses,
  link_velocities,
  link_accelerations,
  jacobian,
  jacobian_rate,
  energy,
  momentum,
  com,
  centroidal_momentum_matrix,
  d_tau,
  d_acceleration,
  d_joint_wrenches,
  d_loop_wrenches,
  d_link_poses,
  d_link_velocities,
  d_link_accelerations,
  d_com,
  d_momentum,
  regressor,
  tree,
  loop_wrenches,
  undetermined,
  null_space_torques
};

struct Want {
  Quantity quantity;
  std::string key;  ///< as asked for, and as answered
  int site = -1;    ///< of a Jacobian
};

/// The words between commas.
std::vector<std::string> split_list(const std::string& list);

/// From names with commas between them. Throws InputError with every name that is not understood, or that models with
/// loops (or without) do not have.
std::vector<Want> parse_wants(const std::string& list, const Model& model);

/// All names, for help: "tau, acceleration, ...".
std::string known_wants();

}  // namespace verne::cli
