#include "verne/report/report.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/regular_file.h"
#include "report/check_solution.h"
#include "report/page.h"
#include "verne/base/error.h"
#include "verne/io/file.h"
#include "verne/io/json_writer.h"

namespace verne {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char *kFrontFormat = "verne-front/1", *kMeshesFormat = "verne-meshes/1";

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw InputError({Diagnostic{file, 0, why}});
}

/// The folder of a row: one name, so that a front cannot make us read elsewhere.
std::string row_folder(const Json& row, const std::string& file) {
  const auto folder = row.is_object() ? row.find("folder") : row.end();
  if (!row.is_object() || folder == row.end() || !folder->is_string())
    refuse(file, "rows: expected a 'folder' in each row");
  const auto name = folder->get<std::string>();
  if (name.empty() || file_name_for(name) != name) {
    refuse(file, "rows: '" + name + "' is not the name of a folder beside this file");
  }
  return name;
}

ReportContents read_front(const fs::path& folder) {
  const std::string file = (folder / "front.json").string();
  ReportContents contents;
  contents.front = read_text_file(file);
  const Json front = parse_json(contents.front, file);
  if (!front.is_object() || front.value("format", Json()) != kFrontFormat) {
    refuse(file, std::string("format: expected \"") + kFrontFormat + "\"");
  }
  if (!front.contains("rows") || !front["rows"].is_array() || front["rows"].empty())
    refuse(file, "rows: expected an array");
  for (const Json& row : front["rows"]) {
    const std::string name = row_folder(row, file);
    contents.solutions.push_back(read_solution((folder / name / "solution.json").string(), name));
  }
  return contents;
}

/// The last `count` names of a path.
std::string path_end(const fs::path& path, int count) {
  fs::path end;
  for (auto name = path.end(); count > 0 && name != path.begin(); --count) end = end.empty() ? *--name : *--name / end;
  return end.string();
}

std::vector<std::string> labels_for(const std::vector<fs::path>& folders) {
  constexpr int kLongest = 8;
  std::vector<std::string> labels;
  for (int count = 1; count <= kLongest; ++count) {
    labels.clear();
    for (const fs::path& folder : folders) labels.push_back(path_end(folder, count));
    std::vector<std::string> sorted = labels;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return labels;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] += " (" + std::to_string(i + 1) + ")";
  return labels;
}

/// An absolute path without a slash at its end, so that its last name is one.
fs::path tidy(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

/// The meshes beside a solution; those of a sweep are in its own folder.
std::string meshes_of(const fs::path& solution) {
  const fs::path folder = solution.parent_path(), sweep = fs::absolute(folder).lexically_normal().parent_path();
  fs::path file = folder / "meshes.json";
  if (!fs::exists(file) && fs::exists(sweep / "front.json")) file = sweep / "meshes.json";
  if (!fs::exists(file)) return "";
  std::string text = read_regular_file(file.string());
  const Json meshes = parse_json(text, file.string());
  const bool whole = meshes.is_object() && meshes.contains("meshes") && meshes["meshes"].is_array() &&
                     meshes.contains("data") && meshes["data"].is_object();
  if (!whole || meshes.value("format", Json()) != kMeshesFormat) {
    refuse(file.string(), std::string("expected \"format\":\"") + kMeshesFormat + "\", 'meshes' and 'data'");
  }
  return text;
}

/// The data of all solutions' meshes, each once.
std::string shared_data(const std::vector<SolutionFile>& solutions) {
  std::map<std::string, std::string> data;
  for (const SolutionFile& file : solutions) {
    if (file.meshes.empty()) continue;
    const Json meshes = Json::parse(file.meshes);
    for (const auto& [key, mesh] : meshes["data"].items()) data.emplace(key, mesh.dump());
  }
  std::string json = "{";
  for (const auto& [key, text] : data) {
    if (json.size() > 1) json += ",";
    append_quoted(json, key);
    json += ":" + text;
  }
  return json + "}";
}

}  // namespace

std::string label_of_folder(const std::string& folder) {
  return tidy(folder).filename().string();
}

SolutionFile read_solution(const std::string& path, const std::string& label) {
  SolutionFile file{label, path, read_text_file(path), meshes_of(path)};
  Diagnostics diagnostics(path);
  check_solution(parse_json(file.text, path), diagnostics);
  diagnostics.throw_if_errors();
  return file;
}

ReportContents read_report_folder(const std::string& folder) {
  const fs::path path = tidy(folder);
  if (fs::exists(path / "front.json")) return read_front(path);
  ReportContents contents;
  contents.solutions.push_back(read_solution((fs::path(folder) / "solution.json").string(), label_of_folder(folder)));
  return contents;
}

ReportContents read_for_comparison(const std::vector<std::string>& paths) {
  std::vector<fs::path> folders;
  for (const std::string& path : paths)
    folders.push_back(fs::is_directory(path) ? tidy(path) : tidy(path).parent_path());
  const std::vector<std::string> labels = labels_for(folders);
  ReportContents contents;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const fs::path file = fs::is_directory(paths[i]) ? fs::path(paths[i]) / "solution.json" : fs::path(paths[i]);
    contents.solutions.push_back(read_solution(file.string(), labels[i]));
  }
  return contents;
}

std::string study_page(const std::string& json) {
  return page_with(json);
}

bool has_page() {
  return !kPageTemplate.empty();
}

std::string report_page(const ReportContents& contents, const std::string& program, const std::string& wishes) {
  std::string json = "{\"kind\":\"report\",\"program\":";
  append_quoted(json, program);
  if (!wishes.empty()) {
    json += ",\"wishes\":";
    append_quoted(json, wishes);
  }
  json += ",\"solutions\":[";
  for (const SolutionFile& file : contents.solutions) {
    json += &file == &contents.solutions.front() ? "{\"label\":" : ",{\"label\":";
    append_quoted(json, file.label);
    json += ",\"solution\":" + file.text;
    if (!file.meshes.empty()) json += ",\"meshes\":" + Json::parse(file.meshes)["meshes"].dump();
    json += "}";
  }
  json += "],\"meshes\":" + shared_data(contents.solutions);
  if (!contents.front.empty()) json += ",\"front\":" + contents.front;
  if (!contents.measured.empty()) json += ",\"measured\":" + contents.measured;
  return page_with(json + "}");
}

}  // namespace verne
