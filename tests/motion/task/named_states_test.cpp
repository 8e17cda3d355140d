/// States by name, and postures of a planner, in tasks; files are texts here.
#include "motion/task_text.h"

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
