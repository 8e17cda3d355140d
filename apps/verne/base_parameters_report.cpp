#include "base_parameters_report.h"

#include <fmt/core.h>

#include <cmath>

#include "verne/io/json_writer.h"

namespace verne::cli {

namespace {

std::string sum_text(const BaseParameter& base) {
  std::string text = base.parameter;
  for (const auto& [factor, parameter] : base.others) {
    const double size = std::abs(factor);
    text += factor < 0 ? " - " : " + ";
    text += std::abs(size - 1) < 1e-12 ? parameter : fmt::format("{:.6g} {}", size, parameter);
  }
  return text;
}

std::string list_text(const BaseParameters& found) {
  std::string text;
  for (const BaseParameter& base : found.base) text += "  " + sum_text(base) + "\n";
  std::string none;
  for (const std::string& name : found.without_effect) none += (none.empty() ? "" : ", ") + name;
  return text + (none.empty() ? "" : "  without effect: " + none + "\n");
}

void add_found(JsonWriter& json, const BaseParameters& found) {
  json.begin_object().key("count").value(found.count()).key("base").begin_array();
  for (const BaseParameter& base : found.base) {
    json.begin_object().key("parameter").value(base.parameter).key("others").begin_array();
    for (const auto& [factor, parameter] : base.others) {
      json.begin_object().key("factor").value(factor).key("parameter").value(parameter).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("without_effect").begin_array();
  for (const std::string& name : found.without_effect) json.value(name);
  json.end_array().end_object();
}

}  // namespace

std::string base_parameters_text(const FoundParameters& found, bool loops) {
  if (loops) {
    return fmt::format("{} base parameters, by the rank of the regressor of closed states\n{}", found.by_rank.count(),
                       list_text(found.by_rank));
  }
  return fmt::format("{} base parameters by rules, {} by the rank of the regressor\n{}", found.by_rules.count(),
                     found.by_rank.count(), list_text(found.by_rules));
}

std::string base_parameters_json(const FoundParameters& found) {
  JsonWriter json;
  json.begin_object().key("by_rules");
  add_found(json, found.by_rules);
  json.key("by_rank");
  add_found(json, found.by_rank);
  return json.end_object().text() + "\n";
}

}  // namespace verne::cli
