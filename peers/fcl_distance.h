/// Distances of shapes by the Flexible Collision Library. Plain data between us and it: it brings its own types.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace verne::peers {

/// Rotation by rows, then the position.
using FclPose = std::array<double, 12>;

struct FclShape {
  enum class Kind { sphere, capsule, box, cylinder, mesh, hull } kind = Kind::sphere;
  std::array<double, 3> size{};  ///< radius; radius, length; edges
  std::vector<std::array<double, 3>> points{};
  std::vector<std::array<std::size_t, 3>> triangles{};
};

/// What it does not change between questions.
class FclPair {
 public:
  FclPair(const FclShape& a, const FclShape& b);
  ~FclPair();
  FclPair(const FclPair&) = delete;
  FclPair& operator=(const FclPair&) = delete;
  /// Not positive where they overlap.
  double distance(const FclPose& a, const FclPose& b) const;
  /// Whether boxes along the world's axes around them, wider by `within` on every side, overlap.
  bool may_be_near(const FclPose& a, const FclPose& b, double within) const;

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace verne::peers
