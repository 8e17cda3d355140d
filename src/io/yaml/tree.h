/// YAML text as a plain tree that remembers its lines.
///
/// Built from yaml-cpp's events rather than its nodes: every key and value keeps its line, keys given twice are
/// noticed, and the size of what aliases expand to is bounded while it is built.
#pragma once

#include <string>
#include <vector>

#include "verne/base/error.h"

namespace verne {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  int line = 0;
  std::string text;                ///< of a scalar
  std::vector<YamlNode> items;     ///< of a list
  std::vector<YamlEntry> entries;  ///< of a map, in the order of the file

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
};

struct YamlEntry {
  std::string key;
  int line = 0;
  YamlNode value;
};

/// The one document of `text`. Syntax errors, keys given twice and the like go to `diagnostics`; after a syntax error
/// the result is null.
VERNE_API YamlNode parse_yaml(const std::string& text, Diagnostics& diagnostics);

/// The value of a key; null where the node is no map or has none such.
const YamlNode* find_entry(const YamlNode& map, const std::string& key);

/// `'abc'`, `a list`, `a map` or `nothing`: what was found, for a message.
std::string describe(const YamlNode& node);

}  // namespace verne
