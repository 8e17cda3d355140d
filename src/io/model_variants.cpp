#include "io/model_variants.h"

#include "io/yaml/parameters.h"
#include "model/model_fields.h"
#include "verne/io/model_io.h"

namespace verne {

ModelVariants::ModelVariants(std::string path, std::string text)
    : path_(std::move(path)),
      text_(std::move(text)),
      parameters_(model_parameters(text_)),
      model_(build_model(read_spec(text_, path_))),
      fields_(fields_of(model_.spec())) {}

std::vector<std::string> ModelVariants::names() const {
  std::vector<std::string> names;
  for (const auto* numbers : {&parameters_, &fields_}) {
    for (const auto& [name, value] : *numbers) names.push_back(name);
  }
  return names;
}

Model ModelVariants::at(const std::map<std::string, double>& values) const {
  std::map<std::string, double> of_file, of_fields;
  for (const auto& [name, value] : values) {
    if (parameters_.contains(name)) {
      of_file[name] = value;
    } else if (fields_.contains(name)) {
      of_fields[name] = value;
    }
  }
  if (of_file.empty() && of_fields.empty()) return model_;
  ModelSpec spec = of_file.empty() ? model_.spec() : read_spec(text_, path_, nullptr, of_file);
  for (const auto& [name, value] : of_fields) set_field(spec, name, value);
  return build_model(std::move(spec));
}

}  // namespace verne
