#include "quantities/evaluation_parts.h"

#include <algorithm>
#include <utility>

#include "verne/dynamics/regressor.h"

namespace verne {

EvaluationParts::EvaluationParts(const Model& the_model, int capacity, const BatchOptions& options)
    : model(the_model),
      batch(model, capacity, options),
      torques(model.nv(), capacity, batch.lanes()),
      accelerations(model.nv(), capacity, batch.lanes()),
      spare(model.nv(), capacity, batch.lanes()),
      of_site(static_cast<std::size_t>(model.site_count())) {}

bool EvaluationParts::wants_any(Quantity quantity) const {
  return std::any_of(wants.begin(), wants.end(), [&](const WantedQuantity& w) { return w.quantity == quantity; });
}

/// Wrenches go with the torques, or with the accelerations where these alone are wanted; motions hold poses, too.
void EvaluationParts::add_step(Quantity quantity) {
  QuantityStep step = entry_of(quantity).step;
  const bool motions = wants_any(Quantity::link_velocities) || wants_any(Quantity::link_accelerations);
  if (step == QuantityStep::poses && motions) step = QuantityStep::motions;
  if (quantity == Quantity::joint_wrenches && wants_any(Quantity::acceleration) && !wants_any(Quantity::tau)) {
    step = QuantityStep::forward_dynamics;
  }
  if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
}

void EvaluationParts::run(QuantityStep step) {
  const bool wrenches = wants_any(Quantity::joint_wrenches);
  const bool forward_wrenches = wrenches && wants_any(Quantity::acceleration) && !wants_any(Quantity::tau);
  switch (step) {
    case QuantityStep::inverse_dynamics:
      std::swap(batch.tau, torques);
      inverse_dynamics(model, batch, wrenches && !forward_wrenches);
      std::swap(batch.tau, torques);
      return;
    case QuantityStep::forward_dynamics:
      std::swap(batch.a, accelerations);
      forward_dynamics(model, batch, forward_wrenches);
      std::swap(batch.a, accelerations);
      return;
    case QuantityStep::bias:
      return bias_torques(model, batch);
    case QuantityStep::gravity:
      return gravity_torques(model, batch);
    case QuantityStep::mass_matrix:
      return verne::mass_matrix(model, batch);
    case QuantityStep::inverse_mass_matrix:
      return verne::inverse_mass_matrix(model, batch);
    case QuantityStep::coriolis_matrix:
      return verne::coriolis_matrix(model, batch);
    case QuantityStep::centroidal_momentum_matrix:
      return verne::centroidal_momentum_matrix(model, batch);
    case QuantityStep::poses:
    case QuantityStep::motions:
      return forward_kinematics(model, batch, step == QuantityStep::motions);
    case QuantityStep::jacobians:
      return run_jacobians();
    case QuantityStep::whole_body:
      return whole_body_state(model, batch);
    case QuantityStep::torque_derivatives:
      return inverse_dynamics_derivatives(model, batch, d_torques,
                                          wants_any(Quantity::d_joint_wrenches) ? &d_wrenches : nullptr);
    case QuantityStep::acceleration_derivatives:
      std::swap(batch.a, spare);  // accelerations come along, with other roundings
      forward_dynamics_derivatives(model, batch, d_accelerations);
      std::swap(batch.a, spare);
      return;
    case QuantityStep::site_derivatives:
      return run_sites();
    case QuantityStep::centroidal_derivatives:
      return centroidal_derivatives(model, batch, centroidal);
    case QuantityStep::regressor:
      return verne::regressor(model, batch, regressor);
    case QuantityStep::none:
      return;
  }
}

void EvaluationParts::run_jacobians() {
  for (std::size_t k = 0; k < wants.size(); ++k) {
    const bool rate = wants[k].quantity == Quantity::jacobian_rate;
    if (!rate && wants[k].quantity != Quantity::jacobian) continue;
    jacobian(model, batch, wants[k].site, rate);
    std::swap(batch.jacobian, jacobians[k].J);
    if (rate) std::swap(batch.jacobian_rate, jacobians[k].rate);
  }
}

/// Those of all sites, one after the other in the rows.
void EvaluationParts::run_sites() {
  const int rows = 6 * nv();
  const auto gather = [&](LaneArray BatchSiteDerivatives::*part) {
    LaneArray& all = of_sites.*part;
    if (all.empty()) all = LaneArray(rows * sites(), batch.count(), batch.lanes());
    const int lanes = batch.lanes(), blocks = (batch.count() + lanes - 1) / lanes;
    for (int b = 0; b < blocks; ++b) {
      double* to = all.block(b);
      for (BatchSiteDerivatives& one : of_site) to = std::copy_n((one.*part).block(b), rows * lanes, to);
    }
  };
  for (int site = 0; site < sites(); ++site) {
    site_derivatives(model, batch, site, of_site[static_cast<std::size_t>(site)]);
  }
  if (rows == 0) return;
  gather(&BatchSiteDerivatives::J), gather(&BatchSiteDerivatives::velocity_dq);
  gather(&BatchSiteDerivatives::acceleration_dq), gather(&BatchSiteDerivatives::acceleration_dv);
}

QuantityArray EvaluationParts::array(const char* part, const LaneArray& rows, int first, std::vector<int> shape,
                                     std::vector<int> strides) const {
  QuantityArray out;
  out.part = part, out.shape = std::move(shape);
  out.rows_ = &rows, out.first_row_ = first, out.strides_ = std::move(strides);
  return out;
}

QuantityArray EvaluationParts::vector(const char* part, const LaneArray& rows, int size, int first) const {
  return array(part, rows, first, {size}, {1});
}

QuantityArray EvaluationParts::number(const char* part, const LaneArray& rows, int row) const {
  return array(part, rows, row, {}, {});
}

QuantityArray EvaluationParts::matrix(const char* part, const LaneArray& rows, int height, int width, int first) const {
  return array(part, rows, first, {height, width}, {1, height});
}

QuantityArray EvaluationParts::vectors(const char* part, const LaneArray& rows, int items, int apart, int size,
                                       int first) const {
  return array(part, rows, first, {items, size}, {apart, 1});
}

QuantityArray EvaluationParts::matrices(const char* part, const LaneArray& rows, int items, int height,
                                        int width) const {
  return array(part, rows, 0, {items, height, width}, {height * width, 1, height});
}

QuantityArray EvaluationParts::rotation(const char* part, const LaneArray& rows, int first) const {
  return array(part, rows, first, {3, 3}, {3, 1});
}

QuantityArray EvaluationParts::rotations(const char* part, const LaneArray& rows, int items, int apart,
                                         int first) const {
  return array(part, rows, first, {items, 3, 3}, {apart, 3, 1});
}

}  // namespace verne
