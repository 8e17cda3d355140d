/// Any of the fuzzers: VERNE_FUZZED is the function of entry.h that it calls.
#include <cstddef>
#include <cstdint>

#include "fuzz/entry.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  verne::fuzz::VERNE_FUZZED(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
