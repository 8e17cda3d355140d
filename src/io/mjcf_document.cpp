#include "io/mjcf_document.h"

#include <algorithm>
#include <filesystem>

#include "base/regular_file.h"
#include "io/number.h"
#include "io/xml_document.h"

namespace verne {

std::unique_ptr<MjcfFile> open_mjcf_file(const std::string& path, const std::string& folder,
                                         const tinyxml2::XMLElement& element, MjcfFile& from) {
  const auto complain = [&](const std::string& text) {
    from.diagnostics.error(element.GetLineNum(), std::string(element.Name()) + ": " + text);
    return nullptr;
  };
  auto next = std::make_unique<MjcfFile>(path, folder);
  std::string text;
  try {
    text = read_regular_file(path);
  } catch (const Error& error) {
    return complain(error.what());
  }
  if (parse_xml(text, next->diagnostics, next->document) && next->document.RootElement()) return next;
  from.diagnostics.add(next->diagnostics);
  return complain(in_quotes(path) + " cannot be read");
}

MjcfFiles::Included MjcfFiles::include(const tinyxml2::XMLElement& element, MjcfFile& file) {
  const auto known = included_.find(&element);
  if (known != included_.end()) return known->second;
  Included& included = included_[&element];
  const char* name = element.Attribute("file");
  const auto complain = [&](const std::string& text) {
    file.diagnostics.error(element.GetLineNum(), "include: " + text);
    return Included{};
  };
  if (!name) return complain("file is missing");
  const std::string path = (std::filesystem::path(first().folder) / name).lexically_normal().string();
  for (const auto& open : files_) {
    if (open->path == path) return complain(in_quotes(name) + " is included twice, or includes itself");
  }
  auto next = open_mjcf_file(path, first().folder, element, file);
  if (!next) return Included{};
  files_.push_back(std::move(next));
  included = {files_.back()->document.RootElement(), files_.back().get()};
  return included;
}

bool MjcfFiles::have_errors() const {
  return std::ranges::any_of(files_, [](const auto& file) { return !file->diagnostics.errors().empty(); });
}

void MjcfFiles::report(Diagnostics& diagnostics) const {
  for (const auto& any : files_) diagnostics.add(any->diagnostics);
}

MjcfDocument::MjcfDocument(std::unique_ptr<MjcfFile> first)
    : files(std::move(first)), plain{this, ""}, base{&plain, ""} {}

bool MjcfDocument::has(const char* section) const {
  return std::ranges::any_of(sections, [&](const auto& s) { return std::strcmp(s.first->Name(), section) == 0; });
}

void MjcfDocument::read() {
  files.for_each_child(*files.first().document.RootElement(), files.first(),
                       [&](const tinyxml2::XMLElement& xml, MjcfFile& in) { sections.emplace_back(&xml, &in); });
  for (const auto& [xml, file] : sections) {
    const MjcfElement section(*xml, *file, base, kMjcfMain);
    if (section.tag() == "compiler") compiler.read(section);
    if (section.tag() == "default") read_defaults(section, "");
  }
  read_assets();
}

/// A class holds what is said of it before the classes within it are begun.
void MjcfDocument::read_defaults(const MjcfElement& element, const std::string& parent) {
  const std::string given = element.own("class");
  if (given.empty() && !parent.empty()) return element.error("class is missing");
  if (parent.empty()) {
    defaults.name_main(given.empty() ? kMjcfMain : given);  // the outermost class is the global one, whatever its name
  } else {
    defaults.add_class(given, parent);
  }
  const std::string name = given.empty() ? kMjcfMain : given;
  for (const bool nested : {false, true}) {
    files.for_each_child(element.xml(), element.file(), [&](const tinyxml2::XMLElement& child, MjcfFile& file) {
      if ((std::strcmp(child.Name(), "default") == 0) != nested) return;
      if (nested) return read_defaults(MjcfElement(child, file, base, name), name);
      for (auto* a = child.FirstAttribute(); a; a = a->Next()) defaults.set(name, child.Name(), a->Name(), a->Value());
    });
  }
}

void MjcfDocument::read_assets() {
  for_each_in("asset", base, nullptr, [&](const MjcfElement& asset) {
    const std::string file = asset.own("file");
    if (asset.tag() == "mesh" && !file.empty()) return read_mesh_asset(asset, file);
    if (asset.tag() == "material" && !asset.has("texture")) {
      if (const auto rgba = asset.numbers("rgba", 4))
        colours[asset.written_name()] = {(*rgba)[0], (*rgba)[1], (*rgba)[2]};
    }
    const bool model = asset.tag() == "model";
    if (!model || file.empty()) return;
    const std::string name = asset.written_name();
    if (model && name.empty()) return unnamed_models.push_back(file);
    models[name.empty() ? std::filesystem::path(file).stem().string() : name] = file;
  });
}

void MjcfDocument::read_mesh_asset(const MjcfElement& asset, const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path way = compiler.strip_paths ? fs::path(file).filename() : fs::path(file);
  MjcfMesh mesh;
  mesh.file = (fs::path(files.first().folder) / compiler.mesh_folder / way).lexically_normal().string();
  mesh.scale = asset.vector("scale", mesh.scale);
  mesh.place = asset.vector("refpos", mesh.place);
  if (const auto q = asset.numbers("refquat", 4)) {
    mesh.turn = rotation_from_quaternion((*q)[1], (*q)[2], (*q)[3], (*q)[0]);
  }
  const std::string name = asset.written_name();
  meshes[name.empty() ? way.stem().string() : name] = mesh;
}

}  // namespace verne
