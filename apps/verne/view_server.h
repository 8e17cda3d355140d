/// A web server for one user on one machine.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

namespace verne::cli {

/// Serves a page at / and answers its requests, from a thread of its own. Listens on 127.0.0.1 only; requests
/// that name another host are refused, so that no page of the web can reach it by pointing a name of its own here. No
/// file is ever served.
class ViewServer {
 public:
  /// Turns the body of a request into an answer in JSON; an InputError becomes status 400.
  using Answer = std::function<std::string(const std::string& request)>;

  /// Answers by the paths to which the page posts its requests.
  using Answers = std::map<std::string, Answer>;

  /// Port 0 takes any free one. Throws EnvironmentError when the port is in use. All other paths are not found.
  ViewServer(std::string page, Answers answers, int port);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  std::string address() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace verne::cli
