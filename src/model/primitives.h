/// How each joint type is made of the motions that the kernels know.
#pragma once

#include <string>

#include "model/tree.h"
#include "verne/base/export.h"
#include "verne/base/small_matrix.h"
#include "verne/model/spec.h"

namespace verne {

/// A joint as a sequence of primitive motions, each about or along z of its own body frame.
struct Primitives {
  int count = 0;
  JointKind kind[3]{};
  Mat3<double> turn[3]{};  ///< orientation of each before its motion: in the joint frame, then in the body before
  Mat3<double> A = Mat3<double>::identity();  ///< the last body's axes in the moved joint frame
};

/// Of a joint that moves, with unit axes.
VERNE_API Primitives primitives_of(const JointSpec& joint);

/// What tells the velocities of one joint apart: "" when there is one, else ".x" and so on.
std::string dof_suffix(JointType type, int k);

}  // namespace verne
