/// What a simulation gives out, and how well it was integrated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "simulate/motion_equations.h"
#include "verne/simulate/simulate.h"

namespace verne {

/// Collects the samples of a motion, and balances its energy.
class MotionRecorder {
 public:
  /// References are kept.
  MotionRecorder(const std::vector<SimulationPhase>& phases, SimulatedMotion& out);

  /// Energies are balanced from here on; the work of y is zero.
  void begin_phase(MotionEquations& motion, std::span<const double> y);
  void add(MotionEquations& motion, double t, std::span<const double> y);
  /// What a state says of how well all was integrated.
  void balance(MotionEquations& motion, std::span<const double> y);
  /// Also between samples, which may all be where a motion turns.
  void see_kinetic_energy(MotionEquations& motion, std::span<const double> y);

  double last_time() const { return times_.back(); }
  /// What makes the motion worthless, or nothing.
  std::string verdict(double tolerance) const;
  /// Writes the samples.
  void finish();

 private:
  std::size_t row_of(const std::string& loop) const;

  SimulatedMotion& out_;
  std::vector<double> times_, q_, v_, a_, tau_, loops_, joints_;
  double kinetic_ = 0, potential_ = 0, relative_opening_ = 0, largest_kinetic_ = 0;
};

}  // namespace verne
