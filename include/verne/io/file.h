/// Whole files in and out.
#pragma once

#include <string>
#include <string_view>

namespace verne {

/// The contents of a file. Throws InputError that names it when it is missing, a folder, unreadable or absurdly large.
std::string read_text_file(const std::string& path);

/// Writes to a temporary name in the same folder, flushes it to the disk and renames it: whoever looks at `path` sees
/// the old contents or all of the new. What is not a regular file (a terminal, a pipe) is written to directly.
/// Throws EnvironmentError on failure.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace verne
