#include "page_bench.h"

#include <fmt/core.h>

#include <chrono>

#include "output.h"
#include "report/page_reports.h"
#include "shown_page.h"
#include "verne/io/json_writer.h"

namespace verne::cli {

namespace {

constexpr double kFilmSeconds = 2;

/// Of a film of 1280 × 720 with 30 frames a second, until its bytes are here.
double seconds_to_film(const ShownPage& page) {
  const auto start = std::chrono::steady_clock::now();
  run_errand(page.served(), fmt::format("errand=film&container=mp4&seconds={}", kFilmSeconds), [](int, int) {});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void bench_page(const ModelOption& what, bool json) {
  require_browser();
  const ShownPage page(what, {});
  const ErrandResult measured = run_errand(page.served(), "errand=measure", [](int, int) {});
  const PageSpeed speed = read_page_speed(measured.report);
  const double bytes = double(page.html().size()), film_seconds = seconds_to_film(page);
  if (json) {
    JsonWriter row;
    row.begin_object().key("bytes").value(bytes).key("first_picture").value(speed.first_picture);
    row.key("frames_per_second").value(speed.frames_per_second).key("triangles").value(speed.triangles);
    row.key("lowered").value(speed.lowered).key("film_seconds").value(film_seconds).end_object();
    return print(row.text() + "\n");
  }
  show(fmt::format(
      "page            {:.1f} MB\n"
      "first picture   {:.2f} s after the page was asked for\n"
      "moving          {:.0f} frames a second, 640 × 480, {} triangles\n"
      "film            {:.1f} s for {:.0f} s, 1280 × 720, 30 frames a second\n",
      bytes / 1e6, speed.first_picture, speed.frames_per_second, speed.triangles, film_seconds, kFilmSeconds));
}

}  // namespace verne::cli
