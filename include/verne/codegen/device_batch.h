/// States of a model in the memory of a GPU, and kernels compiled for that model.
///
///   DeviceBatch batch(model, 1 << 22, {.want = {"tau"}});
///   batch.upload(DeviceArray::q, q.data());        // rows x states: row r of state s at [r * count + s]
///   batch.inverse_dynamics();                      // q, v, a → tau, all in the memory of the device
///   batch.download(DeviceArray::tau, tau.data());
///
/// Needs nothing of CUDA to build: its driver and its compiler are opened at run time. See docs/codegen.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// The arrays in the memory of the device.
enum class DeviceArray { q, v, a, tau, gravity, bias, mass_matrix, dtau_dq, dtau_dv, dtau_da, da_dq, da_dv, da_dtau };

/// What is compiled for the device, and how.
struct DeviceOptions {
  std::vector<std::string> want{"tau"};  ///< of quantities() those with kKnownDevice
  bool single_precision = false;         ///< float in place of double
  bool grouped = true;                   ///< base parameters
  std::string cache{};                   ///< a folder; "" takes the user's
};

/// States of one model on a GPU, and what is computed from them there.
class VERNE_API DeviceBatch {
 public:
  /// Throws EnvironmentError where there is no GPU, no compiler for it (NVRTC) or not enough memory. Arrays start as
  /// zeros, and so q is no configuration before it is uploaded.
  DeviceBatch(const Model& model, long long count, const DeviceOptions& options = {});
  DeviceBatch(DeviceBatch&&) noexcept;
  DeviceBatch& operator=(DeviceBatch&&) noexcept;
  ~DeviceBatch();

  /// Number of states.
  long long count() const;
  /// Rows of an array: numbers for each state.
  int rows(DeviceArray array) const;
  std::string device() const;  ///< its name
  /// Of an array in the memory of the device, for kernels of your own.
  void* address(DeviceArray array) const;

  // Of rows(array) * count() numbers; matrices are column-major in the rows. They wait until the numbers are there.
  /// Copies to the device; throws std::invalid_argument where it keeps floats (DeviceOptions::single_precision).
  void upload(DeviceArray array, const double* values);
  /// Copies to the device; throws std::invalid_argument where it keeps doubles.
  void upload(DeviceArray array, const float* values);
  /// Copies from the device; throws std::invalid_argument where it keeps floats.
  void download(DeviceArray array, double* values) const;
  /// Copies from the device; throws std::invalid_argument where it keeps doubles.
  void download(DeviceArray array, float* values) const;

  // Begin, and return before the results are there: download() waits for them, and so does synchronize().
  void inverse_dynamics();              ///< q, v, a → tau
  void gravity_torques();               ///< q → gravity
  void bias_torques();                  ///< q, v → bias
  void mass_matrix();                   ///< q → mass_matrix
  void forward_dynamics();              ///< q, v, tau → a
  void inverse_dynamics_derivatives();  ///< q, v, a → dtau_dq, dtau_dv, dtau_da
  void forward_dynamics_derivatives();  ///< q, v, tau → da_dq, da_dv, da_dtau
  /// Waits until all that was begun is done.
  void synchronize() const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace verne
