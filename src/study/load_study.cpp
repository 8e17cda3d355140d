#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/user_cache.h"
#include "io/expression.h"
#include "io/number.h"
#include "study/works.h"

namespace verne {

std::map<std::string, double> named_values(const StudySpec& spec, std::span<const double> values) {
  std::map<std::string, double> named;
  for (std::size_t k = 0; k < values.size(); ++k) named[spec.parameters[k].name] = values[k];
  return named;
}

void require_known_parameters(const StudySpec& spec, const std::vector<std::string>& known) {
  std::vector<Diagnostic> problems;
  for (const ParameterRange& range : spec.parameters) {
    if (std::find(known.begin(), known.end(), range.name) != known.end()) continue;
    problems.push_back({spec.file, range.line,
                        "parameters: there is no parameter " + in_quotes(range.name) + suggestion(range.name, known)});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

void refuse_result(const StudyFile& study, const std::string& name, const std::vector<std::string>& known) {
  throw InputError({{study.spec.file, study.source.report_line,
                     "report: there is no result " + in_quotes(name) + suggestion(name, known)}});
}

void take_curves(const StudyFile& study, MotionCurves& curves, const Model& model) {
  constexpr int kManyPoints = 2000;
  constexpr double kMostNumbers = 1e8;
  if (!study.source.curves) {
    if (study.points <= kManyPoints) curves.add_default(model);
    return;
  }
  const auto refuse = [&](const std::string& what) {
    throw InputError({{study.spec.file, study.source.curves_line, "curves: " + what}});
  };
  for (const std::string& name : *study.source.curves) {
    if (!curves.add(name)) refuse("there is no curve " + in_quotes(name) + suggestion(name, curves.known()));
  }
  const double numbers = static_cast<double>(study.points) * kCurveValues * static_cast<double>(curves.taken().size());
  if (numbers > kMostNumbers) refuse("these are " + format_number(numbers) + " numbers; at most 1e8 are kept");
}

std::vector<std::string> names_used_in(const YamlNode& node) {
  std::vector<std::string> names;
  std::string word;
  for (const char c : node.text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else if (!word.empty()) {
      if (is_parameter_name(word)) names.push_back(word);
      word.clear();
    }
  }
  const auto add = [&](const YamlNode& child) {
    const std::vector<std::string> more = names_used_in(child);
    names.insert(names.end(), more.begin(), more.end());
  };
  for (const YamlNode& item : node.items) add(item);
  for (const YamlEntry& entry : node.entries) {
    if (entry.key != "model" && entry.key != "states" && entry.key != "want") add(entry.value);
  }
  return names;
}

/// A search needs a result that there is.
void require_searched_result(const StudySpec& spec, const std::vector<std::string>& known) {
  const std::string& result = spec.sample.search.result;
  if (spec.sample.kind != SampleSpec::Kind::search) return;
  if (std::find(known.begin(), known.end(), result) != known.end()) return;
  throw InputError(
      {{spec.file, spec.sample.line, "search: there is no result " + in_quotes(result) + suggestion(result, known)}});
}

Study load_study(const std::string& path, StudyFiles* given) {
  InputFiles files(given);
  StudyFile file = read_study_file(path, files);
  Study study;
  if (file.spec.sample.kind == SampleSpec::Kind::file) {
    study.points = read_points(files.text(file.spec.sample.file), file.spec.sample.file, file.spec.parameters);
  } else {
    study.points = sample_points(file.spec.parameters, file.spec.sample);
  }
  const bool searches = file.spec.sample.kind == SampleSpec::Kind::search;
  file.points = searches ? file.spec.sample.count : study.points.count();
  switch (file.source.kind) {
    case StudySource::Kind::task:
      study.work = predict_work(file, files);
      break;
    case StudySource::Kind::simulate:
      study.work = simulate_work(file, files);
      break;
    case StudySource::Kind::eval:
      study.work = eval_work(file, files);
      break;
  }
  require_searched_result(file.spec, study.work->columns());
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const auto& [name, text] : files.all()) {
    if (name == path) continue;  // is compared key by key
    file.spec.identity.emplace_back("file " + std::filesystem::path(name).lexically_proximate(folder).string(),
                                    fingerprint(text));
  }
  study.spec = std::move(file.spec);
  if (given) *given = files.all();
  return study;
}

}  // namespace verne
