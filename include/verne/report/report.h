/// Solution files as pages that people look at. The formats are described in docs/report.md.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"

namespace verne {

/// A solution file that has the parts that a page or a plot needs: as it stands on the disk, or as it was just written.
struct SolutionFile {
  std::string label;     ///< what to call it beside others
  std::string path;      ///< of the file
  std::string text;      ///< its contents
  std::string meshes{};  ///< meshes.json of the same folder or of the sweep (verne/report/meshes.h), or ""
};

/// What a folder of results is called on its page: the last name of its path.
VERNE_API std::string label_of_folder(const std::string& folder);

/// Reads and checks one. Throws InputError with every problem, among them another format or version.
VERNE_API SolutionFile read_solution(const std::string& path, const std::string& label);

/// What one report shows: solutions, and the front that they lie on if they come from a sweep.
struct ReportContents {
  std::vector<SolutionFile> solutions;  ///< in the order in which they are shown
  std::string front;                    ///< front.json, or "" without a sweep
  std::string measured;                 ///< what strides are compared with, as measured_json() writes it, or ""
};

/// Reads a folder that `verne predict` wrote: one solution, or the front of a sweep with the solutions of its rows.
VERNE_API ReportContents read_report_folder(const std::string& folder);

/// The solutions of several folders or solution files, to be compared. Labels are the shortest ends of the paths that
/// tell them apart.
VERNE_API ReportContents read_for_comparison(const std::vector<std::string>& paths);

/// One HTML file that holds all it needs. `program` (name and version) is named in it; `wishes` are as behind # in its
/// address (docs/report.md), for who cannot give it one. Throws EnvironmentError when the library was built without the
/// page (VERNE_WEB).
VERNE_API std::string report_page(const ReportContents& contents, const std::string& program,
                                  const std::string& wishes = "");

/// The page of a study; `json` is its data as web/src/payload.ts has them. Throws as report_page() does.
VERNE_API std::string study_page(const std::string& json);
/// Whether the library was built with the page.
VERNE_API bool has_page();

}  // namespace verne
