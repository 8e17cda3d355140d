/// A model with a slider for every degree of freedom: what the page of `verne view` shows and asks for.
#pragma once

#include <Eigen/Core>
#include <string>

#include "verne/dynamics/data.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

class LiveModel {
 public:
  explicit LiveModel(const Model& model);

  /// The page, which asks the server that it came from for states.
  std::string page(const std::string& program) const;

  /// Answers `{"values": [...]}`, one number for each slider: poses, gravity torques, joint wrenches at rest, centre of
  /// mass and mass matrix as JSON. Throws InputError when the request is anything else.
  std::string state(const std::string& request);

  /// The configuration of slider values: of a spherical joint they are a rotation vector, of a free joint a position
  /// and a rotation vector, of other joints the coordinates themselves.
  Eigen::VectorXd configuration(const Eigen::VectorXd& values) const;

 private:
  Model model_;
  Data<double> data_;
  Kinematics<double> kinematics_;
};

}  // namespace verne
