/// Text for terminals, which break lines anywhere: between words, or between the columns of a table, reads better.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace verne::cli {

/// Columns of the terminal that a stream is, or as many as COLUMNS says; 0 where it is no terminal, and lines may have
/// any length.
std::size_t columns_of(int descriptor);

/// How many columns UTF-8 text takes; sequences that colour it take none. None of our characters is wider than one.
std::size_t width_of(std::string_view text);

/// Lines that are longer than `width` continue below, where the text of their last column begins, or indented; words
/// stay whole. The first line begins at column `begin`. As it is where `width` is 0.
std::string wrapped(std::string_view lines, std::size_t width, std::size_t begin = 0);

}  // namespace verne::cli
