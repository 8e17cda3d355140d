#include "shown_page.h"

#include <filesystem>

#include "verne/report/report.h"

namespace verne::cli {

namespace {

bool is_solution(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path) || path.extension() == ".json";
}

ReportContents contents_of(const std::string& path) {
  return std::filesystem::is_directory(path) ? read_report_folder(path) : read_for_comparison({path});
}

}  // namespace

ShownPage::ShownPage(const ModelOption& what, const MeshOptions& meshes) {
  constexpr const char* kProgram = "verne " VERNE_VERSION;
  if (is_solution(what.path)) {
    html_ = report_page(contents_of(what.path), kProgram);
    return;
  }
  const Model model = load(what);
  if (!model.loops().empty()) warn_of_loops(Mechanism(model), what.strict);
  live_ = std::make_unique<LiveModel>(model);
  html_ = live_->page(kProgram, load_meshes(model, meshes));
}

ServedPage ShownPage::served() const {
  if (!live_) return {html_};
  return {html_, {{"/api/state", [this](const std::string& request) { return live_->state(request); }}}};
}

}  // namespace verne::cli
