#include "shapes/find_mesh.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "verne/base/text.h"

namespace verne {

namespace {

namespace fs = std::filesystem;

/// A place of packages, and what stands between it and their names.
struct PackagePlace {
  fs::path folder;
  std::string inner;
};

void add_places(const char* variable, const std::string& inner, std::vector<PackagePlace>& places) {
  const char* const value = std::getenv(variable);
  std::string rest = value ? value : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string folder = rest.substr(0, colon);
    if (!folder.empty()) places.push_back({folder, inner});
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
}

std::vector<PackagePlace> places_of(const MeshSearch& search) {
  std::vector<PackagePlace> places;
  for (const std::string& folder : search.package_paths) places.push_back({folder, ""});
  add_places("ROS_PACKAGE_PATH", "", places);
  add_places("AMENT_PREFIX_PATH", "share", places);
  for (const char* variable : {"GZ_SIM_RESOURCE_PATH", "SDF_PATH", "GAZEBO_MODEL_PATH"})
    add_places(variable, "", places);
  return places;
}

fs::path folder_of(const MeshSearch& search) {
  if (search.model_file.empty() || search.model_file == "-") return fs::current_path();
  return fs::absolute(search.model_file).lexically_normal().parent_path();
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The model's package: paths may climb as far.
fs::path root_of(const fs::path& folder) {
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    if (is_there(at / "package.xml")) return at;
  }
  return folder.parent_path().parent_path();
}

/// Whether a whole, normal path lies in a folder; by their names alone.
bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path way = path.lexically_relative(folder);
  return !way.empty() && *way.begin() != "..";
}

FoundMesh there(const fs::path& path) {
  if (is_there(path)) return {path.string(), ""};
  return {"", "there is no such file"};
}

FoundMesh find_in_package(const std::string& name, const MeshSearch& search, bool whole_folders = false) {
  const std::size_t slash = name.find('/');
  const std::string package = name.substr(0, slash);
  const fs::path rest = slash == std::string::npos ? fs::path() : fs::path(name.substr(slash + 1)).lexically_normal();
  if (package.empty() || (rest.empty() && !whole_folders)) return {"", "names no file of a package"};
  if (package == ".." || rest.is_absolute() || (!rest.empty() && *rest.begin() == ".."))
    return {"", "leads out of its package"};
  std::optional<fs::path> found;
  for (const PackagePlace& place : places_of(search)) {
    const fs::path folder = fs::absolute(place.folder).lexically_normal();
    const fs::path own = folder.has_filename() ? folder : folder.parent_path();
    for (const fs::path& candidate : {folder / place.inner / package, own.filename() == package ? own : fs::path()}) {
      if (candidate.empty() || !is_folder(candidate)) continue;
      if (is_there(candidate / rest)) return {(candidate / rest).string(), ""};
      if (!found) found = candidate;
    }
  }
  for (fs::path at = folder_of(search); at.has_relative_path(); at = at.parent_path()) {
    if (at.filename() != package) continue;
    if (is_there(at / rest)) return {(at / rest).string(), ""};
    if (!found) found = at;
  }
  for (const fs::path& near : {folder_of(search), folder_of(search).parent_path()}) {
    if (!found && is_folder(near / package)) found = near / package;
  }
  if (found) return there(*found / rest);
  const char* const who = whole_folders ? "GZ_SIM_RESOURCE_PATH" : "--package-path and ROS_PACKAGE_PATH";
  return {"", "there is no package '" + escaped(package) + "' (" + who + " say" + (whole_folders ? "s" : "") +
                  " where it is)"};
}

bool takes_prefix(std::string& name, const char* prefix) {
  if (!name.starts_with(prefix)) return false;
  name = name.substr(std::string(prefix).size());
  return true;
}

}  // namespace

FoundMesh find_model(const std::string& name, const MeshSearch& search) {
  std::string rest = name;
  if (!takes_prefix(rest, "model://") && !takes_prefix(rest, "package://")) return find_mesh(name, search);
  return find_in_package(rest, search, true);
}

FoundMesh find_mesh(const std::string& name, const MeshSearch& search) {
  std::string rest = name;
  if (takes_prefix(rest, "$(find ")) {  // as xacro says it
    const std::size_t end = rest.find(')');
    return find_in_package(end == std::string::npos ? rest : rest.erase(end, 1), search);
  }
  if (takes_prefix(rest, "package://") || takes_prefix(rest, "model://")) return find_in_package(rest, search);
  if (!takes_prefix(rest, "file://") && rest.find("://") != std::string::npos) {
    return {"", "only files are read, nothing is fetched"};
  }
  const fs::path folder = folder_of(search), path = (folder / rest).lexically_normal();
  bool allowed = lies_in(path, root_of(folder));
  for (const PackagePlace& place : places_of(search)) {
    allowed = allowed || lies_in(path, fs::absolute(place.folder).lexically_normal());
  }
  if (!allowed) return {"", "is outside the model's folders (" + escaped(root_of(folder).string()) + ")"};
  return there(path);
}

}  // namespace verne
