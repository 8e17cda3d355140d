/// How far loops are open, measured so that nothing but a closed loop is zero (docs/theory/loops.md, section 2).
///
/// The equations of loop_equations.h are sines of angles: a frame turned by 180° meets them, too, and from beyond 90°
/// they lead there. Here stand the angles themselves. With R = [x y z] of (1) the rows about turning are w · r, where
///   (1) r = log R                                  of loops that fix all axes
///   (2) r = θ n, n = (e_z × z) / |e_z × z|          of those that fix one: the shortest turn from e_z to z
/// and w is what the row is about R = 1, so that near a closed loop the rows are those of φ. With Ṙ = −ω × R
///   (3) ṙ = −K ω,  K = 1 − ½ [r]× + (1 − ½θ cot ½θ) / θ² [r]×²
///   (4) ṙ = θ̇ n + (θ / s) (e_z × ż − θ̇ z_z n),  θ̇ = −ω · n,  ż = z × ω,  s = |e_z × z|.
#pragma once

#include "structures/loop_system.h"

namespace verne {

struct LoopOpening {
  explicit LoopOpening(const LoopLayout& layout, Eigen::Index velocities)
      : size(layout.equations), J(layout.equations, velocities) {}

  /// Of a system that was evaluated.
  void measure(const LoopLayout& layout, const LoopSystem<double>& system);

  Eigen::VectorXd size;  ///< metres, or radians
  Eigen::MatrixXd J;     ///< its rate per velocity
};

}  // namespace verne
