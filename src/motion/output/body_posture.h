/// How a person holds the body, in the angles that scores of work look at; docs/work.md says how they are measured.
#pragma once

#include <Eigen/Core>

#include "ergonomics/lifting.h"
#include "ergonomics/posture.h"
#include "motion/task/human_parts.h"
#include "verne/motion/solution.h"

namespace verne {

/// Postures along a motion of a model of a person.
class BodyPostures {
 public:
  BodyPostures(const Model& model, const SampledMotion& motion);

  BodyPosture at(Eigen::Index frame) const;
  /// Of a load that both hands hold; the floor is at height zero.
  LiftPlace lift_place(Eigen::Index frame) const;
  /// Of the middle between both hands above the floor, m.
  double hand_height(Eigen::Index frame) const;

 private:
  Eigen::Matrix3d rotation(int link, Eigen::Index frame) const;
  Eigen::Vector3d position(int link, Eigen::Index frame) const;
  /// Where a hand grips: three tenths of the forearm's length beyond the wrist.
  Eigen::Vector3d grip(std::size_t side, Eigen::Index frame) const;
  void measure_arm(std::size_t side, Eigen::Index frame, ArmPosture& arm) const;

  HumanParts parts_;
  const SampledMotion* motion_;
  Eigen::Vector3d up_;
};

}  // namespace verne
