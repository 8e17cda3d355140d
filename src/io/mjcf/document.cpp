#include "io/mjcf/document.h"

#include <algorithm>
#include <filesystem>

#include "base/regular_file.h"
#include "io/number.h"
#include "io/xml/document.h"
#include "shapes/find_mesh.h"
#include "shapes/image_colour.h"

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

/// The mean of what MuJoCo makes, or of a picture.
std::optional<Vec3<double>> MjcfDocument::texture_colour(const MjcfElement& asset, const std::string& file) {
  namespace fs = std::filesystem;
  const Vec3<double> first = asset.vector("rgb1", {0.8, 0.8, 0.8}), second = asset.vector("rgb2", {0.5, 0.5, 0.5});
  const std::string builtin = asset.word("builtin", "none");
  if (builtin == "flat") return first;
  if (builtin == "checker" || builtin == "gradient") return (first + second) * 0.5;
  if (file.empty()) return std::nullopt;
  const fs::path way = compiler.strip_paths ? fs::path(file).filename() : fs::path(file);
  const std::string name = (fs::path(compiler.texture_folder) / way).lexically_normal().string();
  const FoundMesh found = find_mesh(name, {files.first().path});
  return found.path.empty() ? std::nullopt : mean_colour_of_file(found.path);
}

void MjcfDocument::read_colours() {
  struct Textured {
    std::string material;
    Vec3<double> colour;
  };
  std::multimap<std::string, Textured> textured;  // by their textures
  for_each_in("asset", base, nullptr, [&](const MjcfElement& asset) {
    if (asset.tag() != "material") return;
    const auto rgba = asset.numbers("rgba", 4);
    const Vec3<double> own = rgba ? Vec3<double>{(*rgba)[0], (*rgba)[1], (*rgba)[2]} : Vec3<double>{1, 1, 1};
    const std::string texture = asset.word("texture", "");
    if (!texture.empty())
      textured.insert({texture, {asset.written_name(), own}});
    else if (rgba)
      colours[asset.written_name()] = own;
  });
  for_each_in("asset", base, nullptr, [&](const MjcfElement& asset) {
    if (asset.tag() != "texture") return;
    const std::string file = asset.own("file"), given = asset.written_name();
    const auto [first, last] =
        textured.equal_range(given.empty() ? std::filesystem::path(file).stem().string() : given);
    if (first == last) return;  // of a sky, or of nothing: a picture that nobody sees is not opened
    const std::optional<Vec3<double>> mean = texture_colour(asset, file);
    for (auto at = first; mean && at != last; ++at) {
      const auto& [material, own] = at->second;
      colours[material] = {own.x * mean->x, own.y * mean->y, own.z * mean->z};
    }
  });
}

void MjcfDocument::read_assets() {
  read_colours();
  for_each_in("asset", base, nullptr, [&](const MjcfElement& asset) {
    const std::string file = asset.own("file");
    if (asset.tag() == "mesh" && !file.empty()) return read_mesh_asset(asset, file);
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
