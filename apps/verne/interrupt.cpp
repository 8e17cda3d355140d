#include "interrupt.h"

#include <csignal>

namespace verne::cli {

namespace {

volatile std::sig_atomic_t received_signal = 0;

void remember(int signal) {
  received_signal = signal;
}

}  // namespace

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = remember;  // no SA_RESTART: a blocked read returns
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

void check_interrupt() {
  if (received_signal != 0) throw Interrupted{received_signal};
}

}  // namespace verne::cli
