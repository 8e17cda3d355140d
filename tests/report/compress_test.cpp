#include "report/compress.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

namespace verne {
namespace {

/// zlib's other half, with a check of the gzip header and checksum.
std::string gunzip(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string out(1 << 22, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(Base64, VectorsOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfe\x00\xfb", 4)), "//4A+w==");
}

TEST(Gzip, ReadsBack) {
  std::mt19937 generator(1);
  std::string noise(300'000, '\0');
  for (char& c : noise) c = static_cast<char>(generator());
  for (const std::string& text : {std::string(), std::string("a"), std::string(1 << 20, 'x'), noise}) {
    EXPECT_EQ(gunzip(gzip(text)), text) << text.size();
  }
  EXPECT_LT(gzip(std::string(1 << 20, 'x')).size(), 2000u);
}

TEST(Gzip, SameTextSameBytes) {
  EXPECT_EQ(gzip("the same"), gzip("the same"));
}

}  // namespace
}  // namespace verne
