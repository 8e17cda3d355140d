/// Ways that a motion may take, as postures at fractions of its duration: starts for the optimizer.
/// docs/theory/motion.md, section 7.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "verne/motion/task.h"

namespace verne {

/// Postures and the fractions of the duration at which they are taken; from rest to rest, without stops in between.
struct Way {
  std::vector<double> at;
  std::vector<Eigen::VectorXd> postures;

  /// Quintics between the postures, whose accelerations vanish there; a freedom stops only where it turns back.
  Eigen::VectorXd operator()(double fraction) const;
  double length() const;
};

/// Ways through the postures that the task gives (its guess; start, via points, end) or that its frames need, by
/// inverse kinematics; the shortest first. There is at least one.
std::vector<Way> ways_of(const Task& task);

/// The phases that a fraction of the duration of a task belongs to, two where one follows the other; of tasks without
/// phases that are made of some.
std::vector<int> phases_at(const Task& task, double fraction);

/// Ways through the same postures as one that ends where it begins, but back by another way than there. One that goes
/// back as it came is its own mirror image in time, and no descent leads away from that. None where it ends elsewhere.
std::vector<Way> loops(const Task& task, const Way& way);

}  // namespace verne
