/// Pictures on surfaces, of which the mean colour is shown.
#pragma once

#include <optional>
#include <string>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"

namespace verne {

/// The mean of a picture's colours, opaque parts alone, each 0 to 1. Nothing where the bytes are no PNG and no JPEG. To
/// be called in a child process (limited_child.h): crashes where a decoder does.
std::optional<Vec3<double>> mean_colour(const std::string& picture);

/// Loads what mean_colour() needs: a child process opens no files.
void load_picture_readers();

/// Of a file, by a child process, whose results are kept in the user's cache. Nothing where it cannot be read.
VERNE_API std::optional<Vec3<double>> mean_colour_of_file(const std::string& path);

}  // namespace verne
