/// Elements of MuJoCo's format: their own attributes, those of their default classes behind them, and files that they
/// include.
#pragma once

#include <tinyxml2.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/xml_element.h"
#include "verne/base/error.h"
#include "verne/base/small_matrix.h"

namespace verne {

/// A file and what is wrong with it.
struct MjcfFile {
  MjcfFile(std::string path_, std::string folder_) : path(path_), folder(std::move(folder_)), diagnostics(path_) {}
  std::string path, folder;
  tinyxml2::XMLDocument document;
  Diagnostics diagnostics;
};

/// Attributes of default classes, element by element.
class MjcfDefaults {
 public:
  void set(const std::string& of_class, const std::string& element, const std::string& attribute, std::string value) {
    classes_[of_class].values[element][attribute] = std::move(value);
  }
  void add_class(const std::string& name, const std::string& parent) { classes_[name].parent = parent; }
  bool has(const std::string& of_class) const { return classes_.count(of_class) > 0; }
  /// The value in a class or the nearest one around it; null when there is none.
  const std::string* find(std::string of_class, const std::string& element, const std::string& attribute) const;

 private:
  struct Class {
    std::string parent;
    std::map<std::string, std::map<std::string, std::string>> values;
  };
  std::map<std::string, Class> classes_;
};

class MjcfElement {
 public:
  MjcfElement(const tinyxml2::XMLElement& element, MjcfFile& file, const MjcfDefaults& defaults, std::string of_class)
      : element_(&element), file_(&file), defaults_(&defaults), class_(std::move(of_class)) {
    if (const char* own = element.Attribute("class")) class_ = own;
  }

  const tinyxml2::XMLElement& xml() const { return *element_; }
  MjcfFile& file() const { return *file_; }
  std::string tag() const { return element_->Name(); }
  /// The class that its defaults come from.
  const std::string& default_class() const { return class_; }
  int line() const { return element_->GetLineNum(); }
  std::string place() const;
  void error(const std::string& text) const { file_->diagnostics.error(line(), place() + ": " + text); }

  /// An attribute, its own or a default; of tags that share their defaults, those of `other_tag` as well.
  const char* find(const char* attribute, const char* other_tag = nullptr) const;
  bool has(const char* attribute) const { return find(attribute) != nullptr; }
  std::string word(const char* attribute, const std::string& otherwise) const;
  /// Numbers that are finite, at least so many; nothing when the attribute is missing or wrong, which is reported.
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t least,
                                             const char* other_tag = nullptr) const;
  double number(const char* attribute, double otherwise) const;
  Vec3<double> vector(const char* attribute, const Vec3<double>& otherwise) const;
  /// Whether a limit holds: `flag` says so, or is missing and `range` is there.
  bool limited(const char* flag, const char* range, bool automatic, const char* other_tag = nullptr) const;

 private:
  const tinyxml2::XMLElement* element_;
  MjcfFile* file_;
  const MjcfDefaults* defaults_;
  std::string class_;
};

}  // namespace verne
