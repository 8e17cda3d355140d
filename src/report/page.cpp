#include "report/page.h"

#include "report/compress.h"
#include "verne/base/error.h"

namespace verne {

std::string page_with(std::string_view json) {
  static constexpr std::string_view kPlace = "@VERNE_PAYLOAD@";
  if (kPageTemplate.empty()) {
    throw EnvironmentError("this build has no web page: install npm and build with -DVERNE_WEB=ON");
  }
  // The name stands in the page's script too, in front of nothing that looks like this element.
  const std::string opening = "type=\"application/gzip\">" + std::string(kPlace);
  const std::size_t place = kPageTemplate.find(opening);
  if (place == std::string_view::npos) throw EnvironmentError("the web page in this build has no place for data");
  const std::size_t end = place + opening.size();
  std::string page(kPageTemplate.substr(0, end - kPlace.size()));
  page += base64(gzip(json));
  page += kPageTemplate.substr(end);
  return page;
}

}  // namespace verne
