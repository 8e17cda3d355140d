/// Where the project and the program lie. Known to one file only, so that objects do not depend on where they were
/// built.
#pragma once

#include <string>

namespace verne::test {

/// The project's folder, and the built program.
const std::string& source_dir();
const std::string& program();

}  // namespace verne::test
