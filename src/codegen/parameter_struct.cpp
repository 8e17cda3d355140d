#include "codegen/parameter_struct.h"

#include <algorithm>
#include <cmath>

#include "codegen/statements.h"

namespace verne::codegen {

namespace {

/// All functions that read parameters have the same ones.
const std::vector<Symbol>& symbols_of(const Module& module) {
  return std::find_if(module.functions.begin(), module.functions.end(),
                      [](const Function& f) { return f.reads_parameters(); })
      ->trace.symbols;
}

}  // namespace

bool reads_parameters(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(),
                     [](const Function& f) { return f.reads_parameters(); });
}

std::string name_of_struct(const Module& module) {
  return module.name + "_parameters";
}

std::string field(const Function& function, int index) {
  const int symbols = static_cast<int>(function.trace.symbols.size());
  if (index < symbols) return function.trace.symbols[static_cast<std::size_t>(index)].name;
  return function.name() + "_" + std::to_string(index - symbols + 1);
}

std::string struct_of_parameters(const Module& module) {
  if (!reads_parameters(module)) return "";
  std::string out =
      "/* Parameters. " + std::string(module.options.grouped ? "Base parameters" : "Parameters") +
      " of the bodies, in the order of the joints and in the axes in which\n"
      " * each joint moves about or along z: XX ... ZZ, MX, MY, MZ, M; of the joints: IA (rotor), FS, FV (friction).\n"
      " * What is not listed is zero. The rest follows from these: call " +
      module.name + "_derive() after changing one. */\n";
  out += "typedef struct {\n";
  for (const Symbol& symbol : symbols_of(module)) {
    out += "  " + module.scalar() + " " + symbol.name + "; /* " + symbol.unit + " */\n";
  }
  for (const Function& function : module.functions) {
    for (std::size_t k = 0; k < function.schedule.derived().size(); ++k) {
      const int index = static_cast<int>(function.trace.symbols.size() + k);
      out += "  " + module.scalar() + " " + field(function, index) + ";\n";
    }
  }
  return out + "} " + name_of_struct(module) + ";\n\n";
}

std::string prototypes_of_parameters(const Module& module) {
  if (!reads_parameters(module)) return "";
  const std::string type = name_of_struct(module);
  return "/* Those of the model. */\nvoid " + module.name + "_model_parameters(" + type + " *p);\nvoid " + module.name +
         "_derive(" + type + " *p);\n\n";
}

std::string functions_of_parameters(const Module& module) {
  if (!reads_parameters(module)) return "";
  const std::string type = name_of_struct(module);
  std::string out = "void " + module.name + "_derive(" + type + " *p) {\n  (void)p;\n";
  for (const Function& function : module.functions) {
    Dialect dialect = one_state_dialect(module);
    dialect.parameter = [&function](int k) { return "p->" + field(function, k); };
    out += derivation_of(function.trace, function.schedule, dialect);
  }
  out += "}\n\nvoid " + module.name + "_model_parameters(" + type + " *p) {\n";
  for (const Symbol& symbol : symbols_of(module)) {
    out +=
        "  p->" + symbol.name + " = " + (symbol.value < 0 ? "-" : "") + module.number(std::abs(symbol.value)) + ";\n";
  }
  return out + "  " + module.name + "_derive(p);\n}\n\n";
}

}  // namespace verne::codegen
