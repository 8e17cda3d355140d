#include "study/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <new>

#include "study/messages.h"
#include "verne/base/error.h"

namespace verne {

namespace {

constexpr int kNoMemory = 2, kConnectionLost = 3;
constexpr std::size_t kMessageHead = sizeof(std::uint32_t);

// The address sanitizer reserves terabytes: no limit of addresses can be kept.
#if defined(VERNE_SANITIZE)
constexpr bool kAddressesCount = false;
#else
constexpr bool kAddressesCount = true;
#endif

/// Bytes of addresses that this process uses: a child begins with as many.
double used_addresses() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void limit(int what, double most) {
  const auto value = static_cast<rlim_t>(most);
  const rlimit both{value, value};
  setrlimit(static_cast<__rlimit_resource>(what), &both);  // what cannot be set stays as it is
}

std::string framed_message(const std::string& message) {
  const auto size = static_cast<std::uint32_t>(message.size());
  std::string out(reinterpret_cast<const char*>(&size), kMessageHead);
  return out += message;
}

void write_all(int socket, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(socket, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(kConnectionLost);
    done += static_cast<std::size_t>(count);
  }
}

std::string read_exactly(int socket, std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::read(socket, text.data() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(0);  // nobody wants more
    done += static_cast<std::size_t>(count);
  }
  return text;
}

/// What the work says, or why it says nothing.
PointResult computed(StudyWork& work, const PointOrder& order) {
  PointResult result;
  try {
    return work.compute({order.point, order.values, order.start, order.motion_wanted, order.keep_below});
  } catch (const InputError& error) {
    result.status = "invalid";
    result.reason = error.problems().empty() ? error.what() : to_string(error.problems().front(), "error");
  } catch (const std::bad_alloc&) {
    _exit(kNoMemory);
  } catch (const std::exception& error) {
    result.status = "failed";
    result.reason = error.what();
  }
  return result;
}

void leave_the_parent(int socket, const PointLimits& limits, double addresses) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Ctrl-C and the like go to all processes of a terminal or a job; the parent decides.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_IGN);
  for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL}) signal(number, SIG_DFL);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  dup2(socket, STDERR_FILENO + 1);
  ::close_range(STDERR_FILENO + 2, ~0U, 0);  // the journal's lock among them
  limit(RLIMIT_CORE, 0);
  if (kAddressesCount) limit(RLIMIT_AS, addresses + limits.memory);
}

/// Never returns; no destructors run, whose threads are not here.
[[noreturn]] void be_child(int socket, StudyWork& work, const PointLimits& limits, double addresses) {
  leave_the_parent(socket, limits, addresses);
  socket = STDERR_FILENO + 1;
  try {
    while (true) {
      std::uint32_t size = 0;
      std::memcpy(&size, read_exactly(socket, kMessageHead).data(), kMessageHead);
      write_all(socket, framed_message(packed(computed(work, unpack_order(read_exactly(socket, size))))));
    }
  } catch (const std::bad_alloc&) {
    _exit(kNoMemory);
  } catch (...) {
    _exit(kConnectionLost);
  }
}

}  // namespace

ChildProcess::ChildProcess(StudyWork& work, const PointLimits& limits) : limits_(limits) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw EnvironmentError(std::string("no connection to a process: ") + std::strerror(errno));
  }
  const double addresses = used_addresses();
  process_ = ::fork();
  if (process_ == 0) be_child(ends[1], work, limits, addresses);
  const int error = errno;
  ::close(ends[1]);
  socket_ = ends[0];
  if (process_ < 0) {
    ::close(socket_);
    throw EnvironmentError(std::string("no process to compute points: ") + std::strerror(error));
  }
  ::fcntl(socket_, F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  end();
}

void ChildProcess::send(const std::string& order) {
  unsent_ += framed_message(order);
  send_rest();
}

void ChildProcess::send_rest() {
  while (!unsent_.empty()) {
    const ssize_t count = ::send(socket_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // later; that the child is gone is noticed by reading
    unsent_.erase(0, static_cast<std::size_t>(count));
  }
}

bool ChildProcess::receive() {
  char chunk[1 << 16];
  while (true) {
    const ssize_t count = ::read(socket_, chunk, sizeof(chunk));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (count == 0) return false;
    received_.append(chunk, static_cast<std::size_t>(count));
  }
}

bool ChildProcess::take(std::string& result) {
  std::uint32_t size = 0;
  if (received_.size() < kMessageHead) return false;
  std::memcpy(&size, received_.data(), kMessageHead);
  if (received_.size() < kMessageHead + size) return false;
  result = received_.substr(kMessageHead, size);
  received_.erase(0, kMessageHead + size);
  return true;
}

ChildEnd ChildProcess::end() {
  if (process_ < 0) return {};
  ::kill(process_, SIGKILL);  // of no effect on one that has ended
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  ::close(socket_);
  if (WIFEXITED(status)) {
    if (WEXITSTATUS(status) == kNoMemory) return {"memory_limit", "needs more memory than the limit"};
    return {"crashed", "ended its process with exit status " + std::to_string(WEXITSTATUS(status))};
  }
  return {"crashed", std::string("ended its process: ") + ::strsignal(WTERMSIG(status))};
}

}  // namespace verne
