#include "model/joint_shape.h"

#include <gtest/gtest.h>

namespace verne::test {
namespace {

// What the sweeps take for granted of every kind.
TEST(JointShapes, AreConsistent) {
  for (const JointKind kind :
       {JointKind::revolute, JointKind::prismatic, JointKind::helical, JointKind::spherical, JointKind::free}) {
    const JointShape shape = shape_of(kind);
    SCOPED_TRACE(static_cast<int>(kind));
    EXPECT_EQ(shape.nv, shape.slides + shape.turns - shape.is_screw());
    EXPECT_EQ(shape.nq, shape.nv + shape.has_quaternion());
    EXPECT_EQ(shape.is_screw(), kind == JointKind::helical);
    EXPECT_TRUE(shape.nv == 1 || shape.has_quaternion());
  }
}

}  // namespace
}  // namespace verne::test
