/// All that a target needs to write its files.
#pragma once

#include <Eigen/Core>

#include "codegen/closed_trace.h"
#include "codegen/schedule.h"
#include "verne/codegen/generate.h"

namespace verne::codegen {

struct Function {
  Trace trace;
  Schedule schedule;

  explicit Function(Trace t) : trace(std::move(t)), schedule(trace) {}
  const std::string& name() const { return trace.want.name; }
  /// Whether it reads parameters, rather than having all of them in its source.
  bool reads_parameters() const;
};

struct Module {
  const Model& model;
  const CodeOptions& options;
  std::string name;
  std::string note;  ///< of the model, for the heads of files
  std::vector<Function> functions;
  const ClosedSubject* closed = nullptr;  ///< of models with closed loops or held contacts

  std::string scalar() const { return options.single_precision ? "float" : "double"; }
  /// A number of the source, in its precision.
  std::string number(double value) const;
};

struct Dialect;
/// What code for one state has in common in C and CUDA: numbers, functions of the C library, comparisons.
Dialect one_state_dialect(const Module& module);

/// The head of a file: what it is, and what its functions cost.
std::string title(const Module& module, const std::string& file);
/// What a function computes, reads and writes, entry by entry with units, as a comment.
std::string description(const Module& module, const Function& function);

std::vector<GeneratedFile> write_c(const Module& module);
std::vector<GeneratedFile> write_lanes(const Module& module);
std::vector<GeneratedFile> write_cuda(const Module& module);
/// A program that compares the functions of write_c() with numbers of the library.
GeneratedFile write_self_test(const Module& module);

/// A quantity as the library's kernels compute it: an array for each output, column-major.
std::vector<std::vector<double>> reference(const Model& model, const Want& want, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v, const Eigen::VectorXd& third);

}  // namespace verne::codegen
