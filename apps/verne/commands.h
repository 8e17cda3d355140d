/// The subcommands of the program. Each adds itself to the parser and runs from its callback; failure is an exception.
#pragma once

#include <CLI/App.hpp>

namespace verne::cli {

void add_info_command(CLI::App& program);
void add_eval_command(CLI::App& program);
void add_bench_command(CLI::App& program);

}  // namespace verne::cli
