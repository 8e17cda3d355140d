/// Shapes of URDF files.
#pragma once

#include <tinyxml2.h>

#include <optional>
#include <string>

#include "io/xml_element.h"
#include "verne/model/spec.h"

namespace verne {

/// A <visual> of the link `place`. Nothing depends on pictures: what is wrong with one is a warning, and it is left out.
std::optional<VisualSpec> read_urdf_visual(const tinyxml2::XMLElement& element, const std::string& place,
                                           Diagnostics& diagnostics, XmlLeftovers& leftovers);

}  // namespace verne
