#include "model/primitives.h"

#include <array>
#include <cstddef>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

void add(Primitives& primitives, JointKind kind, const Mat3<double>& turn) {
  primitives.kind[primitives.count] = kind;
  primitives.turn[primitives.count] = turn;
  ++primitives.count;
}

Primitives single(JointKind kind, const Mat3<double>& A) {
  Primitives primitives;
  add(primitives, kind, A);
  primitives.A = A;
  return primitives;
}

Primitives cylindrical(const Mat3<double>& A) {
  Primitives primitives = single(JointKind::prismatic, A);
  add(primitives, JointKind::revolute, Mat3<double>::identity());
  return primitives;
}

Primitives universal(const Mat3<double>& A, const Mat3<double>& A2) {
  Primitives primitives = single(JointKind::revolute, A);
  add(primitives, JointKind::revolute, transpose(A) * A2);
  primitives.A = A2;
  return primitives;
}

Primitives planar(const Mat3<double>& A) {
  const Mat3<double> to_x = frame_with_z_along({1, 0, 0}), to_y = frame_with_z_along({0, 1, 0});
  Primitives primitives = single(JointKind::prismatic, A * to_x);
  add(primitives, JointKind::prismatic, transpose(to_x) * to_y);
  add(primitives, JointKind::revolute, transpose(to_y));
  primitives.A = A;
  return primitives;
}

}  // namespace

Primitives primitives_of(const JointSpec& joint) {
  switch (joint.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
      return single(JointKind::revolute, frame_with_z_along(joint.axis));
    case JointType::prismatic:
      return single(JointKind::prismatic, frame_with_z_along(joint.axis));
    case JointType::helical:
      return single(JointKind::helical, frame_with_z_along(joint.axis));
    case JointType::cylindrical:
      return cylindrical(frame_with_z_along(joint.axis));
    case JointType::universal:
      return universal(frame_with_z_along(joint.axis), frame_with_z_along(joint.axis2));
    case JointType::planar:
      return planar(frame_with_z_along(joint.axis));
    case JointType::spherical:
      return single(JointKind::spherical, Mat3<double>::identity());
    case JointType::free:
      return single(JointKind::free, Mat3<double>::identity());
  }
  return {};
}

std::string dof_suffix(JointType type, int k) {
  static constexpr std::array kCylindrical{".distance", ".angle"};
  static constexpr std::array kUniversal{".angle1", ".angle2"};
  static constexpr std::array kPlanar{".x", ".y", ".angle"};
  static constexpr std::array kSpherical{".wx", ".wy", ".wz"};
  static constexpr std::array kFree{".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
  const auto i = static_cast<std::size_t>(k);
  switch (type) {
    case JointType::cylindrical:
      return kCylindrical.at(i);
    case JointType::universal:
      return kUniversal.at(i);
    case JointType::planar:
      return kPlanar.at(i);
    case JointType::spherical:
      return kSpherical.at(i);
    case JointType::free:
      return kFree.at(i);
    default:
      return "";
  }
}

}  // namespace verne
