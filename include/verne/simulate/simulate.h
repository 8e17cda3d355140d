/// Direct dynamics in time: how a tree or a mechanism with loops moves under given torques, with error control
/// (docs/theory/simulation.md).
#pragma once

#include <functional>
#include <span>
#include <string>

#include "verne/base/export.h"
#include "verne/base/values.h"
#include "verne/structures/mechanism.h"

namespace verne {

/// Writes the torques of all velocities of the tree; those without an actuator are zero already and not read.
using TorqueLaw =
    std::function<void(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau)>;

struct SimulateOptions {
  double duration = 1;
  int samples = 201;        ///< of what is given out, evenly from 0 to the end
  double tolerance = 1e-9;  ///< of the error that a step adds, relative; in the units of q and v a hundredth of it
  bool stop_at_limits = false;
  std::vector<double> jumps{};               ///< times at which the torques, or what acts, are not smooth
  std::function<bool(double t)> progress{};  ///< at every sample; false ends it
};

/// One column per time.
struct SimulatedMotion {
  enum class End { finished, limit, failed, interrupted };
  End end = End::failed;
  std::string message;  ///< why it ended early
  Values time;
  Table q, v, a, tau;                   ///< of the tree
  Table loop_wrenches, joint_wrenches;  ///< six rows each
  double energy_drift = 0;  ///< J: by how much energy and work of the torques, less friction, differ at most
  double energy_scale = 0;  ///< J: the largest change of kinetic energy, potential energy or work
  double loop_drift = 0;    ///< by how much a loop is open at most: m, or the sine of an angle
};

/// From a state of the tree that satisfies the loops (else InputError). A motion that blows up, or runs into a
/// singularity, ends at the last time that was reached.
VERNE_API SimulatedMotion simulate(const Mechanism& mechanism, const Values& q, const Values& v, const TorqueLaw& law,
                                   const SimulateOptions& options = {});

}  // namespace verne
