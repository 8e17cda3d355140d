// Pictures on meshes: their mean colours, whatever the format, and files that are no pictures.
#include "shapes/image_colour.h"

#include <gtest/gtest.h>

#include <cstdio>
// jpeglib.h wants cstdio before it
#include <jpeglib.h>
#include <png.h>

#include <array>
#include <cstdlib>

#include "shapes/read_mesh.h"
#include "support/mesh_files.h"
#include "verne/io/model_io.h"

namespace verne {
namespace {

using test::MeshFolder;

/// Red, green, blue, opacity.
using Pixel = std::array<unsigned char, 4>;

std::string png_of(const std::vector<Pixel>& row) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION, image.format = PNG_FORMAT_RGBA;
  image.width = static_cast<png_uint_32>(row.size()), image.height = 1;
  std::string bytes(1 << 16, '\0');
  png_alloc_size_t size = bytes.size();
  EXPECT_NE(png_image_write_to_memory(&image, bytes.data(), &size, 0, row.data(), 0, nullptr), 0);
  bytes.resize(size);
  return bytes;
}

/// All of one colour, which the format keeps to some hundredths.
std::string jpeg_of(unsigned char red, unsigned char green, unsigned char blue) {
  constexpr int kSize = 40;
  jpeg_compress_struct encoder{};
  jpeg_error_mgr errors{};
  encoder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&encoder);
  unsigned char* data = nullptr;
  unsigned long size = 0;  // NOLINT(google-runtime-int): the library's own
  jpeg_mem_dest(&encoder, &data, &size);
  encoder.image_width = encoder.image_height = kSize;
  encoder.input_components = 3, encoder.in_color_space = JCS_RGB;
  jpeg_set_defaults(&encoder);
  jpeg_start_compress(&encoder, TRUE);
  std::vector<unsigned char> row;
  for (int i = 0; i < kSize; ++i) row.insert(row.end(), {red, green, blue});
  for (int i = 0; i < kSize; ++i) {
    unsigned char* rows[] = {row.data()};
    jpeg_write_scanlines(&encoder, rows, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  std::string bytes(reinterpret_cast<char*>(data), size);
  std::free(data);
  return bytes;
}

void expect_colour(const std::optional<Vec3<double>>& colour, double red, double green, double blue,
                   double miss = 1e-9) {
  ASSERT_TRUE(colour);
  EXPECT_NEAR(colour->x, red / 255, miss);
  EXPECT_NEAR(colour->y, green / 255, miss);
  EXPECT_NEAR(colour->z, blue / 255, miss);
}

/// With mean 150, 100, 50.
std::string picture() {
  return png_of({{200, 100, 0, 255}, {100, 100, 100, 255}});
}

TEST(ImageColour, IsTheMeanOfWhatIsOpaque) {
  expect_colour(mean_colour(picture()), 150, 100, 50);
  expect_colour(mean_colour(png_of({{200, 100, 0, 255}, {0, 255, 0, 0}})), 200, 100, 0);
  expect_colour(mean_colour(jpeg_of(204, 102, 51)), 204, 102, 51, 0.02);
  EXPECT_FALSE(mean_colour(png_of({{1, 2, 3, 0}})));
}

TEST(ImageColour, WhatIsNoPicture) {
  const MeshFolder folder;
  for (const std::string& whole : {picture(), jpeg_of(1, 2, 3)}) {
    for (std::size_t size = 0; size < whole.size(); size += 7) mean_colour(whole.substr(0, size));  // ends
    for (std::size_t at = 8; at < whole.size(); at += 3) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x55);
      mean_colour(changed);
    }
  }
  EXPECT_FALSE(mean_colour("GIF89a"));
  EXPECT_FALSE(mean_colour_of_file(folder.path("nowhere.png")));
  EXPECT_FALSE(mean_colour_of_file(folder.write("text.png", "no picture")));
  const std::string file = folder.write("a.png", picture());
  expect_colour(mean_colour_of_file(file), 150, 100, 50);
  expect_colour(mean_colour_of_file(file), 150, 100, 50);  // from the cache
}

std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(ImageColour, MeshesHaveThoseOfTheirPictures) {
  const MeshFolder folder;
  const test::Triangles mesh = test::tetrahedron();
  const auto colour = [](const std::string& path) { return read_mesh(path).parts.at(0).colour; };
  folder.write("pictures/paint.png", picture());
  folder.write("meshes/own.png", picture());
  folder.write("meshes/paint.mtl", "newmtl paint\nKd 0.1 0.1 0.1\n  map_Kd -s 1 1 1 ../pictures/paint.png\n");
  expect_colour(colour(folder.write("meshes/a.obj", test::obj_text(mesh, "paint.mtl"))), 150, 100, 50);

  const std::string painted = test::collada_text(mesh, 1, "Z_UP", true);
  const std::string textured = with(
      with(
          with(painted, "<color>0.8 0.4 0.2 1</color>", R"(<texture texture="sampler" texcoord="UV"/>)"),
          "<profile_COMMON>",
          R"(<profile_COMMON><newparam sid="surface"><surface type="2D"><init_from>image</init_from></surface></newparam>
<newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>)"),
      "<library_effects>",
      R"(<library_images><image id="image"><init_from>own.png</init_from></image></library_images><library_effects>)");
  expect_colour(colour(folder.write("meshes/b.dae", textured)), 150, 100, 50);

  const std::string gltf = with(
      with(test::gltf_text(mesh), R"("indices":1)", R"("indices":1,"material":0)"), R"("buffers":)",
      R"("materials":[{"name":"paint","pbrMetallicRoughness":{"baseColorFactor":[0.5,1,1,1],"baseColorTexture":{"index":0}}}],
"textures":[{"source":0}],"images":[{"uri":"own.png"}],"buffers":)");
  expect_colour(colour(folder.write("meshes/c.gltf", gltf)), 75, 100, 50, 1e-6);
  // A picture that is missing or broken: the file's colour.
  EXPECT_TRUE(colour(folder.write("meshes/d.gltf", with(gltf, "own.png", "other.png"))));
  folder.write("meshes/own.png", picture().substr(0, 40));
  EXPECT_TRUE(colour(folder.write("meshes/b.dae", textured)));
}

TEST(ImageColour, MaterialsOfMjcf) {
  const MeshFolder folder;
  folder.write("textures/paint.png", picture());
  const std::string file = folder.write("robot.xml", R"(<mujoco><compiler texturedir="textures"/><asset>
    <texture name="paint" type="2d" file="paint.png"/><texture type="2d" file="gone.png"/>
    <texture name="squares" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
    <material name="painted" texture="paint" rgba="0.5 1 1 1"/><material name="squared" texture="squares"/>
    <material name="gone" texture="gone"/></asset><worldbody>
    <body><joint/><geom size="1" material="painted"/><geom size="1" material="squared"/><geom size="1" material="gone"/></body>
    </worldbody></mujoco>)");
  const ModelSpec spec = load_spec(file);
  const std::vector<VisualSpec>& visuals = spec.links.at(0).visuals;
  ASSERT_EQ(visuals.size(), 3u);
  expect_colour(visuals[0].colour, 75, 100, 50);
  expect_colour(visuals[1].colour, 127.5, 0, 127.5);
}

}  // namespace
}  // namespace verne
