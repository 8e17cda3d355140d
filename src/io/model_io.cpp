#include "verne/io/model_io.h"

#include <algorithm>
#include <cctype>

#include "base/regular_file.h"
#include "io/number.h"
#include "io/xml/document.h"
#include "io/yaml/parameters.h"
#include "verne/io/par.h"

namespace verne {

namespace {

std::string extension_of(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == std::string::npos || path[dot] == '/') return "";
  std::string extension = path.substr(dot + 1);
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

bool looks_like_xml(const std::string& text) {
  const std::string byte_order_mark = "\xEF\xBB\xBF";
  const std::size_t begin = text.rfind(byte_order_mark, 0) == 0 ? byte_order_mark.size() : 0;
  const std::size_t first = text.find_first_not_of(" \t\r\n", begin);
  return first != std::string::npos && text[first] == '<';
}

bool is_xml(const std::string& extension, const std::string& text) {
  for (const char* known : {"urdf", "xml", "sdf", "world"}) {
    if (extension == known) return true;
  }
  if (extension == "yaml" || extension == "yml") return false;
  return looks_like_xml(text);
}

void append(const std::vector<Diagnostic>& found, std::vector<Diagnostic>* notes) {
  if (notes) notes->insert(notes->end(), found.begin(), found.end());
}

}  // namespace

bool is_not_modelled(const Diagnostic& note) {
  return note.text.starts_with(kNotModelled);
}

ModelSpec read_spec(const std::string& text, const std::string& file, std::vector<Diagnostic>* notes,
                    const std::map<std::string, double>& parameters) {
  const std::string extension = extension_of(file);
  if (extension == "xacro")
    throw InputError({Diagnostic{file, 0, "this is xacro, not URDF: run `xacro FILE > robot.urdf` first"}});
  Diagnostics diagnostics(file);
  const bool xml = is_xml(extension, text);
  const std::string root = xml ? xml_root_name(text) : "";
  ModelSpec spec = extension == "par"                    ? read_par(text, file, diagnostics)
                   : !xml                                ? read_yaml_with(parameters, text, file, diagnostics)
                   : root == "mujoco"                    ? read_mjcf(text, file, diagnostics)
                   : root == "sdf" || extension == "sdf" ? read_sdf(text, file, diagnostics)
                                                         : read_urdf(text, file, diagnostics);
  if ((xml || extension == "par") && !parameters.empty()) {
    diagnostics.error(0,
                      "there is no parameter " + in_quotes(parameters.begin()->first) + ": only YAML models have any");
  }
  append(diagnostics.warnings(), notes);
  diagnostics.throw_if_errors();
  return spec;
}

ModelSpec load_spec(const std::string& path, std::vector<Diagnostic>* notes) {
  return read_spec(read_regular_file(path), path, notes);
}

Model load_model(const std::string& path, const LoadOptions& options, std::vector<Diagnostic>* notes) {
  ModelSpec spec = load_spec(path, notes);
  if (options.floating_base) spec = with_floating_base(std::move(spec));
  return build_model(std::move(spec), notes, {.strict = options.strict});
}

}  // namespace verne
