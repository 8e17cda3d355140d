/// Whole files in and out.
#pragma once

#include <string>
#include <string_view>

#include "verne/base/export.h"

namespace verne {

/// The contents of a file. Throws InputError that names it when it is missing, a folder, unreadable or absurdly large.
VERNE_API std::string read_text_file(const std::string& path);

/// Writes to a temporary name in the same folder, flushes it to the disk and renames it: whoever looks at `path` sees
/// the old contents or all of the new. What is not a regular file (a terminal, a pipe) is written to directly.
/// Throws EnvironmentError on failure.
VERNE_API void write_text_file(const std::string& path, std::string_view text);

}  // namespace verne
