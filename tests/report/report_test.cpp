#include "verne/report/report.h"
#include "support/paths.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/made_up_solution.h"
#include "support/text.h"
#include "verne/base/error.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class ReportFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "verne-report-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    text_ = made_up_solution(load_model(source_dir() + "/models/two_link.yaml"), {.frames = 11});
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    write_text_file(path.string(), text);
    return path.string();
  }

  /// What read_solution() says about a solution after `change`.
  template <class Change>
  std::string complaint(Change change) {
    Json solution = Json::parse(text_);
    change(solution);
    return complaint_about(solution.dump());
  }
  std::string complaint_about(const std::string& text) {
    try {
      read_solution(write("solution.json", text), "x");
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  fs::path root_;
  std::string text_;
};

TEST_F(ReportFiles, TakesAWholeSolution) {
  EXPECT_EQ(complaint([](Json&) {}), "");
  EXPECT_EQ(complaint([](Json& s) { s["some_later_key"] = {1, 2, 3}; }), "");
  for (const char* optional : {"q", "tau", "com", "limits", "joint_wrenches", "energy", "verification"}) {
    EXPECT_EQ(complaint([&](Json& s) { s.erase(optional); }), "") << optional;
  }
  EXPECT_EQ(complaint([](Json& s) { s["tau"][3][0] = nullptr; }), "");
}

TEST_F(ReportFiles, SaysWhatIsMissing) {
  EXPECT_TRUE(contains(complaint([](Json& s) { s["format"] = "verne-solution/2"; }),
                       "format: expected \"verne-solution/1\", found \"verne-solution/2\""));
  EXPECT_TRUE(contains(complaint([](Json& s) { s.erase("format"); }), "found missing"));
  EXPECT_TRUE(contains(complaint([](Json& s) { s.erase("time"); }), "time: "));
  EXPECT_TRUE(contains(complaint([](Json& s) { s["time"][4] = s["time"][3]; }), "time[4]"));
  EXPECT_TRUE(contains(complaint([](Json& s) { s.erase("model"); }), "model: "));
  EXPECT_TRUE(contains(complaint([](Json& s) { s.erase("link_poses"); }), "link_poses: "));
  EXPECT_TRUE(
      contains(complaint([](Json& s) { s["link_poses"]["link1"].erase(0); }), "link_poses.link1: expected 11 rows"));
  EXPECT_TRUE(contains(complaint([](Json& s) { s["link_poses"]["link1"][2].erase(0); }),
                       "link_poses.link1[2]: expected an array of 7"));
  EXPECT_TRUE(contains(complaint([](Json& s) { s["tau"] = 3; }), "tau: expected 11 rows"));
  EXPECT_TRUE(contains(complaint([](Json& s) { s["tau"][1][1] = "x"; }), "tau[1]"));
  // all of them at once
  const std::string both = complaint([](Json& s) { s.erase("model"), s.erase("link_poses"); });
  EXPECT_TRUE(contains(both, "model: ") && contains(both, "link_poses: ")) << both;
}

TEST_F(ReportFiles, SaysWhereJsonEnds) {
  EXPECT_TRUE(contains(complaint_about("{\n\"format\": \n\n !"), "solution.json:4: error: not JSON"));
  EXPECT_TRUE(contains(complaint_about(text_.substr(0, text_.size() / 2)), "not JSON"));
  for (const char* other : {"", "[]", "3", "null", "{\"format\": NaN}", "\"verne-solution/1\""})
    EXPECT_NE(complaint_about(other), "") << other;
  EXPECT_THROW(read_solution((root_ / "nowhere.json").string(), "x"), InputError);
}

TEST_F(ReportFiles, LabelsTellFoldersApart) {
  for (const char* name : {"a/run/solution.json", "b/run/solution.json", "c/solution.json"}) write(name, text_);
  const auto labels = [&](const std::vector<std::string>& names) {
    std::vector<std::string> paths, found;
    for (const std::string& name : names) paths.push_back((root_ / name).string());
    for (const SolutionFile& file : read_for_comparison(paths).solutions) found.push_back(file.label);
    return found;
  };
  EXPECT_EQ(labels({"a/run", "b/run/"}), (std::vector<std::string>{"a/run", "b/run"}));
  EXPECT_EQ(labels({"a/run/solution.json", "c"}), (std::vector<std::string>{"run", "c"}));
  EXPECT_NE(labels({"c", "c"})[0], labels({"c", "c"})[1]);
}

TEST_F(ReportFiles, FrontReadsItsRows) {
  write("sweep/front.json", made_up_front(2));
  write("sweep/00/solution.json", text_);
  EXPECT_THROW(read_report_folder((root_ / "sweep").string()), InputError);  // 01 is missing
  write("sweep/01/solution.json", text_);
  const ReportContents contents = read_report_folder((root_ / "sweep").string());
  EXPECT_EQ(contents.solutions.size(), 2u);
  EXPECT_EQ(contents.solutions[1].label, "01");
  EXPECT_TRUE(contains(contents.front, "verne-front/1"));
  for (const char* folder : {"..", "../sweep/00", "/etc", "", "."}) {
    Json front = Json::parse(made_up_front(2));
    front["rows"][1]["folder"] = folder;
    write("sweep/front.json", front.dump());
    EXPECT_THROW(read_report_folder((root_ / "sweep").string()), InputError) << folder;
  }
  for (const char* bad : {"{}", "[]", "{\"format\": \"verne-front/2\", \"rows\": []}",
                          "{\"format\": \"verne-front/1\", \"rows\": [3]}"}) {
    write("sweep/front.json", bad);
    EXPECT_THROW(read_report_folder((root_ / "sweep").string()), InputError) << bad;
  }
}

}  // namespace
}  // namespace verne::test
