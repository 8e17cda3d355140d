#include "study_view.h"

#include <fmt/core.h>

#include <filesystem>

#include "exit_status.h"
#include "interrupt.h"
#include "output.h"
#include "result_report.h"
#include "verne/base/error.h"
#include "verne/io/file.h"
#include "verne/io/json_writer.h"
#include "verne/report/report.h"
#include "verne/study/again.h"

namespace verne::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "verne " VERNE_VERSION;

std::string point_name(int point) {
  return fmt::format("{:06}", point);
}

/// The point of `/points/000017/report.html`.
std::optional<int> point_of(const std::string& path) {
  constexpr std::string_view kBegin = "/points/", kEnd = "/report.html";
  constexpr std::size_t kMostDigits = 8;
  if (!path.starts_with(kBegin) || !path.ends_with(kEnd) || path.size() <= kBegin.size() + kEnd.size()) return {};
  const std::string digits = path.substr(kBegin.size(), path.size() - kBegin.size() - kEnd.size());
  if (digits.size() > kMostDigits || digits.find_first_not_of("0123456789") != std::string::npos) return {};
  return std::stoi(digits);
}

}  // namespace

std::string chosen_folder(const std::string& folder, int point) {
  return (fs::path(folder) / "chosen" / point_name(point)).string();
}

bool write_point(const std::string& folder, int point, const std::string& out, bool with_page,
                 const std::function<bool()>& go_on) {
  const Study study = load_study(study_file_of(folder));
  const auto result = compute_again(study, folder, point, go_on);
  if (!result) return false;
  if (!result->success) throw NotAchieved{fmt::format("point {}: {}: {}", point, result->status, result->reason)};
  if (result->solution.empty()) throw InputError(folder + ": points of this study have no motions");
  std::error_code error;
  fs::create_directories(out, error);
  if (error) throw EnvironmentError(fmt::format("{}: {}", out, error.message()));
  write_text_file((fs::path(out) / "solution.json").string(), result->solution);
  if (with_page && has_page()) {
    write_text_file((fs::path(out) / "report.html").string(), report_page(read_report_folder(out), kProgram));
  }
  return true;
}

StudyView::StudyView(std::string folder) : folder_(std::move(folder)) {
  study_file_of(folder_);
  std::error_code error;
  if (fs::exists(fs::path(folder_) / "study.html", error) || is_being_computed(folder_)) return;
  throw InputError(fmt::format("{}: has no study.html: verne study {} makes it", folder_, cli::quoted(folder_)));
}

std::optional<std::string> StudyView::page(const std::string& path) {
  if (path == "/") {
    std::error_code error;
    const fs::path page = fs::path(folder_) / "study.html";
    if (fs::exists(page, error)) return read_text_file(page.string());
    return "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\"><title>Study</title>"
           "<p>The study has just begun.";
  }
  const auto point = point_of(path);
  return point ? std::optional(report_of(*point)) : std::nullopt;
}

std::string StudyView::report_of(int point) {
  const std::lock_guard lock(computing_);
  std::error_code error;
  for (const fs::path& place :
       {fs::path(folder_) / "points" / point_name(point), fs::path(chosen_folder(folder_, point))}) {
    if (fs::exists(place / "solution.json", error)) {
      return report_page(read_report_folder(place.string()), kProgram);
    }
  }
  const std::string out = chosen_folder(folder_, point);
  try {
    write_point(folder_, point, out, true, [] { return !interrupt_requested(); });
  } catch (const NotAchieved& outcome) {
    throw InputError(outcome.why);
  }
  return report_page(read_report_folder(out), kProgram);
}

std::string StudyView::state() const {
  std::error_code error;
  const auto written = fs::last_write_time(fs::path(folder_) / "study.html", error).time_since_epoch().count();
  JsonWriter json;
  json.begin_object().key("running").value(is_being_computed(folder_));
  json.key("version").value(error ? std::string() : std::to_string(written)).end_object();
  return json.text();
}

}  // namespace verne::cli
