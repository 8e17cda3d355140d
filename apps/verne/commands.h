/// The subcommands of the program. Each adds itself to the parser and runs from its callback; failure is an exception.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "exit_status.h"

namespace verne::cli {

/// For options that name a file or folder: '' would silently mean the default.
inline CLI::Validator not_empty() {
  return {[](const std::string& text) { return text.empty() ? "a name is expected, found ''" : ""; }, ""};
}

void add_info_command(CLI::App& program);
void add_convert_command(CLI::App& program);
void add_codegen_command(CLI::App& program);
void add_eval_command(CLI::App& program);
void add_ik_command(CLI::App& program);
void add_bench_command(CLI::App& program);
void add_check_command(CLI::App& program);
void add_reproduce_command(CLI::App& program);
void add_predict_command(CLI::App& program);
void add_simulate_command(CLI::App& program);
void add_study_command(CLI::App& program);
void add_report_command(CLI::App& program);
void add_view_command(CLI::App& program);
void add_plot_command(CLI::App& program);
void add_film_command(CLI::App& program);

}  // namespace verne::cli
