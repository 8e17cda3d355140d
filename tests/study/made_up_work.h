/// A study of a function that is made up: some points crash, hang and so on.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <vector>

#include "verne/base/error.h"
#include "verne/study/study.h"

namespace verne::test {

class MadeUpWork : public StudyWork {
 public:
  explicit MadeUpWork(bool motions = false, int microseconds = 0) : motions_(motions), microseconds_(microseconds) {}

  const std::vector<std::string>& columns() const override { return columns_; }
  const std::vector<StudyCurve>& curves() const override { return curves_; }
  bool has_motions() const override { return motions_; }
  PointResult compute(const PointInput& input) override {
    if (microseconds_ > 0) ::usleep(static_cast<useconds_t>(microseconds_));
    PointResult result;
    if (input.point == crashes) ::raise(SIGSEGV);
    if (input.point == hangs) ::pause();
    if (input.point == throws) throw InputError("makes no sense");
    if (input.point == eats) {
      std::vector<std::vector<char>> memory;
      while (true) memory.emplace_back(std::size_t{1} << 26, 'x');
    }
    result.status = input.point % 7 == 3 ? "infeasible" : "solved";
    result.success = result.status == "solved";
    result.cost = std::cos(input.values[0]);
    result.results = {result.cost, input.point == returns_nan ? std::nan("") : input.values[0] * 3};
    // Each motion is that of its parent and its own: the table tells whether all came to where they belong.
    if (motions_) result.results[1] += static_cast<double>(input.start.size());
    for (int k = 0; k < kCurveValues; ++k) result.curves.push_back(static_cast<float>(k * input.values[0] / 8));
    result.used_start = !input.start.empty();
    if (input.motion_wanted) result.motion = std::string(input.start) + "m";
    if (result.success && result.cost <= input.keep_below) result.solution = "solution " + std::to_string(input.point);
    return result;
  }

  int crashes = -1, hangs = -1, throws = -1, eats = -1, returns_nan = -1;

 private:
  std::vector<std::string> columns_{"cost", "triple"};
  std::vector<StudyCurve> curves_{{"line", "m"}};
  bool motions_;
  int microseconds_;
};

inline Study made_up_study(int points, bool motions = false, int microseconds = 0) {
  Study study;
  study.spec.name = "made up";
  ParameterRange range{"x"};
  range.lower = 0, range.upper = 5;
  study.spec.parameters = {range};
  study.spec.sample = {SampleSpec::Kind::sobol, points};
  study.spec.keep = 3;
  study.spec.identity = {{"parameters: x", "{between: [0, 5]}"}, {"sample", std::to_string(points)}};
  study.points = sample_points(study.spec.parameters, study.spec.sample);
  study.work = std::make_shared<MadeUpWork>(motions, microseconds);
  return study;
}

}  // namespace verne::test
