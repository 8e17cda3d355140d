#include <cstddef>
#include <cstdint>

#include "fuzz/entry.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  verne::fuzz::run_urdf(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
