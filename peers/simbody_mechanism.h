/// Mechanisms with closed loops in Simbody. Plain data between us and it: its headers are not C++20.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace verne::peers {

/// Rotation by rows, then the position.
using SimbodyPose = std::array<double, 12>;

struct SimbodyLink {
  int parent;  ///< an earlier link, −1: the world
  enum class Joint { fixed, revolute, prismatic } joint;
  std::array<double, 3> axis;
  SimbodyPose X_PJ, X_LJ;
  double mass;
  std::array<double, 3> com;
  std::array<double, 6> inertia;  ///< about the centre of mass: xx, yy, zz, xy, xz, yz
  int velocity;                   ///< −1: fixed
};

struct SimbodyLoop {
  enum class Kind { revolute, prismatic, cylindrical, planar, point_on_line, universal, spherical, rigid } kind;
  int a, b;  ///< links, −1: the world
  SimbodyPose A, B;
};

class SimbodyMechanism {
 public:
  SimbodyMechanism(const std::vector<SimbodyLink>& links, const std::vector<SimbodyLoop>& loops,
                   const std::array<double, 3>& gravity);
  ~SimbodyMechanism();
  /// Of all velocities, for a closed state and forces along all velocities.
  std::vector<double> accelerations(const std::vector<double>& q, const std::vector<double>& v,
                                    const std::vector<double>& forces);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace verne::peers
