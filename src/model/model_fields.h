/// Numbers of a model by names that all file formats share: `model.link2.mass`, `model.elbow.friction`.
#pragma once

#include <map>
#include <string>

#include "verne/base/export.h"
#include "verne/model/spec.h"

namespace verne {

/// All that there are, with their values.
VERNE_API std::map<std::string, double> fields_of(const ModelSpec& spec);
/// Sets one of them; false where there is none of that name.
VERNE_API bool set_field(ModelSpec& spec, const std::string& name, double value);

}  // namespace verne
