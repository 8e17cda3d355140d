#include "page_bench.h"

#include <fmt/core.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "io/parse_json.h"
#include "output.h"
#include "shown_page.h"

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
  nlohmann::ordered_json row = nlohmann::ordered_json::parse(measured.report);
  row["bytes"] = page.html().size();
  row["film_seconds"] = seconds_to_film(page);
  if (json) return print(row.dump() + "\n");
  show(fmt::format(
      "page            {:.1f} MB\n"
      "first picture   {:.2f} s after the page was asked for\n"
      "moving          {:.0f} frames a second, 640 × 480, {} triangles\n"
      "film            {:.1f} s for {:.0f} s, 1280 × 720, 30 frames a second\n",
      double(page.html().size()) / 1e6, row.value("first_picture", 0.0), row.value("frames_per_second", 0.0),
      row.value("triangles", 0), row.value("film_seconds", 0.0), kFilmSeconds));
}

}  // namespace verne::cli
