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

/// The meshes of the model beside its solutions, for the page; nothing where it has none.
void write_meshes(ResultFolder& folder, const Model& model, const MeshOptions& options);

/// The results are written: what remains is the page, with measured curves behind those of strides where there are any.
/// Says what lies where.
void finish_results(ResultFolder& folder, bool with_report, const std::optional<MeasuredCurves>& measured = {});

}  // namespace verne::cli
