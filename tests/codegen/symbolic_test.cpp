/// Parameters as a struct: code of one model, given the parameters of another, against the kernels of the other.
#include <gtest/gtest.h>

#include <cstdint>

#include "codegen/built_code.h"
#include "codegen/module.h"
#include "support/compare.h"
#include "support/paths.h"
#include "support/states.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

constexpr int kRowsOfStates = 2;  ///< of targets that take many

struct SymbolicCase {
  CodeTarget target;
  const char *compiler, *first_argument, *parameters;
  const char* name;
};

/// The RX-90 with friction, and with the parameters of body and joint k times 1 + k scale.
ModelSpec scaled_rx90(double scale) {
  ModelSpec spec = load_model(source_dir() + "/models/rx90.yaml").spec();
  double factor = 1;
  for (LinkSpec& link : spec.links) {
    if (link.joint.type == JointType::fixed) continue;
    factor += scale;
    link.mass *= factor;
    for (double* const x :
         {&link.inertia.xx, &link.inertia.xy, &link.inertia.xz, &link.inertia.yy, &link.inertia.yz, &link.inertia.zz}) {
      *x *= factor;
    }
    DofSpec& dof = link.joint.dofs[0];
    dof.rotor_inertia *= factor, dof.viscous = 0.7 * factor, dof.coulomb = 0.3 * factor, dof.friction_width = 0.2;
  }
  return spec;
}

/// A function of the same arrays that brings the parameters along, those of body k times 1 + k scale.
std::string with_parameters(const SymbolicCase& c, const Model& model, const codegen::Want& want, bool grouped,
                            double scale) {
  const codegen::Trace trace = codegen::trace(model, want, {.grouped = grouped, .symbolic = true});
  std::string arguments = c.first_argument, values = arguments.empty() ? "" : "count, ";
  values += c.parameters;
  if (!arguments.empty()) arguments += ", ";
  for (const codegen::TracedInput& input : trace.inputs) {
    arguments += "const double *" + input.name + ", ", values += ", " + input.name;
  }
  for (const codegen::TracedOutput& output : trace.outputs) {
    arguments += "double *" + output.name + ", ", values += ", " + output.name;
  }
  arguments.erase(arguments.size() - 2);
  const std::string linkage = c.target == CodeTarget::cuda ? "extern \"C\" " : "";
  const std::string prototype = linkage + "void other_" + want.name + "(" + arguments + ")";
  std::string out = prototype + ";\n" + prototype + " {\n  m_parameters p;\n  m_model_parameters(&p);\n";
  for (const codegen::Symbol& symbol : trace.symbols) {
    const int body = std::stoi(symbol.name.substr(symbol.name.find_first_of("0123456789")));
    out += "  p." + symbol.name + " *= " + std::to_string(1 + body * scale) + ";\n";
  }
  return out + "  m_derive(&p);\n  m_" + want.name + "(" + values + ");\n}\n";
}

class SymbolicCode : public testing::TestWithParam<SymbolicCase> {
 protected:
  void SetUp() override {
    if (!has_command("cc") || !has_command("c++")) GTEST_SKIP() << "no compiler";
  }

  /// Code of the RX-90 with the parameters of the scaled one.
  void expect_other(bool grouped, double scale) {
    const SymbolicCase& c = GetParam();
    const Model model = build_model(scaled_rx90(0)), other = build_model(scaled_rx90(scale));
    const std::vector<std::string> words{"regressor", "tau", "mass_matrix"};
    CodeOptions options{.target = c.target, .grouped = grouped, .symbolic = true, .lanes = kRowsOfStates, .name = "m"};
    options.want.assign(words.begin() + (c.target == CodeTarget::cuda), words.end());
    GeneratedCode code = generate_code(model, options);
    for (const char* const word : {"tau", "mass_matrix"}) {
      code.files[code.files.size() > 1 ? 1 : 0].text +=
          with_parameters(c, model, codegen::parse_want(word, model), grouped, scale);
    }
    const BuiltCode built(code, c.compiler);
    ASSERT_EQ(built.log(), "");

    const int count = c.target == CodeTarget::c ? 1 : kRowsOfStates, n = model.nv();
    Eigen::MatrixXd q(count, n), v(count, n), a(count, n), tau(count, n), M(count, n * n);
    std::mt19937_64 rng(5);
    for (int k = 0; k < count; ++k) {
      const State s = random_state(model, rng);
      q.row(k) = s.q, v.row(k) = s.v, a.row(k) = s.a;
    }
    std::vector<void*> of_tau{q.data(), v.data(), a.data(), tau.data()}, of_M{q.data(), M.data()};
    const std::intptr_t first = c.target == CodeTarget::lanes ? 1 : count;  // blocks, or states
    for (std::vector<void*>* const arguments : {&of_tau, &of_M}) {
      if (c.target != CodeTarget::c) arguments->insert(arguments->begin(), reinterpret_cast<void*>(first));
    }
    built.call("other_tau", of_tau);
    built.call("other_mass_matrix", of_M);
    Data<double> data(other);
    for (int k = 0; k < count; ++k) {
      const Eigen::VectorXd qk = q.row(k), vk = v.row(k), ak = a.row(k), Mk = M.row(k);
      EXPECT_TRUE(close(tau.row(k).transpose(), inverse_dynamics(other, data, qk, vk, ak), 1e-12));
      EXPECT_TRUE(close(Mk.reshaped(n, n), mass_matrix(other, data, qk), 1e-12));
    }
  }
};

TEST_P(SymbolicCode, TakesTheParametersOfAnotherModel) {
  expect_other(false, 0.1);
}

TEST_P(SymbolicCode, HasTheBaseParametersOfItsOwn) {
  expect_other(true, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Targets, SymbolicCode,
    testing::Values(SymbolicCase{CodeTarget::c, "cc -std=c99 -O0 -Wall -Wextra -Wpedantic -Werror", "", "&p", "c"},
                    SymbolicCase{CodeTarget::lanes, "cc -O0 -Wall -Wextra -Werror", "long count", "&p", "lanes"},
                    SymbolicCase{CodeTarget::cuda, "c++ -x c++ -O0 -Wall -Wextra -Werror", "long long count", "p",
                                 "cuda"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace verne::test
