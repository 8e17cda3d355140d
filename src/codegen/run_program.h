/// Runs another program and waits for it.
#pragma once

#include <string>
#include <vector>

namespace verne::codegen {

/// Its output and errors go to the file `log`. Throws EnvironmentError when it cannot be started, or fails: with what
/// it said first.
void run_program(const std::vector<std::string>& words, const std::string& log);

}  // namespace verne::codegen
