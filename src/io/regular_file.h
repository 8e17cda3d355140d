/// Files that other files name.
#pragma once

#include <string>

#include "verne/base/export.h"

namespace verne {

/// As read_text_file(), but refuses pipes and devices, for whose contents a reader might wait without end: only who
/// starts the program may name them.
VERNE_API std::string read_regular_file(const std::string& path);

}  // namespace verne
