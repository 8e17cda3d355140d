#include "verne/codegen/device_batch.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/user_cache.h"
#include "codegen/cuda_driver.h"
#include "verne/codegen/generate.h"
#include "verne/quantities/quantities.h"

namespace verne {

namespace {

constexpr const char* kModule = "verne_device";
constexpr unsigned kThreads = 128;
constexpr std::size_t kArrays = 13;

int rows_of(const Model& model, DeviceArray array) {
  if (array == DeviceArray::q) return model.nq();
  return array >= DeviceArray::mass_matrix ? model.nv() * model.nv() : model.nv();
}

void check_wants(const DeviceOptions& options) {
  for (const std::string& want : options.want) {
    const auto known = [&](const QuantityInfo& info) { return info.is_known(kKnownDevice) && info.name == want; };
    if (std::ranges::any_of(quantities(), known)) continue;
    throw InputError("DeviceBatch: '" + want +
                     "' is not among what a device computes: " + known_quantities(kKnownDevice));
  }
}

std::vector<char> kernels_for(const Model& model, const DeviceOptions& options, const codegen::CudaDevice& device) {
  const CodeOptions code{.want = options.want,
                         .target = CodeTarget::cuda,
                         .grouped = options.grouped,
                         .single_precision = options.single_precision,
                         .math = CodeMath::inline_source,
                         .snap = 0,
                         .name = kModule};
  const std::string source = generate_code(model, code).files[0].text;
  const std::string key = fingerprint(source + device.architecture() + " " + codegen::cuda_compiler_version());
  const std::string cache = options.cache.empty() ? user_cache() : options.cache;
  const auto make = [&](const std::string&, const std::string& made) {
    const std::vector<char> binary = codegen::compile_cuda(source, device.architecture());
    write_work_file(made, std::string(binary.begin(), binary.end()));
  };
  const std::string binary = cached(cache, key + ".cubin", make).contents;
  return {binary.begin(), binary.end()};
}

}  // namespace

struct DeviceBatch::Contents {
  Contents(const Model& m, long long states, std::size_t size) : model(m), count(states), scalar_size(size) {}
  /// Delegates, so that what was taken goes back when the rest fails.
  Contents(const Model& m, long long states, const DeviceOptions& options)
      : Contents(m, states, options.single_precision ? sizeof(float) : sizeof(double)) {
    if (count < 1) throw std::invalid_argument("DeviceBatch: needs at least one state");
    check_wants(options);
    module = device.load_module(kernels_for(model, options, device));
    for (const std::string& want : options.want) {
      functions.emplace_back(want, device.function(module, std::string(kModule) + "_" + want));
    }
    const auto wants = [&](const char* word) {
      return std::find(options.want.begin(), options.want.end(), word) != options.want.end();
    };
    const bool of_tau = wants("d_tau"), of_a = wants("d_acceleration");
    const bool needed[kArrays] = {
        true,   true, true, true, wants("gravity"), wants("bias"), wants("mass_matrix"), of_tau, of_tau,
        of_tau, of_a, of_a, of_a};
    for (std::size_t k = 0; k < kArrays; ++k) {
      if (needed[k]) arrays[k] = device.allocate(bytes(static_cast<DeviceArray>(k)));
    }
  }
  ~Contents() {
    for (const codegen::DeviceAddress array : arrays) {
      if (array) device.free(array);
    }
    if (module) device.unload_module(module);
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  std::size_t bytes(DeviceArray array) const {
    return static_cast<std::size_t>(rows_of(model, array)) * static_cast<std::size_t>(count) * scalar_size;
  }
  codegen::DeviceAddress at(DeviceArray array) const {
    const codegen::DeviceAddress found = arrays[static_cast<std::size_t>(array)];
    if (!found) throw std::invalid_argument("DeviceBatch: this array was not wanted");
    return found;
  }
  void check_scalar(std::size_t size) const {
    if (size != scalar_size) throw std::invalid_argument("DeviceBatch: the arrays have the other precision");
  }

  void launch(const char* want, std::initializer_list<DeviceArray> used) {
    const auto entry = std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.first == want; });
    if (entry == functions.end()) throw std::invalid_argument(std::string("DeviceBatch: ") + want + " was not wanted");
    std::array<codegen::DeviceAddress, 6> addresses{};
    std::array<void*, 7> arguments{&count};
    std::size_t k = 0;
    for (const DeviceArray array : used) {
      addresses[k] = at(array);
      arguments[k + 1] = &addresses[k];
      ++k;
    }
    device.launch(entry->second, static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, arguments.data());
  }

  Model model;
  long long count;
  std::size_t scalar_size;
  codegen::CudaDevice device;
  void* module = nullptr;
  std::vector<std::pair<std::string, void*>> functions;
  std::array<codegen::DeviceAddress, kArrays> arrays{};
};

DeviceBatch::DeviceBatch(const Model& model, long long count, const DeviceOptions& options)
    : contents_(std::make_unique<Contents>(model, count, options)) {}
DeviceBatch::DeviceBatch(DeviceBatch&&) noexcept = default;
DeviceBatch& DeviceBatch::operator=(DeviceBatch&&) noexcept = default;
DeviceBatch::~DeviceBatch() = default;

long long DeviceBatch::count() const {
  return contents_->count;
}
int DeviceBatch::rows(DeviceArray array) const {
  return rows_of(contents_->model, array);
}
std::string DeviceBatch::device() const {
  return contents_->device.name();
}
void* DeviceBatch::address(DeviceArray array) const {
  return reinterpret_cast<void*>(contents_->at(array));
}

void DeviceBatch::upload(DeviceArray array, const double* values) {
  contents_->check_scalar(sizeof *values);
  contents_->device.copy_to_device(contents_->at(array), values, contents_->bytes(array));
}
void DeviceBatch::upload(DeviceArray array, const float* values) {
  contents_->check_scalar(sizeof *values);
  contents_->device.copy_to_device(contents_->at(array), values, contents_->bytes(array));
}
void DeviceBatch::download(DeviceArray array, double* values) const {
  contents_->check_scalar(sizeof *values);
  contents_->device.copy_from_device(values, contents_->at(array), contents_->bytes(array));
}
void DeviceBatch::download(DeviceArray array, float* values) const {
  contents_->check_scalar(sizeof *values);
  contents_->device.copy_from_device(values, contents_->at(array), contents_->bytes(array));
}

void DeviceBatch::inverse_dynamics() {
  contents_->launch("tau", {DeviceArray::q, DeviceArray::v, DeviceArray::a, DeviceArray::tau});
}
void DeviceBatch::gravity_torques() {
  contents_->launch("gravity", {DeviceArray::q, DeviceArray::gravity});
}
void DeviceBatch::bias_torques() {
  contents_->launch("bias", {DeviceArray::q, DeviceArray::v, DeviceArray::bias});
}
void DeviceBatch::mass_matrix() {
  contents_->launch("mass_matrix", {DeviceArray::q, DeviceArray::mass_matrix});
}
void DeviceBatch::forward_dynamics() {
  contents_->launch("acceleration", {DeviceArray::q, DeviceArray::v, DeviceArray::tau, DeviceArray::a});
}
void DeviceBatch::inverse_dynamics_derivatives() {
  contents_->launch("d_tau", {DeviceArray::q, DeviceArray::v, DeviceArray::a, DeviceArray::dtau_dq,
                              DeviceArray::dtau_dv, DeviceArray::dtau_da});
}
void DeviceBatch::forward_dynamics_derivatives() {
  contents_->launch("d_acceleration", {DeviceArray::q, DeviceArray::v, DeviceArray::tau, DeviceArray::da_dq,
                                       DeviceArray::da_dv, DeviceArray::da_dtau});
}
void DeviceBatch::synchronize() const {
  contents_->device.synchronize();
}

}  // namespace verne
