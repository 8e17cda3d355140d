/// What the user names as input: a file, or standard input. Waiting for it ends when a signal comes.
#pragma once

#include <cstddef>
#include <string>

namespace verne::cli {

class Input {
 public:
  /// "-" is standard input. Throws InputError when the file cannot be opened.
  explicit Input(const std::string& path);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  /// Reads what has come, waiting for something, and `size` bytes at most; 0 at the end. Throws Interrupted and
  /// InputError.
  std::size_t read(char* data, std::size_t size);
  /// Whether read() would return at once.
  bool is_ready() const;

  /// For messages.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_;
};

/// What messages call the input at `path`.
std::string input_name(const std::string& path);
/// All of it, as read_text_file() does.
std::string read_input(const std::string& path);

}  // namespace verne::cli
