#include "io/sdf/include.h"

#include <filesystem>

#include "base/regular_file.h"
#include "io/number.h"
#include "io/xml/document.h"
#include "shapes/find_mesh.h"

namespace verne {

namespace {

namespace fs = std::filesystem;

/// The versions 1.x that are read; before, poses and axes had other meanings.
constexpr int kOldestMinor = 4, kNewestMinor = 11;
/// More than any world of people has; files that include others twice, which include others twice, grow without bounds.
constexpr std::size_t kMostIncludes = 2000;

/// Of "1.x" the x; -1 for anything else.
int minor_of(const std::string& version) {
  if (!version.starts_with("1.")) return -1;
  const auto minor = parse_number(std::string_view(version).substr(2));
  return minor && *minor >= 0 && *minor < 1000 && *minor == static_cast<int>(*minor) ? static_cast<int>(*minor) : -1;
}

/// The file of a folder: what its model.config names for the newest version that is read, else model.sdf.
std::string file_in_folder(const fs::path& folder) {
  const fs::path config = folder / "model.config";
  std::error_code ignored;
  std::string best = "model.sdf";
  if (!fs::exists(config, ignored)) return (folder / best).string();
  Diagnostics problems;
  tinyxml2::XMLDocument xml;
  if (!parse_xml(read_regular_file(config.string()), problems, xml)) return (folder / best).string();
  int newest = -1;
  for (auto* sdf = xml.RootElement()->FirstChildElement("sdf"); sdf; sdf = sdf->NextSiblingElement("sdf")) {
    const char* const version = sdf->Attribute("version");
    const int minor = version ? minor_of(version) : 0;
    if (!sdf->GetText() || minor < newest || minor > kNewestMinor) continue;
    newest = minor, best = sdf->GetText();
  }
  const fs::path name = fs::path(best).lexically_normal();
  const bool leads_out = name.empty() || name.is_absolute() || *name.begin() == "..";
  return (folder / (leads_out ? fs::path("model.sdf") : name)).string();
}

bool includes_itself(const SdfFile& file) {
  const auto whole = [](const std::string& path) { return fs::absolute(path).lexically_normal(); };
  for (const SdfFile* at = file.includer; at; at = at->includer) {
    if (whole(at->path) == whole(file.path)) return true;
  }
  return false;
}

}  // namespace

bool open_sdf(const std::string& text, SdfDocument& document) {
  Diagnostics& diagnostics = document.file.diagnostics;
  if (!parse_xml(text, diagnostics, document.xml)) return false;
  const tinyxml2::XMLElement& root = *document.xml.RootElement();
  const auto complain = [&](int line, const std::string& problem) {
    diagnostics.error(line, problem);
    return false;
  };
  if (std::string(root.Name()) != "sdf")
    return complain(root.GetLineNum(), "not SDF: expected <sdf>, found " + in_quotes(root.Name()));
  if (const auto* second = root.NextSiblingElement())
    return complain(second->GetLineNum(), "more than one XML element at the top: " + in_quotes(second->Name()));
  const char* const version = root.Attribute("version");
  if (!version) return complain(root.GetLineNum(), "sdf: version is missing, as in <sdf version=\"1.9\">");
  document.file.minor = minor_of(version);
  if (document.file.minor < kOldestMinor)
    return complain(root.GetLineNum(), "sdf: expected version 1.4 to 1.11, found " + in_quotes(version));
  if (document.file.minor > kNewestMinor)
    diagnostics.warning(root.GetLineNum(),
                        "version " + in_quotes(version) + " is newer than 1.11, as which it is read");
  document.root = &root;
  return true;
}

SdfDocument& SdfFiles::open_first(const std::string& text) {
  SdfDocument& document = *documents_.emplace_back(std::make_unique<SdfDocument>());
  document.file.path = first_;
  document.file.diagnostics = Diagnostics(first_);
  open_sdf(text, document);
  return document;
}

SdfDocument* SdfFiles::include(const XmlElement& element, SdfFile& from) {
  const std::string uri = sdf_text(element, "uri");
  const auto complain = [&](const std::string& text) {
    element.error(text);
    return nullptr;
  };
  if (uri.empty()) return complain("<uri> is missing or empty");
  if (documents_.size() > kMostIncludes)
    return complain("more than " + std::to_string(kMostIncludes) + " models are included");
  const FoundMesh found = find_model(uri, {from.path, {}});
  if (found.path.empty()) return complain(in_quotes(uri) + ": " + found.problem);
  auto next = std::make_unique<SdfDocument>();
  SdfFile& file = next->file;
  file.first = false;
  std::string text;
  try {
    std::error_code ignored;
    file.path = fs::is_directory(found.path, ignored) ? file_in_folder(found.path) : found.path;
    text = read_regular_file(file.path);
  } catch (const Error& error) {
    return complain(in_quotes(uri) + ": " + error.what());
  }
  file.includer = &from;
  if (includes_itself(file)) return complain(in_quotes(uri) + " includes itself");
  file.diagnostics = Diagnostics(file.path);
  documents_.push_back(std::move(next));
  return open_sdf(text, *documents_.back()) ? documents_.back().get() : nullptr;
}

void SdfFiles::report(Diagnostics& diagnostics) {
  for (const auto& document : documents_) {
    document->file.leftovers.report(document->file.diagnostics);
    diagnostics.add(document->file.diagnostics);
  }
}

}  // namespace verne
