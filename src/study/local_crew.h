/// Processes of this machine that compute points.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "study/child_process.h"
#include "study/crew.h"

namespace verne {

class LocalCrew : public Crew {
 public:
  LocalCrew(StudyWork& work, const PointLimits& limits, int workers);

  int workers() const override { return static_cast<int>(workers_.size()); }
  void give(int worker, int point, std::string order) override;
  std::optional<CrewAnswer> next(double seconds) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Given {
    int point;
    std::string order;
  };
  struct Worker {
    std::unique_ptr<ChildProcess> child;  ///< none until there is something to do
    std::deque<Given> given;              ///< and not answered yet
    Clock::time_point since{};            ///< it computes the first of them
  };

  void start(Worker& worker);
  void wait(double seconds);
  void read_from(int number);
  void give_up(int number, const ChildEnd& end);
  void answer(int number, bool computed, PointResult result);

  StudyWork& work_;
  PointLimits limits_;
  std::vector<Worker> workers_;
  std::deque<CrewAnswer> answers_;
};

}  // namespace verne
