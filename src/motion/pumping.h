/// Swings of one freedom that gather energy: how one gets where a drive is too weak to lift. docs/theory/motion.md,
/// section 7.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "verne/motion/task.h"

namespace verne {

/// A swing up to a position, at even times; the last one passes it.
struct Swing {
  double step = 0;        ///< s
  std::vector<double> q;  ///< of the freedom
  int halves = 0;         ///< times that it moved one way
  double part = 0;        ///< of the effort that the limits allow
  double duration() const { return step * static_cast<double>(q.size() - 1); }
};

/// Swings of a freedom from its position in a posture up to another one, the others at rest in that posture: its effort
/// is a part of the limit along its velocity, so that its energy always grows (bang-bang). With all of the effort
/// first, then with so much less that they take a half-swing more each, pushed first to either side. None that takes
/// longer than `longest`, which the swings come near to if `slow`.
std::vector<Swing> swings(const Task& task, int dof, const Eigen::VectorXd& posture, double to, double longest,
                          bool slow);

}  // namespace verne
