/// Generated code against the library's kernels: other recursions, in other frames, with other parameters.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "codegen/built_code.h"
#include "codegen/module.h"
#include "support/compare.h"
#include "support/paths.h"
#include "support/states.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

constexpr int kStatesOfCode = 3;
/// The same sums in another order (DESIGN: 1e-13), and with parameters moved from body to body (1e-12).
constexpr double kOwnParameters = 1e-13, kGrouped = 1e-12, kSingle = 5e-5;

const std::vector<std::string> kAllWants{"tau",          "gravity", "bias",           "mass_matrix",
                                         "acceleration", "d_tau",   "d_acceleration", "joint_wrenches"};

struct Arrays {
  std::vector<double> q, v, third;
};

/// What rounding may do: through the inverse of M times its condition number.
double allowed(const Model& model, const codegen::Want& want, const Eigen::VectorXd& q, double rounding) {
  if (want.quantity != Quantity::acceleration && want.quantity != Quantity::d_acceleration) return rounding;
  Data<double> data(model);
  const Eigen::MatrixXd M = mass_matrix(model, data, q);
  const Eigen::VectorXd moments = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues();
  return rounding * std::max(1.0, moments.tail<1>()[0] / moments[0]);
}

Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

template <class T>
std::vector<T> converted(const Eigen::VectorXd& values) {
  std::vector<T> out;
  for (const double x : values) out.push_back(static_cast<T>(x));
  return out;
}

/// Calls each function of code for one state at a time and compares.
template <class T>
void expect_same(const Model& model, const CodeOptions& options, double rounding) {
  const GeneratedCode code = generate_code(model, options);
  const BuiltCode built(code, "cc -std=c99 -O0 -Wall -Wextra -Wpedantic -Werror");
  ASSERT_EQ(built.log(), "");
  std::mt19937_64 rng(11);
  for (const std::string& word : options.want) {
    const codegen::Want want = codegen::parse_want(word, model);
    const codegen::Trace trace = codegen::trace(model, want, {});
    for (int k = 0; k < kStatesOfCode; ++k) {
      const State s = random_state(model, rng);
      std::vector<T> inputs[] = {converted<T>(s.q), converted<T>(s.v), converted<T>(s.a)};
      std::vector<void*> arguments;
      for (std::size_t i = 0; i < trace.inputs.size(); ++i) arguments.push_back(inputs[i].data());
      const auto expected = codegen::reference(model, want, s.q, s.v, s.a);
      std::vector<std::vector<T>> found;
      for (const auto& values : expected) found.emplace_back(values.size(), T(NAN));
      for (auto& values : found) arguments.push_back(values.data());
      built.call(code.name + "_" + want.name, arguments);
      for (std::size_t o = 0; o < expected.size(); ++o) {
        const std::vector<double> values(found[o].begin(), found[o].end());
        EXPECT_TRUE(close(as_vector(values), as_vector(expected[o]), allowed(model, want, s.q, rounding), kSmall))
            << model.name() << " " << word << " " << trace.outputs[o].name;
      }
    }
  }
}

class ShippedCode : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  }
  Model model_ = load_model(source_dir() + "/models/" + GetParam() + ".yaml");
};

TEST_P(ShippedCode, GivesWhatTheKernelsGive) {
  CodeOptions options{.want = kAllWants};
  if (model_.nv() > 14) std::erase_if(options.want, [](const std::string& w) { return w.starts_with("d_"); });
  if (model_.nv() < 10) options.want.push_back("regressor");
  const std::string last = model_.site_name(model_.site_count() - 1);
  options.want.push_back("pose:" + last);
  options.want.push_back("jacobian:" + last);
  options.math = CodeMath::inline_source;
  expect_same<double>(model_, options, kGrouped);
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedCode,
                         testing::Values("arm7", "double_pendulum", "elastic_arm", "human55", "humanoid", "lifting_arm",
                                         "prismatic_revolute", "puma560", "quadruped", "rx90", "shuttle_rms",
                                         "space_arm", "stanford_arm", "two_link"),
                         [](const auto& parameter) { return std::string(parameter.param); });

class RandomCode : public ModelTest {
 protected:
  void SetUp() override {
    if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  }
};
VERNE_ON_EVERY_MODEL(RandomCode);

TEST_P(RandomCode, GivesWhatTheKernelsGive) {
  CodeOptions options{.want = {"tau", "mass_matrix"}, .name = "m"};
  if (model_.nv() <= 12) options.want.push_back("acceleration");
  // Of longer trees, also of those that couplings leave few velocities, compiling the derivatives takes long.
  if (model_.tree().nv <= 8) options.want.insert(options.want.end(), {"d_tau", "d_acceleration"});
  expect_same<double>(model_, options, kGrouped);
}

class CodeOf : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  }
  static Model shipped(const std::string& name) { return load_model(source_dir() + "/models/" + name + ".yaml"); }
};

TEST_F(CodeOf, OwnParametersIsCloser) {
  expect_same<double>(shipped("rx90"), {.want = {"tau", "gravity", "bias", "mass_matrix"}, .grouped = false},
                      kOwnParameters);
}

/// Long functions are several, which hand numbers on.
TEST_F(CodeOf, LongFunctionsAreSplit) {
  const Model model = shipped("quadruped");
  const CodeOptions options{.want = {"d_acceleration"}, .math = CodeMath::inline_source};
  EXPECT_NE(generate_code(model, options).files[1].text.find("quadruped_d_acceleration_part3("), std::string::npos);
  expect_same<double>(model, options, kGrouped);
}

TEST_F(CodeOf, SinglePrecisionIsSo) {
  for (const CodeMath math : {CodeMath::libm, CodeMath::inline_source}) {
    expect_same<float>(shipped("puma560"),
                       {.want = {"tau", "gravity", "bias", "mass_matrix"}, .single_precision = true, .math = math},
                       kSingle);
  }
}

/// The self-test that comes with the code, with both compilers and without a warning, numbers and symbols.
TEST_F(CodeOf, BringsATestThatPasses) {
  const Model model = rich_model();
  for (const bool symbolic : {false, true}) {
    const GeneratedCode code = generate_code(
        model, {.want = {"tau", "mass_matrix"}, .symbolic = symbolic, .math = CodeMath::inline_source, .name = "rich"});
    const SourceFolder folder;
    folder.write(code);
    for (const std::string compiler : {"gcc", "clang"}) {
      if (!has_command(compiler)) continue;
      EXPECT_EQ(
          folder.run(compiler + " -std=c99 -O0 -Wall -Wextra -Wpedantic -Werror rich.c rich_test.c -lm && ./a.out"),
          "rich: 0 of the arrays are wrong\n");
    }
  }
}

/// Compiled and linked for a Cortex-M7, as firmware is.
TEST_F(CodeOf, LinksForAMicrocontroller) {
  if (!has_command("arm-none-eabi-gcc")) GTEST_SKIP() << "no arm-none-eabi-gcc";
  const SourceFolder folder;
  folder.write(generate_code(shipped("rx90"), {.want = {"tau", "gravity"}, .math = CodeMath::inline_source}));
  const std::string compiler =
      "arm-none-eabi-gcc -std=c99 -Wall -Wextra -Werror -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard -mthumb -O2 ";
  EXPECT_EQ(folder.run(compiler + "rx90.c rx90_test.c -lm --specs=rdimon.specs -o rx90.elf"), "");
}

/// An angle that the polynomials cannot reach goes to the C library.
TEST_F(CodeOf, LargeAnglesAreRight) {
  const Model model = shipped("two_link");
  const BuiltCode built(generate_code(model, {.want = {"gravity", "tau"}, .math = CodeMath::inline_source}), "cc -O1");
  Eigen::VectorXd q(2), v(2), a(2), tau(2);
  q << 3e7, -1e12, v << 1, 2, a << 3, 4;
  built.call("two_link_tau", {q.data(), v.data(), a.data(), tau.data()});
  Data<double> data(model);
  EXPECT_TRUE(close(tau, inverse_dynamics(model, data, q, v, a), kGrouped));
}

}  // namespace
}  // namespace verne::test
