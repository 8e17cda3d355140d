#include "io/mjcf_element.h"

#include <cmath>
#include <cstring>

#include "io/number.h"

namespace verne {

const std::string* MjcfDefaults::find(std::string of_class, const std::string& element,
                                      const std::string& attribute) const {
  while (true) {
    const auto found = classes_.find(of_class);
    if (found == classes_.end()) return nullptr;
    const auto values = found->second.values.find(element);
    if (values != found->second.values.end()) {
      const auto value = values->second.find(attribute);
      if (value != values->second.end()) return &value->second;
    }
    of_class = found->second.parent;
  }
}

std::string MjcfElement::place() const {
  const char* name = element_->Attribute("name");
  return tag() + (name ? " " + in_quotes(name) : "");
}

const char* MjcfElement::find(const char* attribute, const char* other_tag) const {
  if (const char* own = element_->Attribute(attribute)) return own;
  if (const std::string* value = defaults_->find(class_, tag(), attribute)) return value->c_str();
  const std::string* value = other_tag ? defaults_->find(class_, other_tag, attribute) : nullptr;
  return value ? value->c_str() : nullptr;
}

std::string MjcfElement::word(const char* attribute, const std::string& otherwise) const {
  const char* found = find(attribute);
  return found ? found : otherwise;
}

std::optional<std::vector<double>> MjcfElement::numbers(const char* attribute, std::size_t least,
                                                        const char* other_tag) const {
  const char* text = find(attribute, other_tag);
  if (!text) return std::nullopt;
  std::vector<double> values;
  constexpr const char* kBlanks = " \t\r\n";
  for (const char* at = text + std::strspn(text, kBlanks); *at; at += std::strspn(at, kBlanks)) {
    const std::size_t size = std::strcspn(at, kBlanks);
    const auto value = parse_number({at, size});
    if (!value || !std::isfinite(*value)) {
      error(std::string(attribute) + ": expected finite numbers, found " + in_quotes(text));
      return std::nullopt;
    }
    values.push_back(*value);
    at += size;
  }
  if (values.size() >= least) return values;
  error(std::string(attribute) + ": expected " + std::to_string(least) + " numbers, found " + in_quotes(text));
  return std::nullopt;
}

double MjcfElement::number(const char* attribute, double otherwise) const {
  const auto values = numbers(attribute, 1);
  return values ? values->front() : otherwise;
}

Vec3<double> MjcfElement::vector(const char* attribute, const Vec3<double>& otherwise) const {
  const auto values = numbers(attribute, 3);
  return values ? Vec3<double>{(*values)[0], (*values)[1], (*values)[2]} : otherwise;
}

bool MjcfElement::limited(const char* flag, const char* range, bool automatic, const char* other_tag) const {
  const char* word = find(flag, other_tag);
  if (word && std::strcmp(word, "auto") != 0) return std::strcmp(word, "true") == 0;
  return automatic && find(range, other_tag);
}

}  // namespace verne
