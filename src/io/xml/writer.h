/// What writers of XML formats share.
#pragma once

#include <tinyxml2.h>

#include <set>
#include <string>

#include "io/number.h"
#include "verne/base/small_matrix.h"

namespace verne {

class XmlWriter {
 protected:
  void open(const char* name) { printer_.OpenElement(name); }
  void close() { printer_.CloseElement(); }
  void attribute(const char* name, const std::string& value) { printer_.PushAttribute(name, value.c_str()); }
  void attribute(const char* name, const char* value) { printer_.PushAttribute(name, value); }
  void attribute(const char* name, double value) { attribute(name, format_number(value)); }
  void attribute(const char* name, const Vec3<double>& v) { attribute(name, format_numbers(v, " ")); }
  void element(const char* name, const char* attribute_name, const std::string& value) {
    open(name);
    attribute(attribute_name, value);
    close();
  }

  tinyxml2::XMLPrinter printer_;
};

/// The name, or the first that nothing in `taken` has when `_` is appended to it; which is then taken.
inline std::string unique_name(std::string name, std::set<std::string>& taken) {
  while (!taken.insert(name).second) name += "_";
  return name;
}

}  // namespace verne
