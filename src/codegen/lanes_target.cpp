#include <algorithm>

#include "codegen/math_text.h"
#include "codegen/module.h"
#include "codegen/parameter_struct.h"
#include "codegen/parts.h"
#include "codegen/statements.h"

namespace verne::codegen {

namespace {

/// The argument of functions that read parameters: the same for all states.
std::string parameters(const Module& module, const Function& function) {
  return function.reads_parameters() ? "const " + name_of_struct(module) + " *p, " : "";
}

std::string lanes_prototype(const Module& module, const Function& function) {
  std::string out = "void " + module.name + "_" + function.name() + "(long blocks, " + parameters(module, function);
  for (const TracedInput& input : function.trace.inputs) out += "const double *" + input.name + ", ";
  for (const TracedOutput& output : function.trace.outputs) out += "double *" + output.name + ", ";
  return out.erase(out.size() - 2) + ")";
}

Dialect lanes_dialect(const Module& module, const Function& function) {
  const Trace* const trace = &function.trace;
  const std::string lane = module.name + "_lane", bits = module.name + "_bits", name = module.name;
  Dialect d;
  d.scalar = lane;
  d.constant = [](double x) { return decimal(x); };
  d.result = [=](const std::string& x) { return "((" + lane + "){0} + " + x + ")"; };
  d.input = [trace](int array, int k) {
    return trace->inputs[static_cast<std::size_t>(array)].name + "[" + std::to_string(k) + "]";
  };
  d.output = [trace](int o, int row, int column) {
    const TracedOutput& output = trace->outputs[static_cast<std::size_t>(o)];
    return output.name + "[" + std::to_string(column * output.rows + row) + "]";
  };
  d.parameter = [&function](int k) { return "p->" + field(function, k); };
  d.sine = [](int k) { return "sn[" + std::to_string(k) + "]"; };
  d.cosine = [](int k) { return "cs[" + std::to_string(k) + "]"; };
  d.tanh = [=](const std::string& x) { return name + "_tanh_lanes(" + x + ")"; };
  d.square_root = [=](const std::string& x) { return name + "_sqrt(" + x + ")"; };
  d.less = [=](const std::string& a, const std::string& b) { return name + "_less(" + a + ", " + b + ")"; };
  d.select = [=](const std::string& c, const std::string& a, const std::string& b) {
    return name + "_select(" + c + ", " + a + ", " + b + ")";
  };
  return d;
}

bool uses_any(const Module& module, Op op) {
  for (const Function& f : module.functions) {
    const std::vector<Node>& nodes = f.trace.graph.nodes();
    for (int k = 0; k < static_cast<int>(nodes.size()); ++k) {
      if (nodes[static_cast<std::size_t>(k)].op == op && f.schedule.uses(k) > 0) return true;
    }
  }
  return false;
}

std::string block_function(const Module& module, const Function& function) {
  const std::string lane = module.name + "_lane";
  PartFrame frame{module.name + "_" + function.name() + "_block", lane, {}};
  if (function.reads_parameters()) frame.parameters.push_back("const " + name_of_struct(module) + " *p");
  for (const TracedInput& input : function.trace.inputs) {
    frame.parameters.push_back("const " + lane + " *restrict " + input.name);
  }
  for (const TracedOutput& output : function.trace.outputs) {
    frame.parameters.push_back(lane + " *restrict " + output.name);
  }
  std::string head = "static void " + frame.name + "(";
  for (const std::string& parameter : frame.parameters) head += parameter + ", ";
  head.erase(head.size() - 2) += ") {\n";
  for (const TracedInput& input : function.trace.inputs) head += "  (void)" + input.name + ";\n";
  const auto set_angle = [](int k, const std::string& angle) {
    return "  x[" + std::to_string(k) + "] = " + angle + ";\n";
  };
  const Statements s = statements_of(function.trace, function.schedule, lanes_dialect(module, function),
                                     Trigonometry::side_by_side, set_angle);
  const std::string count = std::to_string(function.schedule.angles().size());
  std::string before;
  if (count != "0") {
    before = "  " + lane + " x[" + count + "], sn[" + count + "], cs[" + count + "];\n" + s.angles + "  " +
             module.name + "_sincos(" + count + ", x, sn, cs);\n";
    for (const char* array : {"sn", "cs"}) frame.parameters.push_back("const " + lane + " *restrict " + array);
  }
  const Parts parts = in_parts(before, s.results, frame);
  return parts.functions + head + parts.body + "}\n\n";
}

std::string lanes_definition(const Module& module, const Function& function) {
  const std::string lane = module.name + "_lane";
  std::string out = block_function(module, function) + lanes_prototype(module, function) + " {\n";
  out += "  for (long block = 0; block < blocks; ++block) {\n    " + module.name + "_" + function.name() + "_block(" +
         (function.reads_parameters() ? "p, " : "");
  for (const TracedInput& input : function.trace.inputs) {
    out += "(const " + lane + " *)" + input.name + " + block * " + std::to_string(input.size) + ", ";
  }
  for (const TracedOutput& output : function.trace.outputs) {
    out += "(" + lane + " *)" + output.name + " + block * " + std::to_string(output.rows * output.columns) + ", ";
  }
  return out.erase(out.size() - 2) + ");\n  }\n}\n";
}

/// What a result that is a plain number needs: vector operations know no mixed assignments.
std::string helpers(const Module& module) {
  const std::string lane = module.name + "_lane", bits = module.name + "_bits", name = module.name;
  const std::string lanes = std::to_string(module.options.lanes), bytes = std::to_string(8 * module.options.lanes);
  std::string out = "typedef double " + lane + " __attribute__((vector_size(" + bytes + "), may_alias));\n" +
                    "typedef long long " + bits + " __attribute__((vector_size(" + bytes + "), may_alias));\n\n";
  if (uses_any(module, Op::square_root)) {
    out += "static inline " + lane + " " + name + "_sqrt(" + lane + " x) {\n  for (int i = 0; i < " + lanes +
           "; ++i) x[i] = sqrt(x[i]);\n  return x;\n}\n";
  }
  if (uses_any(module, Op::less)) {
    out += "static inline " + lane + " " + name + "_all(double x) {\n  return (" + lane + "){0} + x;\n}\n";
    out += "#define " + name + "_less(a, b) ((" + lane + ")((" + bits + ")((" + name + "_all(0) + (a)) < (" + name +
           "_all(0) + (b))) & (" + bits + ")" + name + "_all(1.0)))\n";
    out += "#define " + name + "_select(c, a, b) ((" + lane + ")(((" + bits + ")(" + name +
           "_all(0) + (a)) & ((c) != 0.0)) | ((" + bits + ")(" + name + "_all(0) + (b)) & ((c) == 0.0))))\n\n";
  }
  return out;
}

}  // namespace

std::vector<GeneratedFile> write_lanes(const Module& module) {
  const std::string name = module.name;
  std::string header = title(module, name + ".h");
  header +=
      "/* Blocks of " + std::to_string(module.options.lanes) +
      " states: of state s, row r of an array with R rows is at [((s / L) * R + r) * L + s % L], L being that number.\n"
      " * Arrays are aligned to " +
      std::to_string(8 * module.options.lanes) +
      " bytes and do not overlap. With gcc or clang: cc -O3 -march=native -c " + name + ".c */\n";
  header += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + struct_of_parameters(module) +
            prototypes_of_parameters(module);
  for (const Function& function : module.functions) {
    header += description(module, function) + lanes_prototype(module, function) + ";\n\n";
  }
  header += "#ifdef __cplusplus\n}\n#endif\n";
  std::string source =
      title(module, name + ".c") + "#include \"" + name + ".h\"\n\n#include <math.h>\n#include <string.h>\n\n";
  source += helpers(module);
  const bool angles = std::any_of(module.functions.begin(), module.functions.end(),
                                  [](const Function& f) { return !f.schedule.angles().empty(); });
  if (angles || uses_any(module, Op::tanh)) {
    source += math_of_lanes(name, module.options.lanes, uses_any(module, Op::tanh));
  }
  source += functions_of_parameters(module);
  for (const Function& function : module.functions) source += lanes_definition(module, function) + "\n";
  source.pop_back();
  return {{name + ".h", header}, {name + ".c", source}};
}

}  // namespace verne::codegen
