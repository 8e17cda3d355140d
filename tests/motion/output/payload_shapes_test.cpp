/// Shapes of what is carried, as pages draw them.
#include <nlohmann/json.hpp>

#include "motion/output/solution_json.h"
#include "motion/task_text.h"

namespace verne::test {
namespace {

using Json = nlohmann::json;

/// Of a model whose frame `tool` stands 0.1 m before the origin of link2.
Task task_of(const std::string& text) {
  const auto model = [](const std::string& path) {
    ModelSpec spec = load_spec(models() + path);
    spec.frames.at(0).X_LF.p.x = -0.1;
    return build_model(spec);
  };
  return read_task("format: verne-task/1\nmodel: two_link.yaml\nminimize: []\n" + text, "t", "", {},
                   {model, [](const std::string&) { return std::string(); }});
}

Json payloads_of(const Task& task, const std::vector<PhaseResult>& phases) {
  Solution solution(Trajectory(SplineBasis(3, 1), Eigen::VectorXd::Ones(1), Eigen::MatrixXd::Zero(4, 2)));
  solution.phases = phases;
  JsonWriter json;
  json.begin_object();
  append_payloads(json, task, solution);
  return Json::parse(json.end_object().text())["payloads"];
}

TEST(PayloadShapes, ArePartsOfTheirLinks) {
  const Task task = task_of(
      "duration: 1\npayloads: [{frame: tool, mass: 0.5, shape: {box: {size: [0.1, 0.2, 0.3]}, pose: {xyz: [0, 0, "
      "0.1]}}}]\nsubject_to: {start: {position: 0}, end: {position: 1}}\n");
  const Task plain = task_of("duration: 1\nsubject_to: {start: {position: 0}, end: {position: 1}}\n");
  const auto& links = task.model.spec().links;
  const auto& before = plain.model.spec().links;
  ASSERT_EQ(links.back().visuals.size(), before.back().visuals.size() + 1);
  const VisualSpec& shape = links.back().visuals.back();
  EXPECT_EQ(shape.shape, VisualSpec::Shape::box);
  EXPECT_NEAR(shape.X_LV.p.x, -0.1, 1e-15);
  EXPECT_NEAR(shape.X_LV.p.z, 0.1, 1e-15);
  EXPECT_TRUE(shape.colour);
  EXPECT_EQ(payloads_of(task, {}), Json::array());
}

TEST(PayloadShapes, OfPhasesAreThereWhileTheseLast) {
  const Task task = task_of(
      "phases:\n  - {name: fetch, duration: 0.4, end: {position: 1}}\n"
      "  - {name: carry, duration: 0.6, payloads: [{frame: tool, mass: 0.5, shape: {sphere: {radius: 0.05}}}]}\n"
      "subject_to: {start: {position: 0}, end: {position: 0}}\n");
  const Json payloads = payloads_of(task, {{"fetch", 0, 0.4, 0, 1}, {"carry", 0.4, 1, 1, 2}});
  ASSERT_EQ(payloads.size(), 1u);
  EXPECT_EQ(payloads[0]["link"], "link2");
  EXPECT_EQ(payloads[0]["type"], "sphere");
  EXPECT_EQ(payloads[0]["radius"], 0.05);
  EXPECT_NEAR(payloads[0]["position"][0], -0.1, 1e-15);
  EXPECT_EQ(payloads[0]["from"], 0.4);
  EXPECT_EQ(payloads[0]["until"], 1.0);
}

TEST(PayloadShapes, Problems) {
  const auto said = [](const std::string& shape) {
    return complaint<InputError>([&] {
      task_of("duration: 1\npayloads: [{frame: tool, mass: 1, shape: " + shape +
              "}]\nsubject_to: {start: {position: 0}, end: {position: 1}}\n");
    });
  };
  EXPECT_NE(said("{mesh: {file: a.stl}}").find("payloads: 1: shape: expected a capsule, box, sphere or cylinder"),
            std::string::npos)
      << said("{mesh: {file: a.stl}}");
  EXPECT_NE(said("{bx: {size: [1, 1, 1]}}").find("did you mean 'box'"), std::string::npos);
  EXPECT_NE(said("{}").find("expected one of"), std::string::npos);
}

TEST(PayloadShapes, MarginsOfObstacles) {
  const Task task = task_of(
      "duration: 1\nsubject_to:\n  start: {position: 0}\n  end: {position: 1}\n"
      "  keep_out: [{sphere: {center: [1, 1, 0], radius: 0.1}, links: [link2], margin: 0.02}]\n");
  JsonWriter json;
  json.begin_object();
  append_surroundings(json, task, 1);
  const Json obstacles = Json::parse(json.end_object().text())["obstacles"];
  ASSERT_EQ(obstacles.size(), 1u);
  EXPECT_EQ(obstacles[0]["margin"], 0.02);
}

}  // namespace
}  // namespace verne::test
