/// Numbers and words as people write them in files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verne/base/error.h"
#include "verne/base/export.h"
#include "verne/base/small_matrix.h"

namespace verne {

/// The whole of `text` as one decimal number, whatever the locale; surrounding blanks and a leading + are allowed.
/// "inf" and "nan" are numbers here; nothing when anything else is left over or the value does not fit a double.
VERNE_API std::optional<double> parse_number(std::string_view text);

/// The shortest decimal that reads back as the same double.
VERNE_API std::string format_number(double value);
/// Three numbers with `separator` between them.
VERNE_API std::string format_numbers(const Vec3<double>& v, const char* separator);

/// How far from 1 the length of an axis or quaternion may be to pass for rounding.
inline constexpr double kUnitTolerance = 1e-6;

/// Makes the quaternion x y z w exactly as long as one when it nearly is. Otherwise leaves it and says what is wrong.
std::optional<std::string> normalise_quaternion(double* xyzw);

/// 'text', shortened when it is long and made visible: for messages about foreign text.
VERNE_API std::string in_quotes(std::string_view text);

/// Whether the text of a file is UTF-8; reports the line where it is not.
bool require_utf8(std::string_view text, Diagnostics& diagnostics);

}  // namespace verne
