/// Where results go: standard output, or a file that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace verne::cli {

/// Nobody reads our standard output any more (`verne eval ... | head`): a reason to stop, not an error.
struct ClosedPipe {};

class Output {
 public:
  /// "-" is standard output. A regular file is written under a temporary name until finish().
  explicit Output(const std::string& path);
  /// Takes an unfinished file away.
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::string path_, temporary_;
  int descriptor_ = -1;
};

/// Writes to standard output.
void print(std::string_view text);

}  // namespace verne::cli
