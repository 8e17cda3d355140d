#include "exit_status.h"

#include <fmt/core.h>

#include <new>
#include <stdexcept>

#include "interrupt.h"
#include "output.h"
#include "verne/base/error.h"

namespace verne::cli {

namespace {

constexpr int kDone = 0, kNotAchieved = 1, kOurMistake = 1, kBadInput = 2, kEnvironmentError = 3, kSignalled = 128;

int outcome_of(const std::function<void()>& program) {
  try {
    program();
    return kDone;
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const Interrupted& interrupted) {
    return kSignalled + interrupted.signal;
  } catch (const NotAchieved& outcome) {
    complain(outcome.why);
    return kNotAchieved;
  } catch (const InputError& error) {
    complain(error.what());
    return kBadInput;
  } catch (const EnvironmentError& error) {
    complain(fmt::format("error: {}", error.what()));
    return kEnvironmentError;
  } catch (const std::bad_alloc&) {
    complain("error: out of memory");
    return kEnvironmentError;
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()));
    return kOurMistake;
  }
}

}  // namespace

int exit_status_of(const std::function<void()>& program) {
  // What was found is in files as it should be; but who asked for it on standard output has not got it.
  const int outcome = outcome_of(program);
  if (output_failure().empty()) return outcome;
  complain(fmt::format("error: {}", output_failure()));
  return kEnvironmentError;
}

}  // namespace verne::cli
