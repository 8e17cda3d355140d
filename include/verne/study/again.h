/// The solution of any point of a study, also of one whose solution was not kept.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "verne/base/export.h"
#include "verne/study/study.h"

namespace verne {

/// Computes a point of the study in `folder` once more, from the motion that it started from, as the journal has it.
/// The result has the `solution`. Throws InputError where the folder holds another study, or not this point;
/// EnvironmentError. `go_on` is asked now and then; after false there is no result.
VERNE_API std::optional<PointResult> compute_again(const Study& study, const std::string& folder, int point,
                                                   const std::function<bool()>& go_on = {});

/// Whether a folder holds a study, and whether a process of this machine is computing it.
///@{
VERNE_API bool holds_study(const std::string& folder);
VERNE_API bool is_being_computed(const std::string& folder);
///@}

}  // namespace verne
