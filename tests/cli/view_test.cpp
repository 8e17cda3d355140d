#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <csignal>

#include "cli/program.h"
#include "support/paths.h"

namespace verne::test {
namespace {

int connected(int port, in_addr_t address = htonl(INADDR_LOOPBACK)) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET, place.sin_port = htons(static_cast<std::uint16_t>(port)), place.sin_addr.s_addr = address;
  if (::connect(socket, reinterpret_cast<sockaddr*>(&place), sizeof(place)) == 0) return socket;
  ::close(socket);
  return -1;
}

/// Sends bytes as they are and returns all that comes back.
std::string converse(int port, const std::string& request) {
  const int socket = connected(port);
  EXPECT_GE(socket, 0);
  EXPECT_EQ(::write(socket, request.data(), request.size()), static_cast<ssize_t>(request.size()));
  std::string answer;
  char chunk[4096];
  for (ssize_t n; (n = ::read(socket, chunk, sizeof(chunk))) > 0;) answer.append(chunk, static_cast<std::size_t>(n));
  ::close(socket);
  return answer;
}

std::string get(int port, const std::string& path, const std::string& host) {
  return converse(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
}

/// A running `verne view`, and the port that it printed.
class RunningView {
 public:
  explicit RunningView(const std::vector<std::string>& more) {
    std::vector<std::string> command{program(), "view", "--no-browser"};
    command.insert(command.end(), more.begin(), more.end());
    int out[2];
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    const int err = ::open(folder_.file("err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    process_ = start(command, in, out[1], err);
    for (const int descriptor : {in, out[1], err}) ::close(descriptor);
    std::string line;
    for (char c; ::read(out[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(out[0]);
    const std::size_t colon = line.find(':', line.find("127.0.0.1"));
    if (colon != std::string::npos) port_ = std::stoi(line.substr(colon + 1));
  }
  ~RunningView() {
    if (process_ > 0) stop(SIGKILL);
  }
  int stop(int signal) {
    ::kill(process_, signal);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return exit_code_of(status);
  }
  int port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  Folder folder_;
  pid_t process_ = -1;
  int port_ = 0;
};

#ifdef VERNE_HAVE_PAGE
#define SKIP_WITHOUT_PAGE()
#else
#define SKIP_WITHOUT_PAGE() GTEST_SKIP() << "built without the web page"
#endif

TEST(CliView, ServesThePageAndComputes) {
  SKIP_WITHOUT_PAGE();
  RunningView view({shipped("two_link")});
  ASSERT_GT(view.port(), 0);
  const std::string page = get(view.port(), "/", view.host());
  EXPECT_TRUE(contains(page, "HTTP/1.1 200")) << page.substr(0, 300);
  EXPECT_TRUE(contains(page, "<!doctype html>"));
  EXPECT_TRUE(contains(page, "nosniff"));
  const std::string body = R"({"values": [0, 0]})";
  const std::string answer = converse(
      view.port(), "POST /api/state HTTP/1.1\r\nHost: " + view.host() +
                       "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  const auto state = nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n")));
  EXPECT_NEAR(state["link_poses"]["link2"][0], 0.8, 1e-14);
  EXPECT_EQ(view.stop(SIGINT), 130);
}

TEST(CliView, RefusesOtherHostsPathsAndRubbish) {
  SKIP_WITHOUT_PAGE();
  RunningView view({shipped("two_link")});
  ASSERT_GT(view.port(), 0);
  const int port = view.port();
  for (const std::string& host : std::vector<std::string>{"evil.example", "evil.example:" + std::to_string(port),
                                                          "127.0.0.1", "127.0.0.1:1", ""}) {
    const std::string answer = get(port, "/", host);
    EXPECT_TRUE(contains(answer, "403")) << host << ": " << answer.substr(0, 100);
    EXPECT_FALSE(contains(answer, "<!doctype")) << host;
  }
  for (const char* path :
       {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/etc/passwd", "//etc/passwd", "/api/other", "/index.html"}) {
    const std::string answer = get(port, path, view.host());
    EXPECT_FALSE(contains(answer, "root:")) << path;
    EXPECT_TRUE(contains(answer, "HTTP/1.1 404") || contains(answer, "HTTP/1.1 400")) << path << answer.substr(0, 60);
  }
  for (const char* body : {"", "{", "{\"values\": [1]}", "{\"values\": \"<script>\"}"}) {
    const std::string answer =
        converse(port, "POST /api/state HTTP/1.1\r\nHost: " + view.host() +
                           "\r\nConnection: close\r\nContent-Length: " + std::to_string(std::string(body).size()) +
                           "\r\n\r\n" + body);
    EXPECT_TRUE(contains(answer, "HTTP/1.1 400")) << body;
    EXPECT_TRUE(contains(answer, "text/plain")) << body;
  }
  EXPECT_TRUE(contains(get(port, "/", view.host()), "HTTP/1.1 200"));  // still alive
  EXPECT_EQ(view.stop(SIGTERM), 143);
}

TEST(CliView, RefusesHeadersThatContradictThemselves) {
  SKIP_WITHOUT_PAGE();
  RunningView view({shipped("two_link")});
  ASSERT_GT(view.port(), 0);
  const std::string ours = "Host: " + view.host() + "\r\n", theirs = "Host: evil.example\r\n";
  for (const std::string& hosts : {ours + theirs, theirs + ours, ours + ours}) {
    const std::string answer = converse(view.port(), "GET / HTTP/1.1\r\n" + hosts + "\r\n");
    EXPECT_TRUE(contains(answer, "HTTP/1.1 403")) << hosts << answer.substr(0, 100);
  }
  for (const char* length : {"-1", "-18446744073709551615", "+2", "2x", "0x10", "1048577", "99999999999999999999",
                             "2\r\nContent-Length: 3"}) {
    // The connection stays open on our side: the answer comes without waiting for a body.
    const std::string answer =
        converse(view.port(), "POST /api/state HTTP/1.1\r\n" + ours + "Content-Length: " + length + "\r\n\r\n{}");
    EXPECT_TRUE(contains(answer, "HTTP/1.1 400")) << length << answer.substr(0, 100);
    EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << "the body passed for a request: " << answer;
  }
}

/// Compressing takes longer than the way to the same machine.
TEST(CliView, SendsBytesAsTheyAre) {
  SKIP_WITHOUT_PAGE();
  RunningView view({shipped("two_link")});
  ASSERT_GT(view.port(), 0);
  const std::string ours = "Host: " + view.host() + "\r\nAccept-Encoding: gzip, deflate, br\r\nConnection: close\r\n";
  const std::string body = R"({"values": [0.3, -1]})";
  const std::string page = converse(view.port(), "GET / HTTP/1.1\r\n" + ours + "\r\n");
  const std::string state =
      converse(view.port(), "POST /api/state HTTP/1.1\r\n" + ours + "Content-Length: " + std::to_string(body.size()) +
                                "\r\n\r\n" + body);
  EXPECT_TRUE(contains(page, "<!doctype html>")) << page.substr(0, 400);
  EXPECT_TRUE(contains(state, "\"mass_matrix\"")) << state.substr(0, 400);
  for (const std::string& answer : {page, state}) {
    EXPECT_TRUE(contains(answer, "HTTP/1.1 200"));
    EXPECT_FALSE(contains(answer.substr(0, answer.find("\r\n\r\n")), "Content-Encoding"));
  }
}

TEST(CliView, RequestsThatNeverEndKeepNobodyWaiting) {
  SKIP_WITHOUT_PAGE();
  RunningView view({shipped("two_link")});
  ASSERT_GT(view.port(), 0);
  std::vector<int> sockets;
  for (int k = 0; k < 300; ++k) {
    sockets.push_back(connected(view.port()));
    ASSERT_GE(sockets.back(), 0);
    ASSERT_EQ(::write(sockets.back(), "GET / HT", 8), 8);
  }
  EXPECT_TRUE(contains(get(view.port(), "/", view.host()), "HTTP/1.1 200"));
  // The answer did not have to wait for the others to be given up.
  int open = 0;
  for (const int socket : sockets) {
    pollfd waiting{socket, POLLIN, 0};
    open += ::poll(&waiting, 1, 0) == 0;
    ::close(socket);
  }
  EXPECT_GT(open, 100);
}

TEST(CliView, ListensOnLoopbackOnly) {
  SKIP_WITHOUT_PAGE();
  RunningView view({shipped("two_link")});
  ASSERT_GT(view.port(), 0);
  // 127.0.0.2 is the same machine under another address: a server on all addresses would answer.
  EXPECT_EQ(connected(view.port(), htonl(INADDR_LOOPBACK + 1)), -1);
}

TEST(CliView, SaysWhenThereIsNoBrowser) {
  SKIP_WITHOUT_PAGE();
  // No xdg-open on this path; `timeout` ends the program by SIGINT.
  const Outcome outcome =
      shell("timeout -s INT 1 env PATH=/nowhere '" + program() + "' view '" + shipped("two_link") + "'");
  EXPECT_TRUE(contains(outcome.out, "http://127.0.0.1:")) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "note: no browser could be opened")) << outcome.err;
}

TEST(CliView, PortInUse) {
  SKIP_WITHOUT_PAGE();
  RunningView view({shipped("two_link")});
  ASSERT_GT(view.port(), 0);
  const Outcome second = verne({"view", shipped("two_link"), "--no-browser", "--port", std::to_string(view.port())});
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_TRUE(contains(second.err, "port " + std::to_string(view.port()) + " cannot be used")) << second.err;
}

TEST(CliView, BadInput) {
  EXPECT_EQ(verne({"view", "nowhere.yaml", "--no-browser"}).exit_code, 2);
  const Folder empty;
  EXPECT_EQ(verne({"view", empty.file(""), "--no-browser"}).exit_code, 2);
  EXPECT_EQ(verne({"view", shipped("two_link"), "--port", "70000"}).exit_code, 2);
}

}  // namespace
}  // namespace verne::test
