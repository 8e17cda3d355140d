/// What commands that write a folder of results say of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model_option.h"
#include "result_folder.h"
#include "verne/report/measured.h"

namespace verne::cli {

/// A word as a shell takes it.
std::string quoted(const std::string& word);
/// A path that may be shown to others: as seen from here or, for what lies elsewhere, its name alone.
std::string public_path(const std::filesystem::path& path);

/// The meshes of the model beside its solutions, for the page; returns them, or "" where it has none.
std::string write_meshes(ResultFolder& folder, const Model& model, const MeshOptions& options);

/// The results are written: what remains is the page of what they are, with measured curves behind those of strides
/// where there are any. Says what lies where.
void finish_results(ResultFolder& folder, ReportContents contents, bool with_report,
                    const std::optional<MeasuredCurves>& measured = {});

}  // namespace verne::cli
