/// `verne film`: the picture of a page, frame by frame, as a film.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "child_process.h"
#include "commands.h"
#include "model_option.h"
#include "number_option.h"
#include "output.h"
#include "report/page_reports.h"
#include "shown_page.h"
#include "verne/base/error.h"
#include "verne/io/file.h"

namespace verne::cli {

namespace {

struct FilmOptions {
  ModelOption model;
  MeshOptions meshes{};
  std::string output = "motion.mp4", size, view, camera, show, speed, seconds;
  int fps = 0;
  bool follow = false, turn = false, dark = false;
};

enum class FilmKind { mp4, webm, gif };

FilmKind kind_of(const std::string& path) {
  const std::string end = std::filesystem::path(path).extension().string();
  if (end == ".mp4") return FilmKind::mp4;
  if (end == ".webm") return FilmKind::webm;
  if (end == ".gif") return FilmKind::gif;
  throw InputError(fmt::format("film: -o {}: expected a name that ends with .mp4, .webm or .gif", path));
}

struct PixelSize {
  int width, height;
};

/// Encoders take even numbers only.
PixelSize size_of(const std::string& text, FilmKind kind) {
  if (text.empty()) return kind == FilmKind::gif ? PixelSize{640, 360} : PixelSize{1280, 720};
  PixelSize size{};
  char behind = 0;
  const bool read = std::sscanf(text.c_str(), "%5dx%5d%c", &size.width, &size.height, &behind) == 2;
  const auto fits = [](int side) { return side >= 16 && side <= 4096 && side % 2 == 0; };
  if (!read || !fits(size.width) || !fits(size.height)) {
    throw InputError(
        fmt::format("film: --size {}: expected WIDTHxHEIGHT, even numbers from 16 to 4096, as in 1280x720", text));
  }
  return size;
}

/// GIF counts hundredths of a second.
int fps_of(int wish, FilmKind kind) {
  if (wish == 0) return kind == FilmKind::gif ? 25 : 30;
  if (kind == FilmKind::gif && 100 % wish != 0) {
    throw InputError(
        fmt::format("film: --fps {}: frames of a GIF last for hundredths of a second: take 10, 20, 25 or 50", wish));
  }
  return wish;
}

/// Six numbers with commas between.
void check_camera(const std::string& text) {
  double place[6];
  char behind = 0;
  const int read = std::sscanf(text.c_str(), "%lf,%lf,%lf,%lf,%lf,%lf%c", place, place + 1, place + 2, place + 3,
                               place + 4, place + 5, &behind);
  if (read != 6 || !std::all_of(place, place + 6, [](double x) { return std::isfinite(x); })) {
    throw InputError(fmt::format(
        "film: --camera {}: expected six numbers with commas between: where it is, then what it looks at (m)", text));
  }
}

/// What the page reads from its address (web/src/address.ts, web/src/film/errand.ts).
std::string wishes_of(const FilmOptions& options, FilmKind kind) {
  const PixelSize size = size_of(options.size, kind);
  std::string wishes = fmt::format("errand=film&container={}&width={}&height={}&fps={}&theme={}",
                                   kind == FilmKind::webm ? "webm" : "mp4", size.width, size.height,
                                   fps_of(options.fps, kind), options.dark ? "dark" : "light");
  const auto add = [&wishes](const char* name, const std::string& value) {
    if (!value.empty()) wishes += fmt::format("&{}={}", name, value);
  };
  add("view", options.view), add("camera", options.camera), add("show", options.show);
  add("speed", options.speed), add("seconds", options.seconds);
  if (options.follow) wishes += "&follow";
  if (options.turn) wishes += "&turn";
  return wishes;
}

/// On a terminal, once it takes long.
ErrandProgress progress_of_film() {
  const auto start = std::chrono::steady_clock::now();
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  return [start, shown](int done, int of) {
    if (!shown || std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) return;
    show_progress(done < of ? fmt::format("frame {} of {}", done, of) : "");
  };
}

/// The same film as a GIF, with colours of its own.
std::string as_gif(const std::string& film, const std::string& ffmpeg) {
  const TemporaryFolder folder;
  const std::string from = folder.file("film.mp4"), to = folder.file("film.gif");
  write_text_file(from, film);
  const char* const kPalette = "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none";
  ChildProcess child({ffmpeg, "-nostdin", "-v", "error", "-i", from, "-filter_complex", kPalette, "-loop", "0", to},
                     folder.file("log"));
  if (child.wait() != 0) throw EnvironmentError("ffmpeg failed: " + child.last_words());
  return read_text_file(to);
}

std::string megabytes(std::size_t bytes) {
  return bytes < 100'000 ? fmt::format("{} kB", (bytes + 500) / 1000) : fmt::format("{:.1f} MB", double(bytes) / 1e6);
}

void run_film(const FilmOptions& options) {
  const FilmKind kind = kind_of(options.output);
  const std::string wishes = wishes_of(options, kind);
  if (!options.camera.empty()) check_camera(options.camera);
  require_browser();
  const std::string ffmpeg = kind == FilmKind::gif ? find_program({"ffmpeg"}) : "";
  if (kind == FilmKind::gif && ffmpeg.empty()) {
    throw EnvironmentError("a GIF needs ffmpeg, which is not installed: apt-get install ffmpeg; or name a .mp4");
  }
  const ShownPage page(options.model, options.meshes);
  NewFile file(options.output);  // what stands in its way is found before the work
  ErrandResult made = run_errand(page.served(), wishes, progress_of_film());
  const FilmReport report = read_film_report(made.report);
  if (kind == FilmKind::gif) made.file = as_gif(made.file, ffmpeg);
  file.write(made.file);
  file.finish();
  const std::string codec = kind == FilmKind::gif ? "GIF" : report.codec;
  if (kind == FilmKind::mp4 && codec != "H.264") {
    complain(fmt::format("note: this Chromium has no H.264: {} holds {}, which browsers and VLC play", options.output,
                         codec));
  }
  show(fmt::format("{}  ({} frames, {:.2f} s, {}, {})\n", options.output, report.frames, report.frames / report.fps,
                   codec, megabytes(made.file.size())));
}

void add_picture_options(CLI::App& command, FilmOptions& options) {
  command.add_option("--view", options.view, "3d, side, front or top (default: where the motion is seen best)")
      ->check(CLI::IsMember({"3d", "side", "front", "top"}))
      ->type_name("VIEW");
  command.add_option("--camera", options.camera, "where the camera is, and what it looks at: x,y,z,x,y,z (m)")
      ->type_name("PLACE")
      ->check(not_empty());
  command.add_option("--show", options.show, "only these: ghosts,paths,joint_forces,joint_moments,ground_forces,com,…")
      ->type_name("LIST");
  command.add_flag("--follow", options.follow, "the camera goes along with the model");
  command.add_flag("--turn", options.turn, "the camera goes once around the model");
  command.add_flag("--dark", options.dark, "on dark ground");
}

}  // namespace

void add_film_command(CLI::App& program) {
  const auto options = std::make_shared<FilmOptions>();
  CLI::App& command = *program.add_subcommand("film", "Film a solution, or a model from all sides (needs Chromium)");
  add_model_option(command, options->model)
      ->required()
      ->description("folder that `verne predict` or `simulate` wrote, or a model file: one turn around it");
  command.add_option("-o,--output", options->output, "the film: .mp4, .webm or .gif (needs ffmpeg)")
      ->type_name("FILE")
      ->check(not_empty())
      ->capture_default_str();
  command.add_option("--size", options->size, "in pixels (default: 1280x720, of a GIF 640x360)")->type_name("WxH");
  command.add_option("--fps", options->fps, "frames a second (default: 30, of a GIF 25)")
      ->check(CLI::Range(1, 120))
      ->type_name("N");
  const auto is_factor = number_between(1e-3, 1e3);
  CLI::Option* const speed =
      command.add_option("--speed", options->speed, "0.5 is half as fast as the motion")->check(is_factor);
  command.add_option("--seconds", options->seconds, "length of the film, in place of --speed (of a model: 4)")
      ->check(is_factor)
      ->type_name("S")
      ->excludes(speed);
  speed->type_name("X");
  add_picture_options(command, *options);
  add_mesh_options(command, options->meshes);
  command.footer(
      "Examples:\n  verne film out -o motion.mp4\n  verne film out -o slow.webm --speed 0.25 --view side --show "
      "com,paths"
      "\n  verne film out -o small.gif --size 480x270 --fps 20\n  verne film models/humanoid.yaml -o humanoid.mp4");
  command.callback([options] { run_film(*options); });
}

}  // namespace verne::cli
