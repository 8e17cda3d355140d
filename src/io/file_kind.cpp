#include "io/file_kind.h"

#include <algorithm>
#include <iterator>

#include "verne/base/error.h"

namespace verne {

namespace {

struct FileKind {
  const char *format, *name, *use;
};

constexpr char kModels[] = "a model: `verne info`, `eval`, `view` and `simulate` take models; a task names its model";
constexpr FileKind kKinds[] = {
    {"verne-model/", "a model", kModels},
    {"verne-task/", "a task", "a task: `verne predict` takes tasks; a study names its task"},
    {"verne-study/", "a study", "a study: `verne study` takes studies"},
    {"verne-scene/", "a scene", "a scene: `scene:` of a task names it, and `verne ik --scene`"}};

const FileKind* named_kind(const std::string& format) {
  const auto* const kind =
      std::ranges::find_if(kKinds, [&](const FileKind& one) { return format.starts_with(one.format); });
  return kind == std::end(kKinds) ? nullptr : kind;
}

void report(int line, const std::string& wanted, const std::string& found, Diagnostics& diagnostics) {
  diagnostics.error(
      line, "expected " + std::string(named_kind(wanted)->name) + " (" + in_quotes(wanted) + "), found " + found);
}

}  // namespace

bool is_another_kind(const YamlNode& root, const std::string& wanted, Diagnostics& diagnostics) {
  for (const YamlEntry& entry : root.entries) {
    const std::string& format = entry.value.text;
    if (entry.key != "format" || !format.starts_with("verne-") || named_kind(format) == named_kind(wanted)) continue;
    const FileKind* const kind = named_kind(format);
    report(entry.line, wanted, kind ? kind->use : in_quotes(format), diagnostics);
    return true;
  }
  return false;
}

bool is_xml(const std::string& text, const std::string& wanted, Diagnostics& diagnostics) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '<') return false;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first), '\n');
  report(static_cast<int>(line), wanted, "XML; if that is " + std::string(kModels), diagnostics);
  return true;
}

}  // namespace verne
