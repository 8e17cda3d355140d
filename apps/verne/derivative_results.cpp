#include "derivative_results.h"

#include <algorithm>

#include "json_arrays.h"
#include "verne/dynamics/regressor.h"

namespace verne::cli {

namespace {

bool any_of(const std::vector<Want>& wants, std::initializer_list<Quantity> quantities) {
  return std::any_of(wants.begin(), wants.end(), [&](const Want& want) {
    return std::find(quantities.begin(), quantities.end(), want.quantity) != quantities.end();
  });
}

}  // namespace

void DerivativeResults::compute(Batch& batch, const std::vector<Want>& wants) {
  const bool wrenches = any_of(wants, {Quantity::d_joint_wrenches});
  if (wrenches || any_of(wants, {Quantity::d_tau})) {
    inverse_dynamics_derivatives(model_, batch, tau_, wrenches ? &wrenches_ : nullptr);
  }
  if (any_of(wants, {Quantity::d_tau})) load_derivatives(model_, batch, tau_loads_);
  if (any_of(wants, {Quantity::d_acceleration})) forward_load_derivatives(model_, batch, acceleration_loads_);
  if (any_of(wants, {Quantity::d_link_poses, Quantity::d_link_velocities, Quantity::d_link_accelerations})) {
    sites_.resize(static_cast<std::size_t>(model_.site_count()));
    for (int site = 0; site < model_.site_count(); ++site) {
      site_derivatives(model_, batch, site, sites_[static_cast<std::size_t>(site)]);
    }
  }
  if (any_of(wants, {Quantity::d_com, Quantity::d_momentum})) centroidal_derivatives(model_, batch, centroidal_);
  if (any_of(wants, {Quantity::regressor})) regressor(model_, batch, regressor_);
}

void DerivativeResults::compute_forward(Batch& batch) {
  forward_dynamics_derivatives(model_, batch, acceleration_);
}

void DerivativeResults::append(Quantity quantity, int k, const std::vector<int>& slots, JsonWriter& json) const {
  const int nv = model_.nv();
  const auto block = [&](const char* key, const LaneArray& array, int rows) {
    append_matrix(array, rows, k, json.key(key));
  };
  switch (quantity) {
    case Quantity::d_tau:
    case Quantity::d_acceleration: {
      const bool forward = quantity == Quantity::d_acceleration;
      const BatchDerivatives& d = forward ? acceleration_ : tau_;
      json.begin_object();
      block("q", d.dq, nv);
      block("v", d.dv, nv);
      block(forward ? "tau" : "a", d.dx, nv);
      if (!slots.empty()) {
        const LaneArray& by_load = forward ? acceleration_loads_ : tau_loads_;
        append_by_loads(slots, nv, json, [&](int i, int j) { return entry(by_load, j * nv + i, k); });
      }
      json.end_object();
      return;
    }
    case Quantity::d_joint_wrenches:
      return append_wrenches(k, json);
    case Quantity::d_com:
      json.begin_object();
      block("q", centroidal_.com_dq, 3);
      json.end_object();
      return;
    case Quantity::d_momentum:
      json.begin_object();
      block("q", centroidal_.momentum_dq, 6);
      block("v", centroidal_.momentum_dv, 6);
      block("rate_q", centroidal_.rate_dq, 6);
      block("rate_v", centroidal_.rate_dv, 6);
      block("rate_a", centroidal_.momentum_dv, 6);
      json.end_object();
      return;
    case Quantity::regressor:
      return append_matrix(regressor_, nv, k, json);
    default:
      return append_sites(quantity, k, json);
  }
}

void DerivativeResults::append_wrenches(int k, JsonWriter& json) const {
  const int nv = model_.nv();
  json.begin_object();
  int first = 0;
  for (const Joint& joint : model_.joints()) {
    json.key(joint.spec.name).begin_object();
    append_block(wrenches_.dq, first, 6, nv, k, json.key("q"));
    append_block(wrenches_.dv, first, 6, nv, k, json.key("v"));
    append_block(wrenches_.dx, first, 6, nv, k, json.key("a"));
    json.end_object();
    first += 6 * nv;
  }
  json.end_object();
}

void DerivativeResults::append_sites(Quantity quantity, int k, JsonWriter& json) const {
  json.begin_object();
  for (int site = 0; site < model_.site_count(); ++site) {
    const BatchSiteDerivatives& d = sites_[static_cast<std::size_t>(site)];
    json.key(model_.site_name(site)).begin_object();
    if (quantity == Quantity::d_link_poses) {
      append_matrix(d.J, 6, k, json.key("q"));
    } else if (quantity == Quantity::d_link_velocities) {
      append_matrix(d.velocity_dq, 6, k, json.key("q"));
      append_matrix(d.J, 6, k, json.key("v"));
    } else {
      append_matrix(d.acceleration_dq, 6, k, json.key("q"));
      append_matrix(d.acceleration_dv, 6, k, json.key("v"));
      append_matrix(d.J, 6, k, json.key("a"));
    }
    json.end_object();
  }
  json.end_object();
}

}  // namespace verne::cli
