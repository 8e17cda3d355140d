#include "codegen/parts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace verne::codegen {

namespace {

/// Functions of fewer lines stay whole: gcc 12 takes some seconds for as many.
constexpr std::size_t kLongFunction = 5000;
constexpr std::size_t kLinesOfPart = 2000;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// visit(name) for all names in a line that begin with a letter.
template <class Visit>
void for_each_name(const std::string& line, Visit&& visit) {
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && (is_name(line[end]) || line[end] == '.')) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    if (std::isalpha(static_cast<unsigned char>(line[at]))) visit(line.substr(at, end - at));
    at = end;
  }
}

/// The name that a statement gives a number, "" for one that stores it.
std::string defined_name(const std::string& line, const std::string& scalar) {
  const std::string begin = "  const " + scalar + " ";
  if (!line.starts_with(begin)) return "";
  return line.substr(begin.size(), line.find(' ', begin.size()) - begin.size());
}

constexpr int kBefore = -1;
/// Compilers would put what is called once into its caller.
constexpr const char* kApart = "#if defined(__GNUC__)\n__attribute__((noinline))\n#endif\nstatic void ";

/// Where the numbers of a function are made and needed, by parts.
struct Uses {
  Uses(const std::vector<std::string>& before, const std::vector<std::string>& lines, const std::string& scalar) {
    for (const std::string& line : before) {
      if (const std::string own = defined_name(line, scalar); !own.empty()) made[own] = kBefore;
    }
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const int part = static_cast<int>(k / kLinesOfPart);
      const std::string own = defined_name(lines[k], scalar);
      if (!own.empty()) made[own] = part;
      for_each_name(lines[k], [&](const std::string& name) {
        const auto from = made.find(name);
        if (from == made.end() || from->second == part) return;
        last[name] = part;
        needed[part].insert(name);
      });
    }
  }
  std::map<std::string, int> made, last;        ///< part; of `last` those that go through the array
  std::map<int, std::set<std::string>> needed;  ///< from parts before
};

/// Places in the array, free again after the last part that needs them.
std::map<std::string, int> places_of(const Uses& uses, int parts, int& size) {
  std::map<std::string, int> places;
  std::vector<int> free;
  for (int part = kBefore; part < parts; ++part) {
    for (const auto& [name, place] : places) {
      if (uses.last.at(name) == part - 1) free.push_back(place);
    }
    for (const auto& [name, last] : uses.last) {
      if (uses.made.at(name) != part) continue;
      if (free.empty()) free.push_back(size++);
      places[name] = free.back();
      free.pop_back();
    }
  }
  return places;
}

/// `double *restrict tau` as an argument: tau
std::string argument_of(const std::string& parameter) {
  return parameter.substr(parameter.find_last_of(" *") + 1);
}

}  // namespace

Parts in_parts(const std::string& before, const std::string& statements, const PartFrame& frame) {
  const std::vector<std::string> lines = lines_of(statements);
  if (lines.size() <= kLongFunction) return {"", before + statements};
  const std::vector<std::string> first_lines = lines_of(before);
  const Uses uses(first_lines, lines, frame.scalar);
  const int count = static_cast<int>((lines.size() + kLinesOfPart - 1) / kLinesOfPart);
  int size = 0;
  const std::map<std::string, int> places = places_of(uses, count, size);
  std::string parameters, arguments, unused;
  for (const std::string& parameter : frame.parameters) {
    parameters += parameter + ", ";
    arguments += argument_of(parameter) + ", ";
    unused += "  (void)" + argument_of(parameter) + ";\n";
  }
  Parts out;
  out.body = before + "  " + frame.scalar + " kept[" + std::to_string(std::max(size, 1)) + "];\n";
  const auto place = [&](const std::string& x) { return "kept[" + std::to_string(places.at(x)) + "]"; };
  for (const auto& [name, part] : uses.made) {
    if (part == kBefore && places.contains(name)) out.body += "  " + place(name) + " = " + name + ";\n";
  }
  for (int part = 0; part < count; ++part) {
    const std::string name = frame.name + "_part" + std::to_string(part + 1);
    out.functions +=
        kApart + name + "(" + parameters + frame.scalar + " *restrict kept) {\n" + unused + "  (void)kept;\n";
    if (const auto needed = uses.needed.find(part); needed != uses.needed.end()) {
      for (const std::string& x : needed->second)
        out.functions += "  const " + frame.scalar + " " + x + " = " + place(x) + ";\n";
    }
    const std::size_t first = static_cast<std::size_t>(part) * kLinesOfPart;
    for (std::size_t k = first; k < std::min(lines.size(), first + kLinesOfPart); ++k) {
      out.functions += lines[k] + "\n";
      const std::string own = defined_name(lines[k], frame.scalar);
      if (places.contains(own)) out.functions += "  " + place(own) + " = " + own + ";\n";
    }
    out.functions += "}\n\n";
    out.body += "  " + name + "(" + arguments + "kept);\n";
  }
  return out;
}

}  // namespace verne::codegen
