#include "verne/codegen/generate.h"

#include <algorithm>
#include <set>

#include "codegen/module.h"
#include "model/names_text.h"

namespace verne {

namespace {

using codegen::Function;
using codegen::Module;

/// What a target cannot do.
void check_target(const CodeOptions& options) {
  if (options.target == CodeTarget::lanes && options.single_precision) {
    throw InputError("codegen: the target lanes computes in double, as batches do");
  }
}

void check_quantity(const CodeOptions& options, const codegen::Want& want) {
  const bool large = want.quantity == Quantity::d_tau || want.quantity == Quantity::d_acceleration ||
                     want.quantity == Quantity::regressor;
  if (large && options.target == CodeTarget::cuda) {
    throw InputError("codegen: " + want.name + " is for the targets c and lanes");
  }
}

/// Base parameters change wrenches inside the model, and say nothing of frames.
bool may_group(const codegen::Want& want) {
  return want.quantity != Quantity::joint_wrenches && want.quantity != Quantity::regressor;
}

Function function_for(const Model& model, const CodeOptions& options, const codegen::Want& want) {
  Function function(codegen::trace(model, want, {options.grouped && may_group(want), options.symbolic}));
  const long operations = function.schedule.counts().total();
  if (operations > kMostOperations) {
    throw InputError("codegen: " + want.name + " of this model takes " + std::to_string(operations) +
                     " operations, more than the " + std::to_string(kMostOperations) +
                     " that compilers cope with: leave it out");
  }
  return function;
}

}  // namespace

GeneratedCode generate_code(const Model& model, const CodeOptions& options) {
  check_target(options);
  if (!model.loops().empty()) {
    std::vector<std::string> names;
    for (const LoopSpec& loop : model.loops()) names.push_back(loop.name);
    throw InputError(
        group_text("codegen: there is no straight-line code for closed loops", "loop", names, names.size()));
  }
  if (options.want.empty()) throw InputError("codegen: nothing is wanted; known are " + known_quantities(kKnownCode));
  Module module{model, options, codegen::identifier(options.name.empty() ? model.name() : options.name), {}};
  std::set<std::string> names;
  for (const std::string& word : options.want) {
    const codegen::Want want = codegen::parse_want(word, model);
    check_quantity(options, want);
    if (!names.insert(want.name).second) {
      throw InputError("codegen: two functions would be called " + module.name + "_" + want.name);
    }
    module.functions.push_back(function_for(model, options, want));
  }
  GeneratedCode code;
  code.name = module.name;
  code.files = options.target == CodeTarget::c       ? codegen::write_c(module)
               : options.target == CodeTarget::lanes ? codegen::write_lanes(module)
                                                     : codegen::write_cuda(module);
  for (const Function& function : module.functions) {
    const codegen::OperationCounts& c = function.schedule.counts();
    code.costs.push_back({function.name(), c.multiplications, c.additions, c.trigonometric, {}});
    for (const GeneratedFile& file : code.files) code.costs.back().files.push_back(file.name);
  }
  return code;
}

}  // namespace verne
