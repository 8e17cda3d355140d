#include "io/xml/element.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/number.h"
#include "verne/base/text.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The words of `text` between blanks.
std::vector<std::string_view> split(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t size = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
}

}  // namespace

void XmlLeftovers::not_understood(const std::string& kind, int line) {
  Found& found = not_understood_[kind];
  if (found.count++ == 0) found.line = line;
}

void XmlLeftovers::report(Diagnostics& diagnostics) const {
  for (const auto& [kind, found] : not_understood_) {
    const std::string count = found.count > 1 ? ", " + std::to_string(found.count) + " times, first here" : "";
    diagnostics.warning(found.line, "not understood: " + kind + count);
  }
  std::string list;
  for (const auto& [element, count] : ignored_) {
    list += (list.empty() ? "<" : ", <") + element + "> (" + std::to_string(count) + ")";
  }
  if (!list.empty()) diagnostics.warning(0, "ignored, not needed here: " + list);
}

XmlElement::XmlElement(const tinyxml2::XMLElement& element, std::string place, const XmlNames& names,
                       Diagnostics& diagnostics, XmlLeftovers& leftovers)
    : element_(&element), place_(std::move(place)), diagnostics_(&diagnostics), leftovers_(&leftovers) {
  check_attributes(names);
  check_children(names);
}

void XmlElement::check_attributes(const XmlNames& names) const {
  for (auto* attribute = element_->FirstAttribute(); attribute; attribute = attribute->Next()) {
    const std::string name = attribute->Name();
    if (find_invalid_utf8(attribute->Value()) != std::string_view::npos) {  // from a reference such as &#xD800;
      diagnostics_->error(attribute->GetLineNum(),
                          place_ + ": " + name + ": expected characters, found " + in_quotes(attribute->Value()));
    }
    if (name.rfind("xmlns", 0) == 0 || contains(names.attributes, name)) continue;
    leftovers_->not_understood(
        "attribute " + in_quotes(name) + " of <" + element_->Name() + ">" + suggestion(name, names.attributes),
        attribute->GetLineNum());
  }
}

void XmlElement::check_children(const XmlNames& names) const {
  for (auto* child = element_->FirstChildElement(); child; child = child->NextSiblingElement()) {
    const std::string name = child->Name();
    if (contains(names.ignored, name)) {
      leftovers_->ignored(name);
    } else if (!contains(names.children, name)) {
      leftovers_->not_understood("<" + name + "> in <" + element_->Name() + ">" + suggestion(name, names.children),
                                 child->GetLineNum());
    }
  }
}

const tinyxml2::XMLElement* XmlElement::child(const char* name) const {
  const tinyxml2::XMLElement* first = element_->FirstChildElement(name);
  if (first && first->NextSiblingElement(name)) {
    diagnostics_->warning(first->NextSiblingElement(name)->GetLineNum(),
                          place_ + ": <" + name + "> is given twice: the first counts");
  }
  return first;
}

const tinyxml2::XMLElement* XmlElement::require_child(const char* name) const {
  const tinyxml2::XMLElement* found = child(name);
  if (!found) error(std::string("<") + name + "> is missing");
  return found;
}

XmlElement XmlElement::inside(const tinyxml2::XMLElement& element, const XmlNames& names) const {
  return {element, place_ + ": <" + element.Name() + ">", names, *diagnostics_, *leftovers_};
}

std::string XmlElement::require_word(const char* attribute) const {
  require(attribute);
  return has(attribute) ? element_->Attribute(attribute) : "";
}

double XmlElement::number(const char* attribute, double otherwise) const {
  const double value = bound(attribute, otherwise);
  if (!std::isinf(value)) return value;
  if (has(attribute)) expected(attribute, "a finite number");
  return otherwise;
}

double XmlElement::bound(const char* attribute, double otherwise) const {
  if (!has(attribute)) return otherwise;
  const auto value = parse_number(element_->Attribute(attribute));
  if (value && !std::isnan(*value)) return *value;
  expected(attribute, "a number");
  return otherwise;
}

double XmlElement::require_number(const char* attribute) const {
  require(attribute);
  return number(attribute, 0);
}

bool XmlElement::read_numbers(const char* attribute, std::size_t count, double* out) const {
  const auto words = split(element_->Attribute(attribute));
  if (words.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    // A comma after a number, not within one.
    const bool comma = i + 1 < count && words[i].size() > 1 && words[i].back() == ',';
    const auto value = parse_number(words[i].substr(0, words[i].size() - (comma ? 1 : 0)));
    if (!value || !std::isfinite(*value)) return false;
    out[i] = *value;
  }
  return true;
}

Vec3<double> XmlElement::vector(const char* attribute, const Vec3<double>& otherwise) const {
  if (!has(attribute)) return otherwise;
  double v[3];
  if (read_numbers(attribute, 3, v)) return {v[0], v[1], v[2]};
  expected(attribute, "three numbers");
  return otherwise;
}

Mat3<double> XmlElement::quaternion(const char* attribute) const {
  double q[4];
  if (!read_numbers(attribute, 4, q)) {
    expected(attribute, "four numbers");
  } else if (const auto problem = normalise_quaternion(q)) {
    error(std::string(attribute) + ": " + *problem);
  } else {
    return rotation_from_quaternion(q[0], q[1], q[2], q[3]);
  }
  return Mat3<double>::identity();
}

Vec3<double> XmlElement::require_vector(const char* attribute) const {
  require(attribute);
  return vector(attribute, {0, 0, 0});
}

void XmlElement::require(const char* attribute) const {
  if (!has(attribute)) error(std::string("attribute '") + attribute + "' is missing");
}

void XmlElement::expected(const char* attribute, const std::string& what) const {
  error(std::string(attribute) + ": expected " + what + ", found " + in_quotes(element_->Attribute(attribute)));
}

}  // namespace verne
