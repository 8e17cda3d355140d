#include <algorithm>
#include <cctype>

#include "codegen/math_text.h"
#include "codegen/module.h"
#include "codegen/parameter_struct.h"
#include "codegen/parts.h"
#include "codegen/statements.h"

namespace verne::codegen {

namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> arguments_of(const Module& module, const Function& function, const char* restricted) {
  std::vector<std::string> out;
  if (function.reads_parameters()) out.push_back("const " + name_of_struct(module) + " *p");
  for (const TracedInput& input : function.trace.inputs) {
    out.push_back("const " + module.scalar() + " *" + restricted + input.name);
  }
  for (const TracedOutput& output : function.trace.outputs) {
    out.push_back(module.scalar() + " *" + restricted + output.name);
  }
  return out;
}

std::string prototype(const Module& module, const Function& function, const char* restricted) {
  std::string out = "void " + module.name + "_" + function.name() + "(";
  for (const std::string& argument : arguments_of(module, function, restricted)) out += argument + ", ";
  return out.erase(out.size() - 2) + ")";
}

Dialect c_dialect(const Module& module, const Function& function) {
  const bool single = module.options.single_precision;
  const bool inlined = module.options.math == CodeMath::inline_source;
  const Trace* const trace = &function.trace;
  const std::string suffix = single ? "f" : "";
  Dialect d = one_state_dialect(module);
  d.input = [trace](int array, int k) {
    return trace->inputs[static_cast<std::size_t>(array)].name + "[" + std::to_string(k) + "]";
  };
  d.output = [trace](int o, int row, int column) {
    const TracedOutput& output = trace->outputs[static_cast<std::size_t>(o)];
    return output.name + "[" + std::to_string(column * output.rows + row) + "]";
  };
  d.parameter = [&function](int k) { return "p->" + field(function, k); };
  d.sine = [=](int k) { return inlined ? "sn[" + std::to_string(k) + "]" : "s" + std::to_string(k); };
  d.cosine = [=](int k) { return inlined ? "cs[" + std::to_string(k) + "]" : "c" + std::to_string(k); };
  const std::string tanh = inlined && !single ? module.name + "_tanh" : "tanh" + suffix;
  d.tanh = [=](const std::string& x) { return tanh + "(" + x + ")"; };
  return d;
}

bool uses(const Function& function, Op op, int operand = -1) {
  const std::vector<Node>& nodes = function.trace.graph.nodes();
  for (int k = 0; k < static_cast<int>(nodes.size()); ++k) {
    const Node& node = nodes[static_cast<std::size_t>(k)];
    if (node.op == op && (operand < 0 || node.a == operand) && function.schedule.uses(k) > 0) return true;
  }
  return false;
}

/// Statements, and those that have to come before.
struct Body {
  std::string before, statements;
};

/// Sines and cosines one after the other: `const double s0 = sin(q[0]);`
Body libm_body(const Module& module, const Function& function, const Dialect& dialect) {
  const std::string suffix = module.options.single_precision ? "f" : "";
  const auto set_angle = [&](int k, const std::string& angle) {
    const int node = function.schedule.angles()[static_cast<std::size_t>(k)];
    const auto line = [&](const char* name, const char* call) {
      return "  const " + module.scalar() + " " + name + std::to_string(k) + " = " + call + suffix + "(" + angle +
             ");\n";
    };
    return (uses(function, Op::sine, node) ? line("s", "sin") : "") +
           (uses(function, Op::cosine, node) ? line("c", "cos") : "");
  };
  const Statements s = statements_of(function.trace, function.schedule, dialect, Trigonometry::where_used, set_angle);
  return {"", s.angles + s.results};
}

/// All of them side by side, in arrays that fill whole registers.
Body inline_body(const Module& module, const Function& function, const Dialect& dialect) {
  const std::size_t count = function.schedule.angles().size();
  const auto set_angle = [](int k, const std::string& angle) {
    return "  x[" + std::to_string(k) + "] = " + angle + ";\n";
  };
  const Statements s = statements_of(function.trace, function.schedule, dialect, Trigonometry::side_by_side, set_angle);
  if (count == 0) return {"", s.results};
  const std::string size = upper(module.name) + "_PADDED(" + std::to_string(count) + ")";
  return {"  " + module.scalar() + " x[" + size + "] = {0}, sn[" + size + "], cs[" + size + "];\n" + s.angles + "  " +
              module.name + "_sincos(" + size + ", x, sn, cs);\n",
          s.results};
}

std::string definition(const Module& module, const Function& function) {
  const Dialect dialect = c_dialect(module, function);
  const bool inlined = module.options.math == CodeMath::inline_source;
  const Body body = inlined ? inline_body(module, function, dialect) : libm_body(module, function, dialect);
  PartFrame frame{module.name + "_" + function.name(), module.scalar(), arguments_of(module, function, "restrict ")};
  if (inlined && !function.schedule.angles().empty()) {
    for (const char* array : {"sn", "cs"})
      frame.parameters.push_back("const " + module.scalar() + " *restrict " + array);
  }
  const Parts parts = in_parts(body.before, body.statements, frame);
  std::string out = parts.functions + prototype(module, function, "restrict ") + " {\n";
  // Inputs that the result does not depend on.
  for (std::size_t i = 0; i < function.trace.inputs.size(); ++i) {
    if (!uses(function, Op::input, static_cast<int>(i))) out += "  (void)" + function.trace.inputs[i].name + ";\n";
  }
  return out + parts.body + "}\n";
}

std::string header_text(const Module& module) {
  const std::string guard = upper(module.name) + "_H", name = module.name;
  std::string out = title(module, name + ".h");
  out += "/* With make:  cc -O2 -c " + name + ".c, and -lm when linking;  its test: cc -O2 " + name + ".c " + name +
         "_test.c -lm\n * With CMake: add_library(" + name + " STATIC " + name +
         ".c)\n"
         " *\n * Functions keep no state: threads and interrupts may call them side by side. They use no heap, and "
         "arrays must\n"
         " * not overlap. */\n";
  out += "#ifndef " + guard + "\n#define " + guard + "\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  out += struct_of_parameters(module) + prototypes_of_parameters(module);
  for (const Function& function : module.functions) {
    out += description(module, function) + prototype(module, function, "") + ";\n\n";
  }
  return out + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

std::string math_text(const Module& module) {
  if (module.options.math != CodeMath::inline_source) return "";
  const bool single = module.options.single_precision;
  const auto any = [&](auto&& has) { return std::any_of(module.functions.begin(), module.functions.end(), has); };
  std::string out;
  if (any([](const Function& f) { return !f.schedule.angles().empty(); })) {
    const std::string pad = upper(module.name) + "_PAD";
    out +=
        "#ifdef __FAST_MATH__\n#error \"rounding to integers needs exact arithmetic: compile without -ffast-math\"\n"
        "#endif\n#if defined(__AVX512F__)\n#define " +
        pad + " 8\n#elif defined(__AVX__)\n#define " + pad + " 4\n#else\n#define " + pad +
        " 1\n#endif\n/* Whole registers of angles. */\n#define " + pad + "DED(count) (((count) + " + pad + " - 1) / " +
        pad + " * " + pad + ")\n\n" + sincos_in_c(module.name, single);
  }
  if (!single && any([](const Function& f) { return uses(f, Op::tanh); })) out += tanh_in_c(module.name);
  return out;
}

}  // namespace

std::vector<GeneratedFile> write_c(const Module& module) {
  const std::string name = module.name;
  std::string source = title(module, name + ".c") + "#include \"" + name + ".h\"\n\n#include <math.h>\n";
  if (module.options.math == CodeMath::inline_source) source += "#include <string.h>\n";
  source += "\n" + math_text(module) + functions_of_parameters(module);
  for (const Function& function : module.functions) source += definition(module, function) + "\n";
  source.pop_back();
  return {{name + ".h", header_text(module)}, {name + ".c", source}, write_self_test(module)};
}

}  // namespace verne::codegen
