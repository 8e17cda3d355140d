/// Direct dynamics in time: how a tree or a mechanism with loops moves under given torques, with error control
/// (docs/theory/simulation.md).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/values.h"
#include "verne/dynamics/data.h"
#include "verne/structures/mechanism.h"

namespace verne {

/// Writes the torques of all velocities of the tree; those without an actuator are zero already and not read.
using TorqueLaw =
    std::function<void(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau)>;

/// Joints that move as they are told, whatever that takes: torques of a law do not count for them.
struct PrescribedMotion {
  std::vector<int> joints{};  ///< Model::joint; none of them has a quaternion
  /// Writes positions, velocities and accelerations of their coordinates, joint after joint; each is the rate of the
  /// one before.
  std::function<void(double t, std::span<double> q, std::span<double> v, std::span<double> a)> at{};
  std::vector<double> times{};  ///< between which nothing short happens: no step leaps over two of them
};

/// The explicit method of Runge and Kutta (order eight), implicit backward differentiation formulas, or the former
/// until stiffness makes the latter cheaper, and back.
enum class SimulationMethod { automatic, explicit_only, implicit_only };

/// How long and how exactly to simulate, and what comes in between.
struct SimulateOptions {
  double duration = 1;          ///< s
  int samples = 201;            ///< of what is given out, evenly from 0 to the end
  double tolerance = 1e-9;      ///< of the error that a step adds, relative; in the units of q and v a hundredth of it
  bool stop_at_limits = false;  ///< ends where a joint reaches a limit of its position
  SimulationMethod method = SimulationMethod::automatic;  ///< of integration
  PrescribedMotion prescribed{};                          ///< joints that move as they are told
  std::vector<double> jumps{};                            ///< times at which the torques, or what acts, are not smooth
  std::function<bool(double t)> progress{};               ///< at every sample; false ends it
};

/// A stretch of time in which what moves stays the same. Phases of one motion have the same coordinates; what links
/// carry, which loops and contacts hold, and what acts may differ.
struct SimulationPhase {
  Mechanism mechanism;     ///< that moves in this phase
  TorqueLaw law;           ///< that drives it
  Loads<double> loads{};   ///< constant
  double end = kInfinity;  ///< s; of no use for the last phase
};

/// One column per time.
struct SimulatedMotion {
  /// How it ended: at its time, at a limit of a joint, for want of a solution, or as `progress` wished.
  enum class End { finished, limit, failed, interrupted };
  End end = End::failed;                ///< how it ended
  std::string message;                  ///< why it ended early
  Values time;                          ///< of the samples, s
  Table q, v, a, tau;                   ///< of the tree; tau is also what moves prescribed joints
  std::vector<std::string> loops;       ///< that close in any phase, contacts among them
  Table loop_wrenches, joint_wrenches;  ///< six rows each; zero where a loop is not closed
  double energy_drift = 0;  ///< J: by how much energy and work of torques and loads, less friction, differ at most
  double energy_scale = 0;  ///< J: the largest change of kinetic energy, potential energy or work
  double loop_drift = 0;    ///< by how much a loop is open at most: m, or the sine of an angle
  long explicit_steps = 0, implicit_steps = 0;  ///< that were taken by each method
  /// Times at which a nearly singular configuration was entered, where loops may lead on in several ways: momentum
  /// tells in which.
  Values passages{};
};

/// From a state of the tree that satisfies the loops and the prescribed motion (else InputError). A motion that blows
/// up, or runs into a state without accelerations, ends at the last time that was reached. One whose energy is off by
/// more than max(0.001, 1000 tolerance) of its scale, or the kinetic energy, or whose loops open by more than 1e-6 of
/// the mechanism's length, has failed, too.
VERNE_API SimulatedMotion simulate(const Mechanism& mechanism, const Values& q, const Values& v, const TorqueLaw& law,
                                   const SimulateOptions& options = {});

/// In phases, one after the other. Where one begins, the nearest state that closes its loops is taken; the motion ends
/// there if they are open by more than 0.01 (m, or the sine of an angle). At their common time the later phase counts.
VERNE_API SimulatedMotion simulate(const std::vector<SimulationPhase>& phases, const Values& q, const Values& v,
                                   const SimulateOptions& options = {});

}  // namespace verne
