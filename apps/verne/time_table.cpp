#include "time_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "wants.h"

namespace verne::cli {

namespace {

/// The columns of coordinates in a header; where some have the prefix, all others but the time are something else.
struct TableHeader {
  TableHeader(const std::string& line, const std::string& file, const std::string& prefix) {
    std::vector<std::string> words = split_list(line);
    for (std::string& word : words) word.erase(word.find_last_not_of(" \t\r") + 1);
    const auto marked = [&](const std::string& word) { return word.starts_with(prefix + "."); };
    const bool some_marked = std::any_of(words.begin(), words.end(), marked);
    if (words.front() != "time") {
      throw InputError({{file, 1, "expected a header that begins with time, found '" + words.front() + "'"}});
    }
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (some_marked && !marked(words[k])) continue;
      names.push_back(some_marked ? words[k].substr(prefix.size() + 1) : words[k]);
      places.push_back(k);
    }
    count = words.size();
  }

  std::size_t count = 0;
  std::vector<std::size_t> places;
  std::vector<std::string> names;
};

std::vector<int> velocities_of(const std::vector<std::string>& names, const std::string& file, const Model& model) {
  const std::vector<std::string> known(model.dof_names().begin(), model.dof_names().end());
  std::vector<int> velocities;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw InputError({{file, 1, "there is no coordinate '" + name + "'" + suggestion(name, known)}});
    }
    velocities.push_back(static_cast<int>(found - known.begin()));
    if (std::count(velocities.begin(), velocities.end(), velocities.back()) > 1) {
      throw InputError({{file, 1, "there are two columns of '" + name + "'"}});
    }
  }
  return velocities;
}

}  // namespace

std::optional<double> finite_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool whole = !text.empty() &&
                     text.find_first_not_of(" \t\r", static_cast<std::size_t>(end - text.c_str())) == std::string::npos;
  if (!whole || end == text.c_str() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string> coordinates_of_table(const std::string& text, const std::string& file,
                                              const std::string& prefix) {
  return TableHeader(text.substr(0, text.find('\n')), file, prefix).names;
}

TimeTable parse_time_table(const std::string& text, const std::string& file, const std::string& prefix,
                           const Model& model) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const TableHeader header(line, file, prefix);
  TimeTable table;
  table.velocity = velocities_of(header.names, file, model);
  table.places = header.places;
  table.columns.resize(header.places.size());
  for (int number = 2; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto fail = [&](const std::string& what) { throw InputError({{file, number, what}}); };
    const std::vector<std::string> words = split_list(line);
    if (words.size() != header.count) fail(fmt::format("expected {} values, found {}", header.count, words.size()));
    const auto value = [&](std::size_t k) {
      const auto found = finite_number(words[k]);
      if (!found) fail(fmt::format("column {}: expected a finite number, found '{}'", k + 1, words[k]));
      return *found;
    };
    const double t = value(0);
    if (!table.time.empty() && t <= table.time.back()) fail("time: expected a number larger than the one before");
    table.time.push_back(t);
    table.lines.push_back(number);
    for (std::size_t k = 0; k < header.places.size(); ++k) table.columns[k].push_back(value(header.places[k]));
  }
  if (table.time.empty()) throw InputError({{file, 0, "there are no rows of numbers"}});
  return table;
}

}  // namespace verne::cli
