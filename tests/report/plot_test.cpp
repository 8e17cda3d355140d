#include "verne/report/plot.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/made_up_solution.h"
#include "report/svg_chart.h"
#include "support/text.h"
#include "verne/base/error.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

using Json = nlohmann::json;

Model shipped(const std::string& name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

SolutionFile arm() {
  return {"arm", "arm/solution.json", made_up_solution(shipped("two_link"), {.frames = 41})};
}

PlotOptions plot_of(const std::string& what) {
  PlotOptions options;
  options.what = what;
  return options;
}

struct Point {
  double x, y;
};

/// The text between `before` and the next `end`, from `at` on, which moves behind it; "" when there is none.
std::string between(const std::string& text, const std::string& before, char end, std::size_t& at) {
  at = text.find(before, at);
  if (at == std::string::npos) return "";
  at += before.size();
  const std::size_t first = at;
  at = text.find(end, at);
  return text.substr(first, at - first);
}

/// The path data of each curve in a drawing.
std::vector<std::string> curve_paths(const std::string& svg) {
  std::vector<std::string> found;
  for (std::size_t at = 0;;) {
    std::string path = between(svg, "<path class=\"curve\" d=\"", '"', at);
    if (at == std::string::npos) return found;
    found.push_back(std::move(path));
  }
}

/// The corners of each curve.
std::vector<std::vector<Point>> curves(const std::string& svg) {
  std::vector<std::vector<Point>> found;
  for (const std::string& path : curve_paths(svg)) {
    found.emplace_back();
    std::istringstream words(path);
    Point corner{};
    for (char pen = 0; words >> pen >> corner.x >> corner.y;) found.back().push_back(corner);
  }
  return found;
}

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// Data and drawing must be related by one straight line for x and one for y, with y upwards.
TEST(Plot, CurvesAreTheData) {
  const SolutionFile file = arm();
  const Json solution = Json::parse(file.text);
  const auto drawn = curves(plot_svg(file, plot_of("positions")));
  ASSERT_EQ(drawn.size(), 2u);
  const auto value = [&](std::size_t line, std::size_t k) { return solution["q"][k][line].get<double>(); };
  const double scale = (drawn[1][40].y - drawn[0][40].y) / (value(1, 40) - value(0, 40));
  EXPECT_LT(scale, 0);
  for (std::size_t line = 0; line < 2; ++line) {
    ASSERT_EQ(drawn[line].size(), 41u);
    for (std::size_t k = 0; k < 41; ++k) {
      EXPECT_NEAR(drawn[line][k].y, drawn[0][0].y + scale * (value(line, k) - value(0, 0)), 0.03);
      const double part = double(k) / 40;
      EXPECT_NEAR(drawn[line][k].x, drawn[0][0].x + part * (drawn[0][40].x - drawn[0][0].x), 0.03);
    }
  }
}

/// Tick labels stand where the curve has their value.
TEST(Plot, TicksAreAtTheirValues) {
  const SolutionFile file = arm();
  const Json solution = Json::parse(file.text);
  const std::string svg = plot_svg(file, plot_of("positions"));
  const auto drawn = curves(svg);
  const double y0 = drawn[0][0].y, q0 = solution["q"][0][0], y1 = drawn[0][40].y, q1 = solution["q"][40][0];
  // The label "1" of the vertical axis: <text x=".." y="Y" text-anchor="end">1</text>
  const std::size_t label = svg.find("text-anchor=\"end\">1<");
  ASSERT_NE(label, std::string::npos);
  std::size_t at = svg.rfind("<text", label);
  const double y = std::stod(between(svg, "y=\"", '"', at));
  constexpr double kBaseline = 0.35 * 8;  // from the middle of a digit to its foot
  EXPECT_NEAR(y - kBaseline, y0 + (1 - q0) / (q1 - q0) * (y1 - y0), 0.03);
}

TEST(Plot, EveryKindHasItsUnit) {
  const Model human = shipped("human55");
  const SolutionFile walk{"walk", "walk.json", made_up_solution(human, {.frames = 21})};
  const std::vector<std::pair<std::string, std::string>> units{
      {"positions", "(rad)"},  {"velocities", "(rad/s)"},  {"accelerations", "(rad/s²)"}, {"torques", "(N·m)"},
      {"joint_forces", "(N)"}, {"joint_moments", "(N·m)"}, {"ground_reactions", "(N)"},   {"energy", "(J)"},
      {"power", "(W)"},        {"snapshots", "(m)"}};
  ASSERT_EQ(units.size(), plot_names().size());
  for (const auto& [what, unit] : units) {
    PlotOptions options = plot_of(what);
    if (what == "positions" || what == "velocities" || what == "accelerations" || what == "torques")
      options.joints = {"knee_flexion_r"};
    const std::string svg = plot_svg(walk, options);
    EXPECT_TRUE(contains(svg, unit + "<")) << what;
    EXPECT_GE(curves(svg).size(), 1u) << what;
  }
  EXPECT_TRUE(contains(plot_svg(walk,
                                [] {
                                  PlotOptions options = plot_of("positions");
                                  options.joints = {"global_tx"};
                                  return options;
                                }()),
                       "position (m)"));
}

TEST(Plot, ReactionsThatTheMotionDoesNotTellAreMarked) {
  Json solution = Json::parse(made_up_solution(shipped("two_link"), {.frames = 5}));
  const std::string joint = solution["joints"][0];
  solution["undetermined"] = {{"joint_wrenches", {{joint, {"fz"}}}}};
  const SolutionFile file{"arm", "arm/solution.json", solution.dump()};
  const std::string forces = plot_svg(file, plot_of("joint_forces")),
                    moments = plot_svg(file, plot_of("joint_moments"));
  EXPECT_NE(forces.find(joint + " (least)"), std::string::npos);
  EXPECT_EQ(moments.find(joint + " (least)"), std::string::npos);
}

TEST(Plot, ManyJointsKeepTheLargest) {
  const SolutionFile walk{"walk", "walk.json", made_up_solution(shipped("human55"), {.frames = 21})};
  const std::string svg = plot_svg(walk, plot_of("positions"));
  EXPECT_EQ(curves(svg).size(), 8u);
}

TEST(Plot, GapsLiftThePen) {
  const SolutionFile file{"gap", "gap.json", made_up_solution(shipped("two_link"), {.frames = 41, .gap = true})};
  const std::string svg = plot_svg(file, plot_of("torques"));
  EXPECT_EQ(curves(svg)[0].size(), 39u);
  EXPECT_EQ(count(curve_paths(svg)[0], "M"), 2);
  EXPECT_FALSE(contains(svg, "nan"));
}

TEST(Plot, NearLimitsAreDrawnAndActiveOnesMarked) {
  Json solution = Json::parse(arm().text);
  solution["limits"] = {
      {{"kind", "effort"}, {"of", "shoulder"}, {"lower", -1.2}, {"upper", 1.3}, {"active", {{0.1, 0.3}}}},
      {{"kind", "effort"}, {"of", "elbow"}, {"lower", -100}, {"upper", 100}, {"active", Json::array()}}};
  const std::string svg = plot_svg({"", "x.json", solution.dump()}, plot_of("torques"));
  EXPECT_EQ(count(svg, "class=\"limit\""), 2);   // 100 N·m would flatten the curves
  EXPECT_EQ(count(svg, "class=\"active\""), 8);  // time steps of 1/40 s
}

/// A limit that holds for one joint alone has the colour of its curve; one that all share is grey, and drawn once.
TEST(Plot, LimitsBelongToTheirJoints) {
  Json solution = Json::parse(arm().text);
  const auto limit = [](const char* of, double bound) {
    return Json{{"kind", "effort"}, {"of", of}, {"lower", -bound}, {"upper", bound}, {"active", Json::array()}};
  };
  solution["limits"] = {limit("shoulder", 1.2), limit("elbow", 1.3)};
  const std::string own = plot_svg({"", "x.json", solution.dump()}, plot_of("torques"));
  EXPECT_EQ(count(own, "class=\"limit\""), 4);
  EXPECT_EQ(count(own, "#777"), 0);
  // Two limits, the curve and its line in the legend.
  EXPECT_EQ(count(own, "#0072b2"), 4);
  EXPECT_EQ(count(own, "#d55e00"), 4);
  solution["limits"] = {limit("shoulder", 1.2), limit("elbow", 1.2)};
  const std::string shared = plot_svg({"", "x.json", solution.dump()}, plot_of("torques"));
  EXPECT_EQ(count(shared, "class=\"limit\""), 2);
  EXPECT_EQ(count(shared, "#777"), 2);
}

TEST(Plot, PhasesHaveBordersAndLimitsOfTheirOwn) {
  Json solution = Json::parse(arm().text);
  solution["phases"] = {{{"name", "fetch"}, {"start", 0}, {"end", 0.25}},
                        {{"name", "carry"}, {"start", 0.25}, {"end", 1}}};
  solution["limits"] = {
      {{"kind", "effort"}, {"of", "shoulder"}, {"phase", "carry"}, {"lower", nullptr}, {"upper", 1.2}}};
  const std::string svg = plot_svg({"", "x.json", solution.dump()}, plot_of("torques"));
  EXPECT_TRUE(contains(svg, ">fetch<"));
  EXPECT_TRUE(contains(svg, ">carry<"));
  ASSERT_EQ(count(svg, "class=\"border\""), 1);
  const auto drawn = curves(svg);
  std::size_t at = 0;
  const double border = std::stod(between(svg, "class=\"border\" d=\"M", ' ', at));
  EXPECT_NEAR(border, drawn[0][10].x, 0.02);
  at = 0;
  const double limit = std::stod(between(svg, "class=\"limit\" d=\"M", ' ', at));
  EXPECT_NEAR(limit, border, 0.02);
  solution["phases"] = {7};
  EXPECT_THROW(plot_svg({"", "x.json", solution.dump()}, plot_of("torques")), InputError);
}

TEST(Plot, NoiseIsNotMagnified) {
  Json solution = Json::parse(arm().text);
  for (std::size_t k = 0; k < solution["tau"].size(); ++k) solution["tau"][k] = {10 - 0.008 * double(k % 2), 9.996};
  solution.erase("limits");
  const auto drawn = curves(plot_svg({"", "x.json", solution.dump()}, plot_of("torques")));
  EXPECT_LT(std::abs(drawn[0][1].y - drawn[0][0].y), 2);  // points of a drawing of 75 mm
}

ReportContents several(std::vector<std::pair<std::string, Json>> solutions, const std::string& front = "") {
  ReportContents contents;
  for (const auto& [label, solution] : solutions)
    contents.solutions.push_back({label, label + "/solution.json", solution.dump()});
  contents.front = front;
  return contents;
}

/// Colour: joint; dashes: solution; each with its own duration.
TEST(Plot, SolutionsAreCompared) {
  const Json fast = Json::parse(arm().text);
  const Json slow =
      Json::parse(made_up_solution(shipped("two_link"), {.frames = 61, .duration = 1.5, .amplitude = 0.5}));
  const std::string svg = plot_svg(several({{"fast", fast}, {"slow", slow}}), plot_of("velocities"));
  const auto drawn = curves(svg);
  ASSERT_EQ(drawn.size(), 4u);
  EXPECT_EQ(drawn[0].size(), 41u);
  EXPECT_EQ(drawn[2].size(), 61u);
  EXPECT_NEAR((drawn[2].back().x - drawn[2][0].x) / (drawn[0].back().x - drawn[0][0].x), 1.5, 1e-3);
  const auto y = [](const Json& solution, std::size_t k) { return solution["v"][k][0].get<double>(); };
  const double scale = (drawn[0][20].y - drawn[0][0].y) / (y(fast, 20) - y(fast, 0));
  EXPECT_NEAR(drawn[2][30].y - drawn[0][0].y, scale * (y(slow, 30) - y(fast, 0)), 0.05);
  for (const char* name : {">shoulder<", ">elbow<", ">fast<", ">slow<"}) EXPECT_TRUE(contains(svg, name)) << name;
  EXPECT_THROW(plot_svg(several({{"fast", fast}, {"slow", slow}}), plot_of("snapshots")), InputError);
  Json other = slow;
  for (Json& coordinate : other["coordinates"]) coordinate["unit"] = "m";
  EXPECT_THROW(plot_svg(several({{"fast", fast}, {"other", other}}), plot_of("velocities")), InputError);
}

/// Rows of made_up_front(): time 1 + u costs energy 1 / (1 + u).
TEST(Plot, SweepsShowTheirFrontAndWhatFollows) {
  std::vector<std::pair<std::string, Json>> rows;
  for (int i = 0; i < 4; ++i) {
    rows.push_back({"0" + std::to_string(i),
                    Json::parse(made_up_solution(shipped("two_link"), {.frames = 11, .duration = 1 + 0.1 * i}))});
  }
  const ReportContents sweep = several(rows, made_up_front(4));
  const auto of = [&](const std::string& what) { return plot_svg(sweep, plot_of(what)); };
  const std::string front = of("");
  EXPECT_EQ(front, of("front"));
  EXPECT_TRUE(contains(front, ">time (s)<") && contains(front, ">energy (J)<"));
  ASSERT_EQ(curves(front).size(), 1u);
  const std::vector<Point> points = curves(front)[0];
  ASSERT_EQ(points.size(), 4u);
  const auto energy = [](int i) { return 1 / (1 + 0.1 * i); };
  EXPECT_NEAR((points[1].x - points[0].x) / (points[3].x - points[0].x), 1.0 / 3, 1e-3);
  EXPECT_NEAR((points[1].y - points[0].y) / (points[3].y - points[0].y),
              (energy(1) - energy(0)) / (energy(3) - energy(0)), 1e-3);
  // The largest torque of each row, over the parameter.
  const std::vector<Point> torque = curves(of("largest_torque"))[0];
  const auto most = [&](std::size_t i) {
    double largest = 0;
    for (const Json& tau : rows[i].second["tau"]) {
      for (const Json& one : tau) largest = std::max(largest, std::abs(one.get<double>()));
    }
    return largest;
  };
  EXPECT_NEAR((torque[1].y - torque[0].y) / (torque[3].y - torque[0].y), (most(1) - most(0)) / (most(3) - most(0)),
              1e-2);
  EXPECT_EQ(curves(of("costs")).size(), 2u);
  // A fan of all rows, of the joint that reaches farthest or of those that are named.
  const std::string fan = of("positions");
  EXPECT_EQ(curves(fan).size(), 4u);
  EXPECT_TRUE(contains(fan, ">u = 0.2<"));
  PlotOptions both = plot_of("positions");
  both.joints = {"shoulder", "elbow"};
  EXPECT_EQ(curves(plot_svg(sweep, both)).size(), 8u);
  EXPECT_THROW(plot_svg(arm(), plot_of("front")), InputError);
  // Without weights that change nothing competes; rows that failed are dots of their own.
  Json alone = Json::parse(made_up_front(4));
  for (Json& row : alone["rows"]) {
    for (Json& cost : row["costs"]) cost["weight"] = 1;
  }
  alone["rows"][3]["status"] = "not_found", alone["rows"][3]["cost"] = nullptr;
  const ReportContents plain = several(rows, alone.dump());
  EXPECT_THROW(plot_svg(plain, plot_of("front")), InputError);
  EXPECT_EQ(curves(plot_svg(plain, plot_of("")))[0].size(), 3u);
  EXPECT_TRUE(contains(plot_svg(plain, plot_of("duration")), ">not solved<"));
  EXPECT_THROW(plot_svg(several(rows, R"({"format":"verne-front/1","rows":[7]})"), plot_of("cost")), InputError);
}

TEST(Plot, StridesAreDrawnOverTheGaitCycle) {
  Json step = Json::parse(made_up_solution(shipped("two_link"), {.frames = 11}));
  const auto curve = [](const char* name, double by) {
    return Json{{"name", name}, {"unit", "deg"}, {"values", {0 * by, 10 * by, 30 * by, 10 * by, 0 * by}}};
  };
  step["stride"] = {
      {"percent", {0, 25, 50, 75, 100}},
      {"curves", {curve("hip_flexion_r_deg", 1), curve("knee_angle_r_deg", 2), curve("knee_angle_l_deg", 1)}}};
  EXPECT_THROW(plot_svg(arm(), plot_of("stride")), InputError);
  PlotOptions options = plot_of("stride");
  MeasuredCurves measured;
  measured.percent = {0, 50, 100};
  measured.curves = {{"hip", "hip_flexion_r_deg", {0, 20, 0}, {5, 5, 5}}};
  options.measured = measured;
  const std::string svg = plot_svg(several({{"walk", step}}), options);
  EXPECT_EQ(curves(svg).size(), 4u);  // the measured one, hip, both knees
  EXPECT_EQ(count(svg, "class=\"band\""), 1);
  for (const char* word : {">hip flexion (deg)<", ">gait cycle (%)<", ">right<", ">left<"})
    EXPECT_TRUE(contains(svg, word)) << word;
  options.joints = {"hip_flexion_r_deg"};
  const auto alone = curves(plot_svg(several({{"walk", step}}), options));
  ASSERT_EQ(alone.size(), 2u);
  // At half of the cycle 20 was measured, with 15 to 25 in the band, and 30 predicted.
  const double zero = alone[1][0].y, unit = (alone[1][2].y - zero) / 30;
  EXPECT_NEAR(alone[0][1].y, zero + 20 * unit, 0.03);
  EXPECT_NEAR(alone[0][1].x, alone[1][2].x, 0.02);
  EXPECT_EQ(curves(plot_svg(several({{"slow", step}, {"quick", step}}), options)).size(), 3u);
  options.joints = {"hip_flexion_deg"};
  EXPECT_THROW(plot_svg(several({{"walk", step}}), options), InputError);
  options = plot_of("torques"), options.measured = measured;
  EXPECT_THROW(plot_svg(several({{"walk", step}}), options), InputError);
}

/// The sticks of each snapshot: pairs of ends in drawn points.
std::vector<std::vector<std::pair<Point, Point>>> snapshots(const std::string& svg) {
  std::vector<std::vector<std::pair<Point, Point>>> found;
  for (const std::vector<Point>& corners : curves(svg)) {
    found.emplace_back();
    for (std::size_t i = 0; i + 1 < corners.size(); i += 2) found.back().emplace_back(corners[i], corners[i + 1]);
  }
  return found;
}

double length(const std::pair<Point, Point>& stick) {
  return std::hypot(stick.first.x - stick.second.x, stick.first.y - stick.second.y);
}

/// Both rods of the pendulum, which are equally long, in every snapshot, with its time; the second hangs on the first.
void expect_two_rods(const std::string& svg) {
  const auto drawn = snapshots(svg);
  ASSERT_EQ(drawn.size(), 9u);
  for (const auto& sticks : drawn) {
    ASSERT_EQ(sticks.size(), 2u);
    EXPECT_NEAR(length(sticks[0]), length(drawn[0][0]), 0.05);
    EXPECT_NEAR(length(sticks[1]), length(drawn[0][0]), 0.05);
    EXPECT_NEAR(sticks[0].second.x, sticks[1].first.x, 0.02);
    EXPECT_NEAR(sticks[0].second.y, sticks[1].first.y, 0.02);
    EXPECT_NEAR(sticks[0].first.x, drawn[0][0].first.x, 0.02);
  }
  for (const char* time : {">0 s<", ">0.5 s<", ">1 s<"}) EXPECT_TRUE(contains(svg, time)) << time;
}

TEST(Plot, SnapshotsHaveAllLinksAndTips) {
  const std::string text = made_up_solution(shipped("double_pendulum"), {.frames = 41});
  expect_two_rods(plot_svg({"", "x.json", text}, plot_of("snapshots")));
  // Without the frame at its end, the last rod is as long as its shape.
  Json solution = Json::parse(text);
  solution["model"]["frames"] = Json::array();
  expect_two_rods(plot_svg({"", "x.json", solution.dump()}, plot_of("snapshots")));
}

/// Seen along the axis of its joints, however the pendulum stands in the world: no rod is foreshortened.
TEST(Plot, SnapshotsAreInThePlaneThatShowsThem) {
  Json solution = Json::parse(made_up_solution(shipped("double_pendulum"), {.frames = 41}));
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.6, Eigen::Vector3d::UnitZ()));
  for (auto& [link, rows] : solution["link_poses"].items()) {
    for (Json& pose : rows) {
      const Eigen::Vector3d p = turn * Eigen::Vector3d(pose[0], pose[1], pose[2]);
      const Eigen::Quaterniond q = turn * Eigen::Quaterniond(pose[6], pose[3], pose[4], pose[5]);
      pose = {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w()};
    }
  }
  const std::string svg = plot_svg({"", "x.json", solution.dump()}, plot_of("snapshots"));
  expect_two_rods(svg);
  EXPECT_TRUE(contains(svg, "horizontal, 34° from x (m)"));
}

TEST(Plot, NamesAreEscaped) {
  Json solution = Json::parse(arm().text);
  solution["coordinates"][0]["name"] = "<script>&\"\x01";
  const std::string svg = plot_svg({"", "x.json", solution.dump()}, plot_of("torques"));
  EXPECT_FALSE(contains(svg, "<script"));
  EXPECT_TRUE(contains(svg, "&lt;script&gt;&amp;&quot;<"));
}

TEST(Plot, RefusesWhatItCannotDraw) {
  EXPECT_THROW(plot_svg(arm(), plot_of("torque")), InputError);
  EXPECT_THROW(plot_svg(arm(), plot_of("ground_reactions")), InputError);
  PlotOptions options = plot_of("torques");
  options.joints = {"elbw"};
  try {
    plot_svg(arm(), options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "there is no joint 'elbw' to plot (did you mean 'elbow'?)")) << error.what();
  }
  options.joints = {"elbow", "elbw"};
  try {
    plot_svg(arm(), options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean 'elbow'")) << error.what();
  }
  Json odd = Json::parse(arm().text);
  odd["coordinates"][0] = 3;
  EXPECT_THROW(plot_svg({"", "x.json", odd.dump()}, plot_of("torques")), InputError);
  odd["limits"] = {{{"kind", "effort"}, {"of", "elbow"}, {"active", 7}}};
  EXPECT_THROW(plot_svg({"", "x.json", odd.dump()}, plot_of("torques")), InputError);
}

}  // namespace
}  // namespace verne::test
