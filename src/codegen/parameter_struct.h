/// Parameters that stay symbols, as a struct of the generated code: the same for all targets.
#pragma once

#include "codegen/module.h"

namespace verne::codegen {

/// Whether any function reads the struct.
bool reads_parameters(const Module& module);

/// Its type.
std::string name_of_struct(const Module& module);
/// A field: a symbol, or from symbols.size() on what the function derives from symbols.
std::string field(const Function& function, int index);

// Empty where nothing is read. The struct; what fills it: NAME_model_parameters() and NAME_derive().
std::string struct_of_parameters(const Module& module);
std::string prototypes_of_parameters(const Module& module);
std::string functions_of_parameters(const Module& module);

}  // namespace verne::codegen
