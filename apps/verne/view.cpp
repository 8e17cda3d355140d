#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "commands.h"
#include "interrupt.h"
#include "model_option.h"
#include "output.h"
#include "srdf_option.h"
#include "verne/report/live.h"
#include "verne/report/report.h"
#include "view_server.h"
#ifdef VERNE_HAVE_STUDY
#include "study_view.h"
#include "verne/study/again.h"
#endif

extern char** environ;

namespace verne::cli {

namespace {

struct ViewOptions {
  ModelOption model;
  MeshOptions meshes{};
  std::string srdf;
  int port = 0;
  bool no_browser = false;
};

constexpr const char* kProgram = "verne " VERNE_VERSION;

/// Asks the desktop to show a page. Returns the helper's process, or -1 when there is no such helper.
pid_t open_browser(const std::string& address) {
  std::string helper = "xdg-open", argument = address;
  char* arguments[] = {helper.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
  }
  pid_t process = -1;
  const bool started = ::posix_spawnp(&process, arguments[0], &quiet, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  return started ? process : -1;
}

/// Whether the helper has ended without success. It may also stay for as long as the browser is open.
bool has_failed(pid_t& helper) {
  int status = 0;
  if (helper < 0 || ::waitpid(helper, &status, WNOHANG) != helper) return false;
  helper = -1;
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

[[noreturn]] void serve_until_interrupted(const ViewServer& server, const ViewOptions& options) {
  const auto tell = [] { complain("note: no browser could be opened; open the address above in one"); };
  Output("-").write(fmt::format("{}  (Ctrl-C ends)\n", server.address()));  // who cannot read it needs no server
  pid_t helper = options.no_browser ? -1 : open_browser(server.address());
  if (!options.no_browser && helper < 0) tell();
  while (true) {
    check_interrupt();
    if (has_failed(helper)) tell();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void run_view(const ViewOptions& options) {
  const std::string& path = options.model.path;
  if (std::filesystem::is_directory(path)) {
#ifdef VERNE_HAVE_STUDY
    if (holds_study(path)) {
      StudyView study(path);
      const ViewServer server([&study](const std::string& page) { return study.page(page); },
                              {{"/api/study", [&study](const std::string&) { return study.state(); }}}, options.port);
      serve_until_interrupted(server, options);
    }
#endif
    const ViewServer server(ViewServer::only(report_page(read_report_folder(path), kProgram)), {}, options.port);
    serve_until_interrupted(server, options);
  }
  const Model model = load(options.model);
  if (!model.loops().empty()) warn_of_loops(Mechanism(model), options.model.strict);
  LiveModel live(model);
  live.add_states(load_srdf(options.srdf, options.model.path, model).states);
  const ViewServer server(ViewServer::only(live.page(kProgram, load_meshes(model, options.meshes))),
                          {{"/api/state", [&live](const std::string& request) { return live.state(request); }}},
                          options.port);
  serve_until_interrupted(server, options);
}

}  // namespace

void add_view_command(CLI::App& program) {
  const auto options = std::make_shared<ViewOptions>();
  CLI::App& command = *program.add_subcommand("view", "Show a model with sliders, a report or a study, in the browser");
  add_model_option(command, options->model)
      ->required()
      ->description("model file, or a folder that `verne predict` or `verne study` wrote");
  add_mesh_options(command, options->meshes);
  add_srdf_option(command, options->srdf);
  command.add_option("--port", options->port, "port on 127.0.0.1 (default: any free one)")
      ->check(CLI::Range(1, 65535))
      ->type_name("N");
  command.add_flag("--no-browser", options->no_browser, "only print the address");
  command.footer(
      "Examples:\n  verne view models/humanoid.yaml\n  verne view out --port 8080 --no-browser\n  verne view "
      "out/payload                  a study, also while it is computed");
  command.callback([options] { run_view(*options); });
}

}  // namespace verne::cli
