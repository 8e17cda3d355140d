#include "reproduce/output.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "verne/io/json_writer.h"

namespace verne::reproduce {

namespace {

/// The verdict alone, for programs.
const char* key_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::agrees_after_erratum:
      return "agrees_after_erratum";
    case Verdict::differs:
      return "differs";
    case Verdict::disagrees:
      return "disagrees";
    case Verdict::not_available:
      return "not_available";
  }
  return "";
}

const char* key_of(Document document) {
  switch (document) {
    case Document::thesis:
      return "B20";
    case Document::khalil:
      return "K10";
    case Document::nasser:
      return "Nasser";
    case Document::lie:
      return "L";
  }
  return "";
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object().key("of").value(finding.of);
  if (!finding.unit.empty()) json.key("unit").value(finding.unit);
  if (finding.printed) json.key("printed").value(*finding.printed);
  if (finding.known) json.key("known").value(*finding.known);
  json.key("obtained").value(finding.obtained).key("difference").value(finding.difference());
  json.key("tolerance").value(finding.tolerance).key("holds").value(finding.holds()).end_object();
}

void write_result(JsonWriter& json, const Result& result) {
  const Row& row = *result.row;
  json.begin_object().key("name").value(row.name).key("document").value(key_of(row.document));
  json.key("place").value(row.place).key("says").value(row.says);
  json.key("verdict").value(key_of(result.verdict));
  if (!result.why.empty()) json.key("why").value(result.why);
  json.key("command").value(command_of(row)).key("findings").begin_array();
  for (const Finding& finding : result.answer.findings) write_finding(json, finding);
  json.end_array().key("figures").begin_array();
  for (const Figure& figure : result.answer.figures) {
    json.begin_object().key("file").value(file_of(row, figure)).key("caption").value(figure.caption).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

std::string file_of(const Row& row, const Figure& figure) {
  return row.name + figure.file + ".svg";
}

int count(const Reproduction& reproduction, Verdict verdict) {
  return static_cast<int>(std::count_if(reproduction.results.begin(), reproduction.results.end(),
                                        [&](const Result& result) { return result.verdict == verdict; }));
}

std::string number_text(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  std::string text = size < 1e-4 ? fmt::format("{:.1e}", value) : fmt::format("{:.7g}", value);
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

std::string reproduction_json(const Reproduction& reproduction) {
  JsonWriter json;
  json.begin_object().key("format").value("verne-reproduction/1").key("generator").value(reproduction.program);
  json.key("complete").value(reproduction.rows_left == 0).key("rows").begin_array();
  for (const Result& result : reproduction.results) write_result(json, result);
  json.end_array().end_object();
  return json.text() + "\n";
}

std::string reproduction_timing_json(const Reproduction& reproduction) {
  JsonWriter json;
  json.begin_object().key("format").value("verne-reproduction-timing/1").key("rows").begin_array();
  for (const Result& result : reproduction.results) {
    json.begin_object().key("name").value(result.row->name).key("seconds").value(result.seconds);
    json.key("timings").begin_array();
    for (const Timing& timing : result.answer.timings) {
      json.begin_object().key("of").value(timing.of).key("printed").value(timing.printed);
      json.key("obtained").value(timing.obtained).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

}  // namespace verne::reproduce
