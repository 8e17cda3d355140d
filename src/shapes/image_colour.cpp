#include "shapes/image_colour.h"

#include <cstdio>
// jpeglib.h wants cstdio before it
#include <jpeglib.h>
#include <png.h>

#include <csetjmp>
#include <cstring>
#include <vector>

#include "base/regular_file.h"
#include "base/user_cache.h"
#include "shapes/limited_child.h"
#include "verne/base/error.h"

namespace verne {

namespace {

constexpr std::size_t kMostPixels = 100'000'000, kLargestPicture = std::size_t{100} << 20;

/// Sums of colours, weighted by how opaque they are.
struct ColourSum {
  double red = 0, green = 0, blue = 0, weight = 0;

  void add(const unsigned char* rgb, double opacity) {
    red += opacity * rgb[0], green += opacity * rgb[1], blue += opacity * rgb[2], weight += opacity;
  }
  std::optional<Vec3<double>> mean() const {
    if (!(weight > 0)) return std::nullopt;
    const double unit = 1 / (255 * weight);
    return Vec3<double>{red * unit, green * unit, blue * unit};
  }
};

std::optional<Vec3<double>> mean_of_png(const std::string& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, picture.data(), picture.size()) == 0) return std::nullopt;
  image.format = PNG_FORMAT_RGBA;
  const std::size_t pixels = std::size_t{image.width} * image.height;
  std::vector<unsigned char> rgba(pixels <= kMostPixels ? 4 * pixels : 0);
  if (rgba.empty() || png_image_finish_read(&image, nullptr, rgba.data(), 0, nullptr) == 0) {
    png_image_free(&image);
    return std::nullopt;
  }
  ColourSum sum;
  for (std::size_t i = 0; i < rgba.size(); i += 4) sum.add(&rgba[i], rgba[i + 3]);
  return sum.mean();
}

struct JpegErrors {
  jpeg_error_mgr functions{};  // first: the library hands out its address
  std::jmp_buf back{};
};

[[noreturn]] void leave_jpeg(j_common_ptr decoder) {
  std::longjmp(reinterpret_cast<JpegErrors*>(decoder->err)->back, 1);
}

/// Rows of an eighth of the size, which have the same mean.
bool read_jpeg(jpeg_decompress_struct& decoder, const std::string& picture, ColourSum& sum,
               std::vector<unsigned char>& row) {
  jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(picture.data()), picture.size());
  jpeg_read_header(&decoder, TRUE);
  if (std::size_t{decoder.image_width} * decoder.image_height > kMostPixels) return false;
  decoder.out_color_space = JCS_RGB;
  decoder.scale_num = 1, decoder.scale_denom = 8;
  jpeg_start_decompress(&decoder);
  row.resize(std::size_t{3} * decoder.output_width);
  unsigned char* const start = row.data();
  while (decoder.output_scanline < decoder.output_height) {
    unsigned char* rows[] = {start};
    jpeg_read_scanlines(&decoder, rows, 1);
    for (std::size_t i = 0; i < row.size(); i += 3) sum.add(&row[i], 1);
  }
  return true;
}

std::optional<Vec3<double>> mean_of_jpeg(const std::string& picture) {
  ColourSum sum;
  std::vector<unsigned char> row;  // outlive the jump, by which the library tells of errors
  JpegErrors errors;
  jpeg_decompress_struct decoder{};
  decoder.err = jpeg_std_error(&errors.functions);
  errors.functions.error_exit = &leave_jpeg;
  errors.functions.output_message = [](j_common_ptr) {};
  jpeg_create_decompress(&decoder);
  const bool read = setjmp(errors.back) == 0 && read_jpeg(decoder, picture, sum, row);
  jpeg_destroy_decompress(&decoder);
  return read ? sum.mean() : std::nullopt;
}

std::string as_bytes(const std::optional<Vec3<double>>& colour) {
  if (!colour) return "none";
  const double rgb[] = {colour->x, colour->y, colour->z};
  return {reinterpret_cast<const char*>(rgb), sizeof(rgb)};
}

}  // namespace

std::optional<Vec3<double>> mean_colour(const std::string& picture) {
  if (picture.starts_with("\x89PNG")) return mean_of_png(picture);
  if (picture.starts_with("\xff\xd8")) return mean_of_jpeg(picture);
  return std::nullopt;
}

void load_picture_readers() {  // by any of their functions
  png_access_version_number();
  jpeg_error_mgr errors;
  jpeg_std_error(&errors);
}

std::optional<Vec3<double>> mean_colour_of_file(const std::string& path) {
  std::string picture, bytes;
  try {
    picture = read_regular_file(path, kLargestPicture);
  } catch (const InputError&) {
    return std::nullopt;
  }
  const auto decode = [&] {
    load_picture_readers();
    return run_in_child([&] { return as_bytes(mean_colour(picture)); }).output;
  };
  try {
    const auto make = [&](const std::string&, const std::string& made) { write_work_file(made, decode()); };
    bytes = cached(user_cache(), fingerprint("picture 1 " + picture) + ".colour", make).contents;
  } catch (const EnvironmentError&) {  // no cache: a picture is no reason to fail
    bytes = decode();
  }
  double rgb[3];
  if (bytes.size() != sizeof(rgb)) return std::nullopt;
  std::memcpy(rgb, bytes.data(), sizeof(rgb));
  return Vec3<double>{rgb[0], rgb[1], rgb[2]};
}

}  // namespace verne
