#include "motion/terms/schema.h"

#include <algorithm>
#include <cmath>

#include "io/number.h"

namespace verne {

namespace {

Form form_of(Form::Kind kind) {
  Form form;
  form.kind = kind;
  return form;
}

std::string either_word(const std::vector<Form>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k].word;
  }
  return text;
}

/// What a number has to be, in words.
std::string sound_number(const Form& form) {
  if (form.above_least) return "a positive number";
  return "a number that is not negative";
}

}  // namespace

std::vector<std::string> Schema::names() const {
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  return names;
}

const Key& Schema::operator[](const std::string& name) const {
  return *std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
}

Form anything() {
  return {};
}
Form number(const std::string& unit) {
  Form form = form_of(Form::Kind::number);
  form.unit = unit;
  return form;
}
Form positive(double most, const std::string& unit) {
  Form form = nonnegative(most, unit);
  form.above_least = true;
  return form;
}
Form nonnegative(double most, const std::string& unit) {
  Form form = number(unit);
  form.least = 0, form.most = most;
  return form;
}
Form whole(int least, int most) {
  Form form = form_of(Form::Kind::whole);
  form.least = least, form.most = most;
  return form;
}
Form flag() {
  return form_of(Form::Kind::flag);
}
Form text() {
  return form_of(Form::Kind::text);
}
Form word(const std::string& only) {
  Form form = form_of(Form::Kind::word);
  form.word = only;
  return form;
}
Form words(const std::vector<std::string>& all) {
  std::vector<Form> forms;
  for (const std::string& one : all) forms.push_back(word(one));
  return either(std::move(forms));
}
Form list(Form item, int least, int most) {
  Form form = form_of(Form::Kind::list);
  form.forms.push_back(std::move(item));
  form.least_items = least, form.most_items = most;
  return form;
}
Form vector(const std::string& unit) {
  return list(number(unit), 3, 3);
}
Form map(const Schema& schema) {
  Form form = form_of(Form::Kind::map);
  form.schema = &schema;
  return form;
}
Form entries(Form value) {
  Form form = form_of(Form::Kind::entries);
  form.forms.push_back(std::move(value));
  return form;
}
Form either(std::vector<Form> forms) {
  Form form = form_of(Form::Kind::either);
  form.forms = std::move(forms);
  return form;
}
Form per_joint(const Form& value) {
  return either({entries(value), list(value), value});
}

double TaskMap::real(const char* key, double otherwise) const {
  const YamlNode* node = find(key);
  if (!node) return otherwise;
  const Form& form = (*schema_)[key].form;
  const auto value = reader(key).number(*node, false, form.unit);
  if (!value) return otherwise;
  if (*value < form.least || (form.above_least && *value == form.least)) {
    reader(key).expected(sound_number(form), *node, *value);
    return otherwise;
  }
  if (*value <= form.most) return *value;
  reader(key).expected("at most " + format_number(form.most), *node, *value);
  return form.most;
}

int TaskMap::integer(const char* key, int otherwise) const {
  const Form& form = (*schema_)[key].form;
  const double value = number(key, otherwise);
  if (value >= form.least && value <= form.most && value == std::floor(value)) return static_cast<int>(value);
  const auto written = [](double bound) { return std::to_string(static_cast<int>(bound)); };
  reader(key).expected("a whole number from " + written(form.least) + " to " + written(form.most), *find(key), value);
  return otherwise;
}

int TaskMap::word_of(const char* key, int otherwise) const {
  const YamlNode* node = find(key);
  if (!node) return otherwise;
  const std::vector<Form>& words = (*schema_)[key].form.forms;
  const auto is_it = [&](const Form& form) { return node->is_scalar() && node->text == form.word; };
  const auto found = std::find_if(words.begin(), words.end(), is_it);
  if (found != words.end()) return static_cast<int>(found - words.begin());
  reader(key).expected(either_word(words), *node);
  return otherwise;
}

}  // namespace verne
