/// What the two halves of [B20], values and sensitivities, have in common.
///
///   thesis            here
///   R_j, R_{j,j}      R, R_q             local rotation, its derivative by the own variable
///   R_jᵀ e_{z_{j-1}}  e                  axis of joint j in frame j: constant, (0, sin α, cos α)
///   q̇_j, q̈_j         rate, second_rate  θ̇ or ḋ of the own joint
///   d_dot, d_ddot     ḋ_j and d̈_j, zero unless the joint is prismatic
#pragma once

#include <stdexcept>
#include <string>

#include "formulations/barman.h"
#include "formulations/dh_rotation.h"
#include "formulations/screw.h"

namespace verne::formulations {

template <class S>
struct BarmanJoint {
  DhJoint kind;
  int parent, variable;
  Mat3<S> R, R_q;
  Vec3<S> e;
  S rate, second_rate, d_dot, d_ddot, d;

  BarmanJoint(const DhLink& link, const BarmanState<S>& state)
      : kind(link.joint), parent(link.parent), variable(link.variable), R_q(Mat3<S>::zero()) {
    const DhGeometry<S> geometry(link, state.q);
    R = geometry.R, d = geometry.d;
    const double ca = clean_cosine(link.dh.alpha), sa = clean_sine(link.dh.alpha);
    e = {S(0), S(sa), S(ca)};  // step 1g
    const auto own = [&](std::span<const S> values) {
      return variable < 0 ? S(0) : values[static_cast<std::size_t>(variable)];
    };
    rate = own(state.qd), second_rate = own(state.qdd);
    d_dot = kind == DhJoint::prismatic ? rate : S(0);
    d_ddot = kind == DhJoint::prismatic ? second_rate : S(0);
    if (kind != DhJoint::revolute) return;  // (3.1): R_{j,i} = 0 of prismatic joints
    const S &s = geometry.sine, &c = geometry.cosine;
    R_q = {{-s, -c * S(ca), c * S(sa), c, -s * S(ca), s * S(sa), S(0), S(0), S(0)}};
  }
};

template <class S>
void check_sizes(const DhTree& tree, const BarmanState<S>& state, const char* function) {
  const auto n = static_cast<std::size_t>(tree.variables);
  if (state.q.size() != n || state.qd.size() != n || state.qdd.size() != n) {
    throw std::invalid_argument(std::string(function) + ": q, qd and qdd must have " + std::to_string(n) + " entries");
  }
  for (const BarmanLoad<S>& load : state.loads) {
    if (load.link > 0 && load.link < static_cast<int>(tree.links.size())) continue;
    throw std::invalid_argument(std::string(function) + ": no link " + std::to_string(load.link) + " to load");
  }
}

}  // namespace verne::formulations
