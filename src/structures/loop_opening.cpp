#include "structures/loop_opening.h"

#include <algorithm>
#include <cmath>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// Below this angle (1 − ½θ cot ½θ) / θ² is its limit 1/12 up to rounding.
constexpr double kSmallTurn = 1e-4;
/// Of the sine of an angle: below it the direction of the axis of a turn is rounding.
constexpr double kNoAxis = 1e-9;

Vec3<double> unit_axis(int k) {
  Vec3<double> e = Vec3<double>::zero();
  e[k] = 1;
  return e;
}

/// A turn r that is zero where a loop is closed, and its rate for a relative angular velocity.
struct OpenTurn {
  Vec3<double> r;
  Mat3<double> rate;  ///< ṙ = rate ω
};

OpenTurn turn_of_all_axes(const LoopState<double>& s) {
  const Vec3<double> r = rotation_vector_of(Mat3<double>::columns(s[kX], s[kY], s[kZ]));  // (1)
  const double angle = norm(r);
  const double factor =
      angle < kSmallTurn ? 1.0 / 12 : (1 - angle / 2 * std::cos(angle / 2) / std::sin(angle / 2)) / (angle * angle);
  OpenTurn turn{r, Mat3<double>::zero()};
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> e = unit_axis(k), once = cross(r, e);
    const Vec3<double> column = -(e - once * 0.5 + cross(r, once) * factor);  // (3)
    for (int i = 0; i < 3; ++i) turn.rate(i, k) = column[i];
  }
  return turn;
}

OpenTurn turn_of_z(const LoopState<double>& s) {
  const Vec3<double>& z = s[kZ];
  const Vec3<double> across{-z.y, z.x, 0};  // e_z × z
  const double sine = norm(across), angle = std::atan2(sine, z.z);
  const bool has_axis = sine > kNoAxis;
  const Vec3<double> n = has_axis ? across * (1 / sine) : unit_axis(0);  // (2)
  // Where the axes coincide the limit is one; where they are opposite every axis serves, and n is kept.
  const double ratio = has_axis ? angle / sine : (z.z > 0 ? 1.0 : 0.0);
  OpenTurn turn{n * angle, Mat3<double>::zero()};
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> omega = unit_axis(k);
    const double angle_rate = -dot(omega, n);
    const Vec3<double> column =  // (4)
        n * angle_rate + (cross(unit_axis(2), cross(z, omega)) - n * (angle_rate * z.z)) * ratio;
    for (int i = 0; i < 3; ++i) turn.rate(i, k) = column[i];
  }
  if (!has_axis && z.z > 0) turn.r = across;
  return turn;
}

/// Of a row about turning: what it is per turn about R = 1. Zero for rows in metres.
Vec3<double> turn_axis(const LoopEquation& equation) {
  Vec3<double> w = Vec3<double>::zero();
  for (const LoopTerm& term : equation.terms) {
    if (term.part == kApart) continue;
    w += cross(unit_axis(term.part - kX), unit_axis(term.axis)) * term.coefficient;
  }
  return w;
}

}  // namespace

void LoopOpening::measure(const LoopLayout& layout, const LoopSystem<double>& system) {
  size = system.phi, J = system.J;
  for (std::size_t k = 0; k < layout.loops.size(); ++k) {
    const LoopLayout::Loop& loop = layout.loops[k];
    if (loop.directions.empty()) continue;
    const OpenTurn turn =
        loop.directions.size() == 3 ? turn_of_all_axes(system.states[k]) : turn_of_z(system.states[k]);
    Eigen::Matrix3Xd omega = Eigen::Matrix3Xd::Zero(3, J.cols());
    const auto add = [&](const LoopLayout::End& end, double sign) {
      if (end.slot >= 0) omega += sign * system.terms.jacobian(end.slot).bottomRows(3);
    };
    add(loop.a, 1), add(loop.b, -1);
    for (std::size_t i = 0; i < loop.equations.size(); ++i) {
      const LoopEquation& equation = loop.equations[i];
      if (equation.length) continue;
      const Vec3<double> w = turn_axis(equation);
      // w · rate · R_aᵀ (ω_a − ω_b)
      const Vec3<double> row = system.a[k].R * transpose_times(turn.rate, w);
      const auto at = loop.first + static_cast<Eigen::Index>(i);
      size[at] = dot(w, turn.r);
      J.row(at) = Eigen::RowVector3d(row.x, row.y, row.z) * omega;
    }
  }
}

}  // namespace verne
