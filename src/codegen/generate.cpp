#include "verne/codegen/generate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "codegen/module.h"
#include "model/subject.h"

namespace verne {

namespace {

using codegen::Function;
using codegen::Module;

bool is_closed(const Model& model, const CodeOptions& options) {
  return !model.loops().empty() || !options.contacts.empty();
}

/// What a target cannot do.
void check_target(const Model& model, const CodeOptions& options) {
  const char* const refused = options.symbolic           ? "symbolic parameters"
                              : options.single_precision ? "single precision"
                                                         : nullptr;
  if (refused && is_closed(model, options)) {
    throw InputError(std::string("codegen: there is no code for closed loops or held contacts with ") + refused);
  }
  if (options.target == CodeTarget::lanes && options.single_precision) {
    throw InputError("codegen: the target lanes computes in double, as batches do");
  }
}

/// Sines and cosines of the multiples of 30° and 45°, but for their signs.
constexpr std::array kRoundValues{0.0, 0.5, 0.70710678118654752, 0.86602540378443865, 1.0};
/// A rotation but for rounding: of each product of columns.
constexpr double kOrthonormal = 1e-15;

/// The rotation that has none but such entries, each no further than `snap`; R itself where there is none.
Mat3<double> snapped(const Mat3<double>& R, double snap) {
  Mat3<double> out = R;
  for (double& x : out.m) {
    const auto near =
        std::ranges::find_if(kRoundValues, [&](double round) { return std::abs(std::abs(x) - round) <= snap; });
    if (near == kRoundValues.end()) return R;
    x = *near == 0 ? 0 : std::copysign(*near, x);
  }
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k <= j; ++k) {
      const double product = dot(out.column(j), out.column(k)) - (j == k ? 1 : 0);
      if (std::abs(product) > kOrthonormal) return R;
    }
  }
  return out;
}

struct SnappedModel {
  Model model;
  std::string note;  ///< what was done, for people; empty: nothing
};
SnappedModel snapped(const Model& model, double snap) {
  if (!(snap >= 0 && snap <= kLargestSnap)) {
    throw InputError("codegen: snap is an angle from 0 to " + rounded_text(kLargestSnap) + " rad, not " +
                     rounded_text(snap));
  }
  ModelSpec spec = model.spec();
  int joints = 0;
  double largest = 0;
  for (LinkSpec& link : spec.links) {
    double change = 0;
    for (Transform<double>* const X : {&link.X_PJ, &link.X_JL}) {
      const Mat3<double> before = X->R;
      X->R = snapped(before, snap);
      for (int i = 0; i < 9; ++i) change = std::max(change, std::abs(X->R.m[i] - before.m[i]));
    }
    joints += change > kOrthonormal;
    largest = std::max(largest, change);
  }
  if (joints == 0) return {model, ""};
  return {build_model(std::move(spec)),
          "Angles at " + std::to_string(joints) + (joints == 1 ? " joint are" : " joints are") +
              " multiples of 30 or 45 degrees but for " + rounded_text(largest) +
              " rad at most,\n * and are taken as these (snap: " + rounded_text(snap) + " rad)."};
}

/// Base parameters change wrenches inside the model, and say nothing of frames.
bool may_group(const codegen::Want& want) {
  return want.quantity != Quantity::joint_wrenches && want.quantity != Quantity::regressor;
}

Function function_for(const Model& model, const CodeOptions& options, const codegen::Want& want,
                      const codegen::ClosedSubject* closed) {
  if (!closed && want.quantity == Quantity::loop_wrenches) {
    throw InputError("codegen: loop_wrenches: no contact of the model is held (--contacts)");
  }
  Function function(closed ? codegen::trace_closed(*closed, want)
                           : codegen::trace(model, want, {options.grouped && may_group(want), options.symbolic}));
  const long operations = function.schedule.counts().total();
  if (operations > kMostOperations) {
    throw InputError("codegen: " + want.name + " of this model takes " + std::to_string(operations) +
                     " operations, more than the " + std::to_string(kMostOperations) +
                     " that compilers cope with: leave it out");
  }
  return function;
}

}  // namespace

GeneratedCode generate_code(const Model& given, const CodeOptions& options) {
  check_target(given, options);
  if (options.want.empty()) throw InputError("codegen: nothing is wanted; known are " + known_quantities(kKnownCode));
  const auto [tree, note] = snapped(given, options.snap);
  std::optional<codegen::ClosedSubject> closed;
  if (is_closed(given, options)) closed = codegen::closed_subject(tree, options.contacts);
  const Model& model = closed ? closed->mechanism.model() : tree;
  Module module{model, options, codegen::identifier(options.name.empty() ? model.name() : options.name),
                note,  {},      closed ? &*closed : nullptr};
  std::set<std::string> names;
  for (const std::string& word : options.want) {
    const codegen::Want want = codegen::parse_want(word, model);
    if (!names.insert(want.name).second) {
      throw InputError("codegen: two functions would be called " + module.name + "_" + want.name);
    }
    module.functions.push_back(function_for(model, options, want, module.closed));
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
