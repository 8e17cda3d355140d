/// What stands in a body of MuJoCo's format, and its parts as ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/mjcf/contents.h"

namespace verne {

/// An element, where the frames around it put it, and the class that is inherited there.
struct MjcfPart {
  MjcfElement element;
  Transform<double> X_BF;
  std::string child_class;
};

struct MjcfBody {
  std::vector<MjcfPart> joints, geoms, sites, bodies;
  std::optional<MjcfElement> inertial;  ///< which frames do not move
};

/// A joint but for its name; the link is placed where the body is.
void read_mjcf_joint(MjcfContents& contents, const MjcfPart& part, LinkSpec& link);

/// Mass, centre of mass and inertia: given, or those of the shapes. `moves`: whether they matter. The centre of mass is
/// left where it is for a body that has the least mass alone (`boundmass`).
void read_mjcf_mass(MjcfContents& contents, const MjcfBody& body, const MjcfElement& element, bool moves,
                    LinkSpec& link);

}  // namespace verne
