#include "io/mjcf_contents.h"

#include <filesystem>

#include "io/number.h"
#include "io/regular_file.h"
#include "io/xml_document.h"

namespace verne {

MjcfFile* MjcfFiles::include(const tinyxml2::XMLElement& element, MjcfFile& file) {
  const char* name = element.Attribute("file");
  const auto complain = [&](const std::string& text) {
    file.diagnostics.error(element.GetLineNum(), "include: " + text);
    return nullptr;
  };
  if (!name) return complain("file is missing");
  const std::string path = (std::filesystem::path(files_.front()->folder) / name).lexically_normal().string();
  for (const auto& open : files_) {
    if (open->path == path) return complain(in_quotes(name) + " is included twice, or includes itself");
  }
  auto next = std::make_unique<MjcfFile>(path, files_.front()->folder);
  std::string text;
  try {
    text = read_regular_file(path);
  } catch (const Error& error) {
    return complain(error.what());
  }
  if (!parse_xml(text, next->diagnostics, next->document) || !next->document.RootElement()) {
    diagnostics_.add(next->diagnostics);
    return complain(in_quotes(name) + " cannot be read");
  }
  files_.push_back(std::move(next));
  return files_.back().get();
}

}  // namespace verne
