#include "interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "verne/base/error.h"

namespace verne::cli {

namespace {

volatile std::sig_atomic_t received_signal = 0;
// Written to when a signal comes, so that one which comes just before we begin to wait is not slept through.
int wake_up[2] = {-1, -1};

void remember(int signal) {
  const int saved = errno;
  received_signal = signal;
  [[maybe_unused]] const ssize_t written = ::write(wake_up[1], "", 1);
  errno = saved;
}

}  // namespace

void watch_signals() {
  if (::pipe2(wake_up, O_CLOEXEC | O_NONBLOCK) != 0) throw EnvironmentError(std::strerror(errno));
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
