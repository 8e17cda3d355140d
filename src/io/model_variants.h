/// A model with other values for some of its numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// A model file whose `parameters` and fields (`model.LINK.mass`, `model.JOINT.friction`, …) take other values.
class VERNE_API ModelVariants {
 public:
  /// `text`: of the file. Throws InputError where it is not sound.
  ModelVariants(std::string path, std::string text);

  /// Whether a name is that of a parameter or a field.
  bool knows(const std::string& name) const { return parameters_.contains(name) || fields_.contains(name); }
  /// All that there are.
  std::vector<std::string> names() const;
  /// The parameters of its file, with their values.
  const std::map<std::string, double>& parameters() const { return parameters_; }
  /// Its fields, with their values.
  const std::map<std::string, double>& fields() const { return fields_; }
  /// With other values for those of `values` that are of this model. Throws InputError where it is not sound then.
  Model at(const std::map<std::string, double>& values) const;

 private:
  std::string path_, text_;
  std::map<std::string, double> parameters_;
  Model model_;
  std::map<std::string, double> fields_;
};

}  // namespace verne
