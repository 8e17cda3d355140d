#include "verne/report/meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "support/mesh_files.h"
#include "support/text.h"
#include "verne/io/model_io.h"
#include "verne/io/model_json.h"

namespace verne::test {
namespace {

using Json = nlohmann::json;

std::string bytes_of_base64(const std::string& text) {
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(kDigits.find(c)), count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255U);
  }
  return bytes;
}

/// As docs/report.md says.
std::vector<long> unpacked(const Json& text, std::size_t count, std::size_t stride) {
  const std::string bytes = bytes_of_base64(text);
  EXPECT_EQ(bytes.size() % count, 0u);
  std::vector<long> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    long code = 0;
    for (std::size_t plane = bytes.size() / count; plane-- > 0;) {
      code = code * 256 + static_cast<unsigned char>(bytes[plane * count + i]);
    }
    values[i] = (code % 2 ? -(code + 1) / 2 : code / 2) + (i < stride ? 0 : values[i - stride]);
  }
  return values;
}

/// A sheet of 2 n² triangles with waves.
Triangles waves(int n) {
  Triangles sheet;
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k <= n; ++k) {
      const float x = 0.01F * static_cast<float>(i), y = 0.01F * static_cast<float>(k);
      sheet.points.push_back({x, y, 0.05F * std::sin(9 * x) * std::cos(7 * y)});
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      const int a = i * (n + 1) + k, b = a + n + 1;
      sheet.corners.push_back({a, b, b + 1});
      sheet.corners.push_back({a, b + 1, a + 1});
    }
  }
  return sheet;
}

std::string shape(const std::string& tag, const std::string& file) {
  return "<" + tag + "><geometry><mesh filename='" + file + "' scale='2 1 1'/></geometry></" + tag + ">";
}

Model model_with(const MeshFolder& folder, const std::string& shapes) {
  return build_model(
      load_spec(folder.write("pkg/urdf/model.urdf", "<robot name='r'><link name='a'>" + shapes + "</link></robot>")));
}

struct Made {
  Json json;
  std::string notes;
};

Made made(const Model& model, const MeshOptions& options = {}) {
  std::vector<Diagnostic> notes;
  const std::string text = meshes_json(model, options, notes);
  std::string all;
  for (const Diagnostic& note : notes) all += note.text + "\n";
  return {Json::parse(text), all};
}

std::size_t triangles_in(const Json& mesh, const char* level) {
  std::size_t count = 0;
  for (const Json& part : mesh["parts"]) count += part[level]["triangles"].get<std::size_t>();
  return count;
}

TEST(Meshes, VerticesAreThoseOfTheFile) {
  const MeshFolder folder;
  const Triangles tetra = tetrahedron();
  folder.write("pkg/meshes/a.stl", stl_bytes(tetra));
  const Made found = made(model_with(folder, shape("visual", "package://pkg/meshes/a.stl")));
  EXPECT_EQ(found.notes, "");
  EXPECT_EQ(found.json["format"], "verne-meshes/1");
  const Json& mesh = found.json["data"][found.json["meshes"][0].get<std::string>()];
  const std::size_t count = mesh["vertices"];
  ASSERT_EQ(count, 4u);
  const auto steps = unpacked(mesh["positions"], 3 * count, 3);
  const auto place = [&](std::size_t vertex, std::size_t k) {
    return mesh["low"][k].get<double>() + mesh["step"][k].get<double>() * double(steps[3 * vertex + k]);
  };
  for (const char* const level : {"fine", "coarse"}) {
    const Json& part = mesh["parts"][0][level];
    ASSERT_EQ(part["triangles"], 4);
    const auto corners = unpacked(part["corners"], 12, 1);
    double volume = 0;  // with signs, so that it tells how triangles face
    for (std::size_t t = 0; t < 12; t += 3) {
      const auto at = [&](std::size_t c, std::size_t k) { return place(std::size_t(corners[t + c]), k); };
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        volume += at(0, k) * (at(1, i) * at(2, j) - at(1, j) * at(2, i)) / 6;
      }
    }
    EXPECT_NEAR(volume, 1, 1e-4);
  }
  std::set<std::array<double, 3>> places;
  for (std::size_t v = 0; v < 4; ++v) places.insert({place(v, 0), place(v, 1), place(v, 2)});
  for (const auto& p : tetra.points) {
    const bool there = std::ranges::any_of(
        places, [&](const auto& q) { return std::hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]) < 1e-4; });
    EXPECT_TRUE(there);
  }
}

TEST(Meshes, LargeOnesBecomeSmaller) {
  const MeshFolder folder;
  folder.write("pkg/sheet.stl", stl_bytes(waves(200)));
  folder.write("pkg/small.stl", stl_bytes(tetrahedron()));
  const Model model = model_with(
      folder, shape("visual", "../sheet.stl") + shape("visual", "../small.stl") + shape("visual", "../sheet.stl"));
  const auto sizes = [&](const MeshOptions& options) {
    const Json json = made(model, options).json;
    const Json &sheet = json["data"][json["meshes"][0].get<std::string>()],
               &small = json["data"][json["meshes"][1].get<std::string>()];
    EXPECT_EQ(json["meshes"].size(), 2u);  // the sheet is there once and drawn twice
    EXPECT_EQ(triangles_in(small, "coarse"), 4u);
    return std::pair(triangles_in(sheet, "fine"), triangles_in(sheet, "coarse"));
  };
  const auto [fine, coarse] = sizes({});
  EXPECT_LE(2 * coarse, 40'000u);
  EXPECT_GT(2 * coarse, 30'000u);
  EXPECT_LE(2 * fine, 120'000u);
  EXPECT_GT(2 * fine, 90'000u);
  EXPECT_EQ(sizes({{}, true}).first, 80'000u);
  EXPECT_EQ(made(model).json.dump(), made(model).json.dump());
}

TEST(Meshes, WhatIsMissingIsSaidOnce) {
  const MeshFolder folder;
  folder.write("pkg/meshes/a.stl", stl_bytes(tetrahedron()));
  folder.write("pkg/meshes/b.stl", "prose");
  const Made found = made(model_with(
      folder, shape("visual", "package://pkg/meshes/a.stl") + shape("visual", "package://pkg/meshes/b.stl") +
                  shape("visual", "http://x/c.stl") + shape("visual", "package://x/<script>.stl") +
                  shape("visual", "package://pkg/meshes/d.stl") + shape("visual", "package://pkg/meshes/e.stl") +
                  shape("collision", "package://pkg/meshes/d.stl")));
  const Json& meshes = found.json["meshes"];
  ASSERT_EQ(meshes.size(), 7u);
  EXPECT_TRUE(meshes[0].is_string());
  for (std::size_t k = 1; k < 7; ++k) EXPECT_TRUE(meshes[k].is_null());
  EXPECT_EQ(std::ranges::count(found.notes, '\n'), 4) << found.notes;
  EXPECT_TRUE(contains(found.notes,
                       "2 meshes ('package://pkg/meshes/d.stl', 'package://pkg/meshes/e.stl'): there is no such file"));
  EXPECT_TRUE(contains(found.notes, "mesh 'http://x/c.stl': only files are read"));
  EXPECT_TRUE(contains(found.notes, "there is no package 'x'"));
  EXPECT_TRUE(contains(found.notes, "mesh 'package://pkg/meshes/b.stl': cannot be read as a mesh: "));
}

/// Collision shapes come as their hulls: here with the volume of the box around a mesh that is only its corners.
TEST(Meshes, HullsOfCollisionShapes) {
  const MeshFolder folder;
  Triangles corners;
  for (int k = 0; k < 8; ++k) corners.points.push_back({float(k & 1), float(k >> 1 & 1), float(k >> 2)});
  corners.corners = {{0, 7, 3}, {1, 6, 2}, {4, 5, 0}};
  folder.write("pkg/c.stl", stl_bytes(corners));
  const Json json = made(model_with(folder, shape("collision", "../c.stl"))).json;
  EXPECT_EQ(triangles_in(json["data"][json["meshes"][0].get<std::string>()], "fine"), 12u);
}

TEST(Meshes, NothingWithoutAny) {
  std::vector<Diagnostic> notes;
  const MeshFolder folder;
  EXPECT_EQ(meshes_json(model_with(folder, ""), {}, notes), "");
}

}  // namespace
}  // namespace verne::test
