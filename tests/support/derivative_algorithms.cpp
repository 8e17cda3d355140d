#include "support/algorithms.h"

namespace verne::test {

namespace {

using D = Data<double>;
using W = Workspace;
using B = BatchWorkspace;

struct Pair {
  void (*single)(const Model& model, D& data, W& work);
  void (*batch)(const Model& model, B& batch);
};

const Pair kInverse{[](const Model& m, D& d, W& w) {
                      inverse_dynamics_derivatives(m, d, w.given.q, w.given.v, w.given.a, w.dynamics.dq, w.dynamics.dv,
                                                   w.dynamics.dx, &w.loads, &w.dynamics_wrenches);
                    },
                    [](const Model& m, B& b) { inverse_dynamics_derivatives(m, b, b.dynamics, &b.dynamics_wrenches); }};
const Pair kForward{[](const Model& m, D& d, W& w) {
                      forward_dynamics_derivatives(m, d, w.given.q, w.given.v, w.given.tau, w.a, w.dynamics.dq,
                                                   w.dynamics.dv, w.dynamics.dx, &w.loads, &w.dynamics_wrenches);
                    },
                    [](const Model& m, B& b) { forward_dynamics_derivatives(m, b, b.dynamics, &b.dynamics_wrenches); }};
const Pair kHybrid{
    [](const Model& m, D& d, W& w) {
      w.a = w.given.a, w.tau = w.given.tau;
      hybrid_dynamics_derivatives(m, d, w.accelerations, w.given.q, w.given.v, w.a, w.tau, w.dynamics.dq, w.dynamics.dv,
                                  w.dynamics.dx, &w.loads, &w.dynamics_wrenches);
    },
    [](const Model& m, B& b) { hybrid_dynamics_derivatives(m, b, b.accelerations, b.dynamics, &b.dynamics_wrenches); }};
const Pair kHybridByLoad{
    [](const Model& m, D& d, W& w) {
      hybrid_load_derivatives(m, d, w.accelerations, w.given.q, w.loads, w.hybrid_by_load);
    },
    [](const Model& m, B& b) { hybrid_load_derivatives(m, b, b.accelerations, b.hybrid_by_load); }};
const Pair kSecond{[](const Model& m, D& d, W& w) {
                     inverse_dynamics_second_derivatives(m, d, w.given.q, w.given.v, w.given.a, w.lambda, w.second,
                                                         &w.loads, &w.mu);
                   },
                   [](const Model& m, B& b) { inverse_dynamics_second_derivatives(m, b, b.lambda, b.second, &b.mu); }};
const Pair kProduct{
    [](const Model& m, D& d, W& w) {
      inverse_dynamics_hessian_product(m, d, w.given.q, w.given.v, w.given.a, w.lambda, w.direction, w.product,
                                       &w.loads, &w.mu);
    },
    [](const Model& m, B& b) { inverse_dynamics_hessian_product(m, b, b.lambda, b.direction, b.product, &b.mu); }};
const Pair kMotion{
    [](const Model& m, D& d, W& w) { site_derivatives(m, d, w.given.q, w.given.v, w.given.a, w.site, w.motion); },
    [](const Model& m, B& b) { site_derivatives(m, b, m.site_count() - 1, b.motion); }};
const Pair kCentroidal{
    [](const Model& m, D& d, W& w) { centroidal_derivatives(m, d, w.given.q, w.given.v, w.given.a, w.centroidal); },
    [](const Model& m, B& b) { centroidal_derivatives(m, b, b.centroidal); }};
const Pair kRegressor{[](const Model& m, D& d, W& w) {
                        regressor(m, d, w.given.q, w.given.v, w.given.a, w.parameters, &w.parameter_wrenches);
                      },
                      [](const Model& m, B& b) { regressor(m, b, b.parameters, &b.parameter_wrenches); }};
const Pair kBodyRegressor{[](const Model& m, D& d, W& w) {
                            regressor(m, d, w.given.q, w.given.v, w.given.a, w.body_parameters, nullptr,
                                      kBodyParameters);
                          },
                          [](const Model& m, B& b) { regressor(m, b, b.body_parameters, nullptr, kBodyParameters); }};
const Pair kByLoad{
    [](const Model& m, D& d, W& w) { load_derivatives(m, d, w.given.q, w.loads, w.by_load, &w.by_load_wrenches); },
    [](const Model& m, B& b) { load_derivatives(m, b, b.by_load, &b.by_load_wrenches); }};
const Pair kForwardByLoad{
    [](const Model& m, D& d, W& w) {
      forward_load_derivatives(m, d, w.given.q, w.loads, w.forward_by_load, &w.forward_by_load_wrenches);
    },
    [](const Model& m, B& b) { forward_load_derivatives(m, b, b.forward_by_load, &b.forward_by_load_wrenches); }};

/// `get` picks the result, which has the same name in a workspace and in a batch.
template <class Get>
Algorithm entry(const char* name, const Pair& pair, Get get) {
  return {name, pair.single, [](const W& w) { return Eigen::VectorXd(Get{}(w).reshaped()); }, pair.batch,
          [get](B& b) -> LaneArray& { return get(b); }};
}

}  // namespace

std::vector<Algorithm> derivative_algorithms() {
  return {
      entry(
          "inverse_derivatives.dq", kInverse, [](auto& w) -> auto& { return w.dynamics.dq; }),
      entry(
          "inverse_derivatives.dv", kInverse, [](auto& w) -> auto& { return w.dynamics.dv; }),
      entry(
          "inverse_derivatives.da", kInverse, [](auto& w) -> auto& { return w.dynamics.dx; }),
      entry(
          "inverse_derivatives.wrenches.dq", kInverse, [](auto& w) -> auto& { return w.dynamics_wrenches.dq; }),
      entry(
          "inverse_derivatives.wrenches.dv", kInverse, [](auto& w) -> auto& { return w.dynamics_wrenches.dv; }),
      entry(
          "inverse_derivatives.wrenches.da", kInverse, [](auto& w) -> auto& { return w.dynamics_wrenches.dx; }),
      entry(
          "forward_derivatives.a", kForward, [](auto& w) -> auto& { return w.a; }),
      entry(
          "forward_derivatives.dq", kForward, [](auto& w) -> auto& { return w.dynamics.dq; }),
      entry(
          "forward_derivatives.dv", kForward, [](auto& w) -> auto& { return w.dynamics.dv; }),
      entry(
          "forward_derivatives.dtau", kForward, [](auto& w) -> auto& { return w.dynamics.dx; }),
      entry(
          "forward_derivatives.wrenches.dq", kForward, [](auto& w) -> auto& { return w.dynamics_wrenches.dq; }),
      entry(
          "forward_derivatives.wrenches.dv", kForward, [](auto& w) -> auto& { return w.dynamics_wrenches.dv; }),
      entry(
          "forward_derivatives.wrenches.dtau", kForward, [](auto& w) -> auto& { return w.dynamics_wrenches.dx; }),
      entry(
          "hybrid_derivatives.dq", kHybrid, [](auto& w) -> auto& { return w.dynamics.dq; }),
      entry(
          "hybrid_derivatives.dv", kHybrid, [](auto& w) -> auto& { return w.dynamics.dv; }),
      entry(
          "hybrid_derivatives.dgiven", kHybrid, [](auto& w) -> auto& { return w.dynamics.dx; }),
      entry(
          "hybrid_derivatives.wrenches.dq", kHybrid, [](auto& w) -> auto& { return w.dynamics_wrenches.dq; }),
      entry(
          "hybrid_derivatives.wrenches.dgiven", kHybrid, [](auto& w) -> auto& { return w.dynamics_wrenches.dx; }),
      entry(
          "hybrid_load_derivatives", kHybridByLoad, [](auto& w) -> auto& { return w.hybrid_by_load; }),
      entry(
          "second_derivatives.qq", kSecond, [](auto& w) -> auto& { return w.second.qq; }),
      entry(
          "second_derivatives.qv", kSecond, [](auto& w) -> auto& { return w.second.qv; }),
      entry(
          "second_derivatives.qa", kSecond, [](auto& w) -> auto& { return w.second.qa; }),
      entry(
          "second_derivatives.vv", kSecond, [](auto& w) -> auto& { return w.second.vv; }),
      entry(
          "hessian_product", kProduct, [](auto& w) -> auto& { return w.product; }),
      entry(
          "site_derivatives.J", kMotion, [](auto& w) -> auto& { return w.motion.J; }),
      entry(
          "site_derivatives.velocity_dq", kMotion, [](auto& w) -> auto& { return w.motion.velocity_dq; }),
      entry(
          "site_derivatives.acceleration_dq", kMotion, [](auto& w) -> auto& { return w.motion.acceleration_dq; }),
      entry(
          "site_derivatives.acceleration_dv", kMotion, [](auto& w) -> auto& { return w.motion.acceleration_dv; }),
      entry(
          "centroidal_derivatives.com_dq", kCentroidal, [](auto& w) -> auto& { return w.centroidal.com_dq; }),
      entry(
          "centroidal_derivatives.momentum_dq", kCentroidal, [](auto& w) -> auto& { return w.centroidal.momentum_dq; }),
      entry(
          "centroidal_derivatives.momentum_dv", kCentroidal, [](auto& w) -> auto& { return w.centroidal.momentum_dv; }),
      entry(
          "centroidal_derivatives.rate_dq", kCentroidal, [](auto& w) -> auto& { return w.centroidal.rate_dq; }),
      entry(
          "centroidal_derivatives.rate_dv", kCentroidal, [](auto& w) -> auto& { return w.centroidal.rate_dv; }),
      entry(
          "regressor.bodies", kBodyRegressor, [](auto& w) -> auto& { return w.body_parameters; }),
      entry(
          "regressor", kRegressor, [](auto& w) -> auto& { return w.parameters; }),
      entry(
          "regressor.wrenches", kRegressor, [](auto& w) -> auto& { return w.parameter_wrenches; }),
      entry(
          "load_derivatives", kByLoad, [](auto& w) -> auto& { return w.by_load; }),
      entry(
          "load_derivatives.wrenches", kByLoad, [](auto& w) -> auto& { return w.by_load_wrenches; }),
      entry(
          "forward_load_derivatives", kForwardByLoad, [](auto& w) -> auto& { return w.forward_by_load; }),
      entry(
          "forward_load_derivatives.wrenches", kForwardByLoad,
          [](auto& w) -> auto& { return w.forward_by_load_wrenches; }),
  };
}

}  // namespace verne::test
