#include <fmt/format.h>

#include "io/csv.h"
#include "motion/output/json_entries.h"
#include "motion/output/solution_json.h"
#include "motion/values/motion_columns.h"
#include "verne/motion/write_solution.h"

namespace verne {

std::string front_json(const std::string& parameter, const std::vector<FrontRow>& rows) {
  JsonWriter json;
  json.begin_object();
  json.key("format").value("verne-front/1");
  json.key("parameter").value(parameter);
  json.key("rows").begin_array();
  for (const FrontRow& row : rows) {
    json.begin_object();
    append(json, "value", row.value);
    append(json, "duration", row.solution.trajectory.duration());
    append(json, "cost", row.solution.cost);
    json.key("status").value(to_string(row.solution.status));
    json.key("folder").value(row.folder);
    append_costs(json, row.solution);
    json.end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

std::string front_csv(const std::string& parameter, const std::vector<FrontRow>& rows) {
  std::string out = csv_cell(parameter) + ",status,duration,cost";
  if (!rows.empty()) {
    for (const CostValue& cost : rows.front().solution.costs) out += "," + csv_cell(cost.term);
  }
  out += ",limit_excess\n";
  for (const FrontRow& row : rows) {
    out += fmt::format("{},{},{},{}", exact(row.value), to_string(row.solution.status),
                       exact(row.solution.trajectory.duration()), exact(row.solution.cost));
    for (const CostValue& cost : row.solution.costs) out += "," + exact(cost.value);
    out += "," + exact(row.solution.verification.limit_excess) + "\n";
  }
  return out;
}

}  // namespace verne
