#include "support/paths.h"

namespace verne::test {

const std::string& source_dir() {
  static const std::string path = VERNE_SOURCE_DIR;
  return path;
}

#ifdef VERNE_PROGRAM
const std::string& program() {
  static const std::string path = VERNE_PROGRAM;
  return path;
}
#endif

}  // namespace verne::test
