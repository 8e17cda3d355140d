/// XML files of models, as their authors' editors left them.
#pragma once

#include <tinyxml2.h>

#include <string>

#include "verne/base/error.h"

namespace verne {

/// False after reporting what is wrong; else there is a root element.
bool parse_xml(const std::string& text, Diagnostics& diagnostics, tinyxml2::XMLDocument& document);

/// The name of the root element, "" where there is none: it tells the formats apart.
std::string xml_root_name(const std::string& text);

}  // namespace verne
