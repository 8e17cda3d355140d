/// Models that SDF files include: `<include><uri>model://gripper</uri></include>`.
#pragma once

#include <tinyxml2.h>

#include <memory>
#include <string>
#include <vector>

#include "io/sdf/scope.h"

namespace verne {

/// A file that was opened, with its contents.
struct SdfDocument {
  SdfFile file;
  tinyxml2::XMLDocument xml;
  const tinyxml2::XMLElement* root = nullptr;  ///< <sdf>
};

/// Parses a file and looks at its version; false after reporting what is wrong.
bool open_sdf(const std::string& text, SdfDocument& document);

/// All files of one model.
class SdfFiles {
 public:
  explicit SdfFiles(const std::string& first) : first_(first) {}

  /// The first file, whose text is known.
  SdfDocument& open_first(const std::string& text);
  /// The file that <uri> names: itself, or what the `model.config` of a folder names. Null after a message about what
  /// is missing or includes itself.
  SdfDocument* include(const XmlElement& element, SdfFile& from);
  /// Everything that was found.
  void report(Diagnostics& diagnostics);

 private:
  std::string first_;
  std::vector<std::unique_ptr<SdfDocument>> documents_;
};

}  // namespace verne
