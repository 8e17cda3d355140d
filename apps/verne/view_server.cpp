#include "view_server.h"

#include <httplib.h>

#include <cerrno>
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

/// The library would share the port with another program that asked for it in the same way.
void only_reuse_address(socket_t socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

}  // namespace

struct ViewServer::Implementation {
  std::string page;
  Answer answer;
  std::mutex computing;  // one state at a time: the model's scratch memory is shared
  int port = 0;
  httplib::Server server;
  std::thread thread;

  void set_routes() {
    server.set_socket_options(only_reuse_address);
    server.set_payload_max_length(kLargestRequest);
    server.set_keep_alive_timeout(1);  // a browser's idle connection must not hold up the end of the program
    const std::string end = ":" + std::to_string(port);
    const std::set<std::string> hosts{kLoopback + end, "localhost" + end};
    server.set_pre_routing_handler([hosts](const httplib::Request& request, httplib::Response& response) {
      set_headers(response);
      if (hosts.contains(request.get_header_value("Host"))) return httplib::Server::HandlerResponse::Unhandled;
      response.status = 403;
      response.set_content("This server answers its own machine only.\n", "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    });
    server.Get("/", [this](const httplib::Request&, httplib::Response& response) {
      response.set_content(page, "text/html; charset=utf-8");
    });
    if (!answer) return;
    server.Post("/api/state", [this](const httplib::Request& request, httplib::Response& response) {
      try {
        const std::lock_guard lock(computing);
        response.set_content(answer(request.body), "application/json");
      } catch (const InputError& error) {
        response.status = 400;
        response.set_content(error.what(), "text/plain; charset=utf-8");
      }
    });
  }
};

ViewServer::ViewServer(std::string page, Answer answer, int port)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  self.page = std::move(page), self.answer = std::move(answer);
  self.server.set_socket_options(only_reuse_address);
  self.port = port > 0 ? port : self.server.bind_to_any_port(kLoopback);
  if (self.port <= 0 || (port > 0 && !self.server.bind_to_port(kLoopback, port))) {
    throw EnvironmentError("port " + std::to_string(port) + " cannot be used: " + std::strerror(errno) +
                           "; take another by --port, or leave it out for any free one");
  }
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
