/// Tests that every method of solve() has to pass.
#pragma once

#include <gtest/gtest.h>

#include "verne/nlp/solve.h"

namespace verne::nlp::test {

class BothMethods : public testing::TestWithParam<Method> {
 protected:
  /// With the method that is tested, and no other behind it.
  static Summary solve(Problem& problem, Options options = {}, const Point* start = nullptr) {
    options.method = GetParam();
    options.fall_back = false;
    return nlp::solve(problem, options, start);
  }
};

inline std::string method_name(const testing::TestParamInfo<Method>& info) {
  return to_string(info.param);
}

}  // namespace verne::nlp::test
