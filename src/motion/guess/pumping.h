/// Swings of one freedom that gather energy: how one gets where a drive is too weak to lift. docs/theory/motion.md,
/// section 7.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "verne/motion/task.h"

namespace verne {

/// A swing up to a position, at even times; the last one passes it.
struct Swing {
  double step = 0;                 ///< s
  std::vector<Eigen::VectorXd> q;  ///< of all freedoms
  int halves = 0;                  ///< times that the freedom that swings moved one way
  double part = 0;                 ///< of the effort that the limits allow
  double duration() const { return step * static_cast<double>(q.size() - 1); }
};

/// Swings of a freedom from its place in one posture up to that in another: its effort is a part of the limit along its
/// velocity (bang-bang), so that it always gathers energy. The others are brought, as far as their limits allow, to
/// where they are in between the postures. With all of the effort first, then with so much less that they take a
/// half-swing more each, pushed first to either side. None that takes longer than `longest`, which the swings come near
/// to if `slow`; none where the mass matrix is singular.
std::vector<Swing> swings(const Task& task, int dof, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                          double longest, bool slow);

}  // namespace verne
