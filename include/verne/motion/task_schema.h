/// The task format for editors and programs that write tasks.
#pragma once

#include <string>

#include "verne/base/export.h"

namespace verne {

/// The keys of task files with their forms, meanings and defaults, as JSON Schema (draft 2020-12). Numbers may be
/// expressions with units, which are strings there. What it accepts may still contradict itself: load_task() says so.
VERNE_API std::string task_json_schema();

}  // namespace verne
