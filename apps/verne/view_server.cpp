#include "view_server.h"

#include <httplib.h>

#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>

#include "verne/base/error.h"

namespace verne::cli {

namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::size_t kLargestRequest = 1 << 20;

/// Nothing but the page itself may run, be loaded or frame it.
void set_headers(httplib::Response& response) {
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("X-Frame-Options", "DENY");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cache-Control", "no-store");
}

/// The library would compress what is set as a whole, by Brotli at its slowest: seconds, to save nothing on the way to
/// the same machine.
void send(httplib::Response& response, std::string text, const char* type) {
  const auto body = std::make_shared<const std::string>(std::move(text));
  response.set_content_provider(body->size(), type, [body](std::size_t at, std::size_t size, httplib::DataSink& sink) {
    return sink.write(body->data() + at, size);
  });
}

/// Connections at a time; more wait.
constexpr int kMostConnections = 512;
/// Seconds that a request, once begun, may say nothing.
constexpr int kPatience = 5;

/// A thread for each connection, so that those which say nothing keep nobody waiting.
class ThreadEach final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> work) override {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return running_ < kMostConnections; });
    ++running_;
    lock.unlock();
    const auto run = [this, work = std::move(work)] {
      work();
      const std::lock_guard done(mutex_);
      --running_;
      ended_.notify_all();
    };
    try {
      std::thread(run).detach();
    } catch (const std::system_error&) {  // no thread is to be had
      run();
    }
  }
  void shutdown() override {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  int running_ = 0;
};

/// Whether the length of the body is stated once, as a number that we take; the library reads on and on for others.
bool has_sound_length(const httplib::Request& request) {
  const std::size_t count = request.get_header_value_count("Content-Length");
  if (count == 0) return true;
  const std::string text = request.get_header_value("Content-Length");
  std::size_t length = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), length);
  return count == 1 && status == std::errc() && end == text.data() + text.size() && length <= kLargestRequest;
}

httplib::Server::HandlerResponse refuse(httplib::Response& response, int status, const char* why) {
  response.status = status;
  response.set_content(why, "text/plain");
  return httplib::Server::HandlerResponse::Handled;
}

}  // namespace

struct ViewServer::Implementation {
  Pages pages;
  Answers answers;
  std::mutex computing;  // one state at a time: the model's scratch memory is shared
  int port = 0;
  socket_t listening = INVALID_SOCKET;
  httplib::Server server;
  std::thread thread;

  void bind(int wanted) {
    server.set_socket_options([this](socket_t socket) {
      // The library would share the port with another program that asked for it in the same way.
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
      listening = socket;
    });
    port = wanted > 0 ? wanted : server.bind_to_any_port(kLoopback);
    if (port <= 0 || (wanted > 0 && !server.bind_to_port(kLoopback, wanted))) {
      throw EnvironmentError("port " + std::to_string(wanted) + " cannot be used: " + std::strerror(errno) +
                             "; take another by --port, or leave it out for any free one");
    }
    // The library lets five connections wait to be accepted; a sixth is dropped and tried again a second later.
    ::listen(listening, SOMAXCONN);
  }

  void set_routes() {
    server.set_payload_max_length(kLargestRequest);
    server.set_keep_alive_timeout(1);  // a browser's idle connection must not hold up the end of the program
    server.new_task_queue = [] { return new ThreadEach; };
    server.set_read_timeout(kPatience);
    server.set_write_timeout(kPatience);
    server.set_keep_alive_max_count(1);  // what is left of a refused request must not pass for the next one
    const std::string end = ":" + std::to_string(port);
    const std::set<std::string> hosts{kLoopback + end, "localhost" + end};
    server.set_pre_routing_handler([hosts](const httplib::Request& request, httplib::Response& response) {
      set_headers(response);
      if (request.get_header_value_count("Host") != 1 || !hosts.contains(request.get_header_value("Host"))) {
        return refuse(response, 403, "This server answers its own machine only.\n");
      }
      if (!has_sound_length(request)) return refuse(response, 400, "Content-Length: expected one number up to 1 MB.\n");
      return httplib::Server::HandlerResponse::Unhandled;
    });
    server.Get("/.*", [this](const httplib::Request& request, httplib::Response& response) {
      try {
        if (auto page = pages(request.path)) return send(response, std::move(*page), "text/html; charset=utf-8");
        response.status = 404;
      } catch (const Error& error) {
        response.status = 404;
        response.set_content(error.what(), "text/plain; charset=utf-8");
      }
    });
    for (const auto& [path, answer] : answers) {
      server.Post(path, [this, &answer](const httplib::Request& request, httplib::Response& response) {
        try {
          const std::lock_guard lock(computing);
          send(response, answer(request.body), "application/json");
        } catch (const InputError& error) {
          response.status = 400;
          response.set_content(error.what(), "text/plain; charset=utf-8");
        }
      });
    }
  }
};

ViewServer::Pages ViewServer::only(std::string page) {
  return [page = std::move(page)](const std::string& path) { return path == "/" ? std::optional(page) : std::nullopt; };
}

ViewServer::ViewServer(Pages pages, Answers answers, int port) : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  self.pages = std::move(pages), self.answers = std::move(answers);
  self.bind(port);
  self.set_routes();
  self.thread = std::thread([&self] { self.server.listen_after_bind(); });
}

ViewServer::~ViewServer() {
  implementation_->server.stop();
  implementation_->thread.join();
}

std::string ViewServer::address() const {
  return "http://" + std::string(kLoopback) + ":" + std::to_string(implementation_->port) + "/";
}

}  // namespace verne::cli
