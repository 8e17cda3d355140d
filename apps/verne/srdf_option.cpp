#include "srdf_option.h"

#include "input.h"
#include "output.h"

namespace verne::cli {

void add_srdf_option(CLI::App& command, std::string& path) {
  command.add_option("--srdf", path, "SRDF file of the model, whose states have names")
      ->type_name("FILE")
      ->check(not_empty());
}

Srdf load_srdf(const std::string& path, const std::string& model_path, const Model& model) {
  Srdf srdf;
  if (!path.empty()) srdf = read_srdf(read_input(path), input_name(path), model);
  if (model_path.ends_with(".xml")) {
    add_mjcf(read_input(model_path), model_path, srdf);
  }
  return srdf;
}

}  // namespace verne::cli
