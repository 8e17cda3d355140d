#include "io/mjcf/element.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/mjcf/document.h"
#include "io/number.h"

namespace verne {

namespace {

constexpr const char* kXmlBlanks = " \t\r\n";

std::vector<std::string> mjcf_words(const std::string& text) {
  std::vector<std::string> words;
  for (const char* at = text.c_str() + std::strspn(text.c_str(), kXmlBlanks); *at; at += std::strspn(at, kXmlBlanks)) {
    const std::size_t size = std::strcspn(at, kXmlBlanks);
    words.emplace_back(at, size);
    at += size;
  }
  return words;
}

/// `size` and `gear` need not be given whole: what follows stays as it was.
std::string written_over(const std::string& before, const std::string& value) {
  const std::vector<std::string> old = mjcf_words(before);
  std::string all = value;
  for (std::size_t k = mjcf_words(value).size(); k < old.size(); ++k) all += " " + old[k];
  return all;
}

std::string defaults_kind(const std::string& element) {
  static const std::set<std::string> kActuators = {"general",     "motor",  "position", "velocity",
                                                   "intvelocity", "damper", "cylinder", "muscle",
                                                   "adhesion",    "plugin", "dcmotor"};
  return kActuators.count(element) ? kMjcfActuator : element;
}

}  // namespace

void MjcfDefaults::set(const std::string& of_class, const std::string& element, const std::string& attribute,
                       const std::string& value) {
  Attributes& attributes = classes_[actual(of_class)][defaults_kind(element)];
  const auto turns = [](const std::string& name) {
    return std::any_of(std::begin(kMjcfOrientations), std::end(kMjcfOrientations),
                       [&](const char* k) { return name == k; });
  };
  if (turns(attribute)) {
    for (const char* other : kMjcfOrientations) attributes.erase(other);
  }
  const bool partial = attribute == "size" || attribute == "gear";
  std::string& entry = attributes[attribute];
  entry = partial ? written_over(entry, value) : value;
}

const std::string* MjcfDefaults::find(const std::string& of_class, const std::string& kind,
                                      const std::string& attribute) const {
  const auto found = classes_.find(actual(of_class));
  if (found == classes_.end()) return nullptr;
  const auto attributes = found->second.find(kind);
  if (attributes == found->second.end()) return nullptr;
  const auto value = attributes->second.find(attribute);
  return value == attributes->second.end() ? nullptr : &value->second;
}

MjcfElement::MjcfElement(const tinyxml2::XMLElement& element, MjcfFile& file, const MjcfScope& scope,
                         std::string of_class, const char* kind)
    : element_(&element), file_(&file), scope_(&scope), class_(std::move(of_class)), kind_(kind ? kind : tag()) {
  const std::string given = own("class");
  if (!given.empty()) class_ = given;
}

const MjcfCompiler& MjcfElement::compiler() const {
  return scope_->instance->document->compiler;
}

std::string MjcfElement::place() const {
  const std::string name = written_name();
  return tag() + (name.empty() ? "" : " " + in_quotes(name));
}

std::string MjcfElement::name() const {
  const std::string name = written_name();
  return name.empty() ? name : scope_->full(name);
}

std::string MjcfElement::own(const char* attribute) const {
  const char* value = element_->Attribute(attribute);
  return value ? value : "";
}

const char* MjcfElement::find(const char* attribute) const {
  if (const char* own = element_->Attribute(attribute)) return own;
  const std::string* value = scope_->instance->document->defaults.find(class_, kind_, attribute);
  return value ? value->c_str() : nullptr;
}

std::string MjcfElement::word(const char* attribute, const std::string& otherwise) const {
  const char* found = find(attribute);
  return found ? found : otherwise;
}

std::optional<std::vector<double>> MjcfElement::parse(const char* attribute, const char* text, bool finite) const {
  std::vector<double> values;
  for (const std::string& word : mjcf_words(text)) {
    const auto value = parse_number(word);
    if (!value || std::isnan(*value) || (finite && std::isinf(*value))) {
      error(std::string(attribute) + (finite ? ": expected finite numbers, found " : ": expected numbers, found ") +
            in_quotes(text));
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<double>> MjcfElement::numbers(const char* attribute, std::size_t least, bool finite) const {
  const char* text = find(attribute);
  if (!text) return std::nullopt;
  const auto values = parse(attribute, text, finite);
  if (!values || values->size() >= least) return values;
  error(std::string(attribute) + ": expected " + std::to_string(least) + " numbers, found " + in_quotes(text));
  return std::nullopt;
}

std::vector<double> MjcfElement::first_numbers(const char* attribute, std::vector<double> values) const {
  const std::string* behind = scope_->instance->document->defaults.find(class_, kind_, attribute);
  for (const char* text : {behind ? behind->c_str() : nullptr, element_->Attribute(attribute)}) {
    const auto given = text ? parse(attribute, text, true) : std::nullopt;
    if (!given) continue;
    std::copy_n(given->begin(), std::min(given->size(), values.size()), values.begin());
  }
  return values;
}

double MjcfElement::number(const char* attribute, double otherwise) const {
  const auto values = numbers(attribute, 1);
  return values ? values->front() : otherwise;
}

Vec3<double> MjcfElement::vector(const char* attribute, const Vec3<double>& otherwise) const {
  const auto values = numbers(attribute, 3);
  return values ? Vec3<double>{(*values)[0], (*values)[1], (*values)[2]} : otherwise;
}

std::optional<std::vector<double>> MjcfElement::range(const char* flag, const char* attribute) const {
  const std::string said = word(flag, "auto");
  if (said == "false") return std::nullopt;
  auto values = numbers(attribute, 2, false);
  if (!values || said == "true") return values;
  const bool given = (*values)[0] != 0 || (*values)[1] != 0;
  return compiler().auto_limits && given ? values : std::nullopt;
}

}  // namespace verne
