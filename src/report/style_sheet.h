/// The look of the page that web/ builds: its style sheet as it is in web/src/style.css.
#pragma once

#include <string_view>

namespace verne {

/// Defined in a generated source file.
extern const std::string_view kStyleSheet;

}  // namespace verne
