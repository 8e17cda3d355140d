/// Numbers and texts one after the other in bytes, as messages and records of the journal hold them. Both ends are the
/// same program on machines of one kind.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "verne/base/error.h"

namespace verne {

class WireWriter {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number> WireWriter& put(Number number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
    return *this;
  }
  WireWriter& put(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
    return *this;
  }
  template <class Number>
  WireWriter& put(std::span<const Number> numbers) {
    return put(std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Takes out what a WireWriter put in. Throws Error where the bytes end too soon.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  requires std::is_arithmetic_v<Number> Number take() {
    Number number;
    std::memcpy(&number, take_bytes(sizeof(number)).data(), sizeof(number));
    return number;
  }
  std::string_view take_text() { return take_bytes(take<std::uint32_t>()); }
  template <class Number>
  std::vector<Number> take_numbers() {
    const std::string_view bytes = take_text();
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
    return numbers;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view take_bytes(std::size_t size) {
    if (size > bytes_.size()) throw Error("a message or record of a study ends too soon");
    const std::string_view out = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return out;
  }
  std::string_view bytes_;
};

}  // namespace verne
