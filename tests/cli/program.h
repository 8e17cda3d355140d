/// Runs the built program as a user would.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.h"
#include "support/text.h"

extern char** environ;

namespace verne::test {

/// What a run of the program left behind.
struct Outcome {
  int exit_code = -1;  ///< 128 + signal when one killed it
  std::string out, err;
};

/// A folder of its own for each test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "verne-cli-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  /// How many files are in it.
  long count() const {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator{});
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Starts `command` with its standard streams on the given files; returns its process.
inline pid_t start(const std::vector<std::string>& command, int in, int out, int err) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t process = -1;
  EXPECT_EQ(::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ), 0) << arguments[0];
  posix_spawn_file_actions_destroy(&actions);
  return process;
}

inline Outcome run_command(const std::vector<std::string>& command, const std::string& input = "") {
  const Folder folder;
  const int in = ::open(folder.write("in", input).c_str(), O_RDONLY | O_CLOEXEC);
  const int out = ::open(folder.file("out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int err = ::open(folder.file("err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  int status = 0;
  ::waitpid(start(command, in, out, err), &status, 0);
  for (const int descriptor : {in, out, err}) ::close(descriptor);
  return {exit_code_of(status), read_file(folder.file("out")), read_file(folder.file("err"))};
}

/// Runs `verne` with these arguments.
inline Outcome verne(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), program());
  return run_command(arguments, input);
}

/// Runs a command whose standard output nobody reads: the pipe is closed at its other end.
inline Outcome with_nobody_reading(const std::vector<std::string>& command, const std::string& input = "") {
  const Folder folder;
  const int in = ::open(folder.write("in", input).c_str(), O_RDONLY | O_CLOEXEC);
  const int err = ::open(folder.file("err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  int out[2] = {-1, -1};
  EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
  ::close(out[0]);
  int status = 0;
  ::waitpid(start(command, in, out[1], err), &status, 0);
  for (const int descriptor : {in, out[1], err}) ::close(descriptor);
  return {exit_code_of(status), "", read_file(folder.file("err"))};
}

/// Runs a command with a terminal of so many columns as its standard output and error; `out` has what both say.
inline Outcome on_terminal(const std::vector<std::string>& command, unsigned short columns) {
  winsize size{};
  size.ws_row = 25, size.ws_col = columns;
  int terminal = -1, inside = -1;
  EXPECT_EQ(::openpty(&terminal, &inside, nullptr, nullptr, &size), 0);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t process = start(command, null, inside, inside);
  ::close(inside), ::close(null);
  Outcome outcome;
  char chunk[4096];
  for (ssize_t n; (n = ::read(terminal, chunk, sizeof(chunk))) > 0;) outcome.out.append(chunk, std::size_t(n));
  ::close(terminal);
  int status = 0;
  ::waitpid(process, &status, 0);
  outcome.exit_code = exit_code_of(status);
  return outcome;
}

inline std::string shipped(const std::string& name) {
  return source_dir() + "/models/" + name + ".yaml";
}

/// Text of the shell: the program, and lines through a pipe.
inline Outcome shell(const std::string& script) {
  return run_command({"sh", "-c", script});
}

inline std::vector<nlohmann::json> json_lines(const std::string& text) {
  std::vector<nlohmann::json> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) values.push_back(nlohmann::json::parse(line));
  return values;
}

}  // namespace verne::test
