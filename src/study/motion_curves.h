/// Curves over the time of a motion, which studies draw over each other.
#pragma once

#include <string>
#include <vector>

#include "verne/motion/stride.h"
#include "verne/study/study.h"

namespace verne {

class MotionCurves {
 public:
  /// Of motions of this model; `of_stride` are further ones, which strides have.
  explicit MotionCurves(const Model& model, const std::vector<std::string>& of_stride = {});

  /// Names that may be asked for: `effort.elbow`, …
  std::vector<std::string> known() const;
  /// Takes all whose names fit, `effort.hip_*`; false where there is none.
  bool add(const std::string& pattern);
  /// Positions and efforts of what is driven, where these are few.
  void add_default(const Model& model);
  const std::vector<StudyCurve>& taken() const { return list_; }

  /// kCurveValues of each that was taken; those of the stride where there is one. None where a curve is of strides and
  /// there is no stride.
  std::vector<float> values(const SampledMotion& motion, const Stride* stride = nullptr) const;

 private:
  struct Known {
    StudyCurve curve;
    int quantity;  ///< −1: the stride has it
    int index;     ///< of the coordinate, velocity or joint
  };
  std::vector<Known> known_, taken_;
  std::vector<StudyCurve> list_;
};

}  // namespace verne
