#include "io/scene.h"

#include <gtest/gtest.h>

#include "support/complaint.h"
#include "verne/base/error.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

std::string scene_problem(const std::string& text) {
  return complaint<InputError>([&] { read_scene(text, "s"); });
}

TEST(Scene, Ours) {
  const Scene scene = read_scene(R"(format: verne-scene/1
margin: 0.01
objects:
  table: {box: {size: [1, 2, 0.05]}, pose: {xyz: [0.5, 0, 0.4], rpy: [0, 0, 90 deg]}}
  lamp:
    - {cylinder: {radius: 0.02, length: 0.5}}
    - {sphere: {radius: 0.1}, pose: {xyz: [0, 0, 0.3]}}
)",
                                 "s");
  EXPECT_EQ(scene.margin, 0.01);
  ASSERT_EQ(scene.shapes.size(), 3u);
  EXPECT_EQ(scene.shapes[0].object, "table");
  EXPECT_EQ(scene.shapes[0].shape.shape, VisualSpec::Shape::box);
  EXPECT_EQ(scene.shapes[0].shape.X_LV.p.z, 0.4);
  EXPECT_NEAR(scene.shapes[0].shape.X_LV.R(1, 0), 1, 1e-15);
  EXPECT_EQ(scene.shapes[2].object, "lamp");
  EXPECT_EQ(scene.shapes[2].shape.size.x, 0.1);
}

TEST(Scene, OfMoveItOldAndNew) {
  const Scene old = read_scene(
      "scene\n* box1\n1\nbox\n0.1 0.2 0.3\n1 2 3\n0 0 0.7071068 0.7071068\n0 0 0 0\n"
      "* can\n1\ncylinder\n0.05 0.2\n0 0 1\n0 0 0 1\n1 0 0 1\n.\n",
      "s");
  ASSERT_EQ(old.shapes.size(), 2u);
  EXPECT_EQ(old.shapes[0].shape.size.z, 0.3);
  EXPECT_EQ(old.shapes[0].shape.X_LV.p.y, 2);
  EXPECT_NEAR(old.shapes[0].shape.X_LV.R(1, 0), 1, 1e-6);
  EXPECT_EQ(old.shapes[1].shape.shape, VisualSpec::Shape::cylinder);
  EXPECT_EQ(old.shapes[1].shape.size.y, 0.2);
  const Scene newer = read_scene(
      "(noname)+\n* ball\n1 0 0\n0 0 0.7071068 0.7071068\n1\nsphere\n0.1\n1 0 0\n0 0 0 1\n"
      "0 0 0 0\n1\ntop\n0 0 0.1\n0 0 0 1\n* other\n0 0 0\n0 0 0 1\n0\n0\n.\n",
      "s");
  ASSERT_EQ(newer.shapes.size(), 1u);
  EXPECT_NEAR(newer.shapes[0].shape.X_LV.p.x, 1, 1e-6);
  EXPECT_NEAR(newer.shapes[0].shape.X_LV.p.y, 1, 1e-6) << "turned with its object";
  EXPECT_TRUE(read_scene("empty\n.\n", "s").shapes.empty());
}

TEST(Scene, OfAPlanningScene) {
  const Scene scene = read_scene(R"(name: shelf
robot_state: {joint_state: {name: [a], position: [0]}}
world:
  collision_objects:
    - id: can
      primitives: [{type: cylinder, dimensions: [0.2, 0.05]}]
      primitive_poses: [{position: [0, 0, 1], orientation: [0, 0, 0.7071068, 0.7071068]}]
      pose: {position: [1, 0, 0], orientation: [0, 0, 0, 1]}
    - id: box
      primitives: [{type: box, dimensions: [1, 2, 3]}, {type: sphere, dimensions: [0.5]}]
      primitive_poses: [{position: [0, 0, 0]}, {position: [0, 1, 0]}]
)",
                                 "s");
  ASSERT_EQ(scene.shapes.size(), 3u);
  EXPECT_EQ(scene.shapes[0].shape.size.x, 0.05) << "the height comes first";
  EXPECT_EQ(scene.shapes[0].shape.size.y, 0.2);
  EXPECT_EQ(scene.shapes[0].shape.X_LV.p.x, 1);
  EXPECT_EQ(scene.shapes[2].object, "box");
  EXPECT_EQ(scene.shapes[2].shape.X_LV.p.y, 1);
  EXPECT_TRUE(read_scene("world: {octomap: none}\n", "s").shapes.empty());
  EXPECT_EQ(
      scene_problem("world:\n  collision_objects:\n    - id: a\n      primitives: [{type: cone, dimensions: [1, 1]}]\n"
                    "      primitive_poses: [{}]\n"),
      "s:4: error: world: collision_objects: 'a': type: expected box, sphere or cylinder, found 'cone'");
  EXPECT_EQ(
      scene_problem("world:\n  collision_objects:\n    - id: a\n      primitives: [{type: box, dimensions: [1]}]\n"),
      "s:3: error: world: collision_objects: 'a': expected as many primitive_poses as primitives");
  EXPECT_EQ(scene_problem("world:\n  collision_objects:\n    - {id: a, meshes: [{}]}\n"),
            "s:3: error: world: collision_objects: 'a': meshes are not understood here");
}

TEST(Scene, Problems) {
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {bx: {size: [1, 1, 1]}}\n"),
            "s:3: error: objects: a: unknown key 'bx' (did you mean 'box'?)\n"
            "s:3: error: objects: a: expected one of capsule, box, sphere, cylinder, mesh, found 0");
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {box: {size: [1, 0, 1]}}\n"),
            "s:3: error: objects: a: the size of a shape is to be positive");
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {mesh: {file: x.stl}}\n"),
            "s:3: error: objects: a: meshes are not understood here: give boxes, spheres, cylinders");
  EXPECT_EQ(scene_problem("format: verne-scene/2\nlinks: []\n"),
            "s:1: error: format: expected 'verne-scene/1', found 'verne-scene/2'");
  EXPECT_EQ(scene_problem("n\n* a\n1\nbox\n1 1\n0 0 0\n"), "s:5: error: expected three edges, found '1 1'");
  EXPECT_EQ(scene_problem("n\n* a\n1\ncone\n1 1\n"), "s:4: error: expected box, sphere or cylinder, found 'cone'");
  EXPECT_EQ(scene_problem("n\n* a\n1\nsphere\n0.1\n0 0 0\n0 0 0 1\n0 0 0 0\n* a\n1\n"),
            "s:9: error: there are two objects 'a'");
  EXPECT_EQ(scene_problem("n\n* a\n1\nsphere\n0.1\n0 0 0\n0 0 0 1\n0 0 0 0\n"),
            "s:8: error: the file ends without `.`: it is cut off");
  EXPECT_EQ(scene_problem("n\n* a\n1\nsphere\n0.1\n0 0 0\n0 0 0 2\n"),
            "s:7: error: expected a quaternion of length 1, found '0 0 0 2'");
}

}  // namespace
}  // namespace verne::test
