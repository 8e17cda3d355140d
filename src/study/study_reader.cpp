#include "study/study_reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "io/file_kind.h"
#include "io/number.h"
#include "verne/base/error.h"

namespace verne {

namespace {

constexpr char kFormat[] = "verne-study/1";
constexpr int kMostRows = 10000000;  // of a sample
using Kind = ParameterRange::Kind;

/// [lower, upper]; reports what is empty.
bool read_bounds(const YamlNode& node, const YamlReader& reader, ParameterRange& range) {
  const auto ends = reader.numbers(node, 2);
  if (!ends) return false;
  range.lower = (*ends)[0], range.upper = (*ends)[1];
  if (range.lower < range.upper) return true;
  reader.error(node.line, "expected [lower, upper] with lower < upper, found " + flow_text(node));
  return false;
}

void read_list(const YamlNode& node, const YamlReader& reader, ParameterRange& range) {
  range.kind = Kind::values;
  if (!node.is_list() || node.items.empty()) return reader.expected("a list of numbers", node);
  for (const YamlNode& item : node.items) range.values.push_back(reader.number_or_angle(item).value_or(0));
}

void read_normal(const YamlMap& map, const YamlNode& node, ParameterRange& range) {
  const YamlReader reader = map.reader("normal");
  range.kind = Kind::normal;
  const YamlNode* bounds = map.find("between");
  const bool bounded = bounds && read_bounds(*bounds, map.reader("between"), range);
  const auto values = reader.numbers(node, 2);
  if (!values) return;
  range.mean = (*values)[0], range.deviation = (*values)[1];
  if (range.deviation <= 0) return reader.expected("[mean, standard deviation] with a deviation above 0", node);
  constexpr double kFar = 6;  // deviations: what lies beyond has a probability of 1e-9
  const double nearest = std::clamp(range.mean, range.lower, range.upper);
  if (bounded && std::abs(nearest - range.mean) > kFar * range.deviation) {
    reader.error(node.line, "nothing of the distribution lies between " + format_number(range.lower) + " and " +
                                format_number(range.upper));
  }
}

ParameterRange read_range(const YamlEntry& entry, const YamlReader& reader) {
  ParameterRange range{entry.key};
  range.line = entry.line;
  if (entry.value.is_scalar()) {
    range.kind = Kind::values;
    range.values = {reader.number_or_angle(entry.value).value_or(0)};
    return range;
  }
  const std::vector<std::string> keys{"between", "log_between", "values", "normal"};
  const YamlMap map(entry.value, reader, keys);
  if (!entry.value.is_map()) return range;
  if (const YamlNode* normal = map.find("normal")) {
    read_normal(map, *normal, range);
  } else if (const YamlNode* values = map.find("values")) {
    read_list(*values, map.reader("values"), range);
  } else if (const YamlNode* between = map.find("between")) {
    read_bounds(*between, map.reader("between"), range);
  } else if (const YamlNode* decades = map.find("log_between")) {
    range.kind = Kind::log_uniform;
    if (read_bounds(*decades, map.reader("log_between"), range) && range.lower <= 0) {
      map.reader("log_between").expected("bounds above 0", *decades);
    }
  } else {
    reader.error(entry.line, "expected between, log_between, values or normal");
  }
  const auto given = entry.value.entries.size();
  if (given > 1 && !(given == 2 && map.find("normal") && map.find("between"))) {
    reader.error(entry.line, "give one of between, log_between, values and normal (normal may have between, too)");
  }
  return range;
}

std::vector<ParameterRange> read_parameters(const YamlMap& top) {
  std::vector<ParameterRange> ranges;
  const YamlNode* node = top.require("parameters");
  if (!node) return ranges;
  const YamlReader reader = top.reader("parameters");
  if (!node->is_map() || node->entries.empty()) reader.expected("a map of names and ranges", *node);
  for (const YamlEntry& entry : node->entries) ranges.push_back(read_range(entry, reader.inside(entry.key)));
  return ranges;
}

/// A whole number of a map; 1e12 is read as what it is, and refused.
double whole_number(const YamlNode& node, const YamlReader& reader, double least, double most) {
  const double value = reader.number(node).value_or(least);
  if (value == std::floor(value) && value >= least && value <= most) return value;
  reader.expected("a whole number from " + format_number(least) + " to " + format_number(most), node);
  return least;
}

SampleSpec read_sample(const YamlMap& top, const std::string& folder) {
  using Sample = SampleSpec::Kind;
  constexpr Sample kKinds[] = {Sample::grid,   Sample::sobol,    Sample::latin_hypercube,
                               Sample::random, Sample::saltelli, Sample::morris};
  SampleSpec sample;
  const YamlNode* node = top.require("sample");
  if (!node) return sample;
  std::vector<std::string> keys{"seed", "file"};
  for (const Sample kind : kKinds) keys.emplace_back(to_string(kind));
  const YamlMap map(*node, top.reader("sample"), keys);
  sample.line = node->line;
  int given = 0;
  for (const Sample kind : kKinds) {
    const YamlNode* count = map.find(to_string(kind));
    if (!count) continue;
    ++given;
    sample.kind = kind;
    sample.count = static_cast<int>(whole_number(*count, map.reader(to_string(kind)), 1, kMostRows));
  }
  if (const YamlNode* file = map.find("file")) {
    ++given;
    sample.kind = Sample::file;
    sample.file = (std::filesystem::path(folder) / map.reader("file").word(*file).value_or("")).lexically_normal();
  }
  if (const YamlNode* seed = map.find("seed")) {
    sample.seed = static_cast<unsigned long long>(whole_number(*seed, map.reader("seed"), 0, 0x1p53));
  }
  if (node->is_map() && given != 1) {
    map.reader().error(node->line, "expected one of sobol, grid, latin_hypercube, random, file, saltelli and morris");
  }
  return sample;
}

/// Which share of its range a value of a parameter is; reports what is outside.
double share_of_value(const ParameterRange& range, double value, const YamlReader& reader, int line) {
  if (value < range.lower || value > range.upper) {
    reader.error(line, format_number(value) + " lies outside of " + format_number(range.lower) + " to " +
                           format_number(range.upper));
    return 0;
  }
  if (range.kind == Kind::log_uniform) return std::log(value / range.lower) / std::log(range.upper / range.lower);
  return (value - range.lower) / (range.upper - range.lower);
}

/// Where a search begins.
std::vector<double> read_start(const YamlMap& search, const std::vector<ParameterRange>& parameters) {
  constexpr double kMiddle = 0.5;
  std::vector<double> shares(parameters.size(), kMiddle);
  const YamlNode* start = search.find("start");
  if (!start) return shares;
  const YamlReader reader = search.reader("start");
  if (!start->is_map()) reader.expected("a map of parameters and numbers", *start);
  std::vector<std::string> names;
  for (const ParameterRange& range : parameters) names.push_back(range.name);
  for (const YamlEntry& entry : start->entries) {
    const auto known = std::find(names.begin(), names.end(), entry.key);
    if (known == names.end()) {
      reader.error(entry.line, "there is no parameter " + in_quotes(entry.key) + suggestion(entry.key, names));
      continue;
    }
    const auto k = static_cast<std::size_t>(known - names.begin());
    const YamlReader of = reader.inside(entry.key);
    if (parameters[k].kind == Kind::values) of.error(entry.line, "the search does not change this parameter");
    if (const auto value = of.number_or_angle(entry.value)) {
      shares[k] = share_of_value(parameters[k], *value, of, entry.line);
    }
  }
  return shares;
}

SampleSpec read_search(const YamlMap& top, const std::vector<ParameterRange>& parameters) {
  using Method = SearchSpec::Method;
  constexpr int kUsual = 100, kMost = 2000;  // every step goes through all before it
  SampleSpec sample;
  sample.kind = SampleSpec::Kind::search, sample.count = kUsual;
  const YamlNode& node = *top.find("search");
  const YamlMap map(node, top.reader("search"),
                    {"minimize", "maximize", "method", "evaluations", "tolerance", "start"});
  sample.line = node.line;
  SearchSpec& search = sample.search;
  search.largest = map.find("maximize");
  if (node.is_map() && search.largest == (map.find("minimize") != nullptr)) {
    map.reader().error(node.line, "expected either minimize or maximize, with the name of a result");
  }
  search.result = map.word(search.largest ? "maximize" : "minimize", "");
  if (const YamlNode* method = map.find("method")) {
    std::string names;
    bool known = false;
    for (const Method one : {Method::bobyqa, Method::cobyla, Method::nelder_mead, Method::direct}) {
      names += (names.empty() ? "" : ", ") + std::string(to_string(one));
      if (method->text == to_string(one)) search.method = one, known = true;
    }
    if (!known) map.reader("method").expected("one of " + names, *method);
  }
  if (const YamlNode* count = map.find("evaluations")) {
    sample.count = static_cast<int>(whole_number(*count, map.reader("evaluations"), 1, kMost));
  }
  search.tolerance = map.number("tolerance", search.tolerance);
  if (search.tolerance <= 0 || search.tolerance >= 1) {
    map.reader("tolerance").expected("a share of the ranges between 0 and 1", *map.find("tolerance"));
  }
  for (const ParameterRange& range : parameters) {
    const bool one_value = range.kind == Kind::values && range.values.size() == 1;
    if (one_value || range.kind == Kind::uniform || range.kind == Kind::log_uniform) continue;
    top.reader("parameters").inside(range.name).error(range.line, "a search needs between, log_between or one value");
  }
  search.start = read_start(map, parameters);
  return sample;
}

/// `best 10`, `all` or `none`.
int read_keep(const YamlMap& top) {
  constexpr int kDefault = 10;
  const YamlNode* node = top.find("keep");
  if (!node) return kDefault;
  const YamlMap map(*node, top.reader("keep"), {"solutions"});
  const YamlNode* solutions = map.find("solutions");
  if (!solutions) return kDefault;
  if (solutions->text == "all") return std::numeric_limits<int>::max();
  if (solutions->text == "none") return 0;
  if (solutions->text.starts_with("best ")) {
    const auto count = parse_number(solutions->text.substr(5));
    if (count && *count >= 1 && *count == std::floor(*count) && *count <= kMostRows) return static_cast<int>(*count);
  }
  map.reader("solutions").expected("all, none or 'best' and a whole number", *solutions);
  return kDefault;
}

PointLimits read_limits(const YamlMap& top) {
  PointLimits limits;
  const YamlNode* node = top.find("limits");
  if (!node) return limits;
  const YamlMap map(*node, top.reader("limits"), {"seconds", "memory", "tries"});
  limits.seconds = map.number("seconds", limits.seconds, "s");
  limits.memory = map.number("memory", limits.memory);
  if (limits.seconds <= 0) map.reader("seconds").error(map.line(), "expected a time above 0");
  if (limits.memory < 1e6) map.reader("memory").error(map.line(), "expected 1e6 bytes or more");
  if (const YamlNode* tries = map.find("tries")) {
    limits.tries = static_cast<int>(whole_number(*tries, map.reader("tries"), 1, 100));
  }
  return limits;
}

StudySource read_source(const YamlMap& top, const std::string& folder) {
  using Source = StudySource::Kind;
  StudySource source;
  int given = 0;
  const auto located = [&](const std::string& name) {
    return (std::filesystem::path(folder) / name).lexically_normal().string();
  };
  if (const YamlNode* task = top.find("task")) {
    ++given;
    source.line = task->line;
    if (const auto name = top.reader("task").word(*task)) source.path = located(*name);
  }
  for (const auto& [key, kind] : {std::pair("simulate", Source::simulate), std::pair("eval", Source::eval)}) {
    const YamlNode* node = top.find(key);
    if (!node) continue;
    ++given;
    source.kind = kind, source.node = *node, source.line = node->line;
    if (!node->is_map()) {
      top.reader(key).expected("a map", *node);
      continue;
    }
    const auto model = std::find_if(node->entries.begin(), node->entries.end(),
                                    [](const YamlEntry& entry) { return entry.key == "model"; });
    if (model == node->entries.end()) {
      top.reader(key).error(node->line, "model is missing");
    } else if (const auto name = top.reader(key).inside("model").word(model->value)) {
      source.path = located(*name);
    }
  }
  if (given != 1) top.reader().error(top.line(), "expected one of task, simulate and eval");
  if (const YamlNode* report = top.find("report")) {
    source.report_line = report->line;
    for (const YamlNode& item : top.items("report")) {
      if (const auto word = top.reader("report").word(item)) source.report.push_back(*word);
    }
  }
  if (const YamlNode* curves = top.find("curves")) {
    source.curves.emplace(), source.curves_line = curves->line;
    for (const YamlNode& item : top.items("curves")) {
      if (const auto word = top.reader("curves").word(item)) source.curves->push_back(*word);
    }
  }
  return source;
}

void check_size(const YamlMap& top, const StudySpec& spec) {
  if (spec.sample.kind == SampleSpec::Kind::file || spec.parameters.empty()) return;
  const double size = sample_size(spec.parameters, spec.sample);
  if (size <= kMostPoints) return;
  top.reader("sample").error(spec.sample.line, "asks for " + format_number(size) + " points; at most 1e7 are computed");
}

/// What the results depend on, key by key; limits only say when a point is given up.
std::vector<std::pair<std::string, std::string>> identity_of(const YamlNode& root) {
  std::vector<std::pair<std::string, std::string>> identity;
  for (const YamlEntry& entry : root.entries) {
    if (entry.key == "limits" || entry.key == "name") continue;
    if (entry.key != "parameters") {
      identity.emplace_back(entry.key, flow_text(entry.value));
      continue;
    }
    for (const YamlEntry& range : entry.value.entries) {
      identity.emplace_back("parameters: " + range.key, flow_text(range.value));
    }
  }
  return identity;
}

}  // namespace

std::string flow_text(const YamlNode& node) {
  std::string text;
  if (node.is_list()) {
    for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(item);
    return "[" + text + "]";
  }
  if (!node.is_map()) return node.text;
  for (const YamlEntry& entry : node.entries) {
    text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(entry.value);
  }
  return "{" + text + "}";
}

StudyFile read_study_file(const std::string& path, InputFiles& files) {
  Diagnostics diagnostics(path);
  const YamlNode root = parse_yaml(files.text(path), diagnostics);
  diagnostics.throw_if_errors();
  if (is_another_kind(root, kFormat, diagnostics)) diagnostics.throw_if_errors();
  const YamlMap top(root, YamlReader("", diagnostics),
                    {"format", "name", "task", "simulate", "eval", "parameters", "sample", "search", "report", "curves",
                     "keep", "continuation", "limits"});
  diagnostics.throw_if_errors();
  const YamlNode* format = top.require("format");
  if (format && format->text != kFormat) top.reader("format").expected(in_quotes(kFormat), *format);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  StudyFile out;
  out.spec.file = path;
  out.spec.name = top.word("name", std::filesystem::path(path).stem().string());
  out.source = read_source(top, folder);
  out.spec.parameters = read_parameters(top);
  if (top.find("search") && top.find("sample")) {
    top.reader("search").error(top.find("search")->line, "expected either sample or search");
  }
  out.spec.sample = top.find("search") ? read_search(top, out.spec.parameters) : read_sample(top, folder);
  out.spec.keep = read_keep(top);
  out.spec.continuation = top.flag("continuation", true);
  out.spec.limits = read_limits(top);
  if (diagnostics.errors().empty()) check_size(top, out.spec);
  diagnostics.throw_if_errors();
  out.spec.identity = identity_of(root);
  return out;
}

}  // namespace verne
