// First guesses from motions that were found before.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "motion/guess/first_guess.h"
#include "motion/task/solution_reader.h"
#include "motion/task_text.h"
#include "support/compare.h"
#include "support/complaint.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

using test::read;
using test::with;

std::string text_of(const Task& task, const Solution& solution) {
  return solution_json(task, solution, sample_motion(task, solution, 3), "", "");
}

/// A file beside the models that is removed again.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::path(::testing::TempDir()) / ("verne_guess_" + std::to_string(::getpid()) + ".json")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

const std::string kReach = "subject_to: {start: {position: [0, -2]}, end: {position: [1, -1]}}\n";

TEST(Guess, ACurveIsReadAsItWasWritten) {
  const Task task = read(with(""));
  // Repeated knots, as refinement makes them
  const SplineBasis basis(3, {1, 2, 3, 1});
  const Eigen::VectorXd lengths = (Eigen::VectorXd(5) << 0.1, 0.3, 0.1 / 3, 0.7, 0.2).finished();
  const Trajectory curve(basis, lengths, Eigen::MatrixXd::Random(basis.control_points(), 2));
  const Trajectory back = read_known_motion(text_of(task, Solution(curve)), "f", task.model).trajectory;
  EXPECT_EQ(back.basis().degree(), 3);
  EXPECT_EQ(back.basis().multiplicities(), basis.multiplicities());
  EXPECT_TRUE(test::close(back.lengths(), lengths, 1e-14));
  EXPECT_EQ(back.control_points(), curve.control_points());
}

TEST(Guess, CoordinatesAreFoundByName) {
  const std::string text = R"({"format": "verne-solution/1",
    "coordinates": [{"name": "elbow"}, {"name": "other"}, {"name": "shoulder"}],
    "trajectory": {"degree": 1, "knots": [0, 0, 2, 2], "control_points": [[1, 2, 3], [4, 5, 6]]}})";
  const Trajectory curve = read_known_motion(text, "f", read(with("")).model).trajectory;
  EXPECT_EQ(curve.duration(), 2);
  EXPECT_EQ(curve.control_points(), (Eigen::MatrixXd(2, 2) << 3, 1, 6, 4).finished());
}

TEST(Guess, FromASolution) {
  const Task task = read(with("trajectory: {control_points: 10}\n" + kReach));
  const Solution found = predict(task);
  const TemporaryFile file(text_of(task, found));
  // Another curve for almost the same task
  const std::string rest = "trajectory: {control_points: 14, degree: 4}\n" + kReach;
  const Task again = read(with(rest + "guess: {from: " + file.path() + "}\n"));
  ASSERT_TRUE(again.guess_motion.has_value());
  const Trajectory guess = first_guess(again);
  EXPECT_EQ(guess.basis().control_points(), 14);
  for (const double t : {0.0, 0.3, 0.5, 1.0}) EXPECT_TRUE(test::close(guess.at(t), found.trajectory.at(t), 1e-3));
  EXPECT_FALSE(test::close(first_guess(again, 1).at(0.3), guess.at(0.3), 1e-3));  // other starts begin elsewhere
  const Solution warm = predict(again), cold = predict(read(with(rest)));
  EXPECT_EQ(warm.status, nlp::Status::solved);
  EXPECT_NEAR(warm.cost, cold.cost, 1e-6 * cold.cost);
  EXPECT_LT(warm.iterations, cold.iterations);
  // A duration that the task does not allow is not taken over.
  Task longer = again;
  longer.duration.bounds = {3, 3};
  EXPECT_EQ(first_guess(longer).duration(), 3);
}

/// On the same curve a solve goes on where another one ended: with its nodes and multipliers.
TEST(Guess, FromTheEndOfASolve) {
  const std::string rest = "trajectory: {control_points: 10}\nrefine: {knots: 0, switches: false}\n" + kReach;
  const Task task = read(with(rest));
  const Solution found = predict(task);
  const TemporaryFile file(text_of(task, found));
  const Solution again = predict(read(with(rest + "guess: {from: " + file.path() + "}\n")));
  EXPECT_EQ(again.status, nlp::Status::solved);
  EXPECT_NEAR(again.cost, found.cost, 1e-7 * found.cost);
  EXPECT_EQ(again.rounds.front().nodes, found.rounds.back().nodes);
  EXPECT_LT(again.rounds.front().iterations, found.rounds.front().iterations);
  PredictOptions options;
  options.warm_start = &found;
  EXPECT_EQ(predict(task, options).iterations, again.iterations);  // the file has it all
}

TEST(Guess, Problems) {
  const auto problem = [](const std::string& text) {
    const TemporaryFile file(text);
    const std::string all = test::problems(with("guess: {from: " + file.path() + "}\n"));
    const std::string first = "t:6: error: guess: from: '" + file.path() + "' cannot be used\n" + file.path();
    EXPECT_EQ(all.substr(0, first.size()), first);
    return all.substr(std::min(first.size(), all.size()));
  };
  const std::string head = R"({"format": "verne-solution/1", "coordinates": [{"name": "shoulder"}, {"name": "elbow"}])";
  const auto curve = [&](const std::string& trajectory) {
    return problem(head + R"(, "trajectory": )" + trajectory + "}");
  };
  EXPECT_EQ(problem("{\n\"format\": "), ":2: error: not JSON (or cut off) at byte 13");
  EXPECT_EQ(problem("[1, 2]"), ": error: format: expected \"verne-solution/1\"");
  EXPECT_EQ(problem(R"({"format": "verne-solution/1", "coordinates": [{"name": "shoulder"}, 3]})"),
            ": error: coordinates: there is no 'elbow': the motion is that of another model");
  const std::string unsound =
      ": error: trajectory: expected the degree, knots and control points of a clamped spline of all coordinates";
  EXPECT_EQ(problem(head + "}"), unsound);
  EXPECT_EQ(curve(R"({"degree": 1, "knots": [0, 0, 1, 1], "control_points": [[1, 2], [1]]})"), unsound);
  EXPECT_EQ(curve(R"({"degree": 1, "knots": [0, 0, null, 1], "control_points": [[1, 2], [1, 3]]})"), unsound);
  const std::string line = R"({"degree": 1, "knots": [0, 0, 1, 1], "control_points": [[1, 2], [1, 3]]})";
  for (const char* state : {R"({"nodes": [[1, 0]], "tightening": [], "constraints": [], "lower": [], "upper": []})",
                            R"({"nodes": [[0, 2]], "tightening": [], "constraints": [], "lower": [], "upper": []})",
                            R"({"nodes": [], "tightening": [], "constraints": [null], "lower": [], "upper": []})",
                            R"({"nodes": [], "tightening": [], "constraints": []})", "7"}) {
    EXPECT_EQ(curve(line + R"(, "solver_state": )" + state),
              ": error: solver_state: expected nodes on the curve, tightening and multipliers");
  }
  for (const char* share : {"1", "-0.1", "7.5"}) {
    const std::string rest = R"(], "constraints": [], "lower": [], "upper": []})";
    EXPECT_EQ(curve(line + R"(, "solver_state": {"nodes": [], "tightening": [0.5, )" + share + rest),
              std::string(": error: solver_state: tightening: expected numbers from 0 to less than 1, found ") + share);
  }
  for (const char* sizes : {R"({"degree": 1, "knots": [0, 0, 1, 1], "control_points": [[1, 2]]})",
                            R"({"degree": 1, "knots": [0, 0, 0, 0], "control_points": [[1, 2], [1, 3]]})",
                            R"({"degree": 1, "knots": [0, 0, -1, 1], "control_points": [[1, 2], [1, 3]]})",
                            R"({"degree": 1, "knots": [], "control_points": []})",
                            R"({"degree": -7, "knots": [0, 0, 1, 1], "control_points": [[1, 2], [1, 3]]})",
                            R"({"degree": 3, "knots": [0, 0, 1, 1], "control_points": [[1, 2], [1, 3]]})"}) {
    EXPECT_EQ(curve(sizes).substr(0, unsound.size()), unsound) << sizes;
  }
  EXPECT_EQ(test::problems(with("guess: {from: nowhere.json}\n")),
            "t:6: error: guess: from: 'nowhere.json' cannot be used\n" + test::models() +
                "nowhere.json: error: cannot be opened: No such file or directory");
  EXPECT_EQ(test::problems(with("guess: {}\n")), "t:6: error: guess: expected one of through, path and from");
}

}  // namespace
}  // namespace verne
