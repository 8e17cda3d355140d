#include "study/local_crew.h"

#include <poll.h>

#include <algorithm>

#include "study/messages.h"

namespace verne {

namespace {

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Crew::~Crew() = default;

LocalCrew::LocalCrew(StudyWork& work, const PointLimits& limits, int workers)
    : work_(work), limits_(limits), workers_(static_cast<std::size_t>(workers)) {}

void LocalCrew::start(Worker& worker) {
  worker.child = std::make_unique<ChildProcess>(work_, limits_);
  worker.since = Clock::now();
  for (const Given& given : worker.given) worker.child->send(given.order);
}

void LocalCrew::give(int number, int point, std::string order) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  worker.given.push_back({point, std::move(order)});
  if (!worker.child) return start(worker);
  if (worker.given.size() == 1) worker.since = Clock::now();
  worker.child->send(worker.given.back().order);
}

std::optional<CrewAnswer> LocalCrew::next(double seconds) {
  if (answers_.empty()) wait(seconds);
  if (answers_.empty()) return std::nullopt;
  CrewAnswer answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

/// Until something comes from a child, or one has taken too long.
void LocalCrew::wait(double seconds) {
  std::vector<pollfd> sockets;
  std::vector<int> numbers;
  const auto now = Clock::now();
  for (std::size_t k = 0; k < workers_.size(); ++k) {
    const Worker& worker = workers_[k];
    if (worker.given.empty()) continue;
    const short events = static_cast<short>(POLLIN | (worker.child->has_more_to_send() ? POLLOUT : 0));
    sockets.push_back({worker.child->socket(), events, 0});
    numbers.push_back(static_cast<int>(k));
    seconds = std::clamp(limits_.seconds - seconds_between(worker.since, now), 0.0, seconds);
  }
  ::poll(sockets.data(), sockets.size(), static_cast<int>(1000 * seconds) + 1);
  for (std::size_t k = 0; k < sockets.size(); ++k) {
    Worker& worker = workers_[static_cast<std::size_t>(numbers[k])];
    if (sockets[k].revents & POLLOUT) worker.child->send_rest();
    if (sockets[k].revents & (POLLIN | POLLHUP | POLLERR)) read_from(numbers[k]);
    if (worker.given.empty() || seconds_between(worker.since, Clock::now()) <= limits_.seconds) continue;
    worker.child->end();
    give_up(numbers[k], {"time_limit", "took longer than the limit"});
  }
}

void LocalCrew::read_from(int number) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  const bool alive = worker.child->receive();
  for (std::string result; !worker.given.empty() && worker.child->take(result);) {
    answer(number, true, unpack_result(result));
  }
  if (!alive) give_up(number, worker.child->end());
}

/// Its process is gone, and with it the point that it was at; the others go to a new one.
void LocalCrew::give_up(int number, const ChildEnd& end) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  worker.child.reset();
  if (worker.given.empty()) return;
  PointResult result;
  result.status = end.status, result.reason = end.reason;
  answer(number, false, std::move(result));
  if (!worker.given.empty()) start(worker);
}

void LocalCrew::answer(int number, bool computed, PointResult result) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  const auto now = Clock::now();
  answers_.push_back(
      {number, worker.given.front().point, computed, std::move(result), seconds_between(worker.since, now)});
  worker.given.pop_front();
  worker.since = now;
}

}  // namespace verne
