/// The kinds of Verne's own files, told apart by `format:`, for the sake of whoever gives one where another belongs.
#pragma once

#include <string>

#include "io/yaml/tree.h"

namespace verne {

/// Reports a file of another kind, whose keys say nothing to this reader. `wanted` is as in `verne-task/1`.
VERNE_API bool is_another_kind(const YamlNode& root, const std::string& wanted, Diagnostics& diagnostics);

/// The same for XML, as robots come in: to be asked before the text is read as YAML.
VERNE_API bool is_xml(const std::string& text, const std::string& wanted, Diagnostics& diagnostics);

}  // namespace verne
