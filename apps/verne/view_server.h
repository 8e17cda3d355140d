/// A web server for one user on one machine.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace verne::cli {

/// Serves pages and answers their requests, from a thread of its own. Listens on 127.0.0.1 only; requests
/// that name another host are refused, so that no page of the web can reach it by pointing a name of its own here.
/// Paths are names of pages, never of files.
class ViewServer {
 public:
  /// Turns the body of a request into an answer in JSON; an InputError becomes status 400.
  using Answer = std::function<std::string(const std::string& request)>;

  /// Answers by the paths to which the page posts its requests.
  using Answers = std::map<std::string, Answer>;

  /// The page at a path; nothing where there is none. Called by several threads at a time.
  using Pages = std::function<std::optional<std::string>(const std::string& path)>;
  /// One page, at /.
  static Pages only(std::string page);

  /// Port 0 takes any free one. Throws EnvironmentError when the port is in use. All other paths are not found.
  ViewServer(Pages pages, Answers answers, int port);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  std::string address() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace verne::cli
