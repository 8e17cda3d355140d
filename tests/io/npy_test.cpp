/// Arrays of NumPy: what is written is read again, and what is no such array is refused.
#include "io/npy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.h"
#include "io/io_support.h"

namespace verne::test {
namespace {

/// A file as numpy.save writes it.
std::string npy(const std::string& header, std::size_t numbers, char version = 1) {
  std::string text = header;
  text.append((64 - (10 + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string file = "\x93NUMPY";
  file += {version, '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  if (version > 1) file += std::string(2, '\0');
  file += text;
  const std::vector<double> values(numbers, 0.5);
  return file.append(reinterpret_cast<const char*>(values.data()), 8 * numbers);
}

std::string header(const std::string& type, const std::string& order, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

TEST(Npy, WhatIsWrittenIsReadAgain) {
  const Folder folder;
  const std::vector<double> numbers{1, -2.5, 1e-300, 3, 0.1, 7};
  NpyWriter writer(folder.file("x.npy"), {3, 2});
  writer.write(std::span(numbers).first(4));
  writer.write(std::span(numbers).last(2));
  EXPECT_EQ(folder.count(), 1);  // under another name until it is whole
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.npy")));
  writer.finish();
  const NpyReader reader(folder.file("x.npy"));
  EXPECT_EQ(reader.rows(), 3U);
  EXPECT_EQ(reader.columns(), 2U);
  std::vector<double> read(4);
  reader.read(1, 2, read.data());
  EXPECT_EQ(read, (std::vector<double>{1e-300, 3, 0.1, 7}));
  EXPECT_EQ((std::filesystem::file_size(folder.file("x.npy")) - 48) % 64, 0U);  // as NumPy aligns numbers
}

TEST(Npy, EveryVersion) {
  const Folder folder;
  for (const char version : {'\1', '\2', '\3'}) {
    const NpyReader reader(folder.write("x.npy", npy(header("<f8", "False", "(2, 3)"), 6, version)));
    double last = 0;
    std::vector<double> row(3);
    reader.read(1, 1, row.data());
    last = row[2];
    EXPECT_EQ(last, 0.5);
  }
}

TEST(Npy, RefusesWhatIsNoSuchArray) {
  const Folder folder;
  const auto error = [&](const std::string& contents) {
    return input_error([&] { NpyReader(folder.write("x.npy", contents)); });
  };
  const std::string good = npy(header("<f8", "False", "(2, 3)"), 6);
  EXPECT_EQ(error(""),
            folder.file("x.npy") + ": error: is no array of NumPy (.npy): expected one that numpy.save wrote");
  EXPECT_NE(error("1,2,3\n4,5,6\n").find("is no array of NumPy"), std::string::npos);
  EXPECT_NE(error(good.substr(0, 40)).find("is cut off in its header"), std::string::npos);
  EXPECT_NE(error(good.substr(0, good.size() - 1)).find("is cut off: expected 176 bytes for 2 x 3 numbers, found 175"),
            std::string::npos);
  EXPECT_NE(error(good + "x").find("has more than its array"), std::string::npos);
  EXPECT_NE(error(npy(header("<f8", "False", "(2, 3)"), 6, 4)).find("has version 4"), std::string::npos);
  EXPECT_NE(error(npy(header("<f4", "False", "(2, 3)"), 3)).find("holds '<f4': "), std::string::npos);
  EXPECT_NE(error(npy(header(">f8", "False", "(2, 3)"), 6)).find("expected float64"), std::string::npos);
  EXPECT_NE(error(npy(header("<f8", "True", "(2, 3)"), 6)).find("is in Fortran order"), std::string::npos);
  EXPECT_NE(error(npy(header("<f8", "False", "(6,)"), 6)).find("expected two axes"), std::string::npos);
  EXPECT_NE(error(npy(header("<f8", "False", "(2, 3, 1)"), 6)).find("expected two axes"), std::string::npos);
  EXPECT_NE(error(npy(header("<f8", "False", "(4611686018427387904, 4611686018427387904)"), 6))
                .find("more than any file holds"),
            std::string::npos);
  EXPECT_NE(input_error([&] { NpyReader(folder.file("none.npy")); }).find("cannot be opened"), std::string::npos);
  EXPECT_NE(input_error([&] { NpyReader("/dev/zero"); }).find("is no regular file"), std::string::npos);
}

TEST(Npy, NamesNumbersThatAreNotFinite) {
  const Folder folder;
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    const std::vector<double> numbers{1, 2, 3, 4, bad, 6};
    NpyWriter writer(folder.file("x.npy"), {2, 3});
    writer.write(numbers);
    writer.finish();
    const NpyReader reader(folder.file("x.npy"));
    std::vector<double> read(6);
    reader.read(0, 1, read.data());
    EXPECT_NE(input_error([&] { reader.read(0, 2, read.data()); }).find("[1, 1]: expected a finite number, found"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace verne::test
