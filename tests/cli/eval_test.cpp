#include <poll.h>

#include <cmath>
#include <csignal>

#include "cli/program.h"
#include "support/paths.h"

namespace verne::test {
namespace {

using Json = nlohmann::json;

Outcome eval(const std::string& want, const std::string& input, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"eval", shipped("two_link"), "--want", want};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return verne(arguments, input);
}

/// A different state for each k, as a line.
std::string state_line(int k) {
  Json state;
  state["q"] = {std::sin(k), std::cos(3 * k)};
  state["v"] = {std::cos(k), std::sin(7 * k)};
  state["a"] = {k % 11, k % 7};
  return state.dump() + "\n";
}
std::string state_lines(int count) {
  std::string lines;
  for (int k = 0; k < count; ++k) lines += state_line(k);
  return lines;
}

/// Closed form of the arm of models/two_link.yaml.
std::vector<double> two_link_tau(const Json& x) {
  const double q2 = x["q"][1], v1 = x["v"][0], v2 = x["v"][1], a1 = x["a"][0], a2 = x["a"][1];
  const double c = std::cos(q2), s = std::sin(q2);
  return {(2 * a1 * (c + 4) + a2 * (c + 3) - v2 * (2 * v1 + v2) * s) / 25, (a1 * (c + 3) + 3 * a2 + v1 * v1 * s) / 25};
}

TEST(CliEval, TwoLinkTorquesInClosedForm) {
  const std::string input = state_lines(100);
  const Outcome outcome = eval("tau", input);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const auto states = json_lines(input), results = json_lines(outcome.out);
  ASSERT_EQ(results.size(), states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    const std::vector<double> tau = two_link_tau(states[k]);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(results[k]["tau"][i].get<double>(), tau[i], 1e-14) << k;
  }
}

TEST(CliEval, AccelerationIsThatOfTheGivenTorque) {
  // With both wanted, each must see the given values and not the other's results.
  Json state = Json::parse(state_line(5));
  const std::vector<double> a{0.3, -0.7};
  state["a"] = a;
  state["tau"] = two_link_tau(state);
  state["a"] = {9, 9};
  const Json result = Json::parse(eval("acceleration,tau", state.dump()).out);
  const std::vector<double> tau = two_link_tau(state);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(result["acceleration"][i].get<double>(), a[i], 1e-12);
    EXPECT_NEAR(result["tau"][i].get<double>(), tau[i], 1e-12);
  }
}

TEST(CliEval, WrenchesBelongToTheMotionThatIsWanted) {
  const std::string state = R"({"q":[0.1,0.4],"a":[1,2],"tau":[3,-1]})";
  const auto moment = [&](const std::string& want) {
    return Json::parse(eval(want, state).out)["joint_wrenches"]["elbow"][5].get<double>();
  };
  const Json x = Json::parse(R"({"q":[0.1,0.4],"v":[0,0],"a":[1,2]})");
  EXPECT_NEAR(moment("joint_wrenches"), two_link_tau(x)[1], 1e-14);
  EXPECT_NEAR(moment("joint_wrenches,tau,acceleration"), two_link_tau(x)[1], 1e-14);
  EXPECT_NEAR(moment("joint_wrenches,acceleration"), -1, 1e-14);
}

TEST(CliEval, MissingArraysAreZero) {
  EXPECT_EQ(eval("tau,gravity,bias", "{}\n").out, "{\"tau\":[0,0],\"gravity\":[0,0],\"bias\":[0,0]}\n");
}

TEST(CliEval, EverythingWantedHasItsShape) {
  const std::string want =
      "tau,acceleration,bias,gravity,mass_matrix,inverse_mass_matrix,coriolis_matrix,joint_wrenches,link_poses,"
      "link_velocities,link_accelerations,jacobian:tool,jacobian_rate:tool,jacobian:link1,energy,momentum,com,"
      "centroidal_momentum_matrix";
  const Outcome outcome = eval(want, state_line(1));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json r = Json::parse(outcome.out);
  EXPECT_EQ(r.size(), 18u);
  for (const char* name : {"mass_matrix", "inverse_mass_matrix", "coriolis_matrix"}) {
    ASSERT_EQ(r[name].size(), 2u) << name;
    EXPECT_EQ(r[name][1].size(), 2u) << name;
  }
  for (const char* name : {"jacobian:tool", "jacobian_rate:tool", "jacobian:link1", "centroidal_momentum_matrix"}) {
    ASSERT_EQ(r[name].size(), 6u) << name;
    EXPECT_EQ(r[name][5].size(), 2u) << name;
  }
  EXPECT_EQ(r["jacobian:tool"][5], Json({1, 1}));
  EXPECT_EQ(r["jacobian:link1"][5], Json({1, 0}));
  EXPECT_EQ(r["link_poses"]["tool"]["rotation"][2], Json({0, 0, 1}));
  EXPECT_EQ(r["link_velocities"]["link2"]["angular"].size(), 3u);
  EXPECT_EQ(r["joint_wrenches"]["shoulder"].size(), 6u);
  EXPECT_EQ(r["energy"]["potential"], 0);
  EXPECT_EQ(r["com"]["acceleration"].size(), 3u);
  EXPECT_EQ(r["momentum"]["angular"].size(), 3u);
}

TEST(CliEval, JacobianTimesVelocityIsTheLinkVelocity) {
  const Json r = Json::parse(eval("jacobian:tool,link_velocities", state_line(3)).out);
  const Json v = Json::parse(state_line(3))["v"];
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& row = r["jacobian:tool"][i];
    const double product = row[0].get<double>() * v[0].get<double>() + row[1].get<double>() * v[1].get<double>();
    EXPECT_NEAR(product, r["link_velocities"]["tool"]["linear"][i].get<double>(), 1e-14);
  }
}

TEST(CliEval, LoadsActOnTheLink) {
  // At q = 0 a force of 1 N along y at the tip, 0.8 m and 0.4 m from the axes; the same from a point in the world.
  const std::string link = R"({"loads":[{"frame":"link2","point":[0,0,0],"force":[0,1,0]}]})";
  const std::string world = R"({"loads":[{"frame":"link2","at":"world","point":[0.8,0,0],"force":[0,1,0]}]})";
  const auto results = json_lines(eval("tau", link + "\n" + world + "\n").out);
  ASSERT_EQ(results.size(), 2u);
  for (const Json& result : results) {
    EXPECT_NEAR(result["tau"][0].get<double>(), -0.8, 1e-14);
    EXPECT_NEAR(result["tau"][1].get<double>(), -0.4, 1e-14);
  }
}

TEST(CliEval, LoadsOfOtherStatesDoNotMatter) {
  const std::string many =
      R"({"q":[0.3,0.4],"loads":[{"link":"link1","force":[1,2,3]},{"link":"link2","at":"world","moment":[0,0,5]},)"
      R"({"link":"link2","force":[3,1,2],"point":[0.1,0,0]},{"link":"link2","force":[0.1,0.2,0.3]}]})";
  const std::string one = R"({"q":[-0.3,0.2],"loads":[{"link":"link2","force":[0,0.1,0]}]})";
  const std::string want = "tau,joint_wrenches,acceleration";
  std::string apart;
  for (const std::string& line : {one, many, state_line(2)}) apart += eval(want, line).out;
  EXPECT_EQ(eval(want, one + "\n" + many + "\n" + state_line(2)).out, apart);
}

TEST(CliEval, ManyLinesThroughAPipe) {
  constexpr int kCount = 20000;
  const Folder folder;
  const std::string input = folder.write("states", state_lines(kCount));
  const std::string command = "cat '" + input + "' | '" + program() + "' eval '" + shipped("two_link") + "' --want tau";
  const Outcome one = shell(command), two = shell(command + " --threads 3");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.out, two.out);
  const auto results = json_lines(one.out);
  ASSERT_EQ(results.size(), static_cast<std::size_t>(kCount));
  for (const int k : {0, 255, 256, 12345, kCount - 1}) {
    const std::vector<double> tau = two_link_tau(Json::parse(state_line(k)));
    EXPECT_NEAR(results[static_cast<std::size_t>(k)]["tau"][0].get<double>(), tau[0], 1e-13) << k;
  }
}

TEST(CliEval, BadLineStopsAndKeepsWhatCameBefore) {
  const std::string good = state_line(1) + "\n  \n" + state_line(2);
  const std::string results = eval("tau", good).out;
  struct {
    const char *line, *complaint;
  } const bad[] = {
      {R"({"q":[1,2],"v":[0.1,)", "'v': the JSON is cut off at the end of the line"},
      {R"({"q":[1,2,3]})", "q: expected an array of 2 numbers"},
      {R"({"q":[1,NaN]})", "'q': not JSON at column 9"},
      {R"({"q":[1,1e999]})", "'q': a number is out of range"},
      {R"({"q":[1,null]})", "q[1]: expected a number"},
      {R"({"Q":[1,2]})", "unknown key 'Q'"},
      {R"([1,2])", "expected a JSON object"},
      {"nonsense", "not JSON"},
      {R"({"loads":[{"link":"link3"}]})", "loads[0]: link: unknown link or frame 'link3' (did you mean"},
  };
  for (const auto& [line, complaint] : bad) {
    const Outcome outcome = eval("tau", good + line + "\n" + state_line(3));
    EXPECT_EQ(outcome.exit_code, 2) << line;
    EXPECT_EQ(outcome.out, results) << line;
    EXPECT_EQ(outcome.err.find("stdin:5: error: "), 0u) << outcome.err;
    EXPECT_NE(outcome.err.find(complaint), std::string::npos) << outcome.err;
  }
}

TEST(CliEval, ALineThatIsTooLongIsNotReadToItsEnd) {
  const std::string good = state_line(1);
  const Outcome outcome = eval("tau", good + R"({"q":[)" + std::string(40'000'000, '1'));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, eval("tau", good).out);
  EXPECT_NE(outcome.err.find("stdin:2: error: the line is longer than "), std::string::npos) << outcome.err;
  // Thousands of loads are not too much.
  std::string loads;
  for (int k = 0; k < 5000; ++k) loads += std::string(k ? "," : "") + R"({"link":"link2","force":[0,0.001,0]})";
  const Outcome many = eval("tau", R"({"loads":[)" + loads + "]}");
  EXPECT_EQ(many.exit_code, 0) << many.err;
}

TEST(CliEval, ResultsThatAreNotFinite) {
  const std::string lines = state_line(1) + "{\"v\":[1e200,1]}\n" + state_line(2);
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome =
        verne({"eval", shipped("two_link"), "--want", "gravity,tau,energy", "--threads", threads}, lines);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.err,
              "stdin:2: error: tau is not finite\nstdin:2: error: energy is not finite\n"
              "2 of the results are not finite numbers and were written as null\n");
    const auto results = json_lines(outcome.out);
    ASSERT_EQ(results.size(), 3u);  // all lines are answered
    EXPECT_EQ(results[1]["tau"][0], nullptr);
    EXPECT_EQ(results[1]["gravity"], Json({0, 0}));
    EXPECT_TRUE(results[2]["tau"][0].is_number());
  }
}

TEST(CliEval, BadQuaternion) {
  const Outcome outcome =
      verne({"eval", shipped("quadruped"), "--want", "tau"}, R"({"q":[0,0,0,0,0,0,0, 0,0,0,0,0,0, 0,0,0,0,0,0]})");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("stdin:1: error: q[3], joint 'trunk_joint': "), std::string::npos) << outcome.err;
}

TEST(CliEval, BadWants) {
  const Outcome misspelt = eval("taau", "");
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_EQ(misspelt.err, "error: --want: unknown quantity 'taau' (did you mean 'tau'?)\n");
  const Outcome derivative = eval("d_joint_forces", "");
  EXPECT_EQ(derivative.exit_code, 2);
  EXPECT_NE(derivative.err.find("known are tau, acceleration, "), std::string::npos) << derivative.err;
  const Outcome frame = eval("jacobian:tol,jacobian,tau:tool,", "");
  EXPECT_EQ(frame.exit_code, 2);
  EXPECT_NE(frame.err.find("did you mean 'tool'?"), std::string::npos) << frame.err;
  EXPECT_EQ(std::count(frame.err.begin(), frame.err.end(), '\n'), 4) << frame.err;
}

TEST(CliEval, FilesInAndOut) {
  const Folder folder;
  const std::string input = folder.write("states.jsonl", state_lines(3));
  const std::string output = folder.file("results.jsonl");
  const Outcome outcome = eval("tau", "", {"-i", input, "-o", output});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(json_lines(read_file(output)).size(), 3u);
  EXPECT_EQ(folder.count(), 2);
  EXPECT_EQ(eval("tau", "", {"-i", folder.file("none")}).exit_code, 2);
  EXPECT_EQ(eval("tau", "", {"-i", "/"}).exit_code, 2);
  EXPECT_EQ(eval("tau", "{}", {"-o", folder.file("no/folder")}).exit_code, 3);
  EXPECT_EQ(eval("tau", "{}", {"-o", "/dev/full"}).exit_code, 3);
}

TEST(CliEval, OutputFileIsWholeOrUntouched) {
  const Folder folder;
  const std::string output = folder.write("results.jsonl", "old\n");
  const Outcome outcome = eval("tau", state_lines(3) + "{", {"-o", output});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(read_file(output), "old\n");
  EXPECT_EQ(folder.count(), 1);
}

/// A run of `verne eval` that we talk to.
class Dialogue {
 public:
  explicit Dialogue(const std::vector<std::string>& more = {}) {
    int in[2], out[2];
    EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    std::vector<std::string> command{program(), "eval", shipped("two_link"), "--want", "tau"};
    command.insert(command.end(), more.begin(), more.end());
    process_ = start(command, in[0], out[1], STDERR_FILENO);
    ::close(in[0]), ::close(out[1]);
    in_ = in[1], out_ = out[0];
  }
  ~Dialogue() { ::close(in_), ::close(out_); }
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  pid_t process() const { return process_; }
  void say(const std::string& text) {
    EXPECT_EQ(::write(in_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// What comes within ten seconds, or "".
  std::string hear() {
    pollfd answer{out_, POLLIN, 0};
    char text[4096];
    if (::poll(&answer, 1, 10000) != 1) return "";
    return {text, static_cast<std::size_t>(std::max<ssize_t>(0, ::read(out_, text, sizeof(text))))};
  }
  int end() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    return exit_code_of(status);
  }
  void hang_up() { ::close(std::exchange(in_, -1)); }

 private:
  pid_t process_;
  int in_, out_;
};

TEST(CliEval, AnswersWithoutWaitingForMore) {
  Dialogue dialogue;
  for (int k = 0; k < 3; ++k) {
    dialogue.say(state_line(k));
    EXPECT_EQ(dialogue.hear(), eval("tau", state_line(k)).out);
  }
  dialogue.hang_up();
  EXPECT_EQ(dialogue.end(), 0);
}

TEST(CliEval, InterruptLeavesNoHalfWrittenFile) {
  const Folder folder;
  Dialogue dialogue({"-o", folder.file("results.jsonl")});
  dialogue.say(state_line(0));
  for (int i = 0; i < 1000 && folder.count() == 0; ++i) ::usleep(10000);
  EXPECT_EQ(folder.count(), 1);
  ::kill(dialogue.process(), SIGINT);
  EXPECT_EQ(dialogue.end(), 130);
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace verne::test
