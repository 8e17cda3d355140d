/// How a program of ours ends:
///   0 done   1 not achieved, or our mistake   2 bad input or usage   3 environment error   128 + signal interrupted
#pragma once

#include <functional>
#include <string>

namespace verne::cli {

/// The command ran, but what it was asked for was not achieved (not solved, no agreement); exit status 1.
struct NotAchieved {
  std::string why;
};

/// Runs the program and says on standard error why it failed, if it did.
int exit_status_of(const std::function<void()>& program);

}  // namespace verne::cli
