#include "shapes/read_mesh.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "base/regular_file.h"
#include "base/user_cache.h"
#include "shapes/limited_child.h"
#include "verne/base/error.h"
#include "verne/base/text.h"

namespace verne {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestMeshFile = std::size_t{200} << 20;
constexpr std::size_t kMostCompanions = 64;
/// Changes whenever the same file is to be read in another way.
constexpr const char* kReaderVersion = "mesh 2";

std::string ending_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

/// What stands behind a word at the beginning of lines: all of it, or its last word where options may stand before.
std::vector<std::string> names_after(const std::string& word, const std::string& text, bool options) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(" \t"));
    if (!line.starts_with(word + " ")) continue;
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    names.push_back(line.substr(options ? line.find_last_of(" \t") + 1 : word.size() + 1));
  }
  return names;
}

/// Values of "uri" that are files.
std::vector<std::string> buffer_files(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find("\"uri\""); at != std::string::npos; at = text.find("\"uri\"", at + 1)) {
    const std::size_t begin = text.find('"', at + 5),
                      end = begin == std::string::npos ? begin : text.find('"', begin + 1);
    if (end == std::string::npos) break;
    const std::string name = text.substr(begin + 1, end - begin - 1);
    if (!name.starts_with("data:")) names.push_back(name);
  }
  return names;
}

/// Contents of <init_from> that are files: pictures.
std::vector<std::string> collada_pictures(const std::string& text) {
  static const std::string kOpen = "<init_from>", kClose = "</init_from>";
  std::vector<std::string> names;
  for (std::size_t at = text.find(kOpen); at != std::string::npos; at = text.find(kOpen, at + 1)) {
    const std::size_t begin = at + kOpen.size(), end = text.find(kClose, begin);
    if (end == std::string::npos) break;
    const std::string name = text.substr(begin, end - begin);
    if (name.find('.') != std::string::npos) names.push_back(name);
  }
  return names;
}

/// Those in the file's own folder and below; pictures, of which only a mean is seen, also of the two folders above. One
/// that is missing is missed by the parser, if it is needed.
void add_files(const std::string& path, std::vector<std::string> names, int climb, MeshFiles& files) {
  if (names.size() > kMostCompanions) names.resize(kMostCompanions);
  for (const std::string& name : names) {
    const fs::path way = fs::path(name).lexically_normal();
    const auto up = std::ranges::count(way, fs::path(".."));
    if (way.empty() || way.is_absolute() || up > climb || name.find("://") != std::string::npos) continue;
    try {
      files.contents.emplace(way.string(),
                             read_regular_file((fs::path(path).parent_path() / way).string(), kLargestMeshFile));
    } catch (const InputError&) {
      continue;
    }
  }
}

void add_companions(const std::string& path, MeshFiles& files) {
  constexpr int kClimb = 2;
  const std::string ending = ending_of(path), text = files.contents[files.name];
  if (ending == ".gltf") add_files(path, buffer_files(text), 0, files);
  if (ending == ".dae") add_files(path, collada_pictures(text), kClimb, files);
  if (ending != ".obj") return;
  add_files(path, names_after("mtllib", text, false), 0, files);
  std::vector<std::string> pictures;
  for (const auto& [name, library] : files.contents) {
    if (name != files.name) std::ranges::copy(names_after("map_Kd", library, true), std::back_inserter(pictures));
  }
  add_files(path, pictures, kClimb, files);
}

MeshFiles gather_files(const std::string& path) {
  static constexpr const char* kEndings[] = {".stl", ".obj", ".dae", ".gltf", ".glb"};
  const std::string ending = ending_of(path);
  if (std::ranges::find(kEndings, ending) == std::end(kEndings)) {
    throw InputError({Diagnostic{path, 0, "is no mesh that is understood: STL, OBJ, Collada (.dae) or glTF"}});
  }
  MeshFiles files;
  files.name = "mesh" + ending;
  files.contents[files.name] = read_regular_file(path, kLargestMeshFile);
  add_companions(path, files);
  return files;
}

/// Tells all files with other contents apart.
std::string key_of(const MeshFiles& files) {
  std::string all = kReaderVersion;
  for (const auto& [name, text] : files.contents) all += "\n" + name + " " + fingerprint(text);
  return fingerprint(all);
}

std::string parsed_in_child(const MeshFiles& files, const std::string& path) {
  load_mesh_reader();
  const ChildResult result = run_in_child([&] { return bytes_of(import_mesh(files)); });
  if (result.failure.empty()) return result.output;
  throw InputError({Diagnostic{path, 0, "cannot be read as a mesh: " + escaped(result.failure)}});
}

}  // namespace

Mesh read_mesh(const std::string& path) {
  const MeshFiles files = gather_files(path);
  std::string bytes;
  try {
    bytes = cached(user_cache(), key_of(files) + ".mesh", [&](const std::string&, const std::string& made) {
              write_work_file(made, parsed_in_child(files, path));
            }).contents;
  } catch (const EnvironmentError&) {  // no cache: a picture is no reason to fail
    bytes = parsed_in_child(files, path);
  }
  if (std::optional<Mesh> mesh = mesh_from(bytes)) return std::move(*mesh);
  throw InputError({Diagnostic{path, 0, "cannot be read as a mesh: it has positions that are no numbers"}});
}

}  // namespace verne
