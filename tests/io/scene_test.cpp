#include "io/scene/bodies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "io/convex_shapes.h"
#include "support/complaint.h"
#include "support/mesh_files.h"
#include "support/paths.h"
#include "verne/base/error.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

std::string scene_problem(const std::string& text) {
  return complaint<InputError>([&] { read_scene(text, "s"); });
}

Model an_arm() {
  return load_model(source_dir() + "/models/two_link.yaml");
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

/// MoveIt's allowed_collision_matrix: entries count, then what is said of a name and everything else.
TEST(Scene, ContactsOfAPlanningScene) {
  const auto text = [](const std::string& entries) {
    return "world: {collision_objects: [{id: can, primitives: [{type: sphere, dimensions: [0.1]}], primitive_poses: "
           "[{}]}]}\nallowed_collision_matrix:\n  entry_names: [hand, can, wrist]\n  entry_values:\n" +
           entries + "  default_entry_names: [base]\n  default_entry_values: [true]\n";
  };
  const std::string entries = "    - {enabled: [false, true, false]}\n    - [1, 0, 0]\n    - [0, 0, 0]\n";
  const Scene scene = read_scene(text(entries), "s");
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(allowed_pairs(scene, {"base", "wrist", "hand"}),
            (Pairs{{"base", "can"}, {"base", "hand"}, {"base", "wrist"}, {"can", "hand"}}));
  try {
    allowed_pairs(scene, {"arm"});
    ADD_FAILURE() << "no link of it is there";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].text,
              "allowed_collision_matrix: is of another robot: the model has none of its links");
  }
  EXPECT_EQ(
      scene_problem(text("    - [0, 1]\n    - [1, 0, 0]\n    - [0, 0, 0]\n")),
      "s:5: error: allowed_collision_matrix: entry_values: hand: expected 3 entries, as there are names, found 2");
  EXPECT_EQ(scene_problem(text("    - [0, 1, 0]\n")),
            "s:3: error: allowed_collision_matrix: expected as many entry_values as entry_names");
  EXPECT_EQ(scene_problem(text("    - [0, no, 0]\n    - [1, 0, 0]\n    - [0, 0, 0]\n")),
            "s:5: error: allowed_collision_matrix: entry_values: hand: expected true or false, found 'no'");
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
  EXPECT_EQ(scene_problem("world:\n  collision_objects:\n    - {id: a, planes: [{}]}\n"),
            "s:3: error: world: collision_objects: 'a': planes are not understood here");
  EXPECT_EQ(scene_problem("world:\n  collision_objects:\n    - {id: a, meshes: [{}], mesh_poses: [{}]}\n"),
            "s:3: error: world: collision_objects: 'a': a mesh has no triangles");
}

/// As messages are printed: maps, and kinds by number. Poses may be in the axes of a link that stands still.
TEST(Scene, OfAPrintedPlanningScene) {
  const auto text = [](const std::string& frame) {
    return "world:\n  collision_objects:\n    - header: {frame_id: " + frame +
           "}\n      id: box\n      primitives: [{type: 1, dimensions: [1, 2, 3]}]\n      primitive_poses:\n        - "
           "position: {x: 1, y: 2, z: 3}\n          orientation: {x: 0, y: 0, z: 0.7071068, w: 0.7071068}\n";
  };
  const Model model = build_model(read_spec(R"(<robot name="on_a_stand"><link name="floor"/><link name="stand"/>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="bolts" type="fixed"><parent link="floor"/><child link="stand"/><origin xyz="0 0 0.5"/></joint>
<joint name="turn" type="continuous"><parent link="stand"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>)",
                                            "m.urdf"));
  std::vector<Diagnostic> notes;
  const auto place = [&](const std::string& frame) {
    return scene_bodies(read_scene(text(frame), "s"), model, {}, notes).at(0).X_WB;
  };
  EXPECT_EQ(place("stand").p.z, 3.5);
  EXPECT_EQ(place("floor").p.z, 3);
  EXPECT_EQ(place("world").p.z, 3);
  EXPECT_EQ(place("\"\"").p.y, 2);
  EXPECT_NEAR(place("stand").R(1, 0), 1, 1e-6);
  EXPECT_EQ(complaint<InputError>([&] { place("arm"); }),
            "s:3: error: 'box': its poses are in the axes of 'arm', which moves: give them in the world");
  EXPECT_EQ(scene_problem("world: {collison_objects: []}\n"),
            "s:1: error: world: unknown key 'collison_objects' (did you mean 'collision_objects'?)");
  EXPECT_EQ(scene_problem("world: {octomap: {octomap: {data: [1, 2]}}}\n"),
            "s:1: error: world: octomap: is not read here: save it as a `.bt` file, an object of a scene of ours");
}

TEST(Scene, MeshesThatMoveItsFilesHold) {
  const Scene scene =
      read_scene("scene\n* roof\n1\nmesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1 2\n1 2 3\n0 0 0 1\n0 0 0 0\n.\n", "s");
  ASSERT_EQ(scene.shapes.size(), 1u);
  ASSERT_TRUE(scene.shapes[0].mesh);
  EXPECT_EQ(scene.shapes[0].mesh->triangle_count(), 1u);
  EXPECT_EQ(scene.shapes[0].shape.X_LV.p.z, 3);
  EXPECT_EQ(scene_problem("scene\n* roof\n1\nmesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1 3\n"),
            "s:9: error: there is no such vertex: '0 1 3'");
  const Scene planning = read_scene(R"(world:
  collision_objects:
    - id: roof
      meshes:
        - triangles: [{vertex_indices: [0, 1, 2]}]
          vertices: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 0, y: 1, z: 0.5}]
      mesh_poses: [{position: [0, 0, 2]}]
)",
                                    "s");
  ASSERT_EQ(planning.shapes.size(), 1u);
  EXPECT_EQ(planning.shapes[0].mesh->positions[8], 0.5F);
  std::vector<Diagnostic> notes;
  const std::vector<SceneBody> bodies = scene_bodies(planning, an_arm(), {}, notes);
  EXPECT_TRUE(bodies[0].pieces);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(
      notes[0].text,
      "object 'roof': its mesh counts as 1 triangle, exactly; it is open (3 edges): where it is, nothing is inside");
}

TEST(Scene, WhoMayTouchWhat) {
  const Scene scene = read_scene(R"(format: verne-scene/1
objects:
  table: {box: {size: [1, 2, 0.05]}}
  table_leg: {box: {size: [1, 2, 0.05]}}
  cup: {sphere: {radius: 0.1}}
allowed_contacts: [[cup, table], ["table*", "foot_?"], [table, cup]]
)",
                                 "s");
  const std::vector<std::pair<std::string, std::string>> expected{
      {"cup", "table"}, {"foot_l", "table"}, {"foot_l", "table_leg"}, {"foot_r", "table"}, {"foot_r", "table_leg"}};
  EXPECT_EQ(allowed_pairs(scene, {"hand", "foot_l", "foot_r", "foot"}), expected);
  EXPECT_EQ(complaint<InputError>([&] { allowed_pairs(scene, {"hand"}); }),
            "s:6: error: allowed_contacts: no link or object is like 'foot_?'");
  Scene other = scene;
  other.allowed = {{"cap", "hand", 7}};
  EXPECT_EQ(complaint<InputError>([&] { allowed_pairs(other, {"hand"}); }),
            "s:7: error: allowed_contacts: no link or object is called 'cap' (did you mean 'cup'?)");
}

TEST(Scene, MeshesOfLinksAsCapsules) {
  const MeshFolder folder;
  const Triangles bar{{{0, 0, 0}, {1, 0, 0}, {1, 0.1F, 0}, {0, 0, 0.1F}, {1, 0, 0.1F}}, {{0, 1, 2}, {3, 4, 2}}};
  ModelSpec spec;
  spec.file = folder.write("bar.stl", stl_bytes(bar));
  spec.links.resize(1);
  LinkSpec& link = spec.links[0];
  link.name = link.joint.name = "bar";
  VisualSpec shape;
  shape.shape = VisualSpec::Shape::mesh, shape.mesh = "bar.stl", shape.size = {1, 1, 1}, shape.X_LV.p = {0, 0, 2};
  link.collisions = {shape};
  const Model model = build_model(spec);
  std::vector<Diagnostic> notes;
  for (int k = 0; k < 2; ++k) {  // found, and found again
    notes.clear();
    const std::vector<LinkShape> shapes = link_shapes(model, {}, notes, true);
    ASSERT_FALSE(shapes.empty());
    for (const auto& p : bar.points) {
      EXPECT_TRUE(std::ranges::any_of(shapes, [&](const LinkShape& one) {
        Transform<double> X = Transform<double>::identity();
        X.p = {p[0], p[1], p[2] + 2.0};
        return distance(ConvexBody{}, X, one.body, one.X_LB, 1) < 1e-6;  // positions are floats
      }));
    }
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(
        notes[0].text.find("meshes of links count as " + std::to_string(shapes.size()) + " capsules that hold them, "),
        std::string::npos)
        << notes[0].text;
  }
  EXPECT_TRUE(read_scene("format: verne-scene/1\nobjects: {}\nlink_meshes: capsules\n", "s").capsules);
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects: {}\nlink_meshes: balls\n"),
            "s:3: error: link_meshes: expected hulls or capsules, found 'balls'");
}

TEST(Scene, HullsOfMeshesAreKeptAndFoundAgain) {
  const MeshFolder folder;  // whose cache is its own
  Mesh mesh;
  for (int k = 0; k < 300; ++k) {  // a spiral on a ball
    const double z = 1 - 2 * (k + 0.5) / 300, r = std::sqrt(1 - z * z);
    for (const double x : {r * std::cos(2.4 * k), r * std::sin(2.4 * k), z})
      mesh.positions.push_back(static_cast<float>(x));
    mesh.triangles.push_back(static_cast<std::uint32_t>(k));
  }
  const ConvexBody first = mesh_hull(mesh, {1, 1, 2});
  EXPECT_EQ(first.points.size(), 64u);
  EXPECT_GT(first.skin, 0);
  std::string kept;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path(""))) {
    if (file.path().extension() == ".hull") kept = file.path().string();
  }
  ASSERT_FALSE(kept.empty());
  for (const bool spoilt : {false, true}) {
    if (spoilt) std::ofstream(kept) << "something else";
    const ConvexBody again = mesh_hull(mesh, {1, 1, 2});
    EXPECT_EQ(again.skin, first.skin);
    ASSERT_EQ(again.points.size(), first.points.size());
    for (std::size_t k = 0; k < again.points.size(); ++k) EXPECT_EQ(norm(again.points[k] - first.points[k]), 0);
  }
  for (std::size_t k = 0; k < mesh.positions.size(); k += 3) {
    Transform<double> X = Transform<double>::identity();
    X.p = {double(mesh.positions[k]), double(mesh.positions[k + 1]), 2 * double(mesh.positions[k + 2])};
    EXPECT_LE(distance(ConvexBody{}, X, first, Transform<double>::identity(), 10), 1e-9) << "it holds the mesh";
  }
}

TEST(Scene, FilesThatAreNotThere) {
  const Scene scene = read_scene(
      "format: verne-scene/1\nobjects:\n  a: {mesh: {file: missing.stl}}\n  b: {octomap: {file: missing.bt}}\n", "s");
  std::vector<Diagnostic> notes;
  EXPECT_EQ(complaint<InputError>([&] { scene_bodies(scene, an_arm(), {}, notes); }),
            "s:3: error: objects: a: 'missing.stl' cannot be used: there is no such file\n"
            "s:4: error: objects: b: 'missing.bt' cannot be used: there is no such file");
}

TEST(Scene, Problems) {
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {bx: {size: [1, 1, 1]}}\n"),
            "s:3: error: objects: a: unknown key 'bx' (did you mean 'box'?)\n"
            "s:3: error: objects: a: expected one of capsule, box, sphere, cylinder, mesh, found 0");
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {box: {size: [1, 0, 1]}}\n"),
            "s:3: error: objects: a: the size of a shape is to be positive");
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {mesh: {file: x.stl, scale: [1, 0, 1]}}\n"),
            "s:3: error: objects: a: the scale of a mesh is not to be zero");
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {mesh: {file: x.stl}, as: parts}\n"),
            "s:3: error: objects: a: as: expected surface or hull, found 'parts'");
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {sphere: {radius: 1}, as: hull}\n"),
            "s:3: error: objects: a: as: is of meshes");
  EXPECT_EQ(scene_problem("format: verne-scene/1\nobjects:\n  a: {voxels: {file: x.npy, resolution: 0}}\n"),
            "s:3: error: objects: a: voxels: resolution: expected a positive length, found '0'");
  EXPECT_EQ(
      scene_problem("format: verne-scene/1\nobjects: {}\nallowed_contacts: [[a]]\n"),
      "s:3: error: allowed_contacts: expected two names of links or objects, as in [hand, table], found a list of 1");
  EXPECT_EQ(scene_problem("format: verne-scene/2\nlinks: []\n"),
            "s:1: error: format: expected 'verne-scene/1', found 'verne-scene/2'");
  EXPECT_EQ(scene_problem("n\n* a\n1\nbox\n1 1\n0 0 0\n"), "s:5: error: expected three edges, found '1 1'");
  EXPECT_EQ(scene_problem("n\n* a\n1\ncone\n1 1\n"),
            "s:4: error: expected box, sphere, cylinder or mesh, found 'cone'");
  EXPECT_EQ(scene_problem("n\n* a\n1\nsphere\n0.1\n0 0 0\n0 0 0 1\n0 0 0 0\n* a\n1\n"),
            "s:9: error: there are two objects 'a'");
  EXPECT_EQ(scene_problem("n\n* a\n1\nsphere\n0.1\n0 0 0\n0 0 0 1\n0 0 0 0\n"),
            "s:8: error: the file ends without `.`: it is cut off");
  EXPECT_EQ(scene_problem("n\n* a\n1\nsphere\n0.1\n0 0 0\n0 0 0 2\n"),
            "s:7: error: expected a quaternion of length 1, found '0 0 0 2'");
}

}  // namespace
}  // namespace verne::test
