#include "study/model_variants.h"

#include <algorithm>

#include "io/yaml_parameters.h"
#include "verne/io/model_io.h"

namespace verne {

ModelVariants::ModelVariants(const std::string& path, InputFiles& files)
    : path_(path), text_(files.text(path)), model_(build_model(read_spec(text_, path))) {
  parameters_ = model_parameters(text_);
  for (const auto& [name, value] : parameters_) names_.push_back(name);
  const std::vector<std::string> fields = field_names(model_.spec());
  names_.insert(names_.end(), fields.begin(), fields.end());
}

bool ModelVariants::knows(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

Model ModelVariants::at(const std::map<std::string, double>& values) const {
  std::map<std::string, double> of_file, of_fields;
  for (const auto& [name, value] : values) {
    if (parameters_.contains(name)) {
      of_file[name] = value;
    } else if (knows(name)) {
      of_fields[name] = value;
    }
  }
  if (of_file.empty() && of_fields.empty()) return model_;
  ModelSpec spec = of_file.empty() ? model_.spec() : read_spec(text_, path_, nullptr, of_file);
  for (const auto& [name, value] : of_fields) set_field(spec, name, value);
  return build_model(std::move(spec));
}

}  // namespace verne
