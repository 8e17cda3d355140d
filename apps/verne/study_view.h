/// Single points of a study, and its page while it is being computed.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace verne::cli {

/// Computes a point of the study in `folder` again, and writes its solution.json and (if wanted, and if this build has
/// pages) its report.html into `out`. Throws InputError where the point has no motion; false when told to end.
bool write_point(const std::string& folder, int point, const std::string& out, bool with_page,
                 const std::function<bool()>& go_on);
/// Where that goes unless somebody says otherwise.
std::string chosen_folder(const std::string& folder, int point);

/// What `verne view` answers for the folder of a study: its page as it is now, and the motion of every point.
class StudyView {
 public:
  /// Throws InputError for a folder without a study, or whose study has no page.
  explicit StudyView(std::string folder);

  /// The page at a path; nothing where there is none.
  std::optional<std::string> page(const std::string& path);
  /// In JSON, whether the study is being computed, and which page is the latest.
  std::string state() const;

 private:
  std::string report_of(int point);

  std::string folder_;
  std::mutex computing_;  // one point at a time
};

}  // namespace verne::cli
