/// Named numbers at the top of a file, which any number of it may use.
#pragma once

#include <map>
#include <string>

#include "io/yaml/map.h"
#include "verne/model/spec.h"

namespace verne {

/// Fills `parameters` in the order of the file, so that each may use those before it, overridden or not. Reports
/// overrides of what is not there; `others` are further names that they may have.
VERNE_API void read_parameters(const YamlMap& top, const std::map<std::string, double>& overrides,
                               std::map<std::string, double>& parameters, const std::vector<std::string>& others = {});

/// The parameters of a model file in any format, with their values; none where it is not sound.
VERNE_API std::map<std::string, double> model_parameters(const std::string& text);

/// read_yaml() with other values for the file's parameters.
ModelSpec read_yaml_with(const std::map<std::string, double>& parameters, const std::string& text,
                         const std::string& file, Diagnostics& diagnostics);

}  // namespace verne
