/// How short generated code is: the counts that SYMORO and Khalil are known for.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "codegen/graph.h"
#include "codegen/module.h"
#include "codegen/traced.h"
#include "support/complaint.h"
#include "support/paths.h"
#include "verne/codegen/generate.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

/// The RX-90's geometry without rotors.
ModelSpec bare_rx90() {
  ModelSpec spec = load_model(source_dir() + "/models/rx90.yaml").spec();
  for (LinkSpec& link : spec.links) {
    for (DofSpec& dof : link.joint.dofs) dof = {};
  }
  return spec;
}

long operations(const ModelSpec& spec, const CodeOptions& options) {
  const QuantityCost cost = generate_code(build_model(spec), options).costs[0];
  return cost.multiplications + cost.additions;
}

TEST(CodeCounts, FullParametersOfTheRx90) {
  ModelSpec spec = bare_rx90();
  int k = 0;
  for (LinkSpec& link : spec.links) {
    if (link.joint.type == JointType::fixed) continue;
    const double x = 0.01 * ++k;
    link.mass = 10 - k, link.com = {0.1 + x, 0.07 - x, 0.05 + 2 * x};
    link.inertia = {0.5, 0.02, 0.03, 0.45, 0.01, 0.3};
  }
  EXPECT_LE(operations(spec, {.symbolic = true}), 471);  // Khalil and Dombre: 491, OpenSYMORO: 505
  EXPECT_LE(operations(spec, {}), 471);
}

TEST(CodeCounts, SymmetricParametersOfTheRx90) {
  EXPECT_LE(operations(bare_rx90(), {.symbolic = true}), 244);  // Khalil and Dombre: 273, OpenSYMORO: 310
}

TEST(CodeCounts, GroupingAndDerivativesOfAnArm) {
  const ModelSpec arm = load_model(source_dir() + "/models/arm7.yaml").spec();
  const long grouped = operations(arm, {}), own = operations(arm, {.grouped = false});
  EXPECT_LE(grouped, 318);
  EXPECT_LT(grouped, own);
  EXPECT_LE(operations(arm, {.want = {"d_tau"}}), 2806);
  EXPECT_LE(operations(arm, {.want = {"mass_matrix"}}), 236);
}

/// A file with few digits: its right angles are not quite right.
TEST(CodeCounts, AnglesThatAreNearlyRight) {
  const ModelSpec exact = bare_rx90();
  ModelSpec rounded = exact;
  for (LinkSpec& link : rounded.links) link.X_PJ.R = link.X_PJ.R * rotation_x(3e-6);
  const long few = operations(exact, {.snap = 0});
  EXPECT_GT(operations(rounded, {}), few);
  EXPECT_EQ(operations(rounded, {.snap = 1e-5}), few);
  EXPECT_EQ(operations(exact, {}), few);
  const std::string head = generate_code(build_model(rounded), {.snap = 1e-5}).files[0].text;
  EXPECT_NE(head.find("multiples of 30 or 45 degrees but for 3e-06 rad at most"), std::string::npos) << head;
  EXPECT_EQ(generate_code(build_model(rounded), {}).files[0].text.find("snap"), std::string::npos);
  for (const double snap : {-1e-9, 2e-3, std::nan("")}) {
    EXPECT_EQ(complaint<InputError>([&] { generate_code(build_model(exact), {.snap = snap}); }),
              "error: codegen: snap is an angle from 0 to 0.001 rad, not " + std::string(snap < 0   ? "-1e-09"
                                                                                         : snap > 0 ? "0.002"
                                                                                                    : "nan"));
  }
}

/// The most names of a source that are defined and not used for the last time, over its lines.
int most_names_alive(const std::string& source) {
  const std::regex name(R"(\b[tsc][0-9]+\b)");
  std::map<std::string, std::pair<int, int>> lives;  // first and last line
  std::istringstream lines(source);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    for (std::sregex_iterator k(line.begin(), line.end(), name), end; k != end; ++k) {
      lives.try_emplace(k->str(), count, count).first->second.second = count;
    }
  }
  std::vector<int> change(static_cast<std::size_t>(count) + 1);
  for (const auto& [text, life] : lives) {
    ++change[static_cast<std::size_t>(life.first)], --change[static_cast<std::size_t>(life.second)];
  }
  int alive = 0, most = 0;
  for (const int step : change) most = std::max(most, alive += step);
  return most;
}

/// A thread of a GPU has registers for 127 numbers, and reading ahead takes some. Limb after limb the humanoid stays
/// below, in the order and in the text that follows it; depth first it had 134 of them waiting.
TEST(CodeCounts, TheHumanoidFitsIntoRegisters) {
  const Model model = load_model(source_dir() + "/models/humanoid.yaml");
  const codegen::Function tau(codegen::trace(model, codegen::parse_want("tau", model), {}));
  EXPECT_LE(tau.schedule.max_live(), 88);
  const std::string source =
      generate_code(model, {.target = CodeTarget::cuda, .math = CodeMath::inline_source}).files[0].text;
  EXPECT_LE(most_names_alive(source.substr(source.find("humanoid_tau_state"))), 92);
}

TEST(CodeGraph, Simplifies) {
  codegen::Graph graph;
  const codegen::Tracing tracing(graph);
  using codegen::Traced;
  const Traced x(graph.input(0, 0)), y(graph.input(0, 1)), zero(0.0), one(1.0);
  const auto same = [](const Traced& a, const Traced& b) { return a.term() == b.term(); };
  EXPECT_TRUE(same(x * one + zero, x));
  EXPECT_TRUE(same(x * zero, zero));
  EXPECT_TRUE(same(x - x, zero));
  EXPECT_TRUE(same(x + y, y + x));
  EXPECT_TRUE(same(x - y, -(y - x)));
  EXPECT_TRUE(same((-x) * y, -(x * y)));
  EXPECT_TRUE(same(x + x, Traced(2.0) * x));
  EXPECT_TRUE(same(Traced(2.0) * (Traced(3.0) * x), Traced(6.0) * x));
  EXPECT_TRUE(same(Traced(2.0) * x - Traced(5.0) * x, Traced(-3.0) * x));
  EXPECT_TRUE(same(sin(-x), -sin(x)));
  EXPECT_TRUE(same(cos(-x), cos(x)));
  EXPECT_TRUE(same(x / Traced(4.0), Traced(0.25) * x));
  EXPECT_TRUE(same(Traced(0.1) + Traced(0.2) - Traced(0.3), zero));
}

}  // namespace
}  // namespace verne::test
