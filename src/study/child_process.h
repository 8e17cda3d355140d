/// A process of ours that computes one point after the other.
#pragma once

#include <sys/types.h>

#include <string>

#include "verne/study/study.h"

namespace verne {

/// How a child ended: a status of points, and the reason in words.
struct ChildEnd {
  std::string status, reason;
};

/// A fork of this process that reads packed orders and writes packed results, each with its length before it. It has a
/// copy of all memory but one thread, says nothing, and ends when this process does.
class ChildProcess {
 public:
  ChildProcess(StudyWork& work, const PointLimits& limits);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Our end of the connection, which does not block.
  int socket() const { return socket_; }
  /// Queues an order, and sends what can be sent.
  void send(const std::string& order);
  void send_rest();
  bool has_more_to_send() const { return !unsent_.empty(); }
  /// Reads what has come; false when the child is gone.
  bool receive();
  /// The next whole result among what has come.
  bool take(std::string& result);
  /// Ends it, if it has not ended yet, and says of what.
  ChildEnd end();

 private:
  pid_t process_ = -1;
  int socket_ = -1;
  PointLimits limits_;
  std::string unsent_, received_;
};

}  // namespace verne
