#include "simulate/motion_recorder.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

/// Of the energy that was exchanged, or the kinetic one if that is larger: by how much it may be off, unless the
/// tolerance is so rough that this is little.
constexpr double kWorstEnergyDrift = 1e-3, kWorstDriftPerTolerance = 1e3;
/// Joules that are nothing but rounding.
constexpr double kRoundedEnergy = 1e-9;
/// Of the mechanism's length: loops that are further open are not closed.
constexpr double kWorstOpening = 1e-6;

template <class Column>
void append(std::vector<double>& values, const Column& column) {
  values.insert(values.end(), column.begin(), column.end());
}

}  // namespace

MotionRecorder::MotionRecorder(const std::vector<SimulationPhase>& phases, SimulatedMotion& out) : out_(out) {
  for (const SimulationPhase& phase : phases) {
    for (const LoopSpec& loop : phase.mechanism.model().loops()) {
      if (row_of(loop.name) == out_.loops.size()) out_.loops.push_back(loop.name);
    }
  }
}

void MotionRecorder::begin_phase(MotionEquations& motion, std::span<const double> y) {
  kinetic_ = motion.kinetic_energy(y), potential_ = motion.potential_energy(y);
}

void MotionRecorder::add(MotionEquations& motion, double t, std::span<const double> y) {
  motion.solve(t, y, true);
  times_.push_back(t);
  append(q_, motion.q(y)), append(v_, motion.v(y)), append(a_, motion.a), append(tau_, motion.tau);
  append(joints_, motion.joints.reshaped());
  const std::size_t first = loops_.size();
  loops_.resize(first + 6 * out_.loops.size(), 0.0);
  for (std::size_t k = 0; k < motion.model().loops().size(); ++k) {
    const auto wrench = motion.loops.col(static_cast<Eigen::Index>(k));
    std::copy(wrench.begin(), wrench.end(), &loops_[first + 6 * row_of(motion.model().loops()[k].name)]);
  }
  balance(motion, y);
}

void MotionRecorder::balance(MotionEquations& motion, std::span<const double> y) {
  const double changes[] = {motion.kinetic_energy(y) - kinetic_, motion.potential_energy(y) - potential_, y.back()};
  out_.energy_drift = std::max(out_.energy_drift, std::abs(changes[0] + changes[1] - changes[2]));
  for (const double change : changes) out_.energy_scale = std::max(out_.energy_scale, std::abs(change));
  see_kinetic_energy(motion, y);
  const double opening = motion.opening(y);
  out_.loop_drift = std::max(out_.loop_drift, opening);
  relative_opening_ = std::max(relative_opening_, opening / motion.length());
}

void MotionRecorder::see_kinetic_energy(MotionEquations& motion, std::span<const double> y) {
  largest_kinetic_ = std::max(largest_kinetic_, motion.kinetic_energy(y));
}

std::string MotionRecorder::verdict(double tolerance) const {
  const double scale = std::max(out_.energy_scale, largest_kinetic_),
               worst = std::max(kWorstEnergyDrift, kWorstDriftPerTolerance * tolerance) * scale;
  if (!(out_.energy_drift <= std::max(worst, kRoundedEnergy))) {
    return fmt::format("energy is off by {:.2g} J of {:.2g} J; try a smaller tolerance", out_.energy_drift, scale);
  }
  if (!(relative_opening_ <= kWorstOpening)) {
    return fmt::format("loops open by {:.2g} of the mechanism's length", relative_opening_);
  }
  return "";
}

void MotionRecorder::finish() {
  const auto table = [&](const std::vector<double>& values) {
    const auto columns = static_cast<Eigen::Index>(times_.size());
    return Table(
        Eigen::Map<const Eigen::MatrixXd>(values.data(), static_cast<Eigen::Index>(values.size()) / columns, columns));
  };
  out_.time = times_;
  out_.q = table(q_), out_.v = table(v_), out_.a = table(a_), out_.tau = table(tau_);
  out_.loop_wrenches = table(loops_), out_.joint_wrenches = table(joints_);
}

std::size_t MotionRecorder::row_of(const std::string& loop) const {
  return static_cast<std::size_t>(std::find(out_.loops.begin(), out_.loops.end(), loop) - out_.loops.begin());
}

}  // namespace verne
