/// Motions that a model can certainly do, around which tasks are built that have a solution.
#pragma once

#include <optional>
#include <random>

#include "verne/model/model.h"
#include "verne/trajectory/trajectory.h"

namespace verne::bench {

/// Somewhere between the position limits (±180° where there are none, ±0.5 m for translations), where the efforts hold
/// the model at rest with a third of their limits to spare. Nothing when that is hard to find.
std::optional<Eigen::VectorXd> random_posture(const Model& model, std::mt19937_64& rng);

/// From rest through the postures to rest, in the shortest of the durations 0.2 s · 1.25^k at which all limits hold at
/// 200 times. Nothing where none does.
std::optional<Trajectory> slow_enough(const Model& model, const Eigen::MatrixXd& postures);

/// The largest excess over a limit of the model's at even times, as a part of that limit.
double limit_excess(const Model& model, const Trajectory& motion, int samples);

/// The largest effort of joints that are not actuated at even times, as a part of the largest of all.
double passive_effort(const Model& model, const Trajectory& motion, int samples);

/// Where a model gets from rest at `top` in some time, under efforts of its actuated joints that are random, smooth and
/// within nine tenths of their limits.
struct Fall {
  double duration = 0;
  Eigen::VectorXd q, v;
};
/// Nothing when a velocity came near its limit on the way.
std::optional<Fall> random_fall(const Model& model, const Eigen::VectorXd& top, std::mt19937_64& rng);

}  // namespace verne::bench
