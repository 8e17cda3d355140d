/// CUDA's driver and NVRTC, opened at run time: what of them is used, under the names of their binary interfaces.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace verne::codegen {

using DeviceAddress = unsigned long long;

/// The first GPU and its primary context, which stays as long as the object. Everything throws EnvironmentError.
class CudaDevice {
 public:
  CudaDevice();
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  const std::string& name() const { return name_; }
  /// "sm_90"
  const std::string& architecture() const { return architecture_; }

  DeviceAddress allocate(std::size_t bytes) const;
  void free(DeviceAddress address) const;
  void copy_to_device(DeviceAddress to, const void* from, std::size_t bytes) const;
  void copy_from_device(void* to, DeviceAddress from, std::size_t bytes) const;
  void* load_module(const std::vector<char>& binary) const;
  void unload_module(void* module) const;
  void* function(void* module, const std::string& name) const;
  void launch(void* function, unsigned blocks, unsigned threads, void** arguments) const;
  void synchronize() const;

 private:
  struct Driver;
  void check(int result, const char* what) const;
  void use() const;

  const Driver* driver_;
  int device_ = 0;
  void* context_ = nullptr;
  std::string name_, architecture_;
};

/// Code for a device by NVRTC.
std::vector<char> compile_cuda(const std::string& source, const std::string& architecture);
/// Its version, as text: part of what tells compiled code apart.
std::string cuda_compiler_version();

}  // namespace verne::codegen
