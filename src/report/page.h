/// The page that web/ builds, with data in it.
#pragma once

#include <string>
#include <string_view>

namespace verne {

/// The HTML file of web/ as built into the library; empty without VERNE_WEB. Defined in a generated source file.
extern const std::string_view kPageTemplate;

/// The page with `json` in it. Throws EnvironmentError when there is no page.
std::string page_with(std::string_view json);

}  // namespace verne
