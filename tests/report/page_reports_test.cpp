#include "report/page_reports.h"

#include <gtest/gtest.h>

#include "verne/base/error.h"

namespace verne {
namespace {

TEST(PageReports, AreWhatPagesSend) {
  const FilmProgress progress = read_film_progress(R"({"done": 3, "of": 60})");
  EXPECT_EQ(progress.done, 3);
  EXPECT_EQ(progress.of, 60);
  const FilmReport film = read_film_report(R"({"codec": "VP9", "frames": 61, "fps": 30, "bytes": 1000})");
  EXPECT_EQ(film.codec, "VP9");
  EXPECT_EQ(film.frames, 61);
  EXPECT_EQ(film.fps, 30);
  const PageSpeed speed = read_page_speed(
      R"({"first_picture": 0.4, "frames_per_second": 31.5, "triangles": 19000, "lowered": 1, "pixels": 640})");
  EXPECT_EQ(speed.first_picture, 0.4);
  EXPECT_EQ(speed.frames_per_second, 31.5);
  EXPECT_EQ(speed.triangles, 19000);
  EXPECT_EQ(speed.lowered, 1);
}

TEST(PageReports, SayWhatIsMissing) {
  EXPECT_THROW(read_film_progress("{"), InputError);
  EXPECT_THROW(read_film_progress("[]"), InputError);
  EXPECT_THROW(read_film_report(R"({"codec": 3, "frames": 61, "fps": 30})"), InputError);
  EXPECT_THROW(read_page_speed(R"({"first_picture": 0.4})"), InputError);
}

}  // namespace
}  // namespace verne
