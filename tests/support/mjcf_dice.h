/// Random numbers, choices and attributes for files of MuJoCo's format.
#pragma once

#include <initializer_list>
#include <random>
#include <string>

#include "support/mjcf_text.h"
#include "support/random_model.h"

namespace verne::test {

class MjcfDice {
 public:
  explicit MjcfDice(std::mt19937_64& rng) : rng_(rng) {}

  bool chance(double part) { return random_number(rng_, 0, 1) < part; }
  double number(double low, double high) { return random_number(rng_, low, high); }
  int pick(int low, int high) { return low + static_cast<int>(rng_() % static_cast<unsigned>(high - low + 1)); }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[rng_() % list.size()];
  }
  /// An attribute with a number, or none.
  std::string maybe(double part, const char* name, double low, double high) {
    return chance(part) ? mjcf_attribute(name, {number(low, high)}) : std::string();
  }
  std::string sizes(int count) {
    std::string size;
    for (int k = 0; k < count; ++k) size += (k ? " " : "") + mjcf_numbers({number(0.05, 0.3)});
    return count ? mjcf_attribute("size", size) : size;
  }
  Eigen::Vector3d vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }

 protected:
  std::mt19937_64& rng_;
};

}  // namespace verne::test
