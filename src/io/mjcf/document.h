/// A model file of MuJoCo's format with what it includes, and how often it takes part in a model: files attach other
/// models, and copy parts of themselves.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/mjcf/compiler.h"
#include "io/mjcf/element.h"
#include "io/mjcf/geom.h"
#include "verne/spatial/rotation.h"

namespace verne {

struct MjcfDocument;

/// What names are for; each kind has its own.
enum class MjcfNamed { body, joint, site };

/// A model file as it takes part in the model: the file itself, or one that is attached with a prefix to its names.
struct MjcfInstance {
  MjcfDocument* document = nullptr;
  std::string prefix;
  const MjcfInstance* outer = nullptr;  ///< that attaches it
  /// The endings that copies of a thing have, by its name as written; "" of what is not copied.
  std::map<MjcfNamed, std::map<std::string, std::vector<std::string>>> endings{};
};

/// Where an element is read: all copies of a part have endings of their own.
struct MjcfScope {
  MjcfInstance* instance = nullptr;
  std::string ending;

  std::string full(const std::string& name) const { return instance->prefix + name + ending; }
  void declare(MjcfNamed kind, const std::string& name) const {
    if (!name.empty()) instance->endings[kind][name].push_back(ending);
  }
};

/// A file and those that it includes.
class MjcfFiles {
 public:
  explicit MjcfFiles(std::unique_ptr<MjcfFile> first) { files_.push_back(std::move(first)); }

  MjcfFile& first() { return *files_.front(); }
  /// Children of an element, those of included files in their place.
  template <class Visit>
  void for_each_child(const tinyxml2::XMLElement& parent, MjcfFile& file, Visit&& visit) {
    for (auto* child = parent.FirstChildElement(); child; child = child->NextSiblingElement()) {
      if (std::strcmp(child->Name(), "include") != 0) {
        visit(*child, file);
        continue;
      }
      const auto& [root, included] = include(*child, file);
      if (root) for_each_child(*root, *included, visit);
    }
  }
  bool have_errors() const;
  /// Hands over what is wrong with any of them.
  void report(Diagnostics& diagnostics) const;

 private:
  struct Included {
    const tinyxml2::XMLElement* root = nullptr;
    MjcfFile* file = nullptr;
  };
  Included include(const tinyxml2::XMLElement& element, MjcfFile& file);

  std::vector<std::unique_ptr<MjcfFile>> files_;
  std::map<const tinyxml2::XMLElement*, Included> included_;  // parts are visited once for each of their copies
};

struct MjcfDocument {
  explicit MjcfDocument(std::unique_ptr<MjcfFile> first);
  MjcfDocument(const MjcfDocument&) = delete;
  MjcfDocument& operator=(const MjcfDocument&) = delete;

  /// Reads <compiler>, <default>, <asset>, and finds the other sections.
  void read();
  /// Children of all sections of that name, as elements in the scope of an instance: visit(element).
  template <class Visit>
  void for_each_in(const char* section, const MjcfScope& scope, const char* kind, Visit&& visit) {
    for (const auto& [xml, file] : sections) {
      if (std::strcmp(xml->Name(), section) != 0) continue;
      files.for_each_child(*xml, *file, [&](const tinyxml2::XMLElement& child, MjcfFile& in) {
        visit(MjcfElement(child, in, scope, kMjcfMain, kind));
      });
    }
  }
  bool has(const char* section) const;

  MjcfFiles files;
  MjcfInstance plain;  ///< the file itself, without prefix
  MjcfScope base;
  std::vector<std::pair<const tinyxml2::XMLElement*, MjcfFile*>> sections;
  MjcfDefaults defaults;
  MjcfCompiler compiler;
  std::map<std::string, std::string> models;  ///< files by name
  std::map<std::string, MjcfMesh> meshes;
  std::map<std::string, Vec3<double>> colours;  ///< of materials; of textures the mean
  std::vector<std::string> unnamed_models;      ///< files

 private:
  void read_defaults(const MjcfElement& element, const std::string& parent);
  void read_assets();
  void read_colours();
  std::optional<Vec3<double>> texture_colour(const MjcfElement& asset, const std::string& file);
  void read_mesh_asset(const MjcfElement& asset, const std::string& file);
};

/// The file of a path; null when it cannot be read, which is said at the element that names it.
std::unique_ptr<MjcfFile> open_mjcf_file(const std::string& path, const std::string& folder,
                                         const tinyxml2::XMLElement& element, MjcfFile& from);

}  // namespace verne
