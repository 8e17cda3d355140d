#include "report/check_solution.h"

#include <algorithm>

namespace verne {

namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "verne-solution/1";

bool check_format(const Json& solution, Diagnostics& diagnostics) {
  if (!solution.is_object()) {
    diagnostics.error(0, "expected a JSON object");
    return false;
  }
  const auto format = solution.find("format");
  if (format != solution.end() && *format == kFormat) return true;
  const std::string found = format == solution.end() ? "missing" : format->dump();
  const bool later = found.starts_with("\"verne-solution/") && found != "\"verne-solution/0\"";
  diagnostics.error(0, "format: expected \"" + std::string(kFormat) + "\", found " + found +
                           (later ? ": a later version of verne wrote it" : ""));
  return false;
}

/// The number of frames, 0 when there is no usable time.
std::size_t check_time(const Json& solution, Diagnostics& diagnostics) {
  const auto time = solution.find("time");
  if (time == solution.end() || !time->is_array() || time->empty()) {
    diagnostics.error(0, "time: expected an array of numbers");
    return 0;
  }
  for (std::size_t k = 0; k < time->size(); ++k) {
    if ((*time)[k].is_number() && (k == 0 || (*time)[k] > (*time)[k - 1])) continue;
    diagnostics.error(0, "time[" + std::to_string(k) + "]: expected a number larger than the one before");
    return 0;
  }
  return time->size();
}

bool is_entry(const Json& value) {
  return value.is_number() || value.is_null();
}

/// `frames` rows of equal length (`columns` entries unless 0), each entry a number or null.
void check_rows(const Json& rows, const std::string& key, std::size_t frames, std::size_t columns,
                Diagnostics& diagnostics) {
  if (!rows.is_array() || rows.size() != frames) {
    const std::string found = rows.is_array() ? std::to_string(rows.size()) : std::string("no array");
    return diagnostics.error(0, key + ": expected " + std::to_string(frames) + " rows, as in time, found " + found);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Json& row = rows[k];
    if (columns == 0 && row.is_array()) columns = row.size();
    if (row.is_array() && row.size() == columns && std::all_of(row.begin(), row.end(), is_entry)) continue;
    return diagnostics.error(
        0, key + "[" + std::to_string(k) + "]: expected an array of " + std::to_string(columns) + " numbers");
  }
}

void check_record(const Json& solution, const std::string& key, std::size_t frames, std::size_t columns, bool required,
                  Diagnostics& diagnostics) {
  const auto record = solution.find(key);
  if (record == solution.end() && !required) return;
  if (record == solution.end() || !record->is_object() || (required && record->empty())) {
    return diagnostics.error(0, key + ": expected an object with an array of rows for each name");
  }
  for (const auto& [name, rows] : record->items()) check_rows(rows, key + "." + name, frames, columns, diagnostics);
}

void check_model(const Json& solution, Diagnostics& diagnostics) {
  const auto model = solution.find("model");
  if (model == solution.end() || !model->is_object() || !model->contains("links") || !model->at("links").is_array()) {
    return diagnostics.error(0, "model: expected an object with an array 'links'");
  }
  for (const Json& link : model->at("links")) {
    if (link.is_object() && link.contains("name") && link["name"].is_string()) continue;
    return diagnostics.error(0, "model.links: expected objects with a name");
  }
}

void check_ground(const Json& solution, std::size_t frames, Diagnostics& diagnostics) {
  const auto ground = solution.find("ground_reaction");
  if (ground == solution.end()) return;
  if (!ground->is_object()) return diagnostics.error(0, "ground_reaction: expected an object");
  for (const auto& [support, reaction] : ground->items()) {
    const std::string place = "ground_reaction." + support;
    for (const char* key : {"force", "centre"}) {
      if (!reaction.is_object() || !reaction.contains(key)) {
        return diagnostics.error(0, place + ": expected force and centre");
      }
      check_rows(reaction[key], place + "." + key, frames, 3, diagnostics);
    }
  }
  if (solution.contains("zmp")) check_rows(solution["zmp"], "zmp", frames, 3, diagnostics);
}

bool is_list(const Json& value, std::size_t size) {
  return value.is_array() && value.size() == size && std::all_of(value.begin(), value.end(), is_entry);
}

void check_stride(const Json& solution, Diagnostics& diagnostics) {
  const auto stride = solution.find("stride");
  if (stride == solution.end()) return;
  const auto part = [&](const char* key) { return stride->is_object() ? stride->value(key, Json()) : Json(); };
  const Json percent = part("percent"), curves = part("curves");
  bool sound = is_list(percent, percent.size()) && percent.size() > 1 && curves.is_array();
  for (std::size_t k = 0; sound && k < curves.size(); ++k) {
    const Json& curve = curves[k];
    sound = curve.is_object() && curve.value("name", Json()).is_string() && curve.value("unit", Json()).is_string() &&
            is_list(curve.value("values", Json()), percent.size());
  }
  if (!sound) diagnostics.error(0, "stride: expected percent, and curves with name, unit and as many values");
}

}  // namespace

void check_solution(const Json& solution, Diagnostics& diagnostics) {
  if (!check_format(solution, diagnostics)) return;
  check_model(solution, diagnostics);
  const std::size_t frames = check_time(solution, diagnostics);
  if (frames == 0) return;
  check_record(solution, "link_poses", frames, 7, true, diagnostics);
  check_record(solution, "joint_wrenches", frames, 6, false, diagnostics);
  check_ground(solution, frames, diagnostics);
  check_stride(solution, diagnostics);
  for (const char* key : {"q", "v", "a", "tau", "com"}) {
    if (solution.contains(key)) check_rows(solution[key], key, frames, 0, diagnostics);
  }
}

}  // namespace verne
