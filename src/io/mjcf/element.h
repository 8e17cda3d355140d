/// Elements of MuJoCo's format: their own attributes, those of their default classes behind them, and files that they
/// include.
#pragma once

#include <tinyxml2.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/xml/element.h"
#include "verne/base/error.h"
#include "verne/base/small_matrix.h"

namespace verne {

struct MjcfCompiler;
struct MjcfScope;

inline constexpr char kMjcfMain[] = "main";  // the class of elements that name none
// What kinds of elements share their defaults: all actuators, and all equalities.
inline constexpr char kMjcfActuator[] = "actuator";
inline constexpr char kMjcfEquality[] = "equality";
/// Ways to tell how an element is turned, beside `quat`.
inline constexpr const char* kMjcfOrientations[] = {"axisangle", "euler", "xyaxes", "zaxis"};

/// A file and what is wrong with it.
struct MjcfFile {
  MjcfFile(std::string path_, std::string folder_) : path(path_), folder(std::move(folder_)), diagnostics(path_) {}
  std::string path, folder;
  tinyxml2::XMLDocument document;
  Diagnostics diagnostics;
};

/// Attributes of default classes, kind by kind. A class begins as a copy of the one around it.
class MjcfDefaults {
 public:
  /// The global class; a name that the file gives to it means it, too.
  void name_main(const std::string& name) { main_names_.insert(name); }
  void add_class(const std::string& name, const std::string& parent) {
    classes_[actual(name)] = classes_[actual(parent)];
  }
  /// `element` is the name of an element in <default>.
  void set(const std::string& of_class, const std::string& element, const std::string& attribute,
           const std::string& value);
  bool has(const std::string& of_class) const { return main_names_.count(of_class) || classes_.count(of_class); }
  /// The value in a class; null when there is none.
  const std::string* find(const std::string& of_class, const std::string& kind, const std::string& attribute) const;

 private:
  using Attributes = std::map<std::string, std::string>;
  std::string actual(const std::string& name) const { return main_names_.count(name) ? kMjcfMain : name; }

  std::set<std::string> main_names_{kMjcfMain};
  std::map<std::string, std::map<std::string, Attributes>> classes_;
};

class MjcfElement {
 public:
  /// `kind` tells whose defaults count, where that is not the name of the element.
  MjcfElement(const tinyxml2::XMLElement& element, MjcfFile& file, const MjcfScope& scope, std::string of_class,
              const char* kind = nullptr);

  /// The same as part of a copy.
  MjcfElement in(const MjcfScope& scope) const {
    MjcfElement copy = *this;
    copy.scope_ = &scope;
    return copy;
  }

  const tinyxml2::XMLElement& xml() const { return *element_; }
  MjcfFile& file() const { return *file_; }
  const MjcfScope& scope() const { return *scope_; }
  const MjcfCompiler& compiler() const;
  std::string tag() const { return element_->Name(); }
  int line() const { return element_->GetLineNum(); }
  std::string place() const;
  void error(const std::string& text) const { file_->diagnostics.error(line(), place() + ": " + text); }

  /// The name as it is written, "" where there is none; and with what copies and attached models put around it.
  std::string written_name() const { return own("name"); }
  std::string name() const;
  /// An attribute of the element itself, "" where there is none.
  std::string own(const char* attribute) const;
  /// An attribute, its own or a default.
  const char* find(const char* attribute) const;
  bool has(const char* attribute) const { return find(attribute) != nullptr; }
  std::string word(const char* attribute, const std::string& otherwise) const;
  /// Numbers, at least so many; nothing when the attribute is missing or wrong, which is reported.
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t least, bool finite = true) const;
  /// An attribute that may give the first few of its numbers only: the others are defaults or as in `values`.
  std::vector<double> first_numbers(const char* attribute, std::vector<double> values) const;
  double number(const char* attribute, double otherwise) const;
  Vec3<double> vector(const char* attribute, const Vec3<double>& otherwise) const;
  /// The two numbers of a range that holds: `flag` says so, or leaves it open and they are not both zero.
  std::optional<std::vector<double>> range(const char* flag, const char* attribute) const;

 private:
  std::optional<std::vector<double>> parse(const char* attribute, const char* text, bool finite) const;

  const tinyxml2::XMLElement* element_;
  MjcfFile* file_;
  const MjcfScope* scope_;
  std::string class_, kind_;
};

}  // namespace verne
