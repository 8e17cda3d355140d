#include "motion/starts.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "motion/first_guess.h"
#include "verne/base/error.h"

namespace verne {

namespace {

/// A worker and the pipe that its result comes through.
struct Worker {
  pid_t process = -1;
  int pipe = -1;
};

/// What a worker sends; control points and lengths follow.
struct Header {
  int status;
  double cost, duration;
};

void send(int pipe, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(pipe, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);
    at += written, size -= static_cast<std::size_t>(written);
  }
}

bool receive(int pipe, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(pipe, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// One solve without refinement: enough to compare the starts.
[[noreturn]] void work(Task task, int start, int pipe) {
  std::signal(SIGINT, SIG_DFL);  // the parent's handler would only set a flag of ours
  std::signal(SIGTERM, SIG_DFL);
  task.refine.rounds = task.refine.knots = 0;
  task.refine.switches = false;
  task.starts.count = 1;
  try {
    const Solution solution = predict_from(task, {}, first_guess(task, start), Guess::naive);
    const Header header{static_cast<int>(solution.status), solution.cost, solution.trajectory.duration()};
    send(pipe, &header, sizeof header);
    const Eigen::MatrixXd& points = solution.trajectory.control_points();
    send(pipe, points.data(), sizeof(double) * points.size());
    send(pipe, solution.trajectory.lengths().data(), sizeof(double) * solution.trajectory.lengths().size());
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);  // nothing of the parent's is flushed or cleaned up twice
}

Worker start_worker(const Task& task, int start) {
  int ends[2];
  if (::pipe(ends) != 0) throw EnvironmentError(std::string("no pipe for a worker: ") + std::strerror(errno));
  const pid_t process = ::fork();
  if (process < 0) throw EnvironmentError(std::string("no worker process: ") + std::strerror(errno));
  if (process == 0) {
    ::close(ends[0]);
    work(task, start, ends[1]);
  }
  ::close(ends[1]);
  return {process, ends[0]};
}

}  // namespace

Solution predict_from_starts(const Task& task, const PredictOptions& options) {
  const int count = task.starts.count;
  const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int processes = std::clamp(options.processes > 0 ? options.processes : machine, 1, count);
  const Trajectory shape = first_guess(task);
  std::vector<StartResult> results;
  std::optional<Trajectory> best;
  double best_cost = kInfinity;
  std::vector<Worker> workers;
  const auto start_next = [&] {
    if (static_cast<int>(workers.size()) < count)
      workers.push_back(start_worker(task, static_cast<int>(workers.size())));
  };
  for (int k = 0; k < processes; ++k) start_next();
  bool stopped = false;
  for (int k = 0; k < static_cast<int>(workers.size());
       ++k) {  // in order, so that the result does not depend on who is first
    Header header{static_cast<int>(nlp::Status::failed), 0, 0};
    Eigen::MatrixXd points(shape.control_points().rows(), shape.control_points().cols());
    Eigen::VectorXd lengths(shape.lengths().size());
    const bool whole = receive(workers[k].pipe, &header, sizeof header) &&
                       receive(workers[k].pipe, points.data(), sizeof(double) * points.size()) &&
                       receive(workers[k].pipe, lengths.data(), sizeof(double) * lengths.size());
    ::close(workers[k].pipe);
    ::waitpid(workers[k].process, nullptr, 0);
    const auto status = whole ? static_cast<nlp::Status>(header.status) : nlp::Status::failed;
    results.push_back({k, status, header.cost, header.duration});
    const bool good = status == nlp::Status::solved || status == nlp::Status::acceptable;
    if (good && header.cost < best_cost) {
      best_cost = header.cost;
      best.emplace(shape.basis(), lengths, points);
    }
    if (options.progress && !options.progress({0, {k, header.cost, 0, 0, 0}})) stopped = true;
    if (!stopped) {
      start_next();
      continue;
    }
    for (std::size_t other = k + 1; other < workers.size(); ++other) ::kill(workers[other].process, SIGTERM);
  }
  Solution solution = predict_from(task, options, best ? *best : shape, best ? Guess::near : Guess::naive);
  solution.starts = std::move(results);
  return solution;
}

}  // namespace verne
