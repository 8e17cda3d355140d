/// Shapes of URDF files.
#pragma once

#include <tinyxml2.h>

#include <map>
#include <optional>
#include <string>

#include "io/xml/element.h"
#include "verne/model/spec.h"

namespace verne {

/// A <visual> or <collision> of the link `place`. Nothing depends on pictures: what is wrong with one is a warning, and
/// it is left out.
std::optional<VisualSpec> read_urdf_visual(const tinyxml2::XMLElement& element, const std::string& place,
                                           Diagnostics& diagnostics, XmlLeftovers& leftovers);

/// The colours of <material> elements by their names: those of the robot, and those that visuals define.
class UrdfMaterials {
 public:
  void read(const tinyxml2::XMLElement& robot);
  std::optional<Vec3<double>> colour(const tinyxml2::XMLElement& visual) const;

 private:
  std::map<std::string, Vec3<double>> colours_;
};

/// Adds the shapes in <collision>, into which programs write what they like: nothing is said of them.
void add_urdf_collisions(const tinyxml2::XMLElement& element, LinkSpec& link);

}  // namespace verne
