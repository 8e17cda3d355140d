#include "child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "interrupt.h"
#include "verne/base/error.h"
#include "verne/base/text.h"

namespace verne::cli {

namespace {

namespace fs = std::filesystem;

constexpr auto kPause = std::chrono::milliseconds(20);

/// Never returns. Nothing but calls that are safe in the child of a program with threads.
[[noreturn]] void become(char* const* words, const char* log) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) ::signal(number, SIG_DFL);
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int out = ::open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::execv(words[0], words);
  ::_exit(127);
}

}  // namespace

std::string find_program(const std::vector<std::string>& names) {
  const char* const places = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream list(places ? places : "");
    for (std::string folder; std::getline(list, folder, ':');) {
      const fs::path path = fs::path(folder.empty() ? "." : folder) / name;
      std::error_code none;
      if (fs::is_regular_file(path, none) && ::access(path.c_str(), X_OK) == 0) return path.string();
    }
  }
  return "";
}

ChildProcess::ChildProcess(std::vector<std::string> words, std::string log) : log_(std::move(log)) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  process_ = ::fork();
  if (process_ == 0) become(arguments.data(), log_.c_str());
  if (process_ < 0) throw EnvironmentError(words[0] + " cannot be run: " + std::strerror(errno));
  ::setpgid(process_, process_);  // whoever is first
}

ChildProcess::~ChildProcess() {
  ::kill(-process_, SIGKILL);
  int status = 0;
  while (!outcome_ && ::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
}

std::optional<int> ChildProcess::outcome() {
  int status = 0;
  if (!outcome_ && ::waitpid(process_, &status, WNOHANG) == process_) {
    outcome_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return outcome_;
}

int ChildProcess::wait() {
  while (!outcome()) {
    check_interrupt();
    std::this_thread::sleep_for(kPause);
  }
  return *outcome_;
}

std::string ChildProcess::last_words() const {
  std::ifstream in(log_);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last.empty() ? "it said nothing" : escaped(last);
}

TemporaryFolder::TemporaryFolder() : path_((fs::temp_directory_path() / "verne-XXXXXX").string()) {
  if (!::mkdtemp(path_.data())) throw EnvironmentError(path_ + ": " + std::strerror(errno));
}

/// A program that was just killed may have written a moment ago: what is in the way goes at the next try.
TemporaryFolder::~TemporaryFolder() {
  std::error_code failure;
  for (int tries = 0; tries < 50; ++tries) {
    fs::remove_all(path_, failure);
    if (!failure) return;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace verne::cli
