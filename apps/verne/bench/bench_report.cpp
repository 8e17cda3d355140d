#include "bench_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "table.h"
#include "verne/io/json_writer.h"

namespace verne::cli {

namespace {

using Rows = std::vector<BenchRow>;

/// Different values of a member, in order of appearance.
template <class T>
std::vector<T> distinct(const Rows& rows, T BenchRow::*member, const std::function<bool(const BenchRow&)>& take) {
  std::vector<T> values;
  for (const BenchRow& row : rows) {
    if (take(row) && std::find(values.begin(), values.end(), row.*member) == values.end())
      values.push_back(row.*member);
  }
  return values;
}

std::vector<std::string> algorithms_of(const Rows& rows) {
  return distinct(rows, &BenchRow::algorithm, [](const BenchRow&) { return true; });
}

std::vector<std::string> peers_of(const Rows& rows) {
  return distinct(rows, &BenchRow::library, [](const BenchRow& row) { return row.library != "Verne"; });
}

std::vector<std::string> batch_sets_of(const Rows& rows) {
  return distinct(rows, &BenchRow::instruction_set, [](const BenchRow& row) { return row.batch; });
}

/// The first row that fits, or null.
const BenchRow* find(const Rows& rows, const std::function<bool(const BenchRow&)>& fits) {
  const auto row = std::find_if(rows.begin(), rows.end(), fits);
  return row == rows.end() ? nullptr : &*row;
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string ns(double value) {
  return fmt::format("{:.{}f}", value, value < 1 ? 3 : value < 100 ? 1 : 0);
}

std::string ns_cell(const BenchRow* row) {
  return row ? ns(row->ns_per_state) : "";
}

/// How many times faster Verne is.
std::string times_cell(const BenchRow* peer, const BenchRow* verne) {
  return peer && verne ? fmt::format("{:.1f}x", peer->ns_per_state / verne->ns_per_state) : "";
}

void append_row(JsonWriter& json, const BenchRow& row) {
  json.begin_object().key("algorithm").value(row.algorithm).key("library").value(row.library);
  json.key("mode").value(row.batch ? "batch" : "single").key("ns_per_state").value(row.ns_per_state);
  if (!row.instruction_set.empty()) json.key("instruction_set").value(row.instruction_set);
  if (!row.batch) json.key("p999_ns").value(row.latency.p999_ns);
  if (!row.batch) json.key("worst_ns_excess").value(row.latency.excess_ns);
  if (row.joints > 0) json.key("joints").value(row.joints);
  json.end_object();
}

}  // namespace

std::string bench_json(const Rows& rows) {
  std::string text = "[";
  JsonWriter json;
  for (const BenchRow& row : rows) {
    json.clear();
    append_row(json, row);
    text += (text.size() > 1 ? ",\n " : "") + json.text();
  }
  return text + "]\n";
}

std::string model_table(const Rows& rows) {
  const auto peers = peers_of(rows), sets = batch_sets_of(rows);
  const auto right = Table::Align::right;
  std::vector<Table::Column> columns{{"ns per state"}, {"single", right}, {"99.9 % excess", right}};
  for (const std::string& set : sets) columns.push_back({"batch " + set, right});
  for (const std::string& peer : peers) columns.push_back({peer, right});
  for (const std::string& peer : peers) {
    columns.push_back({peer + "/single", right});
    columns.push_back({peer + "/batch", right});
  }
  // Of the processor: a GPU is no yardstick for other libraries.
  const auto widest = std::find_if(sets.rbegin(), sets.rend(), [](const std::string& set) { return set != "gpu"; });
  Table table(std::move(columns));
  for (const std::string& algorithm : algorithms_of(rows)) {
    const auto in_library = [&](const std::string& library) {
      return find(rows,
                  [&](const BenchRow& r) { return r.algorithm == algorithm && r.library == library && !r.batch; });
    };
    const auto in_batch = [&](const std::string& set) {
      return find(rows,
                  [&](const BenchRow& r) { return r.algorithm == algorithm && r.batch && r.instruction_set == set; });
    };
    const BenchRow* const single = in_library("Verne");
    std::vector<std::string> cells{spaced(algorithm), ns_cell(single), single ? ns(single->latency.excess_ns) : ""};
    for (const std::string& set : sets) cells.push_back(ns_cell(in_batch(set)));
    for (const std::string& peer : peers) cells.push_back(ns_cell(in_library(peer)));
    for (const std::string& peer : peers) {
      cells.push_back(times_cell(in_library(peer), single));
      cells.push_back(widest == sets.rend() ? "" : times_cell(in_library(peer), in_batch(*widest)));
    }
    table.add_row(std::move(cells));
  }
  return table.text("");
}

std::string chain_table(const Rows& rows, const std::string& of) {
  const auto right = Table::Align::right;
  std::string text;
  for (const std::string& algorithm : algorithms_of(rows)) {
    const auto sizes =
        distinct(rows, &BenchRow::joints, [&](const BenchRow& row) { return row.algorithm == algorithm; });
    Table table({{of + "s", right}, {"single", right}, {"per " + of, right}, {"batch", right}, {"per " + of, right}});
    for (const int joints : sizes) {
      std::vector<std::string> cells{std::to_string(joints)};
      for (const bool batch : {false, true}) {
        const BenchRow* const row = find(rows, [&](const BenchRow& r) {
          return r.algorithm == algorithm && r.joints == joints && r.batch == batch;
        });
        cells.push_back(ns_cell(row));
        cells.push_back(row ? ns(row->ns_per_state / joints) : "");
      }
      table.add_row(std::move(cells));
    }
    text += (text.empty() ? "" : "\n") + spaced(algorithm) + ", ns per state\n" + table.text();
  }
  return text;
}

}  // namespace verne::cli
