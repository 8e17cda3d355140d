/// Typed access to an element of an XML file that reports every mistake with line and name, and goes on with a default.
#pragma once

#include <tinyxml2.h>

#include <map>
#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/base/small_matrix.h"

namespace verne {

/// What a file holds beyond what is read: summed up, as some files have hundreds of the same kind.
class XmlLeftovers {
 public:
  /// Known to exist, of no use here.
  void ignored(const std::string& element) { ++ignored_[element]; }
  /// `kind` is as in `<sensor>` or `attribute 'x' of <y>`, with a suggestion if there is one.
  void not_understood(const std::string& kind, int line);
  /// One warning for all that was ignored and one for each kind that was not understood.
  void report(Diagnostics& diagnostics) const;

 private:
  struct Found {
    int line = 0, count = 0;
  };
  std::map<std::string, int> ignored_;
  std::map<std::string, Found> not_understood_;
};

/// Names that an element may hold.
struct XmlNames {
  std::vector<std::string> attributes, children, ignored;
};

class XmlElement {
 public:
  /// `place` is for messages, as in `link 'arm'`. Compares everything in the element with `names`.
  XmlElement(const tinyxml2::XMLElement& element, std::string place, const XmlNames& names, Diagnostics& diagnostics,
             XmlLeftovers& leftovers);

  const tinyxml2::XMLElement& xml() const { return *element_; }
  int line() const { return element_->GetLineNum(); }
  const std::string& place() const { return place_; }
  void error(const std::string& text) const { diagnostics_->error(line(), place_ + ": " + text); }
  void warning(const std::string& text) const { diagnostics_->warning(line(), place_ + ": " + text); }

  /// The first child of that name, or null; a warning when there are several.
  const tinyxml2::XMLElement* child(const char* name) const;
  /// The same, and a message when there is none.
  const tinyxml2::XMLElement* require_child(const char* name) const;
  /// A child, seen in the same way and with `<name>` added to the place.
  XmlElement inside(const tinyxml2::XMLElement& element, const XmlNames& names) const;

  bool has(const char* attribute) const { return element_->Attribute(attribute) != nullptr; }
  /// "" and a message when missing.
  std::string require_word(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  /// As number(), but may be infinite.
  double bound(const char* attribute, double otherwise) const;
  double require_number(const char* attribute) const;
  Vec3<double> vector(const char* attribute, const Vec3<double>& otherwise) const;
  Vec3<double> require_vector(const char* attribute) const;
  /// From a unit quaternion x y z w.
  Mat3<double> quaternion(const char* attribute) const;

 private:
  void check_attributes(const XmlNames& names) const;
  void check_children(const XmlNames& names) const;
  void require(const char* attribute) const;
  void expected(const char* attribute, const std::string& what) const;
  bool read_numbers(const char* attribute, std::size_t count, double* out) const;

  const tinyxml2::XMLElement* element_;
  std::string place_;
  Diagnostics* diagnostics_;
  XmlLeftovers* leftovers_;
};

}  // namespace verne
