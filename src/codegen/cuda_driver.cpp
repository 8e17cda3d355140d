#include "codegen/cuda_driver.h"

#include <dlfcn.h>

#include <array>
#include <string>

#include "verne/base/error.h"

namespace verne::codegen {

namespace {

void* open_any(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

template <class Function>
void bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (!function) throw EnvironmentError(std::string("GPU: the driver or compiler lacks ") + name + ", it is too old");
}

struct Nvrtc {
  Nvrtc() {
    std::vector<std::string> names;
    for (const char* const suffix : {"", ".13", ".12", ".11.2"}) {
      for (const char* const folder : {"", "/usr/local/cuda/lib64/"}) {
        names.push_back(std::string(folder) + "libnvrtc.so" + suffix);
      }
    }
    void* const library = open_any(names);
    if (!library)
      throw EnvironmentError("GPU: CUDA's compiler libnvrtc.so is not found; install it, or set LD_LIBRARY_PATH");
    bind(library, "nvrtcVersion", version);
    bind(library, "nvrtcCreateProgram", create);
    bind(library, "nvrtcCompileProgram", compile);
    bind(library, "nvrtcDestroyProgram", destroy);
    bind(library, "nvrtcGetCUBINSize", binary_size);
    bind(library, "nvrtcGetCUBIN", binary);
    bind(library, "nvrtcGetProgramLogSize", log_size);
    bind(library, "nvrtcGetProgramLog", log);
  }

  int (*version)(int*, int*);
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(void*, int, const char* const*);
  int (*destroy)(void**);
  int (*binary_size)(void*, std::size_t*);
  int (*binary)(void*, char*);
  int (*log_size)(void*, std::size_t*);
  int (*log)(void*, char*);
};

const Nvrtc& nvrtc() {
  static const Nvrtc loaded;
  return loaded;
}

}  // namespace

struct CudaDevice::Driver {
  Driver() {
    void* const library = open_any({"libcuda.so.1", "libcuda.so"});
    if (!library) throw EnvironmentError("GPU: there is none, or no driver of CUDA (libcuda.so.1)");
    bind(library, "cuInit", init);
    bind(library, "cuGetErrorString", error_string);
    bind(library, "cuDeviceGet", device);
    bind(library, "cuDeviceGetCount", device_count);
    bind(library, "cuDeviceGetName", device_name);
    bind(library, "cuDeviceGetAttribute", attribute);
    bind(library, "cuDevicePrimaryCtxRetain", retain);
    bind(library, "cuDevicePrimaryCtxRelease_v2", release);
    bind(library, "cuCtxSetCurrent", set_current);
    bind(library, "cuCtxSynchronize", synchronize);
    bind(library, "cuMemAlloc_v2", allocate);
    bind(library, "cuMemFree_v2", free);
    bind(library, "cuMemsetD8_v2", set_bytes);
    bind(library, "cuMemcpyHtoD_v2", to_device);
    bind(library, "cuMemcpyDtoH_v2", from_device);
    bind(library, "cuModuleLoadData", load_module);
    bind(library, "cuModuleUnload", unload_module);
    bind(library, "cuModuleGetFunction", get_function);
    bind(library, "cuLaunchKernel", launch);
  }

  int (*init)(unsigned);
  int (*error_string)(int, const char**);
  int (*device)(int*, int);
  int (*device_count)(int*);
  int (*device_name)(char*, int, int);
  int (*attribute)(int*, int, int);
  int (*retain)(void**, int);
  int (*release)(int);
  int (*set_current)(void*);
  int (*synchronize)();
  int (*allocate)(DeviceAddress*, std::size_t);
  int (*free)(DeviceAddress);
  int (*set_bytes)(DeviceAddress, unsigned char, std::size_t);
  int (*to_device)(DeviceAddress, const void*, std::size_t);
  int (*from_device)(void*, DeviceAddress, std::size_t);
  int (*load_module)(void**, const void*);
  int (*unload_module)(void*);
  int (*get_function)(void**, void*, const char*);
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
};

void CudaDevice::check(int result, const char* what) const {
  if (result == 0) return;
  const char* text = nullptr;
  driver_->error_string(result, &text);
  throw EnvironmentError(std::string("GPU: ") + what + ": " + (text ? text : "error " + std::to_string(result)));
}

void CudaDevice::use() const {
  check(driver_->set_current(context_), "context");
}

CudaDevice::CudaDevice() {
  static const Driver loaded;
  driver_ = &loaded;
  constexpr int kMajor = 75, kMinor = 76;  // of the compute capability
  check(driver_->init(0), "driver");
  int count = 0, major = 0, minor = 0;
  check(driver_->device_count(&count), "devices");
  if (count == 0) throw EnvironmentError("GPU: the driver finds none");
  check(driver_->device(&device_, 0), "device");
  std::array<char, 256> text{};
  check(driver_->device_name(text.data(), static_cast<int>(text.size()), device_), "name");
  name_ = text.data();
  check(driver_->attribute(&major, kMajor, device_), "compute capability");
  check(driver_->attribute(&minor, kMinor, device_), "compute capability");
  architecture_ = "sm_" + std::to_string(major) + std::to_string(minor);
  check(driver_->retain(&context_, device_), "context");
}

CudaDevice::~CudaDevice() {
  driver_->release(device_);
}

DeviceAddress CudaDevice::allocate(std::size_t bytes) const {
  use();
  DeviceAddress address = 0;
  check(driver_->allocate(&address, bytes), "memory");
  check(driver_->set_bytes(address, 0, bytes), "memory");
  return address;
}

void CudaDevice::free(DeviceAddress address) const {
  driver_->set_current(context_);
  driver_->free(address);
}

void CudaDevice::copy_to_device(DeviceAddress to, const void* from, std::size_t bytes) const {
  use();
  check(driver_->to_device(to, from, bytes), "upload");
}

void CudaDevice::copy_from_device(void* to, DeviceAddress from, std::size_t bytes) const {
  use();
  check(driver_->from_device(to, from, bytes), "download");
}

void* CudaDevice::load_module(const std::vector<char>& binary) const {
  use();
  void* module = nullptr;
  check(driver_->load_module(&module, binary.data()), "kernels");
  return module;
}

void CudaDevice::unload_module(void* module) const {
  driver_->set_current(context_);
  driver_->unload_module(module);
}

void* CudaDevice::function(void* module, const std::string& name) const {
  void* found = nullptr;
  check(driver_->get_function(&found, module, name.c_str()), name.c_str());
  return found;
}

void CudaDevice::launch(void* function, unsigned blocks, unsigned threads, void** arguments) const {
  use();
  check(driver_->launch(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr), "launch");
}

void CudaDevice::synchronize() const {
  use();
  check(driver_->synchronize(), "kernel");
}

std::vector<char> compile_cuda(const std::string& source, const std::string& architecture) {
  const Nvrtc& compiler = nvrtc();
  void* program = nullptr;
  if (compiler.create(&program, source.c_str(), "verne.cu", 0, nullptr, nullptr) != 0) {
    throw EnvironmentError("GPU: CUDA's compiler cannot be started");
  }
  const std::string target = "--gpu-architecture=" + architecture;
  const std::array<const char*, 1> options{target.c_str()};
  const int result = compiler.compile(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  std::vector<char> out;
  if (result == 0) {
    compiler.binary_size(program, &size);
    out.resize(size);
    compiler.binary(program, out.data());
  } else {
    compiler.log_size(program, &size);
    std::string text(size, '\0');
    compiler.log(program, text.data());
    compiler.destroy(&program);
    throw EnvironmentError("GPU: CUDA's compiler failed: " + text.substr(0, text.find('\n')));
  }
  compiler.destroy(&program);
  return out;
}

std::string cuda_compiler_version() {
  int major = 0, minor = 0;
  nvrtc().version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace verne::codegen
