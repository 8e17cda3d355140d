/// What the readers of MuJoCo's format share: the files, what they say about everything, and the tree.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/mjcf_compiler.h"
#include "io/mjcf_element.h"
#include "verne/model/spec.h"

namespace verne {

inline constexpr char kMjcfMain[] = "main";  // the class of elements that name none
inline constexpr char kMjcfWorld[] = "world";

/// A file and those that it includes.
class MjcfFiles {
 public:
  MjcfFiles(std::unique_ptr<MjcfFile> first, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    files_.push_back(std::move(first));
  }

  MjcfFile& first() { return *files_.front(); }
  /// Children of an element, those of included files in their place.
  template <class Visit>
  void for_each_child(const tinyxml2::XMLElement& parent, MjcfFile& file, Visit&& visit) {
    for (auto* child = parent.FirstChildElement(); child; child = child->NextSiblingElement()) {
      if (std::strcmp(child->Name(), "include") != 0) {
        visit(*child, file);
        continue;
      }
      MjcfFile* included = include(*child, file);
      if (included) for_each_child(*included->document.RootElement(), *included, visit);
    }
  }

  /// Hands over what is wrong with any of them.
  void report() const {
    for (const auto& any : files_) diagnostics_.add(any->diagnostics);
  }

 private:
  MjcfFile* include(const tinyxml2::XMLElement& element, MjcfFile& file);

  Diagnostics& diagnostics_;
  std::vector<std::unique_ptr<MjcfFile>> files_;
};

struct MjcfContents {
  ModelSpec& spec;
  Diagnostics& diagnostics;
  MjcfFiles files;
  std::vector<MjcfElement> sections{};
  MjcfDefaults defaults{};
  MjcfCompiler compiler{};
  XmlLeftovers leftovers{};
  std::map<std::string, double> references{};  ///< of joints
  std::map<std::string, LoopEnd> sites{};
  std::map<std::string, Transform<double>> poses{};  ///< of bodies in the world, in the pose of the file
};

/// What joins and drives the bodies of the tree: equalities as loops and couplings, actuators as limits of effort, and
/// the configuration in which loops are closed.
void read_mjcf_constraints(MjcfContents& contents);

}  // namespace verne
