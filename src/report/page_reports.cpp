#include "report/page_reports.h"

#include <nlohmann/json.hpp>

#include "io/parse_json.h"
#include "verne/base/error.h"

namespace verne {

namespace {

/// Calls `read` on the parsed `json`; a missing or mistyped entry is an error of whoever sent it.
template <class Read>
auto from_page(const std::string& json, Read read) {
  const nlohmann::json said = parse_json(json, "the page's report");
  try {
    return read(said);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("the page's report: ") + error.what());
  }
}

}  // namespace

FilmProgress read_film_progress(const std::string& json) {
  return from_page(json, [](const auto& said) {
    return FilmProgress{.done = said.at("done").template get<int>(), .of = said.at("of").template get<int>()};
  });
}

FilmReport read_film_report(const std::string& json) {
  return from_page(json, [](const auto& said) {
    return FilmReport{.codec = said.at("codec").template get<std::string>(),
                      .frames = said.at("frames").template get<int>(),
                      .fps = said.at("fps").template get<double>()};
  });
}

PageSpeed read_page_speed(const std::string& json) {
  return from_page(json, [](const auto& said) {
    return PageSpeed{.first_picture = said.at("first_picture").template get<double>(),
                     .frames_per_second = said.at("frames_per_second").template get<double>(),
                     .triangles = said.at("triangles").template get<int>(),
                     .lowered = said.at("lowered").template get<int>()};
  });
}

}  // namespace verne
