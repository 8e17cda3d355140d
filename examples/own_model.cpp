// A model made in code: a drone (a free body) with a stick that hangs from it on a ball joint. Left to itself it falls
// and swings; its energy stays what it was.
#include <cmath>
#include <iostream>

#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"

namespace {

verne::ModelSpec drone_with_stick() {
  verne::ModelSpec spec;
  spec.name = "drone";

  verne::LinkSpec body;
  body.name = "body";
  body.joint.name = "flight";
  body.joint.type = verne::JointType::free;
  body.has_inertial = true;
  body.mass = 1.5;
  body.inertia = {0.02, 0, 0, 0.02, 0, 0.035};  // xx xy xz yy yz zz
  spec.links.push_back(body);

  verne::LinkSpec stick;
  stick.name = "stick";
  stick.parent = "body";
  stick.joint.name = "hook";
  stick.joint.type = verne::JointType::spherical;
  stick.X_PJ.p = {0.05, 0, -0.1};  // where the hook sits on the drone
  stick.has_inertial = true;
  stick.mass = 0.2;
  stick.com = {0, 0, -0.25};
  stick.inertia = {0.004, 0, 0, 0.004, 0, 0.0001};
  spec.links.push_back(stick);
  return spec;
}

struct State {
  Eigen::VectorXd q, v;
};

/// One step of the midpoint rule. Positions live on a manifold, so that q moves by integrate(), not by addition.
State step(const verne::Model& model, verne::Data<>& data, const State& start, double h) {
  const Eigen::VectorXd no_torque = Eigen::VectorXd::Zero(model.nv());
  const auto moved = [&](const State& rates_at, double t) {
    State end = start;
    Eigen::VectorXd a(model.nv());
    verne::forward_dynamics(model, data, rates_at.q, rates_at.v, no_torque, a);
    verne::integrate(model, data, start.q, rates_at.v * t, end.q);
    end.v += a * t;
    return end;
  };
  return moved(moved(start, h / 2), h);
}

double energy(const verne::Model& model, verne::Data<>& data, const State& s) {
  const auto whole = verne::whole_body_state(model, data, s.q, s.v, Eigen::VectorXd::Zero(model.nv()));
  return whole.kinetic_energy + whole.potential_energy;
}

}  // namespace

int main() {
  const verne::Model model = verne::build_model(drone_with_stick());
  verne::Data data(model);

  State s{verne::neutral_configuration(model), Eigen::VectorXd::Zero(model.nv())};
  s.v << 1, 0, 2, 0.3, -0.2, 0.5, 2, 1, 0;  // body: linear, angular; stick: angular, each in its own axes
  const double before = energy(model, data, s);
  for (int k = 0; k < 2000; ++k) s = step(model, data, s, 5e-4);
  const double drift = std::abs(energy(model, data, s) - before);
  std::cout << "energy " << before << " J, drift after one second " << drift << " J\n";
  return drift < 1e-5 ? 0 : 1;
}
