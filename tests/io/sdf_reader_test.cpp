/// SDF files: what is read as what, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "cli/program.h"
#include "io/io_support.h"
#include "support/paths.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

std::string sdf(const std::string& contents, const std::string& version = "1.9") {
  return "<sdf version='" + version + "'>\n<model name='m'>\n" + contents + "</model>\n</sdf>\n";
}
std::string sdf_link(const std::string& name, const std::string& contents = "") {
  return "<link name='" + name + "'>" + contents +
         "<inertial><mass>2</mass><inertia><ixx>0.2</ixx><iyy>0.1</iyy><izz>0.2</izz></inertia></inertial></link>\n";
}
std::string sdf_joint(const std::string& name, const std::string& type, const std::string& parent,
                      const std::string& child, const std::string& contents = "<axis><xyz>0 0 1</xyz></axis>") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child + "</child>" +
         contents + "</joint>\n";
}
const LinkSpec& link_of(const ModelSpec& spec, const std::string& name) {
  for (const LinkSpec& link : spec.links) {
    if (link.name == name) return link;
  }
  throw std::out_of_range(name);
}

TEST(SdfReader, WhatNothingHoldsMovesFreely) {
  const ModelSpec spec =
      read_sound(read_sdf, sdf("<pose>1 2 3 0 0 0</pose>" + sdf_link("a", "<pose>0 0 1 0 0 0</pose>")));
  ASSERT_EQ(spec.links.size(), 1U);
  EXPECT_EQ(spec.name, "m");
  EXPECT_EQ(spec.links[0].joint.type, JointType::free);
  EXPECT_FALSE(spec.links[0].joint.actuated);
  expect_near(home_links(spec).at("a").X_WL.p, {1, 2, 4}, 0, "place");
  const ModelSpec still = read_sound(
      read_sdf, sdf("<static>true</static>" + sdf_link("a") + sdf_link("b") + sdf_joint("j", "revolute", "a", "b")));
  for (const LinkSpec& link : still.links) EXPECT_EQ(link.joint.type, JointType::fixed);
}

TEST(SdfReader, LinksWithoutMassGetThatOfTheFormat) {
  const std::string text = sdf("<link name='a'/>");
  const ModelSpec spec = read_sound(read_sdf, text);
  EXPECT_EQ(spec.links[0].mass, 1);
  EXPECT_EQ(spec.links[0].inertia.yy, 1);
  EXPECT_NE(warnings_of(read_sdf, text).find("m:3: warning: link 'a': <inertial> is missing"), std::string::npos);
}

TEST(SdfReader, Screws) {
  const auto pitch = [](const std::string& contents) {
    return read_sound(read_sdf, sdf(sdf_link("a") + sdf_joint("j", "screw", "world", "a", contents)))
        .links[0]
        .joint.pitch;
  };
  EXPECT_DOUBLE_EQ(pitch("<axis><xyz>0 0 1</xyz></axis><thread_pitch>-50</thread_pitch>"), 0.02);
  EXPECT_DOUBLE_EQ(pitch("<axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>0.01</screw_thread_pitch>"),
                   0.01 / (2 * std::numbers::pi));
}

TEST(SdfReader, AJointThatFollows) {
  const ModelSpec spec = read_sound(
      read_sdf, sdf(sdf_link("a") + sdf_link("b") + sdf_joint("j", "revolute", "world", "a") +
                        sdf_joint("k", "revolute", "a", "b",
                                  "<axis><xyz>0 0 1</xyz><mimic joint='j'><multiplier>2</multiplier><offset>1</offset>"
                                  "<reference>0.25</reference></mimic></axis>"),
                    "1.11"));
  const MimicSpec& mimic = *link_of(spec, "b").joint.mimic;
  EXPECT_EQ(mimic.joint, "j");
  EXPECT_EQ(mimic.ratio, 2);
  EXPECT_EQ(mimic.offset, 0.5);
}

/// A four-bar linkage, in whatever order its joints come: it closes, and one joint moves it.
std::string four_bar(const std::vector<int>& order, const std::string& type) {
  const std::string bodies = sdf_link("crank", "<pose>0 0 0 0 0 0</pose>") +
                             sdf_link("coupler", "<pose>0.3 0 0.4 0 0.2 0</pose>") +
                             sdf_link("rocker", "<pose>1 0 0 0 0 0</pose>");
  const std::string y = "<axis><xyz expressed_in='__model__'>0 1 0</xyz></axis>";
  const std::string joints[] = {
      sdf_joint("j1", "revolute", "world", "crank", y), sdf_joint("j2", "revolute", "crank", "coupler", y),
      sdf_joint("j3", "revolute", "world", "rocker", y),
      sdf_joint("j4", type, "rocker", "coupler", "<pose relative_to='__model__'>1 0 0.6 0 0 0</pose>" + y)};
  std::string text = bodies;
  for (const int j : order) text += joints[j];
  return sdf(text);
}

TEST(SdfReader, ASecondParentClosesALoop) {
  for (const std::vector<int>& order : {std::vector<int>{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}}) {
    const ModelSpec spec = read_sound(read_sdf, four_bar(order, "revolute"));
    ASSERT_EQ(spec.loops.size(), 1U);
    EXPECT_EQ(spec.loops[0].type, LoopType::revolute);
    EXPECT_EQ(spec.loops[0].name, order[0] == 0 ? "j4" : order[0] == 3 ? "j2" : "j4");
    EXPECT_EQ(build_model(spec).nv(), 3);
    // Its frames coincide in the pose of the file.
    const LoopSpec& loop = spec.loops[0];
    const auto homes = home_links(spec);
    const auto frame = [&](const LoopEnd& end) {
      return end.link == "world" ? end.X_LF : homes.at(end.link).X_WL * end.X_LF;
    };
    expect_near(frame(loop.a), frame(loop.b), 1e-15, "loop");
    expect_near(frame(loop.a).R * Vec3<double>{0, 0, 1}, {0, 1, 0}, 1e-15, "axis");
  }
  EXPECT_EQ(read_sound(read_sdf, four_bar({0, 1, 2, 3}, "ball")).loops[0].type, LoopType::spherical);
  EXPECT_NE(errors_of(read_sdf, four_bar({0, 1, 2, 3}, "screw")).find("it closes a loop, which a screw"),
            std::string::npos);
}

/// The coordinates of a joint that is walked backwards are the file's.
TEST(SdfReader, AJointMayPointToItsParent) {
  const std::string bodies =
      sdf_link("hand", "<pose>0 0 1 0.3 0 0</pose>") + sdf_link("arm", "<pose>0 0.2 0 0 0 0</pose>");
  const std::string axis = "<pose>0 0.1 0 0 0 0</pose><axis><xyz>0 0.6 0.8</xyz></axis>";
  for (const char* type : {"revolute", "prismatic"}) {
    const ModelSpec forwards = read_sound(read_sdf, sdf(bodies + sdf_joint("b", "fixed", "world", "arm", "") +
                                                        sdf_joint("j", type, "arm", "hand", axis)));
    const ModelSpec backwards = read_sound(read_sdf, sdf(bodies + sdf_joint("b", "fixed", "world", "hand", "") +
                                                         sdf_joint("j", type, "arm", "hand", axis)));
    EXPECT_EQ(link_of(backwards, "arm").parent, "hand");
    const auto a = home_links(forwards), b = home_links(backwards);
    expect_near(a.at("hand").X_WJ, b.at("arm").X_WJ, 1e-15, "joint");
    expect_near(a.at("hand").axis_W, -b.at("arm").axis_W, 1e-15, "axis");
  }
}

TEST(SdfReader, Worlds) {
  const std::string box = "<model name='box'><pose>0 0 1 0 0 0</pose>" + sdf_link("l") + "</model>";
  const std::string ground = "<model name='ground'><static>true</static>" + sdf_link("l") + "</model>";
  const auto world = [](const std::string& contents) {
    return "<sdf version='1.6'>\n<world name='w'><gravity>0 0 -1.62</gravity><physics/>" + contents + "</world></sdf>";
  };
  const ModelSpec one = read_sound(read_sdf, world(ground + box));
  EXPECT_EQ(one.gravity.z, -1.62);
  ASSERT_EQ(one.links.size(), 1U);
  EXPECT_EQ(one.links[0].name, "l");
  const ModelSpec two = read_sound(read_sdf, world(box + ground + "<model name='other'>" + sdf_link("l") + "</model>"));
  ASSERT_EQ(two.links.size(), 3U);
  EXPECT_EQ(two.links[0].name, "world");
  EXPECT_EQ(two.links[1].name, "box::l");
  EXPECT_EQ(two.links[2].name, "other::l");
  EXPECT_EQ(build_model(two).nv(), 12);
  EXPECT_EQ(build_model(read_sound(read_sdf, world(ground))).nv(), 0);
  EXPECT_NE(errors_of(read_sdf, world("")).find("it has no <model>"), std::string::npos);
}

TEST(SdfReader, Shapes) {
  const ModelSpec spec = read_sound(
      read_sdf,
      sdf(sdf_link("a",
                   "<visual name='v'><pose>1 0 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry>"
                   "<material><diffuse>0.1 0.2 0.3 1</diffuse></material></visual>"
                   "<visual name='w'><geometry><mesh><uri>model://m/a.stl</uri><scale>2 2 2</scale></mesh>"
                   "</geometry></visual><collision name='c'><geometry><cylinder><radius>0.1</radius>"
                   "<length>2</length></cylinder></geometry></collision>"
                   "<visual name='x'><geometry><plane/></geometry></visual>")));
  ASSERT_EQ(spec.links[0].visuals.size(), 2U);
  EXPECT_EQ(spec.links[0].visuals[0].size.z, 3);
  EXPECT_EQ(spec.links[0].visuals[0].X_LV.p.x, 1);
  EXPECT_EQ(spec.links[0].visuals[0].colour->y, 0.2);
  EXPECT_EQ(spec.links[0].visuals[1].mesh, "model://m/a.stl");
  ASSERT_EQ(spec.links[0].collisions.size(), 1U);
  EXPECT_EQ(spec.links[0].collisions[0].shape, VisualSpec::Shape::cylinder);
}

TEST(SdfReader, FramesAreKept) {
  const ModelSpec spec = read_sound(
      read_sdf, sdf(sdf_link("a", "<pose>0 0 1 0 0 0</pose>") +
                    "<frame name='tool' attached_to='a'><pose>0 1 0 0 0 0</pose></frame>"
                    "<frame name='grip' attached_to='tool'><pose relative_to='__model__'>0 0 0 0 0 0</pose></frame>"));
  ASSERT_EQ(spec.frames.size(), 2U);
  expect_near(spec.frames[0].X_LF.p, {0, 1, 0}, 0, "tool");
  EXPECT_EQ(spec.frames[1].link, "a");
  expect_near(spec.frames[1].X_LF.p, {0, 0, -1}, 0, "grip");
}

TEST(SdfReader, IncludedModels) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("arm/parts"));
  std::filesystem::create_directories(folder.file("hand"));
  folder.write("hand/model.config", "<model><sdf version='1.6'>hand.sdf</sdf></model>");
  folder.write("hand/hand.sdf",
               "<sdf version='1.6'><model name='hand'>" +
                   sdf_link("palm", "<visual name='v'><geometry><mesh><uri>palm.stl</uri></mesh></geometry></visual>") +
                   sdf_link("finger") + sdf_joint("f", "revolute", "palm", "finger") + "</model></sdf>");
  const std::string include = "<include><uri>model://hand</uri><name>left</name><pose>0 0 2 0 0 0</pose></include>";
  const std::string body = sdf_link("base") + sdf_joint("w", "fixed", "world", "base", "") +
                           sdf_joint("wrist", "revolute", "base", "left::palm");
  const ModelSpec spec = load_spec(folder.write("arm/model.sdf", sdf(body + include)));
  EXPECT_EQ(link_of(spec, "left::finger").parent, "left::palm");
  EXPECT_EQ(link_of(spec, "left::finger").joint.name, "left::f");
  EXPECT_EQ(link_of(spec, "left::palm").visuals[0].mesh, folder.file("hand/palm.stl"));
  expect_near(home_links(spec).at("left::palm").X_WL.p, {0, 0, 2}, 0, "place");

  const std::string merged = "<include merge='true'><uri>model://hand</uri><pose>0 0 2 0 0 0</pose></include>";
  const ModelSpec flat = load_spec(
      folder.write("arm/flat.sdf", sdf(sdf_link("base") + sdf_joint("w", "revolute", "base", "palm") + merged)));
  EXPECT_EQ(link_of(flat, "finger").joint.name, "f");
  expect_near(home_links(flat).at("palm").X_WL.p, {0, 0, 2}, 0, "place");

  const auto error = [&](const std::string& name, const std::string& contents) {
    return input_error([&] { load_spec(folder.write(name, contents)); });
  };
  EXPECT_NE(error("arm/self.sdf", sdf("<include><uri>self.sdf</uri></include>"))
                .find("self.sdf:3: error: model 'm': <include>: 'self.sdf' includes itself"),
            std::string::npos);
  EXPECT_NE(
      error("arm/none.sdf", sdf("<include><uri>model://nothing</uri></include>")).find("there is no package 'nothing'"),
      std::string::npos);
  EXPECT_NE(error("arm/net.sdf", sdf("<include><uri>https://example.org/a</uri></include>")).find("nothing is fetched"),
            std::string::npos);
  EXPECT_NE(error("arm/out.sdf", sdf("<include><uri>model://hand/../../secret</uri></include>"))
                .find("leads out of its package"),
            std::string::npos);
  folder.write("hand/bad.sdf",
               "<sdf version='1.6'>\n<model name='bad'>\n<link name='a'><pose>1 2</pose></link></model></sdf>");
  EXPECT_NE(error("arm/bad.sdf", sdf("<include><uri>model://hand/bad.sdf</uri></include>"))
                .find("hand/bad.sdf:3: error: link 'bad::a': <pose>: expected 6 numbers, found '1 2'"),
            std::string::npos);
}

struct BadSdf {
  std::string contents, message;
};

TEST(SdfReader, RefusesWithFileAndLine) {
  const std::string a = sdf_link("a");
  const BadSdf cases[] = {
      {a + sdf_joint("j", "revolute", "wrold", "a"), "m:4: error: there is no link, joint, frame or model 'wrold'"},
      {a + sdf_joint("j", "revolut", "world", "a"),
       "m:4: error: joint 'j': unknown joint type 'revolut' (did you mean 'revolute'?)"},
      {a + sdf_joint("j", "revolute", "a", "a"), "m:4: error: joint 'j': parent and child are the same body"},
      {a + sdf_joint("j", "revolute", "world", ""), "m:4: error: joint 'j': <child> is missing or empty"},
      {a + sdf_joint("j", "revolute", "world", "a", "<axis><xyz>0 0 0</xyz></axis>"), "its axis is zero"},
      {a + sdf_joint("j", "revolute", "world", "a", "<axis><xyz>0 0</xyz></axis>"), "expected 3 numbers, found '0 0'"},
      {a + sdf_joint("j", "revolute", "world", "a", "<axis><xyz expressed_in='b'>0 0 1</xyz></axis>"),
       "frame or model 'b'"},
      {a + a, "m:4: error: link 'a': something else has this name already"},
      {sdf_link("a", "<pose relative_to='a'>0 0 0 0 0 0</pose>"),
       "m:3: error: the pose of 'a' is given in itself, in a circle"},
      {a + "<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>", "in a circle"},
      {sdf_link("a", "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 2</pose>"), "m:3: error: link 'a': <pose>"},
      {sdf_link("a", "<gravity>maybe</gravity>"), "expected true or false, found 'maybe'"},
      {"<link name='a'><inertial><mass>heavy</mass></inertial></link>", "<mass>: expected a number, found 'heavy'"},
      {"<link/>", "attribute 'name' is missing"}};
  for (const BadSdf& bad : cases) {
    EXPECT_NE(errors_of(read_sdf, sdf(bad.contents)).find(bad.message), std::string::npos)
        << bad.contents << errors_of(read_sdf, sdf(bad.contents));
  }
  EXPECT_NE(errors_of(read_sdf, "<sdf><model name='m'/></sdf>").find("version is missing"), std::string::npos);
  EXPECT_NE(errors_of(read_sdf, "<robot/>").find("not SDF: expected <sdf>, found 'robot'"), std::string::npos);
  EXPECT_NE(errors_of(read_sdf, "<sdf version='1.9'/>").find("it has no <model>"), std::string::npos);
}

TEST(SdfReader, SaysWhatIsNotModelled) {
  const std::string text = sdf(sdf_link("a", "<gravity>false</gravity>") + sdf_joint("g", "gearbox", "world", "a"));
  EXPECT_NE(warnings_of(read_sdf, text).find("not modelled: link 'a', which gravity does not pull"), std::string::npos);
  EXPECT_NE(warnings_of(read_sdf, text).find("not modelled: joint 'g', a gearbox"), std::string::npos);
}

/// Poses in a long row of frames, and models in models: neither the stack nor time runs out.
TEST(SdfReader, LongChains) {
  std::string text;
  for (int k = 20000; k > 0; --k) {
    text += "<frame name='f" + std::to_string(k) + "' attached_to='a'><pose relative_to='f" + std::to_string(k - 1) +
            "'>0 0 0.001 0 0 0</pose></frame>\n";
  }
  const ModelSpec spec = read_sound(read_sdf, sdf(sdf_link("a") + "<frame name='f0'/>" + text));
  EXPECT_NEAR(spec.frames[1].X_LF.p.z, 20, 1e-9);
}

}  // namespace
}  // namespace verne::test
