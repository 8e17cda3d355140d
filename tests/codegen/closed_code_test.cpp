/// Code for closed loops and held contacts against the library's kernels.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "codegen/built_code.h"
#include "codegen/closed_trace.h"
#include "codegen/module.h"
#include "support/compare.h"
#include "support/complaint.h"
#include "support/paths.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

/// Of the largest entry: the same sums in another order.
constexpr double kSameSums = 1e-12;
const std::vector<std::string> kDirect{"acceleration", "loop_wrenches"};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Model model_of_loops(const std::string& name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

/// Arrays of each function of `code` for one state, by name of the function and the output.
std::map<std::string, Eigen::VectorXd> results(const GeneratedCode& code, const BuiltCode& built,
                                               const codegen::ClosedSubject& subject,
                                               const std::vector<std::string>& wants,
                                               const codegen::ClosedTestState& s) {
  std::map<std::string, Eigen::VectorXd> out;
  for (const std::string& word : wants) {
    const codegen::Want want = codegen::parse_want(word, subject.mechanism.model());
    const codegen::Trace trace = codegen::trace_closed(subject, want);
    std::vector<Eigen::VectorXd> inputs, found;
    for (const codegen::TracedInput& input : trace.inputs) {
      inputs.push_back(input.name == "q" ? s.q : input.name == "v" ? s.v : input.name == "a" ? s.a : s.tau);
    }
    for (const codegen::TracedOutput& output : trace.outputs) {
      found.emplace_back(Eigen::VectorXd::Constant(output.rows * output.columns, NAN));
    }
    std::vector<void*> arguments;
    for (Eigen::VectorXd& x : inputs) arguments.push_back(x.data());
    for (Eigen::VectorXd& x : found) arguments.push_back(x.data());
    built.call(code.name + "_" + want.name, arguments);
    for (std::size_t o = 0; o < found.size(); ++o) out[word + " " + trace.outputs[o].name] = found[o];
  }
  return out;
}

class ClosedCode : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  }
};

TEST_P(ClosedCode, GivesWhatTheKernelsGive) {
  const Model model = model_of_loops(GetParam());
  const codegen::ClosedSubject subject = codegen::closed_subject(model, {});
  std::vector<std::string> wants = kDirect;
  if (std::ranges::equal(subject.mechanism.actuated(), subject.mechanism.independent())) {
    wants.insert(wants.end(), {"tau", "joint_wrenches"});
  }
  const GeneratedCode code =
      generate_code(model, {.want = wants, .math = CodeMath::inline_source, .snap = 0, .name = "m"});
  const BuiltCode built(code, "cc -std=c99 -O0 -Wall -Wextra -Wpedantic -Werror");
  ASSERT_EQ(built.log(), "");
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const codegen::ClosedTestState s = codegen::closed_test_state(subject, seed);
    const auto found = results(code, built, subject, wants, s);
    for (const std::string& word : wants) {
      const codegen::Want want = codegen::parse_want(word, model);
      const codegen::Trace trace = codegen::trace_closed(subject, want);
      const auto expected = codegen::closed_reference(subject, want, s);
      for (std::size_t o = 0; o < expected.size(); ++o) {
        const Eigen::Map<const Eigen::VectorXd> x(expected[o].data(), Eigen::Index(expected[o].size()));
        EXPECT_TRUE(close(found.at(word + " " + trace.outputs[o].name), x, kSameSums)) << word << trace.outputs[o].name;
      }
      EXPECT_GE(found.at(word + " quality")[0], 1);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Models, ClosedCode, testing::Values("four_bar", "five_bar", "gough_stewart"),
                         [](const auto& of) { return std::string(of.param); });

/// The program that comes with the code says so, too.
TEST(ClosedCode, BringsATestThatPasses) {
  if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  const SourceFolder folder;
  folder.write(generate_code(model_of_loops("four_bar"), {.want = {"tau", "loop_wrenches"}, .name = "m"}));
  EXPECT_EQ(folder.run("cc -std=c99 -O0 -Wall -Wextra -Wpedantic -Werror m.c m_test.c -lm && ./a.out"),
            "m: 0 of the arrays are wrong\n");
}

/// Two states side by side in lanes.
TEST(ClosedCode, InLanes) {
  if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  const Model model = model_of_loops("four_bar");
  const codegen::ClosedSubject subject = codegen::closed_subject(model, {});
  const GeneratedCode code =
      generate_code(model, {.want = {"acceleration"}, .target = CodeTarget::lanes, .lanes = 2, .snap = 0, .name = "m"});
  const SourceFolder folder;
  folder.write(code);
  const auto list = [](const char* name, const std::vector<double>& values) {
    std::string out = std::string("static double ") + name + "[] __attribute__((aligned(16))) = {";
    char text[32];
    for (const double x : values) std::snprintf(text, sizeof text, "%.17g, ", x), out += text;
    return out + "};\n";
  };
  const codegen::ClosedTestState a = codegen::closed_test_state(subject, 1), b = codegen::closed_test_state(subject, 2);
  const auto rows = [](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
    std::vector<double> out;
    for (Eigen::Index k = 0; k < x.size(); ++k) out.insert(out.end(), {x[k], y[k]});
    return out;
  };
  const codegen::Want want = codegen::parse_want("acceleration", model);
  const auto of_a = codegen::closed_reference(subject, want, a)[0],
             of_b = codegen::closed_reference(subject, want, b)[0];
  const auto as_vector = [](const std::vector<double>& x) {
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size())));
  };
  std::ofstream(folder / "main.c") << "#include <math.h>\n#include \"m.h\"\n"
                                   << list("q", rows(a.q, b.q)) << list("v", rows(a.v, b.v))
                                   << list("tau", rows(a.tau, b.tau))
                                   << list("expected", rows(as_vector(of_a), as_vector(of_b)))
                                   << "static double found[6] __attribute__((aligned(16))), quality[2] "
                                      "__attribute__((aligned(16)));\n"
                                      "int main(void) {\n  m_acceleration(1, q, v, tau, found, quality);\n"
                                      "  for (int k = 0; k < 6; ++k) if (!(fabs(found[k] - expected[k]) <= 1e-11 * "
                                      "(1 + fabs(expected[k])))) return 1;\n"
                                      "  return !(quality[0] >= 1 && quality[1] >= 1);\n}\n";
  EXPECT_EQ(folder.run("cc -O1 m.c main.c -lm && ./a.out"), "");
}

/// Of two points of contact, world axes.
Eigen::MatrixXd contact_jacobian(const Model& model, const Eigen::VectorXd& q) {
  Data<double> data(model);
  Eigen::MatrixXd rows(6, model.nv());
  for (int k = 0; k < 2; ++k) {
    const ContactSpec& contact = model.contacts()[std::size_t(k)];
    const int link = model.link(contact.link);
    Matrix6X<double> J(6, model.nv());
    jacobian(model, data, q, link, J);
    const Eigen::Vector3d r = forward_kinematics(model, data, q).rotation(link) *
                              Eigen::Vector3d(contact.point.x, contact.point.y, contact.point.z);
    for (Eigen::Index j = 0; j < J.cols(); ++j) {
      rows.block<3, 1>(3 * k, j) = J.col(j).head<3>() + Eigen::Vector3d(J.col(j).tail<3>()).cross(r);
    }
  }
  return rows;
}

/// A quadruped that turns and moves on two feet, anywhere: against articulated bodies, which know nothing of loops.
TEST(ClosedCode, HoldsContacts) {
  if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  const Model model = model_of_loops("quadruped");
  const std::vector<std::string> names{model.contacts()[0].name, model.contacts()[1].name};
  const codegen::ClosedSubject subject = codegen::closed_subject(model, names);
  const GeneratedCode code = generate_code(model, {.want = kDirect, .snap = 0, .name = "m", .contacts = names});
  const BuiltCode built(code, "cc -std=c99 -O0");
  ASSERT_EQ(built.log(), "");
  for (unsigned seed = 1; seed <= 3; ++seed) {
    codegen::ClosedTestState s = codegen::closed_test_state(subject, seed);
    const Eigen::MatrixXd J = contact_jacobian(model, s.q);
    const Eigen::VectorXd any = Eigen::VectorXd::LinSpaced(model.nv(), -1, 1);
    s.v = any - J.transpose() * (J * J.transpose()).ldlt().solve(J * any);
    const auto found = results(code, built, subject, kDirect, s);
    const auto expected =
        codegen::closed_reference(subject, codegen::parse_want("loop_wrenches", subject.mechanism.model()), s);
    const auto as_vector = [](const std::vector<double>& x) {
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size())));
    };
    EXPECT_TRUE(close(found.at("acceleration acceleration"), as_vector(expected[0]), 1e-10)) << seed;
    EXPECT_TRUE(close(found.at("loop_wrenches loop_wrenches"), as_vector(expected[1]), 1e-10)) << seed;
  }
}

TEST(ClosedCode, RefusesWhatItCannotDo) {
  const auto refused = [](const Model& model, const CodeOptions& options) {
    return complaint<InputError>([&] { generate_code(model, options); });
  };
  const Model four_bar = model_of_loops("four_bar");
  EXPECT_TRUE(says(refused(four_bar, {.want = {"d_tau"}}), "not known as code for closed loops"));
  EXPECT_TRUE(says(refused(four_bar, {.target = CodeTarget::cuda}), "with the target cuda"));
  EXPECT_TRUE(says(refused(four_bar, {.symbolic = true}), "with symbolic parameters"));
  EXPECT_TRUE(says(refused(four_bar, {.single_precision = true}), "with single precision"));
  EXPECT_TRUE(says(refused(model_of_loops("quadruped"), {.contacts = {"tail"}}), "no contact 'tail'"));
  // The rocker swings: from its ends the crank may go either way.
  ModelSpec spec = four_bar.spec();
  spec.independent = {"rocker_joint"};
  for (LinkSpec& link : spec.links) link.joint.actuated = link.joint.name == "rocker_joint";
  EXPECT_TRUE(says(refused(build_model(spec), {}), "the rank of the loops changes where 'rocker_joint' is between"));
}

}  // namespace
}  // namespace verne::test
