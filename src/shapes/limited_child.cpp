#include "shapes/limited_child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <new>

#include "verne/base/error.h"

namespace verne {

namespace {

constexpr int kDone = 0, kThrew = 1, kNoMemory = 2;

/// Addresses that this process uses, in bytes: a child begins with as many.
std::size_t used_addresses() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// The address sanitizer reserves terabytes: no limit of addresses can be kept.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressesCount = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kAddressesCount = false;
#else
constexpr bool kAddressesCount = true;
#endif
#else
constexpr bool kAddressesCount = true;
#endif

void limit(int what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(static_cast<__rlimit_resource>(what), &both);  // what cannot be set stays as it is
}

void write_all(int pipe, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(pipe, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) _exit(kThrew);
    done += static_cast<std::size_t>(count);
  }
}

/// Never returns; no destructors run, whose threads are not here.
[[noreturn]] void be_child(int pipe, const std::function<std::string()>& work, const ChildLimits& limits,
                           std::size_t addresses) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGXCPU}) {
    signal(number, SIG_DFL);
  }
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds));
  if (kAddressesCount) limit(RLIMIT_AS, addresses + limits.memory);
  try {
    write_all(pipe, work());
    _exit(kDone);
  } catch (const std::bad_alloc&) {
    _exit(kNoMemory);
  } catch (const std::exception& error) {
    write_all(pipe, error.what());
    _exit(kThrew);
  }
}

/// What comes out of the pipe until it ends. "" or why no more is awaited.
std::string gather(int pipe, const ChildLimits& limits, std::string& output) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3 * limits.seconds);
  char chunk[1 << 16];
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) return "takes too long";
    pollfd one{pipe, POLLIN, 0};
    const int ready = poll(&one, 1, static_cast<int>(left));
    if (ready <= 0) continue;  // interrupted, or too late
    const ssize_t count = ::read(pipe, chunk, sizeof(chunk));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return "";
    output.append(chunk, static_cast<std::size_t>(count));
    if (output.size() > limits.output) return "makes too much";
  }
}

std::string failure_of(int status, const std::string& said) {
  if (WIFEXITED(status)) {
    if (WEXITSTATUS(status) == kDone) return "";
    if (WEXITSTATUS(status) == kNoMemory) return "needs too much memory";
    return said.empty() ? "fails" : said;
  }
  if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) return "takes too long or needs too much memory";
  return std::string("crashes its reader (") + strsignal(WTERMSIG(status)) + ")";
}

}  // namespace

ChildResult run_in_child(const std::function<std::string()>& work, const ChildLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw EnvironmentError(std::string("no pipe: ") + std::strerror(errno));
  const std::size_t addresses = used_addresses();
  const pid_t child = fork();
  if (child == 0) be_child(ends[1], work, limits, addresses);
  const int error = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    throw EnvironmentError(std::string("no process for reading meshes: ") + std::strerror(error));
  }
  ChildResult result;
  result.failure = gather(ends[0], limits, result.output);
  ::close(ends[0]);
  if (!result.failure.empty()) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (result.failure.empty()) result.failure = failure_of(status, result.output);
  if (!result.failure.empty()) result.output.clear();
  return result;
}

}  // namespace verne
