/// States by name, and postures of a planner, in tasks; files are texts here.
#include <regex>

#include "motion/task_text.h"
#include "structures/collision_shapes.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

constexpr char kHead[] =
    "format: verne-task/1\nmodel: {file: two_link.yaml, srdf: arm.srdf}\nduration: 1\nminimize: []\n";
constexpr char kSrdf[] = R"(<robot name="two_link">
<group_state name="folded" group="arm"><joint name="shoulder" value="0.5"/><joint name="elbow" value="-2"/></group_state>
<group_state name="half" group="arm"><joint name="elbow" value="1"/></group_state></robot>)";

Task task_naming(const std::string& rest, const std::map<std::string, std::string>& files = {{"arm.srdf", kSrdf}},
                 const std::string& head = kHead) {
  return read_task(head + rest, "t", "", {},
                   {[](const std::string& path) { return load_model(models() + path); },
                    [&](const std::string& path) { return files.at(path); }});
}

TEST(NamedStates, StandForPositions) {
  const Task task = task_naming("subject_to: {start: folded, end: half}\n");
  EXPECT_EQ(task.start.position[0].lower, 0.5);
  EXPECT_EQ(task.start.position[1].upper, -2);
  EXPECT_TRUE(task.start.velocity[0].fixed());
  EXPECT_FALSE(task.end.position[0].bounded());
  EXPECT_EQ(task.end.position[1].lower, 1);
  const Task phases = task_naming("phases: [{duration: 1, end: half}, {duration: 1}]\nsubject_to: {end: folded}\n",
                                  {{"arm.srdf", kSrdf}},
                                  "format: verne-task/1\nmodel: {file: two_link.yaml, srdf: arm.srdf}\nminimize: []\n");
  EXPECT_EQ(phases.phases[0].end.position[1].lower, 1);
  EXPECT_EQ(phases.end.position[0].lower, 0.5);
  // As a solution is read: without its files.
  EXPECT_FALSE(read_task(task.text, "t", task.model).start.position[0].bounded());
}

TEST(NamedStates, Problems) {
  const auto said = [](const std::string& rest, const std::string& srdf = kSrdf) {
    return complaint<InputError>([&] { task_naming(rest, {{"arm.srdf", srdf}}); });
  };
  EXPECT_EQ(said("subject_to:\n  start: fold\n"),
            "t:6: error: start, end: there is no state 'fold' (did you mean 'folded'?)");
  EXPECT_EQ(said("", "<robot name=\"r\"><disable_collisions link1=\"a\" link2=\"b\"/></robot>"),
            "t:2: error: model: srdf: 'arm.srdf' cannot be used\n"
            "arm.srdf:1: error: is the SRDF of another robot, 'r': the model has none of its links and joints");
  EXPECT_EQ(problems(with("subject_to: {end: home}\n")),
            "t:6: error: start, end: there is no state 'home': neither the model nor an SRDF names any");
}

TEST(NamedStates, OfFiles) {
  const std::map<std::string, std::string> files{
      {"arm.srdf", kSrdf}, {"grasp.json", "[{\"q\": [0.25, -1]}]"}, {"short.json", "[1]"}};
  const Task task = task_naming("subject_to: {start: {file: grasp.json}, end: folded}\n", files);
  EXPECT_EQ(task.start.position[0].lower, 0.25);
  EXPECT_EQ(task.start.position[1].upper, -1);
  EXPECT_FALSE(read_task(task.text, "t", task.model).start.position[0].bounded()) << "read without its files";
  const std::string said =
      complaint<InputError>([&] { task_naming("subject_to: {end: {file: short.json}}\n", files); });
  EXPECT_TRUE(said.starts_with("short.json: error: ")) << said;
}

constexpr char kRequest[] = R"(start_state:
  joint_state: {name: [elbow, finger, shoulder], position: [-1, 0.02, 0.25]}
goal_constraints:
  - joint_constraints:
      - {joint_name: shoulder, position: 0.5, tolerance_above: 0.01, weight: 1}
      - {joint_name: elbow, position: -2}
)";

TEST(NamedStates, OfARequestOfMoveIt) {
  const std::string ends = "subject_to: {start: {file: r.yaml}, end: {file: r.yaml}}\n";
  const auto task = [&](const std::string& request, const std::string& rest = "") {
    return task_naming(rest + ends, {{"arm.srdf", kSrdf}, {"r.yaml", request}});
  };
  const Task both = task(kRequest);
  EXPECT_EQ(both.start.position[0].lower, 0.25);
  EXPECT_EQ(both.start.position[1].upper, -1);
  EXPECT_EQ(both.end.position[0].lower, 0.5);
  EXPECT_EQ(both.end.position[1].upper, -2);
  EXPECT_TRUE(both.end.velocity[0].fixed());
  EXPECT_EQ(task(kRequest, "hold: {elbow: -1.5}\n").end.position[0].lower, 0.5) << "what is held does not count";
  const auto said = [&](const std::string& request) { return complaint<InputError>([&] { task(request); }); };
  EXPECT_EQ(said("group_name: arm\n"),
            "r.yaml:1: error: expected a MotionPlanRequest of MoveIt, with start_state: joint_state");
  const std::string start = "start_state: {joint_state: {name: [elbow], position: [0]}}\n";
  EXPECT_EQ(said(start + "goal_constraints: [{position_constraints: [{}]}]\n"),
            "r.yaml:2: error: goal_constraints: there are no joint_constraints: give the pose as one of `frames`");
  EXPECT_EQ(said("start_state: {joint_state: {name: [elbow], position: [0, 1]}}\n"),
            "r.yaml:1: error: start_state: joint_state: expected as many entries of position as of name");
  EXPECT_EQ(said("start_state: {joint_state: {name: [wrist], position: [0]}}\n"),
            "r.yaml:1: error: is of another robot: the model has none of its joints");
  EXPECT_EQ(said("start_state: {joint_state: {name: [elbow], position: [fast]}}\n"),
            "r.yaml:1: error: start_state: elbow: expected a number, found 'fast' (unknown name 'fast')\n"
            "r.yaml:1: error: is of another robot: the model has none of its joints");
}

TEST(NamedStates, OfAModelThatFloats) {
  const std::string head =
      "format: verne-task/1\nmodel: {file: two_link.yaml, srdf: arm.srdf, floating_base: true}\nduration: 1\nminimize: "
      "[]\n";
  const std::map<std::string, std::string> files{
      {"arm.srdf", kSrdf}, {"whole.json", "{\"q\": [1, 2, 3, 0, 0, 0.70710678, 0.70710678, 0.25, -1]}"}};
  const Task task = task_naming("subject_to: {start: {file: whole.json}, end: folded}\n", files, head);
  ASSERT_EQ(task.model.nv(), 8);
  EXPECT_EQ(task.start.position[1].lower, 2);
  EXPECT_NEAR(task.start.position[3].lower, M_PI / 2, 1e-7) << "yaw";
  EXPECT_EQ(task.start.position[7].lower, -1);
  EXPECT_FALSE(task.end.position[0].bounded());
  EXPECT_EQ(task.end.position[6].lower, 0.5);
  EXPECT_EQ(read_task(task.text, "t", task.model).model.nv(), 8) << "as a solution is read";
}

TEST(NamedStates, ListsNeedNoEntryForWhatIsHeld) {
  const Task task =
      task_naming("hold: {shoulder: 0.5}\nsubject_to: {start: {position: [0.2]}, end: {position: [1, 0.4]}}\n");
  EXPECT_FALSE(task.start.position[0].bounded());
  EXPECT_EQ(task.start.position[1].lower, 0.2);
  EXPECT_EQ(task.end.position[1].lower, 0.4) << "all is as good";
  EXPECT_EQ(problems(with("hold: {shoulder: 0.5}\nsubject_to: {start: {position: [1, 2, 3]}}\n")),
            "t:7: error: subject_to: start: position: expected {joint: value}, a list of 2 (or of the 1 that are not "
            "held) or one value for all, found a list of 3");
}

TEST(SceneOfATask, IsWhatLinksKeepClearOf) {
  const std::string shapes =
      "objects:\n    post: {box: {size: [0.1, 0.2, 1]}, pose: {xyz: [0.5, 0.7, 0]}}\n"
      "    lamp: [{sphere: {radius: 0.05}}, {capsule: {radius: 0.1, length: 0.4}}]\n"
      "    can: {cylinder: {radius: 0.1, length: 0.3}}\n";
  const std::map<std::string, std::string> files{
      {"arm.srdf", kSrdf},
      {"cell.yaml", "format: verne-scene/1\nmargin: 0.02\n" + std::regex_replace(shapes, std::regex("    "), "  ")}};
  const std::string free_start = "subject_to: {start: {position: {shoulder: free}}}\n";
  for (const Task& task : {task_naming("scene:\n  margin: 0.02\n  " + shapes + free_start),
                           task_naming("scene: cell.yaml\n" + free_start, files)}) {
    ASSERT_TRUE(task.shapes);
    EXPECT_TRUE(task.keep_out.empty());
    EXPECT_EQ(task.shapes->collisions.margin(), 0.02);
    std::string names;
    for (const CollisionBody& body : task.shapes->collisions.bodies()) {
      names += (body.link < 0 ? body.object : task.model.links()[static_cast<std::size_t>(body.link)].name) + " ";
    }
    EXPECT_EQ(names, "base link1 link2 post lamp lamp can ");
  }
  EXPECT_FALSE(task_naming("").shapes);
  EXPECT_FALSE(task_naming("self_collision: false\n").shapes);
  ASSERT_TRUE(task_naming("self_collision: true\n").shapes);
  const auto said = [&](const std::string& rest) {
    return complaint<InputError>([&] {
      task_naming(rest, {{"arm.srdf", kSrdf}, {"bad.yaml", "format: verne-scene/1\n"}});
    });
  };
  EXPECT_EQ(said("scene: bad.yaml\n"),
            "t:5: error: scene: 'bad.yaml' cannot be used\nbad.yaml:1: error: objects is missing");
  EXPECT_EQ(said("scene: {objects: {a: {box: {size: [1, 1, 0]}}}}\n"),
            "t:5: error: scene: objects: a: the size of a shape is to be positive");
}

TEST(NamedStates, PathOfAPlanner) {
  const auto read_path = [](const std::string& csv) {
    return task_naming("guess: {path: way.csv}\n", {{"arm.srdf", kSrdf}, {"way.csv", csv}});
  };
  const Task task = read_path("elbow,shoulder\n1,2\n3,4\n5,6\n");
  ASSERT_TRUE(task.guess.has_value());
  EXPECT_EQ(task.guess->eigen(), (Eigen::MatrixXd(2, 3) << 2, 4, 6, 1, 3, 5).finished());
  const auto said = [&](const std::string& csv) {
    const std::string all = complaint<InputError>([&] { read_path(csv); });
    const std::string first = "t:5: error: guess: path: 'way.csv' cannot be used\n";
    EXPECT_EQ(all.substr(0, first.size()), first);
    return all.substr(std::min(first.size(), all.size()));
  };
  EXPECT_EQ(said("elbo\n1\n2\n"), "way.csv:1: error: there is no joint 'elbo' (did you mean 'elbow'?)");
  EXPECT_EQ(said("elbow\n1\nx\n"), "way.csv:3: error: elbow: expected a number, found 'x'");
  EXPECT_EQ(said("elbow\n1\n1,2\n"), "way.csv:3: error: expected 1 cells, found 2");
  EXPECT_EQ(said("elbow\n1\n"), "way.csv: error: expected at least two postures");
}

}  // namespace
}  // namespace verne::test
