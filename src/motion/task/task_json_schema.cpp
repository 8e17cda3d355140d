#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/task/task_schema.h"
#include "verne/io/json_writer.h"
#include "verne/motion/task_schema.h"

namespace verne {

namespace {

/// Bars have a backslash where they stand in tables.
std::string without_escapes(std::string text) {
  for (std::size_t at; (at = text.find("\\|")) != std::string::npos;) text.erase(at, 1);
  return text;
}

/// Writes forms as members of JSON objects; parts with a title stand once, under $defs.
class SchemaWriter {
 public:
  std::string whole(const Schema& schema) {
    json_.begin_object();
    json_.key("$schema").value("https://json-schema.org/draft/2020-12/schema");
    json_.key("title").value("verne-task/1");
    add_object(schema);
    json_.key("$defs").begin_object();
    for (std::size_t k = 0; k < parts_.size(); ++k) {  // which names others
      json_.key(parts_[k]->title).begin_object();
      add_object(*parts_[k]);
      json_.end_object();
    }
    json_.end_object().end_object();
    return json_.text() + "\n";
  }

 private:
  void add_object(const Schema& schema) {
    json_.key("type").value("object");
    json_.key("additionalProperties").value(false);
    json_.key("properties").begin_object();
    for (const Key& key : schema.keys) {
      json_.key(key.name).begin_object();
      add(key.form);
      std::string meaning = key.meaning;
      if (!key.otherwise.empty() && !key.required) meaning += ". Default: " + key.otherwise;
      if (!meaning.empty()) json_.key("description").value(without_escapes(std::move(meaning)));
      json_.end_object();
    }
    json_.end_object();
    if (std::any_of(schema.keys.begin(), schema.keys.end(), [](const Key& key) { return key.required; })) {
      json_.key("required").begin_array();
      for (const Key& key : schema.keys) {
        if (key.required) json_.value(key.name);
      }
      json_.end_array();
    }
    if (!schema.one_key) return;
    for (const char* bound : {"minProperties", "maxProperties"}) json_.key(bound).value(1);
  }

  void add_part(const Schema& schema) {
    if (schema.title.empty()) return add_object(schema);
    if (std::find(parts_.begin(), parts_.end(), &schema) == parts_.end()) parts_.push_back(&schema);
    json_.key("$ref").value("#/$defs/" + schema.title);
  }

  void add_types(std::initializer_list<const char*> types) {
    json_.key("type").begin_array();
    for (const char* type : types) json_.value(type);
    json_.end_array();
  }
  /// Numbers may be written as expressions, `inf` among them.
  void add_number(const Form& form, const char* type) {
    add_types({type, "string"});
    if (std::isfinite(form.least)) json_.key(form.above_least ? "exclusiveMinimum" : "minimum").value(form.least);
    if (std::isfinite(form.most)) json_.key("maximum").value(form.most);
  }
  /// Readers of YAML 1.1 make flags of some words.
  void add_word(const std::string& word) {
    if (word == "off") {
      json_.key("enum").begin_array().value("off").value(false).end_array();
    } else if (word == "true" || word == "false") {
      json_.key("const").value(word == "true");
    } else {
      json_.key("const").value(word);
    }
  }
  void add_inside(const char* key, const Form& form) {
    json_.key(key).begin_object();
    add(form);
    json_.end_object();
  }
  void add_list(const Form& form) {
    json_.key("type").value("array");
    add_inside("items", form.forms[0]);
    if (form.least_items > 0) json_.key("minItems").value(form.least_items);
    if (form.most_items < std::numeric_limits<int>::max()) json_.key("maxItems").value(form.most_items);
  }
  void add_either(const Form& form) {
    json_.key("anyOf").begin_array();
    for (const Form& one : form.forms) {
      json_.begin_object();
      add(one);
      json_.end_object();
    }
    json_.end_array();
  }

  void add(const Form& form) {
    using Kind = Form::Kind;
    switch (form.kind) {
      case Kind::anything:
        return;
      case Kind::nothing:
        json_.key("type").value("null");
        return;
      case Kind::number:
        return add_number(form, "number");
      case Kind::whole:
        return add_number(form, "integer");
      case Kind::flag:
        json_.key("type").value("boolean");
        return;
      case Kind::text:
        return add_types({"string", "number"});
      case Kind::word:
        return add_word(form.word);
      case Kind::list:
        return add_list(form);
      case Kind::map:
        return add_part(*form.schema);
      case Kind::entries:
        json_.key("type").value("object");
        return add_inside("additionalProperties", form.forms[0]);
      case Kind::either:
        return add_either(form);
    }
  }

  JsonWriter json_;
  std::vector<const Schema*> parts_;
};

}  // namespace

std::string task_json_schema() {
  return SchemaWriter().whole(task_schema());
}

}  // namespace verne
