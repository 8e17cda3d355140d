#include "interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <thread>

#include "verne/base/error.h"
#include "verne/io/file.h"

namespace verne::cli {

namespace {

/// Programs such as `timeout` send a signal to us and to our group: what comes so soon is the same request once more.
constexpr double kSameRequest = 0.1;

// What a handler may touch: atomics without locks, semaphores and pipes.
std::atomic<int> received_signal{0};
std::atomic<double> received_at{0};  // the first one; 0: none has come
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<double>::is_always_lock_free);
sem_t asked_again;
// Written to when a signal comes, so that one which comes just before we begin to wait is not slept through.
int wake_up[2] = {-1, -1};

double seconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void remember(int signal) {
  const int saved = errno;
  const double now = seconds_now();
  double first = 0;
  if (received_at.compare_exchange_strong(first, now)) {
    received_signal = signal;
    [[maybe_unused]] const ssize_t written = ::write(wake_up[1], "", 1);
  } else if (now - first > kSameRequest) {
    ::sem_post(&asked_again);
  }
  errno = saved;
}

/// For work that cannot be asked to stop, such as one long factorization. A thread of its own may do what a handler may
/// not: take the files away.
void end_when_asked_again() {
  while (::sem_wait(&asked_again) != 0) continue;  // a handler ran in this thread
  abandon_new_files();
  ::_exit(128 + received_signal);
}

}  // namespace

void watch_signals() {
  if (::pipe2(wake_up, O_CLOEXEC | O_NONBLOCK) != 0) throw EnvironmentError(std::strerror(errno));
  ::sem_init(&asked_again, 0, 0);
  std::thread(end_when_asked_again).detach();
  struct sigaction action {};
  action.sa_handler = remember;  // no SA_RESTART: a blocked read returns
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupt_requested() {
  return received_signal != 0;
}

void check_interrupt() {
  if (received_signal != 0) throw Interrupted{received_signal};
}

void wait_for_input(int descriptor) {
  pollfd waiting[2] = {{descriptor, POLLIN, 0}, {wake_up[0], POLLIN, 0}};
  while (::poll(waiting, 2, -1) < 0 && errno == EINTR) check_interrupt();
  check_interrupt();
}

}  // namespace verne::cli
