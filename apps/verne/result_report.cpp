#include "result_report.h"

#include <fmt/ranges.h>

#include "output.h"
#include "verne/base/error.h"

namespace verne::cli {

namespace {

/// The page, unless the program was built without it.
std::string write_report(ResultFolder& folder, ReportContents contents, const std::optional<MeasuredCurves>& measured) {
  std::string page;
  try {
    if (measured) contents.measured = measured_json(contents, *measured);
    page = report_page(contents, "verne " VERNE_VERSION);
  } catch (const EnvironmentError& error) {
    complain(fmt::format("no report: {}", error.what()));
    return "";
  }
  const std::string path = folder.write("report.html", page);
  folder.finish();
  return path;
}

}  // namespace

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:+-") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string public_path(const std::filesystem::path& path) {
  const std::filesystem::path plain = (path / "").parent_path(), near = std::filesystem::proximate(plain);
  return (near.is_absolute() || near.string().starts_with("..") ? plain.filename() : near).string();
}

std::string write_meshes(ResultFolder& folder, const Model& model, const MeshOptions& options) {
  std::string meshes = load_meshes(model, options);
  if (!meshes.empty()) folder.write("meshes.json", meshes);
  return meshes;
}

void finish_results(ResultFolder& folder, ReportContents contents, bool with_report,
                    const std::optional<MeasuredCurves>& measured) {
  folder.remove_stale();
  const std::string report = with_report ? write_report(folder, std::move(contents), measured) : "";
  show(fmt::format("\nfiles in {}: {}\n", folder.path().string(), fmt::join(folder.written(), ", ")));
  if (!report.empty()) show(fmt::format("open {} in a browser\n", report));
}

}  // namespace verne::cli
