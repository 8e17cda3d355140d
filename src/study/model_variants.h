/// A model with numbers of its own at each point.
#pragma once

#include <map>
#include <optional>

#include "study/input_files.h"
#include "verne/model/model.h"

namespace verne {

/// A model file whose `parameters` and fields (`model.LINK.mass`, `model.JOINT.friction`, …) take other values.
class ModelVariants {
 public:
  /// Throws InputError where the file is not sound.
  ModelVariants(const std::string& path, InputFiles& files);

  /// Whether a parameter of a study is one of this model.
  bool knows(const std::string& name) const;
  /// All that there are.
  const std::vector<std::string>& names() const { return names_; }
  /// The parameters of its file, with their values.
  const std::map<std::string, double>& parameters() const { return parameters_; }
  /// With other values for those of `values` that are of this model. Throws InputError where it is not sound then.
  Model at(const std::map<std::string, double>& values) const;

 private:
  std::string path_, text_;
  std::map<std::string, double> parameters_;  ///< of the file
  Model model_;
  std::vector<std::string> names_;
};

/// Names of the fields of a model that can be set, as `model.link2.mass`.
std::vector<std::string> field_names(const ModelSpec& spec);
/// Sets one of them; false where there is none of that name.
bool set_field(ModelSpec& spec, const std::string& name, double value);

}  // namespace verne
