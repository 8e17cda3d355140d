#include "check_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "table.h"
#include "verne/io/json_writer.h"

namespace verne::cli {

namespace {

bool was_compared(const CheckRow& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const CheckCell& cell) { return cell.disagreement; });
}
bool agrees(const CheckRow& row, double tolerance) {
  return std::all_of(row.cells.begin(), row.cells.end(),
                     [&](const CheckCell& cell) { return !cell.disagreement || *cell.disagreement <= tolerance; });
}

/// Reasons stand below the table, each once; cells refer to them by number.
class Notes {
 public:
  std::string mark(const std::string& reason) {
    auto place = std::find(reasons_.begin(), reasons_.end(), reason);
    if (place == reasons_.end()) place = reasons_.insert(reasons_.end(), reason);
    return fmt::format("({})", place - reasons_.begin() + 1);
  }
  std::string text() const {
    std::string out;
    for (std::size_t k = 0; k < reasons_.size(); ++k) out += fmt::format("  ({}) {}\n", k + 1, reasons_[k]);
    return out;
  }

 private:
  std::vector<std::string> reasons_;
};

}  // namespace

int CheckReport::compared() const {
  return static_cast<int>(std::count_if(rows.begin(), rows.end(), was_compared));
}

int CheckReport::agreeing() const {
  return static_cast<int>(std::count_if(
      rows.begin(), rows.end(), [&](const CheckRow& row) { return was_compared(row) && agrees(row, tolerance); }));
}

std::string check_text(const CheckReport& report) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{"formulation"}, {"from"}};
  for (int k = 0; k < kQuantities; ++k) columns.push_back({name_of(CheckedQuantity(k)), Align::right});
  for (const char* title : {"mult.", "add.", "µs"}) columns.push_back({title, Align::right});
  Table table(columns);
  Notes notes;
  for (const CheckRow& row : report.rows) {
    std::vector<std::string> cells{row.name, row.description};
    if (!row.lacks.empty()) cells[0] += " " + notes.mark("without " + row.lacks + ", which the document does not have");
    for (const CheckCell& cell : row.cells) {
      cells.push_back(cell.disagreement     ? fmt::format("{:.1e}", *cell.disagreement)
                      : cell.reason.empty() ? ""
                                            : notes.mark(cell.reason));
    }
    cells.push_back(row.count ? std::to_string(row.count->multiplications) : "");
    cells.push_back(row.count ? std::to_string(row.count->additions) : "");
    cells.push_back(row.microseconds ? fmt::format("{:.2f}", *row.microseconds) : "");
    table.add_row(std::move(cells));
  }
  const std::string verdict = report.compared() == 0
                                  ? "no formulation can express this model"
                                  : fmt::format("{} of {} formulations agree with the library within {:g}",
                                                report.agreeing(), report.compared(), report.tolerance);
  return fmt::format("{}: largest relative disagreement with the library on {} random states\n\n", report.model,
                     report.states) +
         table.text() + notes.text() + "\n" + verdict + "\n";
}

std::string check_json(const CheckReport& report) {
  JsonWriter json;
  json.begin_object().key("model").value(report.model).key("states").value(report.states);
  json.key("tolerance").value(report.tolerance).key("compared").value(report.compared());
  json.key("agree").value(report.agreeing() == report.compared()).key("rows").begin_array();
  for (const CheckRow& row : report.rows) {
    json.begin_object().key("formulation").value(row.name).key("description").value(row.description);
    if (!row.lacks.empty()) json.key("without").value(row.lacks);
    for (int k = 0; k < kQuantities; ++k) {
      const CheckCell& cell = row.cells[static_cast<std::size_t>(k)];
      if (!cell.disagreement && cell.reason.empty()) continue;
      std::string key = name_of(CheckedQuantity(k));
      std::replace(key.begin(), key.end(), ' ', '_');
      json.key(key).begin_object();
      if (cell.disagreement) json.key("disagreement").value(*cell.disagreement);
      if (!cell.reason.empty()) json.key("reason").value(cell.reason);
      json.end_object();
    }
    if (row.count) {
      json.key("multiplications").value(static_cast<int>(row.count->multiplications));
      json.key("additions").value(static_cast<int>(row.count->additions));
    }
    if (row.microseconds) json.key("microseconds").value(*row.microseconds);
    json.end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

}  // namespace verne::cli
