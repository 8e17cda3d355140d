#include "time_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "io/csv.h"
#include "io/number.h"
#include "verne/base/error.h"
#include "verne/base/text.h"

namespace verne::cli {

namespace {

/// The columns of coordinates in a header; where some have the prefix, all others but the time are something else.
struct TableHeader {
  TableHeader(CsvReader& reader, const std::string& file, const std::string& prefix) {
    const std::vector<std::string> words = csv_header(reader, file);
    const auto marked = [&](const std::string& word) { return word.starts_with(prefix + "."); };
    const bool some_marked = std::any_of(words.begin(), words.end(), marked);
    if (words.empty()) throw InputError({{file, 0, "is empty: expected a header that begins with time"}});
    if (words.front() != "time") {
      throw InputError(
          {{file, reader.line(), "expected a header that begins with time, found " + in_quotes(words.front())}});
    }
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (some_marked && !marked(words[k])) {
        others.push_back(words[k]);
        continue;
      }
      names.push_back(some_marked ? words[k].substr(prefix.size() + 1) : words[k]);
      places.push_back(k);
    }
    count = words.size();
  }

  std::size_t count = 0;
  std::vector<std::size_t> places;
  std::vector<std::string> names;
  std::vector<std::string> others;  ///< where some columns have the prefix: those without
};

std::vector<int> velocities_of(const std::vector<std::string>& names, const std::string& file, const Model& model) {
  const std::vector<std::string> known(model.dof_names().begin(), model.dof_names().end());
  std::vector<int> velocities;
  for (const std::string& name : names) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const std::string& coordinate) {
      return name == coordinate || name == escaped(coordinate);  // as motion.csv has it
    });
    if (found == known.end()) {
      throw InputError({{file, 1, "there is no coordinate '" + name + "'" + suggestion(name, known)}});
    }
    velocities.push_back(static_cast<int>(found - known.begin()));
  }
  return velocities;
}

/// A bare name among names with the prefix would be passed over, as if it had not been given.
void refuse_bare_names(const TableHeader& header, const std::string& file, const std::string& prefix,
                       const Model& model) {
  for (const std::string& name : header.others) {
    const auto& known = model.dof_names();
    if (std::find(known.begin(), known.end(), name) == known.end()) continue;
    throw InputError({{file, 1,
                       fmt::format("column '{0}': other columns are called {1}.NAME; call this one '{1}.{0}', or "
                                   "leave it out",
                                   name, prefix)}});
  }
}

}  // namespace

std::optional<double> finite_number(const std::string& text) {
  const std::optional<double> value = parse_number(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<std::string> coordinates_of_table(const std::string& text, const std::string& file,
                                              const std::string& prefix) {
  CsvReader reader(text, file);
  return TableHeader(reader, file, prefix).names;
}

TimeTable parse_time_table(const std::string& text, const std::string& file, const std::string& prefix,
                           const Model& model) {
  CsvReader reader(text, file);
  const TableHeader header(reader, file, prefix);
  refuse_bare_names(header, file, prefix, model);
  TimeTable table;
  table.velocity = velocities_of(header.names, file, model);
  table.places = header.places;
  table.columns.resize(header.places.size());
  for (std::vector<std::string> words; reader.next(words);) {
    const auto fail = [&](const std::string& what) { throw InputError({{file, reader.line(), what}}); };
    if (words.size() != header.count) fail(fmt::format("expected {} values, found {}", header.count, words.size()));
    const auto value = [&](std::size_t k) {
      const auto found = finite_number(words[k]);
      if (!found) fail(fmt::format("column {}: expected a finite number, found {}", k + 1, in_quotes(words[k])));
      return *found;
    };
    const double t = value(0);
    if (!table.time.empty() && t <= table.time.back()) fail("time: expected a number larger than the one before");
    table.time.push_back(t);
    table.lines.push_back(reader.line());
    for (std::size_t k = 0; k < header.places.size(); ++k) table.columns[k].push_back(value(header.places[k]));
  }
  if (table.time.empty()) throw InputError({{file, 0, "there are no rows of numbers"}});
  return table;
}

}  // namespace verne::cli
