#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "verne/base/error.h"

namespace verne::cli {

void open_missing_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is this one. The mode is the wrong one on purpose.
    const int wrong_mode = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", wrong_mode) != stream) {
      throw EnvironmentError(std::string("/dev/null: cannot be opened: ") + std::strerror(errno));
    }
  }
}

}  // namespace verne::cli
