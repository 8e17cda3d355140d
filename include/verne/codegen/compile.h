/// Code for one model, compiled by the system's C compiler and loaded: the calls of the ordinary functions, for a
/// fraction of their time.
///
///   const CompiledModel compiled = compile(model, {.want = {"tau"}});
///   compiled.inverse_dynamics(batch);          // as inverse_dynamics(model, batch)
///
/// What was compiled once is kept under $XDG_CACHE_HOME/verne (~/.cache/verne), in a folder that nobody else can enter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/dynamics/batch.h"
#include "verne/dynamics/batch_derivatives.h"

namespace verne {

/// What compile() makes, and with what.
struct CompileOptions {
  std::vector<std::string> want{"tau"};  ///< as in CodeOptions, without frames
  bool grouped = true;                   ///< base parameters
  std::string instruction_set{};         ///< that of the batches; "" takes the widest that the machine has
  std::string compiler{};                ///< "" takes $CC, or cc
  std::string cache{};                   ///< a folder; "" takes the user's
};

/// Immutable; may be shared by threads. Copies are cheap. Functions of what was not wanted throw std::invalid_argument,
/// and so do those of a batch of another instruction set or with loads.
class VERNE_API CompiledModel {
 public:
  /// The model that the code is for.
  const Model& model() const;

  // Of batches; see dynamics/batch.h.
  /// q, v, a → tau
  void inverse_dynamics(Batch& batch) const;
  /// q, v → bias
  void bias_torques(Batch& batch) const;
  /// q → gravity
  void gravity_torques(Batch& batch) const;
  /// q → mass_matrix
  void mass_matrix(Batch& batch) const;
  /// q, v, tau → a
  void forward_dynamics(Batch& batch) const;
  /// q, v, a → nv² rows each (dx: to a)
  void inverse_dynamics_derivatives(Batch& batch, BatchDerivatives& out) const;
  /// q, v, tau → nv² rows each (dx: to tau); batch.a is left alone
  void forward_dynamics_derivatives(Batch& batch, BatchDerivatives& out) const;

  // Of one state. Matrices have no gaps between their columns; outputs overlap nothing else.
  /// Torques of a motion.
  void inverse_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, VectorOut<double> tau) const;
  /// Torques at a = 0.
  void bias_torques(VectorIn<double> q, VectorIn<double> v, VectorOut<double> tau) const;
  /// Torques that hold the model at rest.
  void gravity_torques(VectorIn<double> q, VectorOut<double> tau) const;
  /// M, full.
  void mass_matrix(VectorIn<double> q, MatrixOut<double> M) const;
  /// Accelerations under tau.
  void forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a) const;
  /// Derivatives of the torques by q, v and a.
  void inverse_dynamics_derivatives(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, MatrixOut<double> dq,
                                    MatrixOut<double> dv, MatrixOut<double> da) const;
  /// Derivatives of the accelerations by q, v and tau.
  void forward_dynamics_derivatives(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, MatrixOut<double> dq,
                                    MatrixOut<double> dv, MatrixOut<double> dtau) const;

 private:
  struct Contents;
  friend VERNE_API CompiledModel compile(const Model& model, const CompileOptions& options);
  explicit CompiledModel(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  // Shared as a Model's contents are.
  std::shared_ptr<const Contents> contents_;
};

/// Throws InputError for a quantity that is not known, and EnvironmentError where there is no compiler, or the cache
/// cannot be written, belongs to somebody else or is damaged.
VERNE_API CompiledModel compile(const Model& model, const CompileOptions& options = {});

}  // namespace verne
