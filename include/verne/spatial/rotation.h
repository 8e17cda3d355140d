/// Rotation matrices and what people write instead of them: angles, axis and angle, quaternions.
///
/// Every matrix R_AB turns coordinates in B into coordinates in A. Angles are in radians, quaternions in the order
/// x y z w. These are for reading and building models and for results; kernels have their own, over any scalar.
#pragma once

#include <array>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"

namespace verne {

/// Rotation about one coordinate axis.
VERNE_API Mat3<double> rotation_x(double angle);
/// Rotation about y.
VERNE_API Mat3<double> rotation_y(double angle);
/// Rotation about z.
VERNE_API Mat3<double> rotation_z(double angle);

/// Rotation about a unit vector.
VERNE_API Mat3<double> rotation_about(const Vec3<double>& axis, double angle);
/// Axis times angle, with the angle in [0, pi].
VERNE_API Vec3<double> rotation_vector_of(const Mat3<double>& R);

/// Roll, pitch and yaw as URDF has them: R = Rz(yaw) Ry(pitch) Rx(roll).
VERNE_API Mat3<double> rotation_rpy(const Vec3<double>& rpy);
/// The inverse, with the pitch in [-pi/2, pi/2]. Accurate at any pitch: where roll and yaw turn about the same axis,
/// their sum or difference still gives R.
VERNE_API Vec3<double> rpy_of(const Mat3<double>& R);

/// Of any nonzero length: the quaternion is normalised.
VERNE_API Mat3<double> rotation_from_quaternion(double x, double y, double z, double w);
/// Unit quaternion x y z w with w >= 0.
VERNE_API std::array<double, 4> quaternion_of(const Mat3<double>& R);

/// A rotation whose third column is `axis` (of any nonzero length). The identity for z and an exact signed permutation
/// for the other coordinate axes and their opposites; x gives the columns y z x, and y gives z x y.
VERNE_API Mat3<double> frame_with_z_along(const Vec3<double>& axis);

/// The largest entry of |RᵀR − 1|; infinite when R mirrors, NaN when an entry is.
VERNE_API double orthonormality_error(const Mat3<double>& R);

/// Length of a vector.
VERNE_API double norm(const Vec3<double>& v);
/// v over its norm; exact when v lies along a coordinate axis.
VERNE_API Vec3<double> normalized(const Vec3<double>& v);

}  // namespace verne
