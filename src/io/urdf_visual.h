/// Shapes of URDF files.
#pragma once

#include <tinyxml2.h>

#include <optional>
#include <string>

#include "io/xml_element.h"
#include "verne/model/spec.h"

namespace verne {

/// A <visual> of the link `place`. Nothing depends on pictures: what is wrong with one is a warning, and it is left
/// out.
std::optional<VisualSpec> read_urdf_visual(const tinyxml2::XMLElement& element, const std::string& place,
                                           Diagnostics& diagnostics, XmlLeftovers& leftovers);

/// Whether a <visual> of the link has a shape of its own, not that of a mesh file.
bool urdf_visuals_have_shapes(const tinyxml2::XMLElement& link);
/// Adds the shapes in <collision>, but for meshes: for links whose visuals tell nothing of their extent.
void add_urdf_collisions(const tinyxml2::XMLElement& element, LinkSpec& link);

}  // namespace verne
