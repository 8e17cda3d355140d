/// Whether a motion went through a singular configuration between two states (docs/theory/loops.md, section 9).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

#include "structures/closed_dynamics.h"

namespace verne {

/// The loops' independent equations where the last project_state() ended, with velocities held, in units of the
/// mechanism's length, and below them an orthonormal basis of the motions that they leave: of a state before, or
/// nothing, the basis that is turned least from there. Square; nothing if more velocities are held than are free.
VERNE_API Eigen::MatrixXd completed_equations(MechanismData<double>& data, std::span<const int> held,
                                              const Eigen::MatrixXd& before);

/// Where some singular values of these equations went through zero from one state to another, which is not far: about
/// which part of the way that was.
VERNE_API std::optional<double> singularity_crossing(const Eigen::MatrixXd& before, const Eigen::MatrixXd& after);

}  // namespace verne
