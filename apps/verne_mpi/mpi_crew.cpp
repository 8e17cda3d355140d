#include "mpi_crew.h"

#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <vector>

#include "study/messages.h"
#include "study/wire.h"
#include "verne/base/error.h"

namespace verne {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kOrder = 1, kAnswer = 2, kHome = 3;  // tags
/// Between looks for a message: MPI's own waiting would take a whole processor.
constexpr unsigned kLookMicroseconds = 200;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

void send_text(const std::string& text, int rank, int tag) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

struct Message {
  int rank, tag;
  std::string text;
};
std::optional<Message> received() {
  int there = 0, size = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (!there) return std::nullopt;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(message.text.data(), size, MPI_BYTE, message.rank, message.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

}  // namespace

MpiWorld::MpiWorld(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiWorld::~MpiWorld() {
  MPI_Finalize();
}

std::string MpiWorld::shared(std::string text) const {
  unsigned long size = text.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD);
  return text;
}

void MpiWorld::abort(int status) const {
  MPI_Abort(MPI_COMM_WORLD, status);
  ::_exit(status);
}

struct MpiCrew::Contents {
  struct Worker {
    std::deque<int> points;  ///< that it was given, and has not answered
    Clock::time_point since{};
    bool gone = false;
  };
  std::vector<Worker> workers;
  std::deque<CrewAnswer> answers;
  double silence;

  /// The points of silent ranks go to others.
  void give_up_silent() {
    for (std::size_t k = 0; k < workers.size(); ++k) {
      Worker& worker = workers[k];
      if (worker.gone || worker.points.empty() || seconds_since(worker.since) < silence) continue;
      worker.gone = true;
      for (const int point : worker.points) {
        CrewAnswer answer{static_cast<int>(k), point, false, {}, seconds_since(worker.since)};
        answer.result.status = "crashed", answer.result.reason = "its rank went silent";
        answers.push_back(std::move(answer));
      }
      worker.points.clear();
    }
  }
};

MpiCrew::MpiCrew(const MpiWorld& world, double silence) : contents_(std::make_unique<Contents>()) {
  contents_->workers.resize(static_cast<std::size_t>(world.size() - 1));
  contents_->silence = silence;
}
MpiCrew::~MpiCrew() = default;

int MpiCrew::workers() const {
  return static_cast<int>(contents_->workers.size());
}

bool MpiCrew::alive(int worker) const {
  return !contents_->workers[static_cast<std::size_t>(worker)].gone;
}

void MpiCrew::give(int number, int point, std::string order) {
  Contents::Worker& worker = contents_->workers[static_cast<std::size_t>(number)];
  if (worker.points.empty()) worker.since = Clock::now();
  worker.points.push_back(point);
  send_text(order, number + 1, kOrder);
}

std::optional<CrewAnswer> MpiCrew::next(double seconds) {
  const auto begun = Clock::now();
  while (contents_->answers.empty()) {
    if (const auto message = received()) {
      Contents::Worker& worker = contents_->workers[static_cast<std::size_t>(message->rank - 1)];
      if (worker.gone) continue;  // too late
      WireReader in(message->text);
      CrewAnswer answer{message->rank - 1, in.take<int>(), in.take<bool>(), {}, in.take<double>()};
      answer.result = unpack_result(in.take_text());
      worker.points.pop_front();
      worker.since = Clock::now();
      contents_->answers.push_back(std::move(answer));
    } else if (seconds_since(begun) > seconds) {
      contents_->give_up_silent();
      if (contents_->answers.empty()) return std::nullopt;
    } else {
      ::usleep(kLookMicroseconds);
    }
  }
  CrewAnswer answer = std::move(contents_->answers.front());
  contents_->answers.pop_front();
  return answer;
}

void MpiCrew::dismiss() {
  for (int worker = 0; worker < workers(); ++worker) {
    if (alive(worker)) send_text("", worker + 1, kHome);
  }
}

void serve(Crew& crew) {
  while (true) {
    bool idle = true;
    while (auto message = received()) {
      idle = false;
      if (message->tag == kHome) return;
      const int point = unpack_order(message->text).point;
      crew.give(0, point, std::move(message->text));
    }
    if (const auto answer = crew.next(idle ? 1e-3 : 0)) {
      WireWriter out;
      out.put(answer->point).put(answer->computed).put(answer->seconds).put(packed(answer->result));
      send_text(out.bytes(), 0, kAnswer);
    }
  }
}

}  // namespace verne
