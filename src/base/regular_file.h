/// Whole files.
#pragma once

#include <cstddef>
#include <string>

#include "verne/base/export.h"

namespace verne {

/// The contents of a file. Throws InputError that names it when it is missing, a folder, unreadable or larger than
/// `most` bytes.
VERNE_API std::string read_any_file(const std::string& path, std::size_t most);

/// Files that other files name: refuses pipes and devices, too, for whose contents a reader might wait without end;
/// only who starts the program may name them.
VERNE_API std::string read_regular_file(const std::string& path, std::size_t most = std::size_t{256} << 20);

}  // namespace verne
