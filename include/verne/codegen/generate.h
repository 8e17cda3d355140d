/// Source code for one model: nothing but the arithmetic that is left when all that is known of the model is worked
/// out. See docs/codegen.md.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// What the code is written for.
enum class CodeTarget {
  c,      ///< C99, one state at a time
  lanes,  ///< C with the compilers' vector extension, on the blocks of Batch
  cuda    ///< one kernel a quantity, states as rows x states
};

/// Where the code takes sines and cosines from.
enum class CodeMath {
  libm,          ///< sin, cos and tanh of the C library (of the device with `cuda`)
  inline_source  ///< our own, in the source: sines and cosines of all joints side by side
};

/// Angles in files are rounded: what is so near to a multiple of 30° or 45° is meant to be that. In radians.
inline constexpr double kUsualSnap = 1e-11, kLargestSnap = 1e-3;

/// What generate_code() writes, and in which form.
struct CodeOptions {
  /// Of quantities() those with kCode.
  std::vector<std::string> want{"tau"};
  CodeTarget target = CodeTarget::c;  ///< what the code is written for
  bool grouped = true;                ///< base parameters in place of the bodies' own, where that changes no result
  bool symbolic = false;              ///< parameters are a struct in place of numbers in the source
  bool single_precision = false;      ///< float in place of double (`c` and `cuda`)
  CodeMath math = CodeMath::libm;     ///< where sines and cosines come from
  int lanes = 8;                      ///< states in a block (`lanes` only): those of the Batch
  /// Rotations between joints whose angles are multiples of 30° and 45° but for this (rad) are taken as these; the head
  /// of the files says so. 0: none.
  double snap = kUsualSnap;
  std::string name{};  ///< of files and functions; "" takes the model's
  /// Contacts of the model that are held (`c` and `lanes`): they are at rest, wherever they are.
  std::vector<std::string> contacts{};
};

/// A file to be written: its name and contents.
struct GeneratedFile {
  std::string name, text;  ///< of the file; its contents
};

/// What the code of a quantity costs. Divisions count as multiplications; a change of sign is free.
struct QuantityCost {
  std::string quantity;                                        ///< as in CodeOptions::want
  long multiplications = 0, additions = 0, trigonometric = 0;  ///< operations of one state
  std::vector<std::string> files;                              ///< names of the files that have it
};

/// The files for a model, and what each quantity costs.
struct GeneratedCode {
  std::string name;                  ///< of files and functions, reduced to letters, digits and underscores
  std::vector<GeneratedFile> files;  ///< sources and headers
  std::vector<QuantityCost> costs;   ///< one for each quantity
};

/// Beyond so many operations a quantity is refused: compilers take minutes.
inline constexpr long kMostOperations = 200'000;

/// Throws InputError for a quantity that is not known or too large, or that the target cannot do, for a snap that is
/// negative or above kLargestSnap, and for loops whose rank changes within the limits of their joints.
VERNE_API GeneratedCode generate_code(const Model& model, const CodeOptions& options);

}  // namespace verne
