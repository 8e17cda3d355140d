/// `verne simulate`, and contacts of `verne eval`, through the program.
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "cli/program.h"

namespace verne::test {
namespace {

using RunJson = nlohmann::json;

class CliSimulate : public testing::Test {
 protected:
  Outcome simulate(const std::string& model, std::vector<std::string> more) const {
    more.insert(more.begin(), {"simulate", model, "-o", folder_.file("out")});
    return verne(more);
  }
  RunJson solution() const { return RunJson::parse(read_file(folder_.file("out/solution.json"))); }
  Folder folder_;
};

TEST_F(CliSimulate, WritesWhatReportsRead) {
  const Outcome outcome = simulate(shipped("four_bar"), {"--time", "0.5", "--samples", "6"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "four_bar: simulated"));
  EXPECT_TRUE(contains(outcome.out, "report.html"));
  const RunJson out = solution();
  EXPECT_EQ(out["status"], "simulated");
  EXPECT_EQ(out["time"].size(), 6u);
  EXPECT_EQ(out["loop_wrenches"]["closing"].size(), 6u);
  EXPECT_LT(out["simulation"]["loop_drift"], 1e-11);
  EXPECT_EQ(verne({"plot", folder_.file("out"), "--what", "torques"}).exit_code, 0);
  EXPECT_TRUE(contains(read_file(folder_.file("out/motion.csv")), "time,q.crank_joint,"));
}

/// A link that friction holds stands still; rounded off it creeps, as the summary says.
TEST_F(CliSimulate, FrictionHoldsUnlessItIsRounded) {
  const std::string link = folder_.write("link.yaml", R"(format: verne-model/1
name: link
convention: tree
gravity: [0, 0, -10]
links:
  - {name: rod, joint: {name: turn, type: revolute, axis: [0, 1, 0], friction: {coulomb: 6}}, mass: 1, com: [0.3, 0, 0]}
)");
  const std::vector<std::string> options{"--time", "10", "--samples", "11", "--no-report"};
  const Outcome held = simulate(link, options);
  ASSERT_EQ(held.exit_code, 0) << held.err;
  EXPECT_EQ(solution()["q"].back()[0], 0);
  EXPECT_FALSE(contains(held.out, "creeps"));
  std::vector<std::string> rounded = options;
  rounded.insert(rounded.end(), {"--friction-width", "0.01"});
  const Outcome creeping = simulate(link, rounded);
  ASSERT_EQ(creeping.exit_code, 0) << creeping.err;
  EXPECT_NEAR(solution()["v"][5][0], 0.01 * std::atanh(0.5), 1e-4);  // of 6 N m gravity takes 3
  EXPECT_TRUE(contains(creeping.out, "by 0.00549 at half")) << creeping.out;
  EXPECT_EQ(solution()["simulation"]["friction_width"], 0.01);
  EXPECT_TRUE(contains(solution()["command"].get<std::string>(), "--friction-width 0.01"));
  EXPECT_EQ(simulate(shipped("four_bar"), {"--friction-width", "0.01"}).exit_code, 2);
}

/// Feedback comes to rest where the springs of its gains balance gravity.
TEST_F(CliSimulate, FeedbackHolds) {
  const Outcome outcome =
      simulate(shipped("two_link"), {"--pd", "30,8", "--target", R"({"q": [0.5, -1]})", "--time", "20", "--no-report"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const RunJson out = solution();
  EXPECT_NEAR(out["q"].back()[0], 0.5, 1e-6);  // there is no gravity
  EXPECT_NEAR(out["q"].back()[1], -1, 1e-6);
}

TEST_F(CliSimulate, ReplaysAPrediction) {
  const std::string task =
      folder_.write("task.yaml", "format: verne-task/1\nname: reach\nmodel: " + shipped("two_link") + R"(
trajectory: {control_points: 6, nodes: 12}
duration: 1
minimize: [{effort: 1}]
subject_to:
  start: {position: {shoulder: 0, elbow: -2}}
  end: {position: {shoulder: 1, elbow: -1}}
refine: off
)");
  ASSERT_EQ(verne({"predict", task, "-o", folder_.file("plan"), "--no-report"}).exit_code, 0);
  const std::string plan = folder_.file("plan/solution.json");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--replay", plan}, {"--replay", plan, "--pd", "50,5"}}) {
    const Outcome outcome = simulate(shipped("two_link"), more);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const RunJson out = solution();
    EXPECT_NEAR(out["q"].back()[0], 1, 1e-6);
    EXPECT_NEAR(out["q"].back()[1], -1, 1e-6);
    EXPECT_EQ(outcome.err, "");
  }
  // Another arm than the one of the task needs other torques.
  std::string heavy = read_file(shipped("two_link"));
  heavy.replace(heavy.find("mass: "), 6, "mass: 1");
  EXPECT_TRUE(contains(simulate(folder_.write("heavy.yaml", heavy), {"--replay", plan}).err,
                       "warning: its torques are not those of this model and motion"));
  // The torques as a table, linear between its rows, lead nearly there.
  const Outcome table =
      simulate(shipped("two_link"), {"--torques", folder_.file("plan/motion.csv"), "--state", R"({"q": [0, -2]})"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NEAR(solution()["q"].back()[0], 1, 1e-3);
}

/// What the arm carries and what pulls at it in a phase is there in that phase: the torques are those of the plan, and
/// the arm gets where the plan does.
TEST_F(CliSimulate, ReplaysWhatPhasesCarry) {
  const std::string task =
      folder_.write("task.yaml", "format: verne-task/1\nname: carry\nmodel: " + shipped("two_link") + R"(
parameters: {box: 1}
trajectory: {control_points: 12, nodes: 24}
minimize: [{effort: 1}]
subject_to:
  start: {position: {shoulder: 0, elbow: -2}}
  end: {position: {shoulder: 1, elbow: -1}}
  loads: [{frame: tool, force: [0.5, 0, 0]}]
phases:
  - {name: empty, duration: 0.6, jump: true, end: {position: {shoulder: 0.4}}}
  - {name: loaded, duration: 0.8, payloads: [{frame: tool, mass: box}], loads: [{frame: tool, force: [0, -3, 0], point: [0, 0.1, 0]}]}
refine: off
)");
  ASSERT_EQ(verne({"predict", task, "-o", folder_.file("plan"), "--no-report", "--set", "box=2.5"}).exit_code, 0);
  const std::string plan = folder_.file("plan/solution.json");
  const RunJson planned = RunJson::parse(read_file(plan));
  const Outcome outcome = simulate(shipped("two_link"), {"--replay", plan});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const RunJson out = solution();
  ASSERT_EQ(out["time"].size(), planned["time"].size());
  for (std::size_t k = 0; k < out["time"].size(); ++k) {
    for (const int joint : {0, 1}) {
      EXPECT_NEAR(out["q"][k][joint], planned["q"][k][joint], 1e-6) << k;
      EXPECT_NEAR(out["energy"]["kinetic"][k], planned["energy"]["kinetic"][k], 1e-5) << k;
      if (k + 1 == out["time"].size()) continue;  // at its end the arm stands still
      EXPECT_NEAR(out["tau"][k][joint], planned["tau"][k][joint], 1e-6) << k;
    }
  }
  EXPECT_LT(out["simulation"]["energy_drift"], 1e-6);
}

/// A hand on two joints and a slide that it holds by a contact, then lets go: held as in the task, in its phase.
TEST_F(CliSimulate, ReplaysContactsOfPhases) {
  const std::string model = folder_.write("hand.yaml", R"(format: verne-model/1
name: hand
convention: tree
gravity: [0, -9.81, 0]
links:
  - {name: slide, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, mass: 1}
  - {name: upper, parent: slide, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}
  - {name: lower, parent: upper, pose: {xyz: [0.4, 0, 0]}, joint: {name: elbow, type: revolute, axis: [0, 0, 1]}, mass: 0.5, com: [0.15, 0, 0], inertia: [0.005, 0.01, 0.01]}
contacts: [{name: grip, link: lower, type: line, point: [0.3, 0, 0]}]
home: {shoulder: 0.8, elbow: -1.2}
)");
  const std::string task = folder_.write("task.yaml", "format: verne-task/1\nname: hold\nmodel: " + model + R"(
trajectory: {degree: 5, control_points: 24}
minimize: [{effort: {}}]
phases:
  - {name: held, duration: 0.5, jump: true, contacts: [grip], end: {position: {x: 0.1}}}
  - {name: free, duration: 0.5}
subject_to:
  start: {position: {x: 0}}
  end: {position: {x: 0, shoulder: 0.3}}
refine: {knots: 1}
)");
  ASSERT_LE(verne({"predict", task, "-o", folder_.file("plan"), "--no-report"}).exit_code, 1);
  const RunJson planned = RunJson::parse(read_file(folder_.file("plan/solution.json")));
  const Outcome outcome = simulate(model, {"--replay", folder_.file("plan/solution.json"), "--no-report"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const RunJson out = solution();
  for (std::size_t k = 0; k < out["time"].size(); k += 20) {
    for (const int joint : {0, 1, 2}) EXPECT_NEAR(out["q"][k][joint], planned["q"][k][joint], 1e-3) << k;
  }
  EXPECT_GT(std::abs(double(out["loop_wrenches"]["grip"][20][1])), 0.1);
  EXPECT_EQ(out["loop_wrenches"]["grip"][180][1], 0);
}

/// A pulse of 10 ms within 10 s, on a mass of 2 kg.
TEST_F(CliSimulate, MeetsPulsesOfTables) {
  const std::string model = folder_.write("cart.yaml", R"(format: verne-model/1
name: cart
convention: tree
gravity: [0, 0, 0]
links:
  - {name: mass, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, mass: 2}
)");
  const std::string table = folder_.write("pulse.csv", "time,x\n0,0\n5.02,0\n5.025,40\n5.03,0\n10,0\n");
  const Outcome outcome = simulate(model, {"--torques", table, "--time", "10", "--samples", "3", "--no-report"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(solution()["v"].back()[0], 40 * 0.005 / 2, 1e-9);
}

/// Motions with loops, and of a free base, which tasks have as a chain of joints; open and closed loop.
TEST_F(CliSimulate, ReplaysMechanisms) {
  const auto expect_replayed = [&](const std::string& model, const std::string& rest, double tolerance) {
    const std::string task = folder_.write("task.yaml", "format: verne-task/1\nname: move\nmodel: " + shipped(model) +
                                                            "\nrefine: off\nminimize: [{smoothness: {}}]\n" + rest);
    const Outcome predicted = verne({"predict", task, "-o", folder_.file("plan"), "--no-report"});
    const std::string plan = folder_.file("plan/solution.json");
    const RunJson planned = RunJson::parse(read_file(plan));
    const std::vector<std::string> open{"--replay", plan, "--no-report"};
    std::vector<std::string> closed = open;
    closed.insert(closed.end(), {"--pd", "5,1"});
    for (const std::vector<std::string>& more : {open, closed}) {
      const Outcome outcome = simulate(shipped(model), more);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err << predicted.err;
      EXPECT_EQ(outcome.err, "");
      const RunJson out = solution();
      ASSERT_EQ(out["q"].size(), planned["q"].size());
      for (const std::size_t at : {planned["q"].size() / 2, planned["q"].size() - 1}) {
        for (std::size_t k = 0; k < planned["coordinates"].size(); ++k) {
          EXPECT_NEAR(out["q"][at][k], planned["q"][at][k], tolerance) << model << " " << k;
        }
      }
    }
  };
  expect_replayed("five_bar", R"(trajectory: {degree: 4, control_points: 14}
duration: 0.6
subject_to:
  start: {position: {left_crank_joint: 150 deg, right_crank_joint: 80 deg}}
  end: {position: {left_crank_joint: 100 deg, right_crank_joint: 30 deg}}
)",
                  1e-4);
  expect_replayed("space_arm", R"(trajectory: {degree: 4, control_points: 14}
duration: 6
subject_to:
  start: {position: {satellite_joint_*: 0, yaw: 0, pitch: 40 deg, elbow: 80 deg}}
  end: {position: {yaw: 20 deg, pitch: 60 deg, elbow: 50 deg}, velocity: {satellite_joint_*: free}}
)",
                  1e-2);
}

TEST_F(CliSimulate, WhatEndsEarly) {
  const std::string model = folder_.write("slider.yaml", R"(format: verne-model/1
name: slider
convention: tree
gravity: [-9.81, 0, 0]
links:
  - {name: mass, joint: {name: x, type: prismatic, axis: [1, 0, 0], limits: {position: [-1, 1]}}, mass: 2}
)");
  const Outcome stopped = simulate(model, {"--stop-at-limits", "--no-report"});
  EXPECT_EQ(stopped.exit_code, 0) << stopped.err;
  EXPECT_TRUE(contains(stopped.out, "slider: stopped: joint 'x' is at its limit")) << stopped.out;
  EXPECT_NEAR(solution()["duration"], std::sqrt(2 / 9.81), 1e-7);
  // Friction below zero drives a mass beyond all numbers: what was reached is kept, however far from a sample.
  const std::string runaway = folder_.write("runaway.yaml", R"(format: verne-model/1
name: runaway
convention: tree
gravity: [0, 0, 0]
links:
  - {name: mass, joint: {name: x, type: prismatic, axis: [1, 0, 0], friction: {viscous: -3000}}, mass: 2}
)");
  const auto expect_early = [&](const std::string& file, const std::string& v, std::vector<std::string> more) {
    more.insert(more.end(), {"--state", R"({"v": [)" + v + "]}", "--no-report"});
    const Outcome outcome = simulate(file, more);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, "the simulation ended at")) << outcome.err;
    EXPECT_EQ(solution()["status"], "failed");
    return outcome;
  };
  EXPECT_TRUE(contains(expect_early(runaway, "1", {}).out, "runaway: failed: no step is short enough"));
  EXPECT_GT(solution()["time"].size(), 2u);
  const double reached = solution()["duration"];
  expect_early(runaway, "1", {"--samples", "2"});
  EXPECT_NEAR(solution()["duration"], reached, 1e-4);
  EXPECT_EQ(solution()["time"].size(), 2u);
  EXPECT_EQ(solution()["time"][1], solution()["duration"]);
  // A delta robot that falls comes to where its platform can turn: explicit steps lead past it, implicit ones do not.
  const std::string fall = "0.5, 0.5, 0.5";
  EXPECT_TRUE(contains(expect_early(shipped("delta"), fall, {"--time", "0.3", "--method", "implicit"}).out,
                       "delta: failed: the mechanism is singular here"));
  const Outcome past =
      simulate(shipped("delta"), {"--time", "0.3", "--state", R"({"v": [)" + fall + "]}", "--no-report"});
  EXPECT_EQ(past.exit_code, 0) << past.err;
  EXPECT_TRUE(contains(past.out, "nearly singular   1 time, first at 0.28")) << past.out;
  EXPECT_LT(solution()["simulation"]["energy_drift"], 1e-9);
}

/// Ctrl-C while feet are held keeps what was simulated so far.
TEST_F(CliSimulate, AnInterruptKeepsWhatThereIs) {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t process =
      start({program(), "simulate", shipped("humanoid"), "--state", R"({"contacts": ["stance_l", "stance_r"]})",
             "--time", "100000", "-o", folder_.file("out"), "--no-report"},
            null, null, null);
  while (!std::filesystem::exists(folder_.file("out"))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::kill(process, SIGINT);
  int status = 0;
  ::waitpid(process, &status, 0);
  ::close(null);
  EXPECT_EQ(exit_code_of(status), 130);
  EXPECT_EQ(solution()["status"], "interrupted");
  EXPECT_LT(solution()["duration"], 100000);
}

/// Which steps were taken is told, and can be chosen.
TEST_F(CliSimulate, MethodsCanBeChosen) {
  const auto steps = [&](const std::string& method) {
    const Outcome outcome = simulate(shipped("two_link"), {"--pd", "30,8", "--method", method, "--no-report"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(contains(outcome.out, " explicit (Runge-Kutta)"), method != "implicit") << outcome.out;
    EXPECT_EQ(contains(solution()["command"].get<std::string>(), "--method " + method), method != "auto");
    return std::pair<int, int>(solution()["simulation"]["explicit_steps"], solution()["simulation"]["implicit_steps"]);
  };
  for (const char* const method : {"auto", "explicit"}) {
    EXPECT_GT(steps(method).first, 0);
    EXPECT_EQ(steps(method).second, 0);
  }
  EXPECT_EQ(steps("implicit").first, 0);
  EXPECT_EQ(simulate(shipped("two_link"), {"--method", "magic"}).exit_code, 2);
}

TEST_F(CliSimulate, BadInput) {
  const auto refused = [&](const std::vector<std::string>& more) {
    const Outcome outcome = simulate(shipped("two_link"), more);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    return outcome.err;
  };
  EXPECT_TRUE(contains(refused({"--pd", "1"}), "--pd 1: expected KP,KD"));
  EXPECT_TRUE(contains(refused({"--target", "{}"}), "--target"));
  EXPECT_TRUE(contains(refused({"--state", R"({"q": [1]})"}), "--state:1: error: q: expected an array of 2"));
  EXPECT_TRUE(contains(refused({"--state", R"({"tau": [1, 1]})"}), "q, v, guess, tree and contacts only"));
  const auto table = [&](const std::string& text) {
    return refused({"--torques", folder_.write("torques.csv", text)});
  };
  EXPECT_TRUE(contains(table("time,ellbow\n0,1\n"), "torques.csv:1: error: there is no coordinate 'ellbow' (did you"));
  EXPECT_TRUE(contains(table("time,elbow\n0,1\n0,2\n"), "torques.csv:3: error: time: expected"));
  EXPECT_TRUE(contains(table("time,elbow\n0,x\n"), "torques.csv:2: error: column 2: expected a finite number"));
  EXPECT_TRUE(contains(table("time,elbow\n0\n"), "torques.csv:2: error: expected 2 values, found 1"));
  EXPECT_TRUE(contains(table("time,elbow\n"), "there are no rows"));
  EXPECT_TRUE(contains(refused({"--replay", shipped("two_link")}), "two_link.yaml"));
  // Torques where there is no motor.
  const Outcome passive =
      simulate(shipped("four_bar"), {"--torques", folder_.write("passive.csv",
                                                                "time,tau.crank_joint,tau.rocker_joint\n"
                                                                "0,1,0\n1,1,0.5\n")});
  EXPECT_EQ(passive.exit_code, 2);
  EXPECT_TRUE(contains(passive.err, "passive.csv:3: error: column 3: nothing drives 'rocker_joint'")) << passive.err;
}

/// A pendulum on a pivot that a table pushes evenly: positions at uneven times, between which the acceleration is that
/// of the parabola through them; the pendulum leans as in gravity that leans.
TEST_F(CliSimulate, PrescribesMotions) {
  const std::string model = folder_.write("hung.yaml", R"(format: verne-model/1
name: hung
convention: tree
gravity: [0, 0, -10]
links:
  - {name: cart, joint: {name: slide, type: prismatic, axis: [1, 0, 0], actuated: false}, mass: 3}
  - {name: rod, parent: cart, joint: {name: swing, type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0, 0, -0.5],
     inertia: [0.07, 0.07, 0.01]}
)");
  std::string rows = "time,slide\n";
  for (const double t : {-0.1, 0.0, 0.15, 0.4, 0.5, 0.8, 1.1, 1.3, 1.6, 2.0}) {
    rows += std::to_string(t) + "," + std::to_string(5 * t * t / 2) + "\n";
  }
  const std::string table = folder_.write("base.csv", rows);
  const double lean = std::atan(0.5);  // of a push of 5 against gravity of 10
  const Outcome outcome =
      simulate(model, {"--prescribe", table, "--state", R"({"q": [7, )" + std::to_string(lean) + R"(], "v": [7, 0]})"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "duration          2 s"));
  EXPECT_TRUE(contains(outcome.out, "prescribed        slide\n"));
  const RunJson out = solution();
  EXPECT_EQ(out["simulation"]["prescribed"], RunJson::array({"slide"}));
  for (std::size_t k = 0; k < out["time"].size(); ++k) {
    const double t = out["time"][k];
    EXPECT_NEAR(out["q"][k][0], 5 * t * t / 2, 1e-8);
    EXPECT_NEAR(out["v"][k][0], 5 * t, 1e-6);
    EXPECT_NEAR(out["q"][k][1], lean, 1e-5);       // hangs still
    EXPECT_NEAR(out["tau"][k][0], 5 * 5.0, 1e-2);  // of five kilograms; the last digits of the table are rounded
    EXPECT_EQ(out["tau"][k][1], 0);
  }
  EXPECT_LT(out["simulation"]["energy_drift"], 1e-6);

  const auto refused = [&](const std::string& text, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--prescribe", folder_.write("told.csv", text)});
    const Outcome result = simulate(model, more);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return result.err;
  };
  EXPECT_TRUE(contains(refused("time,slid\n0,1\n"), "told.csv:1: error: there is no coordinate 'slid' (did you mean"));
  EXPECT_TRUE(contains(refused("time\n0\n"), "told.csv:1: error: there is no column of a coordinate"));
  EXPECT_TRUE(contains(refused("time,slide,slide\n0,1,1\n"), "two columns of 'slide'"));
  EXPECT_TRUE(contains(refused("time,slide\n0.5,1\n1,1\n"), "told.csv:2: error: time: expected rows from 0 s on"));
  EXPECT_TRUE(contains(refused("time,slide\n0,1\n1,1\n", {"--time", "2"}),
                       "told.csv:3: error: the rows end at 1 s, before the 2 s of the simulation"));
  EXPECT_TRUE(contains(refused("time,swing\n0,0\n1,0\n", {"--torques", folder_.write("t.csv", "time,swing\n0,1\n")}),
                       "t.csv:2: error: column 2: the motion is prescribed of 'swing'"));
}

/// A free base as a chain of one-axis joints that is prescribed to stand still: nothing but the arm moves, as if it
/// were bolted down. And a mechanism whose coupler, which no motor drives, is turned.
TEST_F(CliSimulate, PrescribesBasesAndLoops) {
  std::string header = "time", still = "0";
  for (const char* axis : {"x", "y", "z", "yaw", "pitch", "roll"}) {
    header += std::string(",satellite_joint_") + axis, still += ",0";
  }
  const std::string base = folder_.write("base.csv", header + "\n" + still + "\n");
  const std::string torques = folder_.write("elbow.csv", "time,elbow\n0,20\n");
  ASSERT_EQ(
      simulate(shipped("space_arm"), {"--prescribe", base, "--torques", torques, "--tolerance", "1e-11"}).exit_code, 0);
  const RunJson held = solution();
  std::string bolted = read_file(shipped("space_arm"));
  bolted.replace(bolted.find("type: free"), 10, "type: fixed");
  ASSERT_EQ(simulate(folder_.write("bolted.yaml", bolted), {"--torques", torques, "--tolerance", "1e-11"}).exit_code,
            0);
  const RunJson fixed = solution();
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(held["q"].back()[6 + k], fixed["q"].back()[k], 1e-8);
  EXPECT_GT(std::abs(double(fixed["q"].back()[2])), 0.01);

  std::string rows = "time,rocker_joint\n";
  const double home = 1.7;
  for (int k = 0; k <= 20; ++k) rows += std::to_string(0.05 * k) + "," + std::to_string(home - 0.01 * k) + "\n";
  const Outcome outcome = simulate(shipped("four_bar"), {"--prescribe", folder_.write("rocker.csv", rows)});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const RunJson turned = solution();
  EXPECT_NEAR(turned["q"].back()[2], home - 0.2, 1e-9);
  EXPECT_LT(turned["simulation"]["loop_drift"], 1e-11);
  EXPECT_LT(turned["simulation"]["energy_drift"], 1e-7);
  const Outcome twice = simulate(shipped("four_bar"),
                                 {"--prescribe", folder_.write("two.csv", "time,rocker_joint,crank_joint\n0,1.7,1\n")});
  EXPECT_EQ(twice.exit_code, 2) << twice.out;
}

TEST(CliContacts, OnAndOff) {
  const auto eval = [](const std::string& want, const std::string& lines) {
    return verne({"eval", shipped("humanoid"), "--want", want}, lines);
  };
  const Outcome outcome = eval("tau,loop_wrenches,undetermined",
                               "{}\n{\"contacts\": [\"stance_l\", \"stance_r\"]}\n{\"contacts\": [\"heel_outer_l\", "
                               "\"heel_inner_l\", \"toe_outer_l\", \"toe_inner_l\"]}\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  const RunJson free = RunJson::parse(line);
  EXPECT_NEAR(free["tau"][2], 67.2 * 9.81, 1e-6);  // what would hold the pelvis
  EXPECT_TRUE(free["loop_wrenches"].empty());
  std::getline(lines, line);
  const RunJson standing = RunJson::parse(line);
  EXPECT_EQ(standing["tau"][2], 0.0);
  EXPECT_NEAR(standing["loop_wrenches"]["stance_l"][2], 67.2 * 9.81 / 2, 1e-6);
  EXPECT_TRUE(standing["undetermined"]["loop_wrenches"].empty());
  std::getline(lines, line);
  const RunJson corners = RunJson::parse(line);
  EXPECT_EQ(corners["undetermined"]["loop_wrenches"]["toe_inner_l"], (RunJson{"fx", "fy", "fz"}));
  EXPECT_TRUE(corners["undetermined"]["joint_wrenches"].empty());
  EXPECT_TRUE(contains(eval("tau", R"({"contacts": ["stance"]})").err, "contacts[0]: unknown contact 'stance'"));
  EXPECT_TRUE(contains(eval("tau", R"({"contacts": ["stance_l", "stance_l"]})").err, "is listed twice"));
  EXPECT_TRUE(contains(eval("tau", R"({"contacts": ["heel_outer_l"]})").err, "cannot give this motion"));
  EXPECT_TRUE(contains(verne({"eval", shipped("two_link"), "--want", "loop_wrenches"}, "{}").err, "no contacts"));
}

/// Accelerations are linear in the torques, and so are the least torques in the accelerations.
TEST(CliContacts, Derivatives) {
  const auto state = [](const char* given, double value) {
    std::vector<double> values(38, 0.1);
    values[20] = value;
    return RunJson{{given, values}, {"contacts", {"stance_l", "stance_r"}}}.dump();
  };
  const auto expect_slope = [&](const char* given, const std::string& found) {
    const Outcome outcome = verne({"eval", shipped("humanoid"), "--want", found + ",d_" + found},
                                  state(given, 0) + "\n" + state(given, 1) + "\n");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::size_t end = outcome.out.find('\n');
    const RunJson low = RunJson::parse(outcome.out.substr(0, end)), high = RunJson::parse(outcome.out.substr(end));
    for (std::size_t i = 0; i < 38; ++i) {
      const double slope = high[found][i].get<double>() - low[found][i].get<double>();
      EXPECT_NEAR(low["d_" + found][given][i][20], slope, 1e-8 * (1 + std::abs(low[found][i].get<double>())));
    }
  };
  expect_slope("tau", "acceleration");
  expect_slope("a", "tau");
  const Outcome outcome = verne({"eval", shipped("humanoid"), "--want", "joint_wrenches,d_joint_wrenches"},
                                state("a", 0) + "\n" + state("a", 1) + "\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::size_t end = outcome.out.find('\n');
  const RunJson low = RunJson::parse(outcome.out.substr(0, end)), high = RunJson::parse(outcome.out.substr(end));
  for (const auto& [joint, wrench] : low["joint_wrenches"].items()) {
    for (std::size_t i = 0; i < 6; ++i) {
      const double slope = high["joint_wrenches"][joint][i].get<double>() - wrench[i].get<double>();
      EXPECT_NEAR(low["d_joint_wrenches"][joint]["a"][i][20], slope, 1e-8 * (1 + std::abs(wrench[i].get<double>())));
    }
  }
}

}  // namespace
}  // namespace verne::test
