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

/// A quantity, and what its function reads and writes.
struct TracedWant {
  TracedWant(const codegen::ClosedSubject& subject, const std::string& word)
      : want(codegen::parse_want(word, subject.mechanism.model())), trace(codegen::trace_closed(subject, want)) {}
  codegen::Want want;
  codegen::Trace trace;
};
std::vector<TracedWant> traced(const codegen::ClosedSubject& subject, const std::vector<std::string>& wants) {
  std::vector<TracedWant> out;
  for (const std::string& word : wants) out.emplace_back(subject, word);
  return out;
}

const Eigen::VectorXd& input_of(const codegen::ClosedTestState& s, const std::string& name) {
  return name == "q" ? s.q : name == "v" ? s.v : name == "a" ? s.a : s.tau;
}

/// Arrays of each function of `code` for one state, by name of the function and the output.
std::map<std::string, Eigen::VectorXd> results(const GeneratedCode& code, const BuiltCode& built,
                                               const std::vector<TracedWant>& wants,
                                               const codegen::ClosedTestState& s) {
  std::map<std::string, Eigen::VectorXd> out;
  for (const auto& [want, trace] : wants) {
    std::vector<Eigen::VectorXd> inputs, found;
    for (const codegen::TracedInput& input : trace.inputs) inputs.push_back(input_of(s, input.name));
    for (const codegen::TracedOutput& output : trace.outputs) {
      found.emplace_back(Eigen::VectorXd::Constant(output.rows * output.columns, NAN));
    }
    std::vector<void*> arguments;
    for (Eigen::VectorXd& x : inputs) arguments.push_back(x.data());
    for (Eigen::VectorXd& x : found) arguments.push_back(x.data());
    built.call(code.name + "_" + want.name, arguments);
    for (std::size_t o = 0; o < found.size(); ++o) out[want.name + " " + trace.outputs[o].name] = found[o];
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
  const std::vector<TracedWant> functions = traced(subject, wants);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const codegen::ClosedTestState s = codegen::closed_test_state(subject, seed);
    const auto found = results(code, built, functions, s);
    for (const auto& [want, trace] : functions) {
      const std::string& word = want.name;
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

/// Two states side by side: in lanes, and as threads of a GPU have them, on the host.
void expect_side_by_side(const Model& model, CodeTarget target, const std::vector<std::string>& wants) {
  const codegen::ClosedSubject subject = codegen::closed_subject(model, {});
  const GeneratedCode code =
      generate_code(model, {.want = wants, .target = target, .lanes = 2, .snap = 0, .name = "m"});
  const bool lanes = target == CodeTarget::lanes;
  const BuiltCode built(code, lanes ? "cc -O0" : "c++ -x c++ -O0");
  ASSERT_EQ(built.log(), "");
  const codegen::ClosedTestState states[] = {codegen::closed_test_state(subject, 1),
                                             codegen::closed_test_state(subject, 2)};
  for (const auto& [want, trace] : traced(subject, wants)) {
    std::vector<Eigen::VectorXd> arrays;
    for (const codegen::TracedInput& input : trace.inputs) {
      Eigen::VectorXd& both = arrays.emplace_back(2 * input.size);
      for (int k = 0; k < 2; ++k) {
        const Eigen::VectorXd& own = input_of(states[k], input.name);
        both(Eigen::seqN(k, own.size(), 2)) = own;
      }
    }
    for (const codegen::TracedOutput& output : trace.outputs) {
      arrays.emplace_back(Eigen::VectorXd::Constant(2 * output.rows * output.columns, NAN));
    }
    const long long count = lanes ? 1 : 2;  // blocks, or states
    std::vector<void*> arguments{reinterpret_cast<void*>(count)};
    for (Eigen::VectorXd& x : arrays) arguments.push_back(x.data());
    built.call(code.name + "_" + want.name, arguments);
    for (int k = 0; k < 2; ++k) {
      const auto expected = codegen::closed_reference(subject, want, states[k]);
      for (std::size_t o = 0; o < expected.size(); ++o) {
        const Eigen::Map<const Eigen::VectorXd> x(expected[o].data(), Eigen::Index(expected[o].size()));
        const Eigen::VectorXd& found = arrays[trace.inputs.size() + o];
        EXPECT_TRUE(close(found(Eigen::seqN(k, x.size(), 2)), x, kSameSums))
            << want.name << " " << trace.outputs[o].name;
      }
      EXPECT_GE(arrays.back()[k], 1);
    }
  }
}
TEST(ClosedCode, InLanesAndOnDevices) {
  if (!has_command("cc") || !has_command("c++")) GTEST_SKIP() << "no compilers";
  const std::vector<std::string> all{"acceleration", "loop_wrenches", "tau", "joint_wrenches"};
  for (const CodeTarget target : {CodeTarget::lanes, CodeTarget::cuda}) {
    expect_side_by_side(model_of_loops("four_bar"), target, all);
    expect_side_by_side(model_of_loops("five_bar"), target, all);
  }
}
TEST(ClosedCode, OfCassie) {
  if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  const std::string file = source_dir() + "/../shared/robots/menagerie/agility_cassie/cassie.xml";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the folder shared/robots beside the project is not there";
  expect_side_by_side(load_model(file), CodeTarget::lanes, {"acceleration"});
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
  const std::vector<TracedWant> functions = traced(subject, kDirect);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    codegen::ClosedTestState s = codegen::closed_test_state(subject, seed);
    const Eigen::MatrixXd J = contact_jacobian(model, s.q);
    const Eigen::VectorXd any = Eigen::VectorXd::LinSpaced(model.nv(), -1, 1);
    s.v = any - J.transpose() * (J * J.transpose()).ldlt().solve(J * any);
    const auto found = results(code, built, functions, s);
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
