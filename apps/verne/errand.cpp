#include "errand.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>

#include "child_process.h"
#include "interrupt.h"
#include "report/page_reports.h"
#include "verne/base/error.h"
#include "verne/base/text.h"

namespace verne::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kMailPause = std::chrono::milliseconds(50);
/// Of a page that says nothing: drawing one picture takes seconds at most.
constexpr auto kPagePatience = std::chrono::minutes(2);
/// A film is kept in memory until it is whole.
constexpr std::size_t kLargestAnswer = std::size_t{1} << 30;

std::string browser() {
  return find_program({"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"});
}

/// Nobody else on this machine can guess it and speak in the page's name.
std::string secret() {
  std::random_device random;
  std::string key;
  for (int i = 0; i < 4; ++i) key += fmt::format("{:08x}", random());
  return key;
}

/// Its temporary files go where its profile is: it leaves them behind when it is ended early.
std::vector<std::string> browser_command(const std::string& folder, const std::string& address) {
  std::vector<std::string> words{find_program({"env"}),
                                 "TMPDIR=" + folder,
                                 browser(),
                                 "--headless",
                                 "--disable-gpu",
                                 "--use-angle=swiftshader",
                                 "--enable-unsafe-swiftshader",
                                 "--no-first-run",
                                 "--no-default-browser-check",
                                 "--disable-quic",
                                 "--disable-sync",
                                 "--disable-extensions",
                                 "--disable-background-networking",
                                 "--disable-component-update",
                                 "--disable-breakpad",
                                 "--disable-dev-shm-usage",
                                 "--hide-scrollbars",
                                 "--force-device-scale-factor=1",
                                 "--window-size=1280,900",
                                 "--user-data-dir=" + folder};
  if (::geteuid() == 0) words.push_back("--no-sandbox");  // Chromium refuses to run as root with it
  words.push_back(address);
  return words;
}

/// What the page has said so far; its requests come in threads of their own.
class Mailbox {
 public:
  ViewServer::Answers answers(const std::string& place) {
    const auto on = [this](auto act) {
      return [this, act](const std::string& body) {
        const std::lock_guard lock(mutex_);
        heard_ = Clock::now();
        act(body);
        news_.notify_all();
        return std::string("{}");
      };
    };
    return {{place + "progress", on([this](const std::string& body) { progress_ = read_film_progress(body); })},
            {place + "piece", on([this](const std::string& body) {
               if (result_.file.size() + body.size() > kLargestAnswer) throw InputError("the file is too large");
               result_.file += body;
             })},
            {place + "done", on([this](const std::string& body) { result_.report = body, ended_ = true; })},
            {place + "failed", on([this](const std::string& body) { failure_ = body, ended_ = true; })}};
  }

  /// Whether all has come; waits a little for that.
  bool has_ended(const ErrandProgress& progress) {
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, kMailPause, [this] { return ended_; });
    if (!failure_.empty()) throw EnvironmentError("the page failed: " + escaped(failure_));
    if (!ended_ && Clock::now() - heard_ > kPagePatience) throw EnvironmentError("the page does not answer");
    if (progress_.of > 0) progress(progress_.done, progress_.of);
    return ended_;
  }

  ErrandResult take() {
    const std::lock_guard lock(mutex_);
    return std::move(result_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  Clock::time_point heard_ = Clock::now();
  bool ended_ = false;
  FilmProgress progress_;
  std::string failure_;
  ErrandResult result_;
};

}  // namespace

void require_browser() {
  if (browser().empty()) {
    throw EnvironmentError("Chromium is needed for that and is not installed: apt-get install chromium");
  }
}

ErrandResult run_errand(ServedPage page, const std::string& wishes, const ErrandProgress& progress) {
  require_browser();
  const std::string key = secret();
  Mailbox mailbox;
  page.answers.merge(mailbox.answers("/api/errand/" + key + "/"));
  const TemporaryFolder folder;
  const ViewServer server(ViewServer::only(std::move(page.html)), std::move(page.answers), 0);
  ChildProcess chromium(browser_command(folder.path(), server.address() + "#" + wishes + "&key=" + key),
                        folder.file("log"));
  while (!mailbox.has_ended(progress)) {
    check_interrupt();
    if (chromium.outcome()) {
      throw EnvironmentError(fmt::format("Chromium ended with {}: {}", *chromium.outcome(), chromium.last_words()));
    }
  }
  return mailbox.take();
}

}  // namespace verne::cli
