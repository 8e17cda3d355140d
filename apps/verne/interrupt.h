/// Ctrl-C and friends as an exception, so that half-written files are cleaned up on the way out.
#pragma once

namespace verne::cli {

/// The user wants the program to end.
struct Interrupted {
  int signal;
};

/// From now on SIGINT and SIGTERM are remembered, and writing to a closed pipe is an error like any other. When such a
/// signal comes again, the program ends at once, whatever it does, with exit status 128 + signal; unfinished files are
/// taken away.
void watch_signals();

/// Whether a signal has come.
bool interrupt_requested();
/// Throws Interrupted when a signal has come; long work calls this now and then.
void check_interrupt();

/// Waits until the descriptor can be read (or has ended); throws Interrupted when a signal comes before that.
void wait_for_input(int descriptor);

}  // namespace verne::cli
