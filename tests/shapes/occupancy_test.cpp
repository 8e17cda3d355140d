#include "shapes/occupancy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/complaint.h"
#include "verne/base/error.h"

namespace verne::test {
namespace {

const std::string kHead = "# Octomap OcTree binary file\n# a comment\nid OcTree\nsize 3\nres 0.5\ndata\n";

std::string octomap_problem(const std::string& bytes) {
  return complaint<InputError>([&] { read_octomap(bytes); });
}

/// Version 1.0 of the format.
std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
  std::string head = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(head.size()) + '\0' + head + data;
}

TEST(Occupancy, AnOctomapByHand) {
  // The root has a free child, an occupied one (number 7, all above the middle) and one with children (number 0).
  std::string bytes = kHead;
  bytes += static_cast<char>(3U | 1U << 2U), bytes += static_cast<char>(2U << 6U);
  bytes += static_cast<char>(2U << 2U), bytes += '\0';  // of child 0 the child 1 is occupied: a quarter along x
  const OccupancyMap map = read_octomap(bytes);
  EXPECT_EQ(map.resolution, 0.5);
  EXPECT_EQ(map.origin.x, -16384);
  ASSERT_EQ(map.cells.size(), 2u);
  EXPECT_EQ(map.cells[0].at, (std::array<std::int32_t, 3>{32768, 32768, 32768}));
  EXPECT_EQ(map.cells[0].edge, 32768);
  EXPECT_EQ(map.cells[1].at, (std::array<std::int32_t, 3>{16384, 0, 0}));
  EXPECT_EQ(map.cells[1].edge, 16384);
}

TEST(Occupancy, WhatIsNoOctomap) {
  EXPECT_EQ(octomap_problem("solid x\n"), "error: is no file of OctoMap");
  EXPECT_EQ(octomap_problem(kHead + "\3"), "error: is cut off");
  EXPECT_EQ(octomap_problem("# Octomap OcTree file\nid Other\nres 1\ndata\n"),
            "error: holds a tree Other, expected OcTree or ColorOcTree");
  EXPECT_EQ(octomap_problem("# Octomap OcTree file\nid OcTree\nres 0\ndata\n"), "error: has no resolution (`res`)");
  EXPECT_EQ(octomap_problem("# Octomap OcTree file\nid OcTree\n"), "error: is no file of OctoMap: it has no `data`");
  EXPECT_TRUE(read_octomap(kHead).cells.empty());
  EXPECT_EQ(octomap_problem(kHead + std::string(100, '\xff')), "error: has a tree that is deeper than 16");
}

TEST(Occupancy, VoxelsOfAllTypesMergeIntoBoxes) {
  // 2 x 3 x 4: all cells of x = 0, and one of x = 1.
  const std::size_t count = 24;
  std::string bytes(count, '\0');
  std::vector<float> floats(count, 0);
  for (std::size_t k = 0; k < 12; ++k) bytes[k] = 1, floats[k] = 0.9F;
  bytes[23] = 1, floats[23] = 0.6F, floats[22] = 0.4F;
  std::string of_floats(4 * count, '\0');
  std::memcpy(of_floats.data(), floats.data(), of_floats.size());
  for (const std::string& file :
       {npy("|b1", "2, 3, 4", bytes), npy("|u1", "2, 3, 4", bytes), npy("<f4", "2, 3, 4", of_floats)}) {
    const OccupancyMap map = read_voxels(file, 0.1, {1, 2, 3}, 0.5);
    EXPECT_EQ(map.cells.size(), 13u);
    std::vector<ConvexPiece> boxes = boxes_of(map);
    ASSERT_EQ(boxes.size(), 2u);
    if (boxes[0].body.half.y < boxes[1].body.half.y) std::swap(boxes[0], boxes[1]);
    EXPECT_NEAR(boxes[0].body.half.z, 0.2, 1e-12);
    EXPECT_NEAR(boxes[0].at.y, 2.15, 1e-12);
    EXPECT_NEAR(boxes[1].at.x, 1.15, 1e-12);
    EXPECT_NEAR(boxes[1].at.z, 3.35, 1e-12);
    EXPECT_EQ(drawn_boxes(boxes).triangles.size(), 2u * 36);
  }
}

TEST(Occupancy, WhatAreNoVoxels) {
  const auto problem = [](const std::string& bytes) {
    return complaint<InputError>([&] { read_voxels(bytes, 1, {0, 0, 0}, 0.5); });
  };
  EXPECT_EQ(problem("abc"), "error: is no array of NumPy (.npy)");
  EXPECT_EQ(problem(npy("|b1", "2, 3", "123456")), "error: expected an array of three axes x y z, found shape (2  3)");
  EXPECT_EQ(problem(npy("|b1", "1, 1, 4", "123")), "error: is shorter or longer than it says");
  EXPECT_EQ(problem(npy("<i8", "1, 1, 1", "12345678")), "error: expected booleans, bytes or floats, found '<i8'");
  EXPECT_EQ(complaint<InputError>([] { boxes_of({1, {0, 0, 0}, {}}); }), "error: has no cell that is occupied");
  EXPECT_EQ(complaint<InputError>([] {
              boxes_of({1e300, {0, 0, 0}, {{{0, 0, 0}, 1}}});
            }),
            "error: has cells of more than ten kilometres");
}

}  // namespace
}  // namespace verne::test
