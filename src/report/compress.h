/// Data in the form in which a page carries it.
#pragma once

#include <string>
#include <string_view>

namespace verne {

/// The gzip format, without a time stamp: the same text gives the same bytes.
std::string gzip(std::string_view text);

std::string base64(std::string_view bytes);

}  // namespace verne
