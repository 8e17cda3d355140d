#include <cmath>
#include <random>

#include "codegen/module.h"
#include "codegen/statements.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/regressor.h"

namespace verne::codegen {

namespace {

constexpr int kStates = 3;
constexpr unsigned kSeed = 3;

std::vector<double> by_column(const Eigen::MatrixXd& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

struct Check {
  std::string arrays, calls;
};

/// What the comparison allows, relative to the largest entry: rounding, and what the inverse of M makes of it.
double tolerance(const Module& module, Quantity quantity) {
  const bool solves = module.closed || quantity == Quantity::acceleration || quantity == Quantity::d_acceleration;
  if (module.options.single_precision) return solves ? 1e-2 : 5e-5;
  return solves ? 1e-9 : 1e-12;
}

std::string array_text(const Module& module, const std::string& name, const std::vector<double>& values) {
  std::string out = "static const " + module.scalar() + " " + name + "[] = {";
  for (const double x : values) {
    out += (x < 0 ? "-" : "") + module.number(std::abs(x)) + ", ";
  }
  return out.erase(out.size() - 2) + "};\n";
}

/// A state, and what the library computes for it.
struct Sample {
  std::vector<double> q, v, third;
  std::vector<std::vector<double>> expected;
};

Sample sample_of(const Module& module, const Want& want, std::mt19937_64& generator) {
  if (module.closed) {
    const ClosedTestState s = closed_test_state(*module.closed, static_cast<unsigned>(generator()));
    const bool forward = want.quantity == Quantity::acceleration || want.quantity == Quantity::loop_wrenches;
    return {by_column(s.q), by_column(s.v), by_column(forward ? s.tau : s.a),
            closed_reference(*module.closed, want, s)};
  }
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&] {
    return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(module.model.nv(), [&] { return uniform(generator); }));
  };
  const Eigen::VectorXd q = random_configuration(module.model, generator), v = random(), third = random();
  return {by_column(q), by_column(v), by_column(third), reference(module.model, want, q, v, third)};
}

Check check_of(const Module& module, const Function& function, std::mt19937_64& generator) {
  Check out;
  for (int state = 0; state < kStates; ++state) {
    const std::string suffix = "_" + function.name() + std::to_string(state);
    const Sample sample = sample_of(module, function.trace.want, generator);
    const std::vector<double>* const values[] = {&sample.q, &sample.v, &sample.third};
    std::string arguments = function.reads_parameters() ? "&parameters, " : "";
    for (std::size_t i = 0; i < function.trace.inputs.size(); ++i) {
      const std::string name = function.trace.inputs[i].name + suffix;
      out.arrays += array_text(module, name, *values[i]);
      arguments += name + ", ";
    }
    std::string compare;
    for (std::size_t o = 0; o < function.trace.outputs.size(); ++o) {
      const TracedOutput& output = function.trace.outputs[o];
      const std::string name = output.name, count = std::to_string(output.rows * output.columns);
      out.calls += "  static " + module.scalar() + " " + name + suffix + "[" + count + "];\n";
      arguments += name + suffix + ", ";
      if (o >= sample.expected.size()) {
        compare += "  wrong += !(" + name + suffix + "[0] >= 1);\n";
        continue;
      }
      out.arrays += array_text(module, "expected_" + name + suffix, sample.expected[o]);
      compare += "  wrong += differs(\"" + function.name() + ", " + name + "\", " + name + suffix + ", expected_" +
                 name + suffix + ", " + count + ", " + decimal(tolerance(module, function.trace.want.quantity)) +
                 ");\n";
    }
    out.calls +=
        "  " + module.name + "_" + function.name() + "(" + arguments.erase(arguments.size() - 2) + ");\n" + compare;
  }
  return out;
}

}  // namespace

std::vector<std::vector<double>> reference(const Model& model, const Want& want, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v, const Eigen::VectorXd& third) {
  Data<double> data(model);
  const int nv = model.nv();
  switch (want.quantity) {
    case Quantity::tau:
      return {by_column(inverse_dynamics(model, data, q, v, third))};
    case Quantity::joint_wrenches: {
      const auto out = inverse_dynamics_and_wrenches(model, data, q, v, third);
      return {by_column(out.tau), by_column(out.wrenches)};
    }
    case Quantity::gravity:
      return {by_column(gravity_torques(model, data, q))};
    case Quantity::bias:
      return {by_column(bias_torques(model, data, q, v))};
    case Quantity::mass_matrix:
      return {by_column(mass_matrix(model, data, q))};
    case Quantity::acceleration:
      return {by_column(forward_dynamics(model, data, q, v, third))};
    case Quantity::pose: {
      Kinematics<double> kinematics(model);
      forward_kinematics(model, data, q, kinematics);
      return {by_column(kinematics.poses.col(want.site))};
    }
    case Quantity::jacobian: {
      Matrix6X<double> J(6, nv);
      jacobian(model, data, q, want.site, J);
      return {by_column(J)};
    }
    case Quantity::d_tau: {
      Eigen::MatrixXd dq(nv, nv), dv(nv, nv), da(nv, nv);
      inverse_dynamics_derivatives(model, data, q, v, third, dq, dv, da);
      return {by_column(dq), by_column(dv), by_column(da)};
    }
    case Quantity::d_acceleration: {
      Eigen::MatrixXd dq(nv, nv), dv(nv, nv), dtau(nv, nv);
      Eigen::VectorXd a(nv);
      forward_dynamics_derivatives(model, data, q, v, third, a, dq, dv, dtau);
      return {by_column(dq), by_column(dv), by_column(dtau)};
    }
    case Quantity::regressor:
      return {by_column(regressor(model, data, q, v, third))};
    default:  // is not known as code
      return {};
  }
}

GeneratedFile write_self_test(const Module& module) {
  std::mt19937_64 generator(kSeed);
  std::string arrays, calls;
  bool parameters = false;
  for (const Function& function : module.functions) {
    const Check check = check_of(module, function, generator);
    arrays += check.arrays;
    calls += check.calls;
    parameters = parameters || function.reads_parameters();
  }
  const std::string name = module.name, scalar = module.scalar();
  std::string out = title(module, name + "_test.c") + "#include \"" + name + ".h\"\n\n#include <stdio.h>\n\n";
  out += "static double size_of(double x) {\n  return x < 0 ? -x : x;\n}\n\n";
  out += "/* Says so where two arrays differ by more than a part of the largest entry. */\n";
  out +=
      "static int differs(const char *what, const " + scalar + " *found, const " + scalar +
      " *expected, int count, double part) {\n"
      "  double largest = 1e-2, off = 0;\n"
      "  for (int k = 0; k < count; ++k) {\n"
      "    const double error = size_of((double)found[k] - (double)expected[k]), size = size_of((double)expected[k]);\n"
      "    if (size > largest) largest = size;\n"
      "    if (!(error <= off)) off = error;\n"
      "  }\n"
      "  if (off <= part * largest) return 0;\n"
      "  printf(\"%s: off by %g of the largest entry\\n\", what, off / largest);\n"
      "  return 1;\n}\n\n";
  out += "/* States, and what the library computes for them. */\n" + arrays + "\nint main(void) {\n  int wrong = 0;\n";
  if (parameters) out += "  " + name + "_parameters parameters;\n  " + name + "_model_parameters(&parameters);\n";
  out += calls + "  printf(\"" + name + ": %d of the arrays are wrong\\n\", wrong);\n  return wrong != 0;\n}\n";
  return {name + "_test.c", out};
}

}  // namespace verne::codegen
