/// An SDF file as libsdformat reads it, in plain numbers.
#pragma once

#include <string>
#include <vector>

namespace verne::peers {

/// Row-major rotation and origin of a frame in the world.
struct SdformatPose {
  double R[9], p[3];
};

struct SdformatLink {
  std::string name;
  SdformatPose X_WL;
  double mass;
  SdformatPose X_WC;  ///< of the centre of mass, in the link's axes
  double inertia[9];  ///< about it, in the world's axes
};

struct SdformatJoint {
  std::string name, parent, child;  ///< "world" is the world
  SdformatPose X_WJ;
  int axes;
  double axis[2][3];  ///< in the world
  double lower[2], upper[2], effort[2], velocity[2], damping[2], friction[2], stiffness[2], reference[2];
};

struct SdformatModel {
  std::vector<std::string> errors;
  std::vector<SdformatLink> links;
  std::vector<SdformatJoint> joints;
};

/// `folder` is where `model://` leads.
SdformatModel read_with_sdformat(const std::string& file, const std::string& folder);
/// The SDF that libsdformat makes of a URDF file; "" when it cannot.
std::string sdf_from_urdf(const std::string& file);

}  // namespace verne::peers
