/// Another program, run beside this one.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace verne::cli {

/// The path of the first of these programs that PATH leads to, or "".
std::string find_program(const std::vector<std::string>& names);

/// A program in a process group of its own, so that Ctrl-C in a terminal reaches only us: the destructor ends all of
/// the group. When this program is killed, the other one is, too.
class ChildProcess {
 public:
  /// `words` begin with the program's path. What it says goes to the file `log`. Throws EnvironmentError.
  ChildProcess(std::vector<std::string> words, std::string log);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Its exit code (128 + signal) once it has ended.
  std::optional<int> outcome();
  /// Waits until it ends; throws Interrupted when a signal comes before that.
  int wait();
  /// The last line that it said and that is not empty, for people.
  std::string last_words() const;

 private:
  pid_t process_ = -1;
  std::optional<int> outcome_{};
  std::string log_;
};

/// A folder of its own for temporary files, which goes away with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace verne::cli
