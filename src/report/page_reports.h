/// What a page in a browser without a window reports, read from the JSON that it sends (web/src/film/errand.ts).
#pragma once

#include <string>

namespace verne {

struct FilmProgress {
  int done = 0, of = 0;  ///< frames
};

struct FilmReport {
  std::string codec;
  int frames = 0;
  double fps = 1;
};

struct PageSpeed {
  double first_picture = 0;  ///< s after the page was asked for
  double frames_per_second = 0;
  int triangles = 0;
  int lowered = 0;  ///< steps by which the quality fell
};

/// Each throws InputError where `json` is something else.
FilmProgress read_film_progress(const std::string& json);
FilmReport read_film_report(const std::string& json);
PageSpeed read_page_speed(const std::string& json);

}  // namespace verne
