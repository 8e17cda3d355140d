/// `verne eval --states`: arrays give what lines of JSON give, or nothing at all.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "io/npy.h"
#include "support/paths.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kStates = 5000;  // several chunks, the last one not full

/// Numbers of a state; of no model's quaternions.
double number_of(std::size_t k, std::size_t i, int input) {
  return std::sin(static_cast<double>(3 * k + 7 * i) + input);
}

class ArrayFiles {
 public:
  explicit ArrayFiles(std::size_t columns, std::size_t states = kStates) : columns_(columns), states_(states) {
    for (int input = 0; input < 4; ++input) {
      std::vector<double> numbers;
      for (std::size_t k = 0; k < states; ++k) {
        for (std::size_t i = 0; i < columns; ++i) numbers.push_back(number_of(k, i, input));
      }
      write(kNames[input] + std::string(".npy"), {states, columns}, numbers);
    }
  }
  void write(const std::string& name, const std::vector<std::size_t>& shape, const std::vector<double>& numbers) const {
    NpyWriter writer(folder.file(name), shape);
    writer.write(numbers);
    writer.finish();
  }
  std::string lines() const {
    std::string text;
    for (std::size_t k = 0; k < states_; ++k) {
      Json line;
      for (int input = 0; input < 4; ++input) {
        for (std::size_t i = 0; i < columns_; ++i) line[kNames[input]].push_back(number_of(k, i, input));
      }
      text += line.dump() + "\n";
    }
    return text;
  }
  std::string states(const std::string& names = "q,v,a,tau") const {
    std::string list;
    for (std::size_t begin = 0; begin <= names.size();) {
      const std::size_t end = std::min(names.find(',', begin), names.size());
      list += (list.empty() ? "" : ",") + folder.file(names.substr(begin, end - begin) + ".npy");
      begin = end + 1;
    }
    return list;
  }
  Outcome run(const std::string& want, const std::string& output, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"eval", shipped("arm7"),    "--states", states(), "--want", want,
                                   "-o",   folder.file(output)};
    words.insert(words.end(), more.begin(), more.end());
    return verne(words);
  }

  const Folder folder;

 private:
  static constexpr const char* kNames[] = {"q", "v", "a", "tau"};
  std::size_t columns_, states_;
};

/// All numbers behind the header.
std::vector<double> numbers_in(const std::string& path) {
  const std::string text = read_file(path);
  const std::size_t begin = 10 + static_cast<unsigned char>(text[8]) + 256U * static_cast<unsigned char>(text[9]);
  std::vector<double> numbers((text.size() - begin) / 8);
  std::memcpy(numbers.data(), text.data() + begin, 8 * numbers.size());
  return numbers;
}

void flatten(const Json& value, std::vector<double>& numbers) {
  if (value.is_number()) return numbers.push_back(value.get<double>());
  for (const Json& inner : value) flatten(inner, numbers);
}

TEST(CliEvalArrays, AreWhatLinesGive) {
  const ArrayFiles files(7);
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome =
        files.run("tau,acceleration,mass_matrix,energy,link_poses,d_tau,jacobian:tool", "out", {"--threads", threads});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  const Outcome lines = verne(
      {"eval", shipped("arm7"), "--want", "tau,acceleration,mass_matrix,energy,d_tau,jacobian:tool"}, files.lines());
  std::map<std::string, std::vector<double>> expected;
  for (const Json& line : json_lines(lines.out)) {
    for (const char* key : {"tau", "acceleration", "mass_matrix"}) flatten(line[key], expected[key]);
    flatten(line["energy"]["kinetic"], expected["energy_kinetic"]);
    flatten(line["d_tau"]["v"], expected["d_tau_v"]);
    flatten(line["jacobian:tool"], expected["jacobian_tool"]);
  }
  for (const auto& [name, numbers] : expected) {
    const std::vector<double> found = numbers_in(files.folder.file("out/" + name + ".npy"));
    ASSERT_EQ(found.size(), numbers.size()) << name;
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], numbers[i], 1e-15 + 1e-15 * std::abs(numbers[i])) << name;
  }
}

/// Lines and arrays of a model, key by key of what lines give: `tau` is tau.npy.
void expect_same_answers(const ArrayFiles& files, const std::string& model, const std::vector<std::string>& keys,
                         const std::vector<std::string>& more, double tolerance) {
  std::string want;
  for (const std::string& key : keys) want += (want.empty() ? "" : ",") + key;
  std::vector<std::string> words{"eval", shipped(model), "--want", want};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome lines = verne(words, files.lines());
  ASSERT_EQ(lines.exit_code, 0) << lines.err;
  words.insert(words.end(), {"--states", files.states(), "-o", files.folder.file("answers")});
  const Outcome arrays = verne(words);
  ASSERT_EQ(arrays.exit_code, 0) << arrays.err;
  for (const std::string& key : keys) {
    std::vector<double> expected;
    for (const Json& line : json_lines(lines.out)) flatten(line[key], expected);
    const std::vector<double> found = numbers_in(files.folder.file("answers/" + key + ".npy"));
    ASSERT_EQ(found.size(), expected.size()) << key;
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << key;
  }
}

TEST(CliEvalArrays, OfLoopsAndGivenAccelerations) {
  const ArrayFiles loops(1, 600);
  expect_same_answers(loops, "four_bar", {"tau", "acceleration", "mass_matrix", "bias", "loop_wrenches"}, {}, 1e-8);
  expect_same_answers(ArrayFiles(7, 300), "arm7", {"tau", "acceleration"}, {"--given", "acceleration=joint2"}, 1e-12);
  loops.write("guess.npy", {600, 3}, std::vector<double>(1800, 0.1));
  const Outcome outcome =
      verne({"eval", shipped("four_bar"), "--want", "tree", "--states",
             loops.states("q") + ",guess=" + loops.folder.file("guess.npy"), "-o", loops.folder.file("trees")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(NpyReader(loops.folder.file("trees/tree_q.npy")).columns(), 3U);
}

/// Derivatives of motions that are completed, part by part.
TEST(CliEvalArrays, DerivativesOfGivenAccelerations) {
  const ArrayFiles files(7, 20);
  const std::vector<std::string> given{"--given", "acceleration=joint2,joint5"}, parts{"q", "v", "a", "tau"};
  const auto run = [&](std::vector<std::string> more, const std::string& input) {
    more.insert(more.begin(), {"eval", shipped("arm7"), "--want", "d_tau,d_acceleration,d_joint_wrenches"});
    more.insert(more.end(), given.begin(), given.end());
    const Outcome outcome = verne(more, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  run({"--states", files.states(), "-o", files.folder.file("slopes")}, "");
  const Model model = load_model(shipped("arm7"));
  std::map<std::string, std::vector<double>> expected;
  for (const Json& line : json_lines(run({}, files.lines()))) {
    for (const std::string& part : parts) {
      flatten(line["d_tau"][part], expected["d_tau_" + part]);
      flatten(line["d_acceleration"][part], expected["d_acceleration_" + part]);
      for (const Joint& joint : model.joints()) {
        flatten(line["d_joint_wrenches"][joint.spec.name][part], expected["d_joint_wrenches_" + part]);
      }
    }
  }
  for (const auto& [name, numbers] : expected) {
    const std::vector<double> found = numbers_in(files.folder.file("slopes/" + name + ".npy"));
    ASSERT_EQ(found.size(), numbers.size()) << name;
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], numbers[i], 1e-12 * (1 + std::abs(numbers[i]))) << name << i;
  }
}

/// What is said of states of mechanisms has their numbers in the file; nothing is written.
TEST(CliEvalArrays, RefusesWhatLoopsCannotBe) {
  const ArrayFiles files(1, 600);
  const auto error = [&](const std::string& model, const std::string& states, const std::string& want) {
    const Outcome outcome = verne({"eval", shipped(model), "--want", want, "--states", states, "-o",
                                   files.folder.file("x.npy"), "--threads", "2"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(files.folder.file("x.npy")));
    return outcome.err;
  };
  files.write("wide.npy", {600, 3}, std::vector<double>(1800));
  EXPECT_NE(error("four_bar", "q=" + files.folder.file("wide.npy"), "tau")
                .find("expected (states, 1), the numbers of q of the model, the independent ones"),
            std::string::npos);
  EXPECT_NE(error("four_bar", files.folder.file("q.npy"), "coriolis_matrix").find("a model with closed loops"),
            std::string::npos);
  std::vector<double> lengths(600 * 6, 1.346261);
  lengths[500 * 6] = 100;
  files.write("far.npy", {600, 6}, lengths);
  const std::string far = error("gough_stewart", "q=" + files.folder.file("far.npy"), "tau");
  EXPECT_NE(far.find("state 500: loop '"), std::string::npos) << far;
}

TEST(CliEvalArrays, OneArrayIsOneFile) {
  const ArrayFiles files(7, 10);
  ASSERT_EQ(files.run("tau", "tau.npy").exit_code, 0);
  EXPECT_EQ(NpyReader(files.folder.file("tau.npy")).rows(), 10U);
  const Outcome renamed = verne({"eval", shipped("arm7"), "--states", "q=" + files.folder.file("v.npy"), "--want",
                                 "gravity", "-o", files.folder.file("g.npy")});
  EXPECT_EQ(renamed.exit_code, 0) << renamed.err;
  const Outcome two = files.run("tau,bias", "both.npy");
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_NE(two.err.find("there are 2 arrays to write: name a folder"), std::string::npos) << two.err;
}

TEST(CliEvalArrays, WritesAllOrNothing) {
  const ArrayFiles files(7);
  std::vector<double> numbers(7 * kStates, 0.1);
  numbers.back() = std::nan("");
  files.write("tau.npy", {kStates, 7}, numbers);
  const Outcome outcome = files.run("tau", "result.npy");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("tau.npy: error: [4999, 6]: expected a finite number, found nan"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  EXPECT_EQ(files.folder.count(), 4);
}

TEST(CliEvalArrays, RefusesWhatDoesNotFit) {
  const ArrayFiles files(7, 10);
  files.write("other.npy", {10, 6}, std::vector<double>(60));
  files.write("short.npy", {9, 7}, std::vector<double>(63));
  const auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"eval", shipped("arm7"), "--want", "tau"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = verne(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  const std::string out = files.folder.file("x.npy");
  const auto file = [&](const std::string& name) { return files.folder.file(name); };
  EXPECT_NE(error({"--states", file("other.npy"), "-o", out}).find("is that q, v, a or tau? Write q="),
            std::string::npos);
  EXPECT_NE(error({"--states", "q=" + file("other.npy"), "-o", out}).find("has shape (10, 6): expected (states, 7)"),
            std::string::npos);
  EXPECT_NE(error({"--states", file("q.npy") + ",v=" + file("short.npy"), "-o", out}).find("has 9 states"),
            std::string::npos);
  EXPECT_NE(error({"--states", file("q.npy") + ",q=" + file("v.npy"), "-o", out}).find("q is given twice"),
            std::string::npos);
  EXPECT_NE(error({"--states", file("q.npy")}).find("name their file or folder"), std::string::npos);
  EXPECT_NE(error({"--states", file("q.npy"), "--compiled", "-o", out}).find("does not go with --compiled"),
            std::string::npos);
  EXPECT_NE(error({"--states", "guess=" + file("q.npy"), "-o", out}).find("guess is for models with closed loops"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace verne::test
