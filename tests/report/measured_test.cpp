// Measured curves: what files may look like, which curves they measure, and how like predicted ones are to them.
#include "verne/report/measured.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/complaint.h"
#include "verne/base/error.h"

namespace verne {
namespace {

class Measured : public ::testing::Test {
 protected:
  Measured()
      : path_(std::filesystem::path(::testing::TempDir()) / ("measured_" + std::to_string(::getpid()) + ".csv")) {}
  ~Measured() override { std::filesystem::remove(path_); }

  MeasuredCurves read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_measured(path_.string());
  }
  /// From a file whose name ends so.
  MeasuredCurves read_as(const std::string& ending, const std::string& text) {
    std::filesystem::remove(path_);
    path_.replace_filename("measured_" + std::to_string(::getpid()) + ending + ".csv");
    return read(text);
  }
  std::string complaint_about(const std::string& text) {
    const std::string whole = test::complaint<InputError>([&] { read(text); });
    return whole.substr(whole.find(".csv") + 4);
  }
  std::filesystem::path path_;
};

/// A hip that goes as a sine over the cycle, and a knee that does not move.
SolutionFile sine(int samples = 101) {
  nlohmann::json percent, hip, knee;
  for (int k = 0; k < samples; ++k) {
    const double at = 100.0 * k / (samples - 1);
    percent.push_back(at), hip.push_back(10 * std::sin(2 * M_PI * at / 100)), knee.push_back(5);
  }
  const nlohmann::json curves = {{{"name", "hip_flexion_r_deg"}, {"unit", "deg"}, {"values", hip}},
                                 {{"name", "knee_angle_r_deg"}, {"unit", "deg"}, {"values", knee}}};
  return {"", "solution.json", nlohmann::json{{"stride", {{"percent", percent}, {"curves", curves}}}}.dump()};
}

/// A row for every `step` percent, from 0 to 95.
std::string table(const std::string& names, int step, const std::function<std::string(double)>& cells) {
  std::string text = names + "\n";
  for (int at = 0; at < 100; at += step) text += std::to_string(at) + "," + cells(2 * M_PI * at / 100) + "\n";
  return text;
}

/// Against closed forms: sines of another size, offset or phase over whole cycles.
TEST_F(Measured, Likeness) {
  const MeasuredCurves measured =
      read(table("gait_cycle_percent,hip_flexion_r_deg,hip_flexion_l_deg,hip_flexion", 5, [](double t) {
        return std::to_string(16 * std::sin(t) + 3) + "," + std::to_string(10 * std::cos(t)) + "," +
               std::to_string(-10 * std::sin(t));
      }));
  const std::vector<Likeness> all = likeness(sine(), measured);
  ASSERT_EQ(all.size(), 3u);
  const double kWritten = 1e-6;  // digits of std::to_string
  EXPECT_NEAR(all[0].r, 1, kWritten);
  EXPECT_NEAR(all[0].rmse, std::sqrt(36 / 2.0 + 9), kWritten);
  EXPECT_NEAR(all[0].rmse_offset, 6 / std::sqrt(2.0), kWritten);
  EXPECT_NEAR(all[1].r, 0, kWritten);
  EXPECT_NEAR(all[1].rmse, 10, kWritten);
  EXPECT_NEAR(all[2].r, -1, kWritten);
  EXPECT_NEAR(all[2].rmse_offset, 20 / std::sqrt(2.0), kWritten);
  for (const Likeness& one : all) EXPECT_EQ(one.of, "hip_flexion_r_deg");
  EXPECT_NE(likeness_text(all, measured).find("hip_flexion_l_deg"), std::string::npos);
}

TEST_F(Measured, RowsNeedNotBeThoseOfTheStride) {
  const MeasuredCurves measured = read(table("percent,hip_flexion_mean,hip_flexion_sd", 4,
                                             [](double t) { return std::to_string(10 * std::sin(t)) + ",1.5"; }));
  const std::vector<Likeness> all = likeness(sine(1001), measured);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].rmse, 0, 1e-4);  // linear between rows
  EXPECT_EQ(measured.curves[0].name, "hip_flexion");
  EXPECT_EQ(measured.curves[0].sd, std::vector<double>(25, 1.5));
}

/// What does not vary has no correlation; what is missing is passed over.
TEST_F(Measured, ConstantsAndGaps) {
  const MeasuredCurves measured = read("percent,knee_angle_r_deg,pelvis_tilt\n0,7,\n50,,1\n100,7,2\n");
  const std::vector<Likeness> all = likeness(sine(), measured);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(std::isnan(all[0].r));
  EXPECT_NEAR(all[0].rmse, 2, 1e-12);
  EXPECT_NEAR(all[0].rmse_offset, 0, 1e-12);
}

TEST_F(Measured, Names) {
  const MeasuredCurves measured = read(
      "percent,pelvis_tilt,lumbar_extension_mean,moment_knee_angle_l_Nm_per_kg,grf_vertical_BW,elbow_flex_deg\n"
      "0,1,1,1,1,1\n1,1,1,1,1,1\n");
  std::vector<std::string> of;
  for (const MeasuredCurve& curve : measured.curves) of.push_back(curve.of);
  EXPECT_EQ(of, (std::vector<std::string>{"pelvis_tilt_deg", "lumbar_extension_deg", "moment_knee_angle_l_Nm_per_kg",
                                          "grf_vertical_r_BW", "elbow_flex_r_deg"}));
}

/// Units are those of columns, then of the file, then degrees.
TEST_F(Measured, Units) {
  const auto forces =
      read_as("_percentBW", "percent,vertical_mean,vertical_sd,fore_aft_l_BW\n0,50,4,0.1\n1,60,4,0.2\n");
  ASSERT_EQ(forces.curves.size(), 2u);
  EXPECT_EQ(forces.curves[0].of, "grf_vertical_r_BW");
  EXPECT_EQ(forces.curves[0].mean, (std::vector<double>{0.5, 0.6}));
  EXPECT_EQ(forces.curves[0].sd, (std::vector<double>{0.04, 0.04}));
  EXPECT_EQ(forces.curves[1].of, "grf_fore_aft_l_BW");
  EXPECT_EQ(forces.curves[1].mean, (std::vector<double>{0.1, 0.2}));
  const auto moments = read_as("_Nm_per_kg", "percent,hip_flexion_mean,hip_flexion_sd\n0,1,0.1\n1,2,0.1\n");
  EXPECT_EQ(moments.curves[0].of, "moment_hip_flexion_r_Nm_per_kg");
  const auto complaint = [&](const std::string& ending, const std::string& text) {
    const std::string whole = test::complaint<InputError>([&] { read_as(ending, text); });
    return whole.substr(whole.find(".csv") + 4);
  };
  EXPECT_EQ(complaint("_Nm", "percent,hip_flexion_mean\n0,1\n1,2\n"),
            ":1: error: 'hip_flexion': moments in N m depend on the person's mass: divide them by it, and write "
            "Nm_per_kg for Nm in the name of the file");
  EXPECT_EQ(complaint("", "percent,moment_hip_flexion_Nm\n0,1\n1,2\n"),
            ":1: error: 'moment_hip_flexion_Nm': moments in N m depend on the person's mass: divide them by it, and "
            "write Nm_per_kg for Nm in the name of the column");
}

/// Data of models whose knees bend to the negative side are turned.
TEST_F(Measured, KneesThatBendToTheNegativeSide) {
  const auto measured = read("percent,knee_angle_mean,knee_angle_sd,knee_angle_l_deg\n0,-2,1,-1\n50,-60,2,30\n");
  EXPECT_EQ(measured.curves[0].name, "knee_angle, turned");
  EXPECT_EQ(measured.curves[0].mean, (std::vector<double>{2, 60}));
  EXPECT_EQ(measured.curves[0].sd, (std::vector<double>{1, 2}));
  EXPECT_EQ(measured.curves[1].name, "knee_angle_l_deg");
  EXPECT_EQ(measured.curves[1].mean, (std::vector<double>{-1, 30}));
}

/// A stride whose sides differ has curves of both, and each is compared with its own.
TEST_F(Measured, SidesThatDiffer) {
  SolutionFile both = sine();
  nlohmann::json solution = nlohmann::json::parse(both.text);
  nlohmann::json left = solution["stride"]["curves"][0];
  left["name"] = "hip_flexion_l_deg";
  for (nlohmann::json& value : left["values"]) value = -value.get<double>();
  solution["stride"]["curves"].push_back(left);
  both.text = solution.dump();
  const MeasuredCurves measured = read(table("percent,hip_flexion_l_deg,hip_flexion_r_deg", 5, [](double t) {
    return std::to_string(std::sin(t)) + "," + std::to_string(std::sin(t));
  }));
  const std::vector<Likeness> all = likeness(both, measured);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].of, "hip_flexion_l_deg");
  EXPECT_NEAR(all[0].r, -1, 1e-6);
  EXPECT_NEAR(all[1].r, 1, 1e-6);
  require_some_of({"hip_flexion_r_deg"}, measured);
  EXPECT_NE(
      test::complaint<InputError>([&] { require_some_of({"knee_angle_r_deg"}, measured); }).find("no column measures"),
      std::string::npos);
}

TEST_F(Measured, Problems) {
  EXPECT_EQ(complaint_about(""),
            ":1: error: expected a column gait_cycle_percent, and others as hip_flexion_r_deg or knee_angle_r_mean");
  EXPECT_EQ(complaint_about("time,hip_flexion\n0,1\n"),
            ":1: error: expected a column gait_cycle_percent, and others as hip_flexion_r_deg or knee_angle_r_mean");
  EXPECT_EQ(complaint_about("percent,hip_flexion\n0,1\n1,high\n"), ":3: error: 'hip_flexion': 'high' is not a number");
  EXPECT_EQ(complaint_about("percent,hip_flexion\n0,1\n1\n"),
            ":3: error: expected 2 numbers, as in the first line, found 1");
  EXPECT_EQ(complaint_about("percent,hip_flexion\n0,1\n"), ": error: expected two lines of numbers or more");
  EXPECT_EQ(complaint_about("percent,hip_flexion\n0,1\n3,1\n2,1\n"),
            ": error: percent: expected numbers from 0 to 100 that grow, found 2 in row 3");
  EXPECT_EQ(complaint_about("percent,hip_flexion\n0,1\n120,1\n"),
            ": error: percent: expected numbers from 0 to 100 that grow, found 120 in row 2");
  EXPECT_EQ(complaint_about("percent,knee_angle,knee_angle\n0,1,2\n"),
            ":1: error: there are two columns of 'knee_angle'");
  EXPECT_EQ(complaint_about("percent,knee_angle,knee_angle_mean\n0,1,2\n1,1,2\n"),
            ":1: error: there are two columns of 'knee_angle'");
  const MeasuredCurves others = read("percent,speed\n0,1\n1,1\n");
  EXPECT_NE(test::complaint<InputError>([&] { likeness(sine(), others); }).find("no column measures"),
            std::string::npos);
  EXPECT_NE(test::complaint<InputError>([&] {
              likeness({"", "solution.json", "{}"}, others);
            }).find("has no stride"),
            std::string::npos);
}

}  // namespace
}  // namespace verne
