#include "verne/io/model_json.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "verne/io/model_io.h"

namespace verne {
namespace {

using Json = nlohmann::json;

Json described(const Model& model) {
  JsonWriter json;
  append_model(json, model);
  return Json::parse(json.text());
}

Model shipped(const std::string& name) {
  return load_model(test::source_dir() + "/models/" + name + ".yaml");
}

TEST(ModelJson, TwoLink) {
  const Json model = described(shipped("two_link"));
  EXPECT_EQ(model["name"], "two_link");
  EXPECT_EQ(model["gravity"], (Json{0, 0, 0}));
  EXPECT_EQ(model["mass"], 1);
  ASSERT_EQ(model["links"].size(), 3u);
  EXPECT_TRUE(model["links"][0]["parent"].is_null());
  const Json& link = model["links"][1];
  EXPECT_EQ(link["parent"], "base");
  EXPECT_EQ(link["joint"]["name"], "shoulder");
  EXPECT_EQ(link["joint"]["type"], "revolute");
  // A Denavit-Hartenberg link has its frame at its end: the joint lies 0.4 m before it.
  EXPECT_NEAR(link["joint"]["position"][0], -0.4, 1e-15);
  EXPECT_EQ(link["visuals"][0]["type"], "capsule");
  EXPECT_EQ(link["visuals"][0]["radius"], 0.025);
  EXPECT_EQ(link["visuals"][0]["length"], 0.4);
  EXPECT_NEAR(link["visuals"][0]["position"][0], -0.2, 1e-15);
  EXPECT_EQ(model["frames"][0]["link"], "link2");
}

TEST(ModelJson, LinksComeParentsFirst) {
  for (const char* name : {"humanoid", "human55", "quadruped", "puma560"}) {
    const Model model = shipped(name);
    const Json json = described(model);
    ASSERT_EQ(json["links"].size(), model.links().size());
    std::set<std::string> seen;
    for (const Json& link : json["links"]) {
      if (!link["parent"].is_null()) {
        EXPECT_TRUE(seen.contains(link["parent"])) << name << " " << link["name"];
      }
      seen.insert(link["name"]);
    }
  }
}

TEST(ModelJson, EveryShape) {
  ModelSpec spec = shipped("two_link").spec();
  LinkSpec& link = spec.links[1];
  link.visuals.clear();
  for (const auto shape :
       {VisualSpec::Shape::box, VisualSpec::Shape::sphere, VisualSpec::Shape::cylinder, VisualSpec::Shape::mesh}) {
    VisualSpec visual;
    visual.shape = shape, visual.size = {1, 2, 3}, visual.mesh = "file.stl";
    link.visuals.push_back(visual);
  }
  const Json visuals = described(build_model(spec))["links"][1]["visuals"];
  ASSERT_EQ(visuals.size(), 4u);
  EXPECT_EQ(visuals[0]["size"], (Json{1, 2, 3}));
  EXPECT_EQ(visuals[1]["radius"], 1);
  EXPECT_EQ(visuals[2]["length"], 2);
  EXPECT_EQ(visuals[3]["mesh"], 0);
  EXPECT_EQ(visuals[3]["scale"], (Json{1, 2, 3}));
}

}  // namespace
}  // namespace verne
